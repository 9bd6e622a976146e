/**
 * Snapshots of earlier versions: each restores to what was shown then, and goes on. Those of later versions, and what is
 * none, are refused with a sentence that says what to do.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ToolGate, ToolGateError, type Snapshot } from 'toolgate';

import { expectAccepted } from './backends.js';
import { reply, send, thrownBy } from './support.js';

interface Kept {
  readonly snapshot: Snapshot;
  readonly pending: readonly string[];
  readonly messages: readonly { parts: { delivery?: string }[] }[];
}

/** The version that this release writes. */
const PRESENT = 3;

/** Version 1 had no policies, deadlines and remembered decisions; the moments of version 2 have them. */
const versions = ([1, 2] as const).map((version) => {
  const file = new URL(`../fixtures/snapshots/version-${version}.json`, import.meta.url);
  return [version, JSON.parse(readFileSync(file, 'utf8')) as Record<string, Kept>] as const;
});
const kept = versions[0]?.[1] as Record<string, Kept>;
const names = ['pending', 'ready', 'in-flight', 'streaming', 'cancelled'];

/** What was shown, but that what was on its way, or was just being answered, is unconfirmed. */
function afterRestore(name: string, { messages }: Kept): unknown {
  const was = name === 'streaming' ? 'acknowledged' : 'in-flight';
  return JSON.parse(JSON.stringify(messages).replaceAll(`"delivery":"${was}"`, '"delivery":"unconfirmed"'));
}

/** Goes on until the user's next message has its answer. */
async function goOn(gate: ToolGate): Promise<void> {
  gate.respondAll({ approved: false, reason: 'no' });
  for (const { id } of gate.undelivered()) gate.retry(id);
  for (let turn = 0; gate.outgoing().length > 0 && turn < 5; turn++) {
    await expectAccepted(gate.outgoing()[0]);
    send(gate);
    const running = gate.getSnapshot().messages.flatMap((message) => message.parts) as { toolCallId?: string; state?: string; approval?: { approved?: boolean } }[];
    const outputs = running.filter((part) => part.state === 'approval-responded' && part.approval?.approved);
    reply(gate, [
      ...outputs.map(({ toolCallId }) => ({ type: 'tool-output-available', toolCallId, output: 'done' })),
      { type: 'text-start', id: 't' },
      { type: 'text-end', id: 't' },
      { type: 'finish' },
    ]);
  }
  expect(gate.undelivered()).toEqual([]);
}

describe.each(versions)('version %i', (version, kept) => {
  it('the fixture has the five moments that a version must be able to read', () => {
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(names));
    for (const { snapshot } of Object.values(kept)) expect(snapshot.version).toBe(version);
  });

  it.each(Object.keys(kept))('%s: the same messages and pending approvals, and it goes on', async (name) => {
    const entry = kept[name] as Kept;
    const gate = ToolGate.restore(entry.snapshot);
    const shown = JSON.stringify(gate.getSnapshot().messages, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    expect(JSON.parse(shown)).toEqual(afterRestore(name, entry));
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(entry.pending);
    const decided = version > 1 && ['ready', 'in-flight', 'streaming'].includes(name);
    expect(gate.remembered()).toHaveLength(decided ? 1 : 0);
    expect(gate.nextDeadline()).toBe(version > 1 && name === 'pending' ? 1_000_001_000 : null);
    await goOn(gate);
    expect(gate.sendUserMessage({ text: 'go on' })).toBe('sent');
    await expectAccepted(gate.outgoing()[0]);
    const known = gate.assemble();
    const copy = new ToolGate();
    copy.load(known);
    expect(copy.assemble()).toEqual(known);
  });

  it.each(Object.keys(kept))('%s: written again it is of the present version, and the same', (name) => {
    const first = ToolGate.restore((kept[name] as Kept).snapshot);
    const saved = JSON.parse(JSON.stringify(first)) as Snapshot;
    expect(saved.version).toBe(PRESENT);
    const second = ToolGate.restore(saved);
    expect(second.getSnapshot().messages).toEqual(first.getSnapshot().messages);
    expect(second.outgoing()).toEqual(first.outgoing());
    expect(second.toJSON()).toEqual(saved);
  });

  it('what was ready may leave, with the key that it had; what was in flight may not', () => {
    const ready = ToolGate.restore((kept['ready'] as Kept).snapshot);
    expect(ready.outgoing()).toHaveLength(1);
    const flying = ToolGate.restore((kept['in-flight'] as Kept).snapshot);
    expect(flying.outgoing()).toEqual([]);
    expect(flying.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  });

  it('values keep their exact form', () => {
    const gate = ToolGate.restore((kept['pending'] as Kept).snapshot);
    expect(gate.pending()[0]?.input).toEqual({ path: 'c1', at: new Date(0), n: 10n });
  });

  it('read as another version it is damaged', () => {
    for (const name of ['ready', 'pending']) {
      const { snapshot } = kept[name] as Kept;
      const present = ToolGate.restore(snapshot).toJSON();
      for (const other of [1, 2, 3].filter((one) => one !== version && name === 'ready')) {
        expect(thrownBy(() => ToolGate.restore({ ...snapshot, version: other } as Snapshot)).code).toBe('bad-snapshot');
      }
      expect(thrownBy(() => ToolGate.restore({ ...present, version: 1 } as Snapshot)).code).toBe('bad-snapshot');
    }
  });
});

describe('what is refused', () => {
  const whole = (): Record<string, unknown> => JSON.parse(JSON.stringify(ToolGate.restore((kept['pending'] as Kept).snapshot))) as Record<string, unknown>;

  it.each([PRESENT + 1, 99, 2 ** 31, 1e300])('a later version, %d, by its number', (version) => {
    const error = thrownBy(() => ToolGate.restore({ ...whole(), version } as never));
    expect(error).toBeInstanceOf(ToolGateError);
    expect(error).toMatchObject({ code: 'bad-snapshot', message: expect.stringContaining(`version ${version}`) as string });
  });

  it.each([0, -1, 1.5, '2', null, undefined, NaN, {}])('the version %j', (version) => {
    expect(thrownBy(() => ToolGate.restore({ ...whole(), version } as never))).toMatchObject({
      code: 'bad-snapshot',
      message: expect.stringContaining(`versions 1 to ${PRESENT}`) as string,
    });
  });

  it.each<[string, (snapshot: Record<string, unknown>) => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['a text', () => '{}'],
    ['a list', () => []],
    ['an empty object', () => ({})],
    ['no numbers', ({ numbers: _, ...rest }) => rest],
    ['texts for numbers', (snapshot) => ({ ...snapshot, numbers: (snapshot['numbers'] as number[]).map(String) })],
    ['numbers cut short', (snapshot) => ({ ...snapshot, numbers: (snapshot['numbers'] as number[]).slice(0, -3) })],
    ['more numbers', (snapshot) => ({ ...snapshot, numbers: [...(snapshot['numbers'] as number[]), 0] })],
    ['no texts', (snapshot) => ({ ...snapshot, texts: [] })],
    ['no values', (snapshot) => ({ ...snapshot, values: [] })],
    ['an unknown tag', (snapshot) => ({ ...snapshot, values: (snapshot['values'] as unknown[]).map(() => ({ $: 'soul', v: 1 })) })],
    ['a broken BigInt', (snapshot) => ({ ...snapshot, values: (snapshot['values'] as unknown[]).map(() => ({ $: 'bigint', v: 'x' })) })],
    ['no chat id', ({ chatId: _, ...rest }) => rest],
  ])('%s', (_, make) => {
    const error = thrownBy(() => ToolGate.restore(make(whole()) as never));
    expect(error).toMatchObject({ name: 'ToolGateError', code: 'bad-snapshot' });
    expect(error.message.length).toBeGreaterThan(30);
  });

  it('a refused snapshot costs nothing: the next gate works', () => {
    thrownBy(() => ToolGate.restore({ ...whole(), numbers: [] } as never));
    const gate = new ToolGate();
    expect(gate.sendUserMessage({ text: 'hello' })).toBe('sent');
    expect(ToolGate.restore(whole() as never).pending()).toHaveLength(2);
  });
});
