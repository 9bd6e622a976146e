/**
 * The life cycle of a gate: `deliver`, failures and retries, snapshots, keys, and crashes.
 */
import { describe, expect, it, vi } from 'vitest';
import { ToolGate, type Outgoing, type SavedGate } from 'toolgate';

import { initSync } from '../../src/ts/wasm/init.js';
import { ToolGate as SourceGate } from '../../src/ts/gate/tool-gate.js';
import { Core } from '../../target/bindgen/toolgate.js';
import { readFileSync } from 'node:fs';
import { asking, reply, send, thrownBy } from './support.js';
import { capabilitiesOf } from '../protocols/all.js';

describe('deliver', () => {
  it('claims, sends and marks items, including later ones', async () => {
    const gate = new ToolGate();
    gate.sendUserMessage({ text: 'one' });
    const sent: Outgoing[] = [];
    await gate.deliver(async (item) => {
      sent.push(item);
      gate.receive({ type: 'start', messageId: `a${sent.length}` }, { requestId: item.id });
      gate.receive({ type: 'text-start', id: 't' }, { requestId: item.id });
      if (sent.length === 1) expect(gate.sendUserMessage({ text: 'two' })).toBe('queued');
      gate.streamEnded({ status: 'finished' }, { requestId: item.id });
    });
    expect(sent.map((item) => item.id)).toEqual(['out-1', 'out-2']);
    expect(gate.getSnapshot().messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('two concurrent calls send each item once', async () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    const send = vi.fn(async () => {});
    await Promise.all([gate.deliver(send), gate.deliver(send)]);
    expect(send).toHaveBeenCalledOnce();
  });

  it('a failed item is undelivered; its retry has the same key and an equal body', async () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    const sent: Outgoing[] = [];
    await gate.deliver(async (item) => {
      sent.push(item);
      throw new Error('offline');
    });
    expect(gate.outgoing()).toEqual([]);
    expect(gate.undelivered()).toMatchObject([
      { id: 'out-2', delivery: 'failed', error: 'offline', approvalIds: ['approve-c1'] },
    ]);
    gate.retry('out-2');
    await gate.deliver(async (item) => void sent.push(item));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual({ ...sent[0], attempt: 2 });
  });

  it.each(['resolves', 'rejects'])(
    'an item that is retried while it is sent is sent again; the send %s',
    async (how) => {
      const { gate } = asking(['c1']);
      gate.respond('approve-c1', { approved: true });
      const attempts: number[] = [];
      await gate.deliver(async ({ id, attempt }) => {
        attempts.push(attempt);
        gate.markSent(id);
        gate.streamEnded({ status: attempt === 1 ? 'disconnected' : 'finished' }, { requestId: id, attempt });
        if (attempt > 1) return;
        gate.retry(id);
        if (how === 'rejects') throw new Error('the connection was lost');
      });
      expect(attempts).toEqual([1, 2]);
      expect(gate.undelivered()).toMatchObject([{ id: 'out-2', delivery: 'stalled' }]);
    },
  );
});

it('an empty reply causes no second request', () => {
  const { gate, events } = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  send(gate);
  gate.streamEnded({ status: 'finished' });
  for (let i = 0; i < 5; i++) expect(gate.outgoing()).toEqual([]);
  expect(gate.getSnapshot()).toMatchObject({ status: 'stalled', turn: { status: 'stalled' } });
  expect(events.filter((event) => event.type === 'stalled')).toEqual([
    { type: 'stalled', id: 'out-2', approvalIds: ['approve-c1'] },
  ]);
  gate.retry('out-2');
  expect(gate.outgoing()).toMatchObject([{ id: 'out-2', attempt: 2 }]);
});

describe('keys', () => {
  it('are equal in two tabs for the same decisions, and differ for other decisions', () => {
    const { gate } = asking(['c1', 'c2']);
    const saved = JSON.parse(JSON.stringify(gate)) as SavedGate;
    const key = (first: boolean, second: boolean): string => {
      const tab = ToolGate.restore(saved);
      tab.respond('approve-c2', { approved: second });
      tab.respond('approve-c1', { approved: first, reason: String(Math.random()) });
      return tab.outgoing()[0]?.key as string;
    };
    expect(key(true, false)).toBe(key(true, false));
    expect(new Set([key(true, true), key(true, false), key(false, true), key(false, false)]).size).toBe(4);
    expect(key(true, true)).toMatch(/^tg_[0-9a-f]{40}$/);
  });
});

describe('snapshots', () => {
  it('restore the same view and continue in the same way', () => {
    const { gate } = asking(['c1', 'c2'], { now: () => 7 });
    gate.respond('approve-c1', { approved: true });
    const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate, { now: () => 7 });
    const { revision: _, ...view } = gate.getSnapshot();
    expect(copy.getSnapshot()).toMatchObject(JSON.parse(JSON.stringify(view)) as object);
    for (const one of [gate, copy]) one.respond('approve-c2', { approved: false, reason: 'no' });
    expect(copy.outgoing()).toEqual(gate.outgoing());
    expect(copy.assemble()).toEqual(gate.assemble());
  });

  it('an item in flight becomes unconfirmed, and is sent only by retry', () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    send(gate);
    const copy = ToolGate.restore(gate.toJSON());
    expect(copy.outgoing()).toEqual([]);
    expect(copy.undelivered()).toMatchObject([{ id: 'out-2', delivery: 'unconfirmed' }]);
    copy.retry('out-2');
    expect(copy.outgoing()).toMatchObject([{ id: 'out-2', attempt: 2 }]);
  });

  it('a body is sent as it was stored, also after a reload', () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    const [first] = gate.outgoing();
    send(gate);
    gate.markFailed('out-2', 'offline');
    const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate);
    copy.retry('out-2');
    expect(copy.outgoing()[0]).toEqual({ ...first, attempt: 2 });
  });

  it('the error names the path of a value that JSON cannot express', () => {
    const gate = new ToolGate();
    gate.load([
      {
        id: 'a',
        role: 'assistant',
        parts: [{ type: 'tool-x', toolCallId: 'c', state: 'input-available', input: { f: () => 1 } }],
      },
    ]);
    expect(thrownBy(() => gate.toJSON())).toMatchObject({
      code: 'unserializable',
      message: expect.stringContaining('.f') as string,
    });
  });
});

it('the protocol `ai-sdk` has its documented capabilities', () => {
  expect(capabilitiesOf('ai-sdk')).toMatchObject({
    kind: 'resubmitting',
    reason: true,
    editedInput: false,
    history: 'client',
  });
  expect(() => capabilitiesOf('telex' as never)).toThrow(TypeError);
});

describe('a crash', () => {
  it('after a crash, no request is sent, and rendering does not throw', () => {
    initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));
    const gate = new SourceGate();
    gate.sendUserMessage({ text: 'hello' });
    const shown = gate.getSnapshot();
    const events: string[] = [];
    gate.onEvent((event) => events.push(event.type));
    const broken = vi.spyOn(Core.prototype, 'cancel').mockImplementation(() => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    expect(thrownBy(() => gate.cancel()).code).toBe('crashed');
    broken.mockRestore();
    expect(events).toEqual(['crashed']);
    expect(gate.outgoing()).toEqual([]);
    expect(gate.claim('out-1')).toBe(false);
    expect(gate.getSnapshot()).toMatchObject({ status: 'crashed', pending: [] });
    expect(gate.getSnapshot().messages).toBe(shown.messages);
    expect(gate.getSnapshot()).toBe(gate.getSnapshot());
    expect(thrownBy(() => gate.respond('a', { approved: true })).code).toBe('crashed');
  });
});

it('a reply that only repeats known content causes no request', () => {
  const { gate } = asking([]);
  reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'finish' }]);
  expect(gate.outgoing()).toEqual([]);
});

describe('the key of a request', () => {
  const chat = (messages: readonly object[]): ToolGate => {
    const gate = new ToolGate({ chatId: 'chat' });
    gate.load(messages);
    return gate;
  };
  const said = (id: string, role: string, text: string): object => ({ id, role, parts: [{ type: 'text', text }] });
  const key = (gate: ToolGate): string | undefined => gate.outgoing()[0]?.key;

  it('differs for an edited message with the same id, also after a reload', () => {
    const gate = chat([]);
    gate.sendUserMessage({ id: 'm1', text: 'old' });
    const keys = [key(gate)];
    send(gate);
    reply(gate, [{ type: 'start', messageId: 'a1' }, { type: 'finish' }]);
    for (const text of ['new', 'new']) {
      gate.sendUserMessage({ id: 'm1', text }, { replace: 'm1' });
      keys.push(key(gate));
    }
    const reloaded = chat([said('m1', 'user', 'old'), said('a1', 'assistant', 'hi')]);
    reloaded.sendUserMessage({ id: 'm1', text: 'newer' }, { replace: 'm1' });
    keys.push(key(reloaded));
    expect(new Set(keys).size).toBe(4);
    expect(keys).not.toContain(undefined);
  });

  it.each([undefined, 'm1'])(
    'differs for each `regenerate` of a reply, also after a reload (messageId: %s)',
    (messageId) => {
      const keys = ['a1', 'a2'].map((answer) => {
        const gate = chat([said('m1', 'user', 'tidy up'), said(answer, 'assistant', 'hi')]);
        gate.regenerate(messageId === undefined ? {} : { messageId });
        return key(gate);
      });
      expect(new Set(keys).size).toBe(2);
      expect(keys).not.toContain(undefined);
    },
  );
});

it('loading a history that lacks a message which was not sent yet does not lose that message', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ id: 'm1', text: 'tidy up' });
  gate.load([]);
  expect(gate.outgoing()).toMatchObject([{ body: { messages: [{ id: 'm1' }] } }]);
  gate.load(gate.getSnapshot().messages);
  expect(gate.outgoing()).toMatchObject([{ body: { messages: [{ id: 'm1' }] } }]);
  expect(gate.getSnapshot().queued).toEqual([]);
});
