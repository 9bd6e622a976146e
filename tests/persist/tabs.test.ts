/**
 * Several tabs: one sends requests, the others show the same chat, and each action in any tab is executed once.
 */
import { expect, it } from 'vitest';
import type { ToolGate, ToolGateOptions } from 'toolgate';

import { ask, reply, thrownBy } from '../gate/support.js';
import { until } from '../lib/waiting.js';
import { begin, claimed, freshName, MemoryStorage, quiet, stateOf, tab, textOf, type Tab } from './support.js';

/** Two tabs. The first is the leader. */
async function two(
  calls: readonly string[] = [],
  options: ToolGateOptions = {},
): Promise<{ name: string; storage: MemoryStorage; a: Tab; b: Tab }> {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, options);
  if (calls.length > 0) begin(a.gate, calls);
  await a.persisted.flush();
  const b = await tab(name, storage, options);
  return { name, storage, a, b };
}

const asks = (gate: ToolGate): string[] => gate.pending().map(({ approvalId }) => approvalId);

it('one tab is the leader; the other shows the same and sends nothing', async () => {
  const { a, b } = await two(['c1', 'c2']);
  expect([a.persisted.state === 'leader', b.persisted.state === 'leader']).toEqual([true, false]);
  expect(b.persisted.isExclusive).toBe(true);
  expect(b.gate.getSnapshot().messages).toEqual(a.gate.getSnapshot().messages);
  expect(asks(b.gate)).toEqual(['approve-c1', 'approve-c2']);
  a.gate.respondAll({ approved: true });
  await until(() => stateOf(b.gate, 'c2') === 'approval-responded ready');
  expect(a.gate.outgoing()).toHaveLength(1);
  expect(b.gate.outgoing()).toEqual([]);
  expect(b.gate.claim(a.gate.outgoing()[0]?.id ?? '')).toBe(false);
  let sent = 0;
  await b.gate.deliver(async () => void sent++);
  expect(sent).toBe(0);
  expect(b.gate.nextDeadline()).toBe(null);
});

it('a follower shows a reply as it streams, unchanged objects stay the same, and no error is reported', async () => {
  const { a, b } = await two(['c1']);
  const events: string[] = [];
  b.gate.onEvent(({ type }) => events.push(type));
  const before = b.gate.getSnapshot().messages;
  a.gate.respond('approve-c1', { approved: true });
  claimed(a.gate);
  await until(() => b.gate.getSnapshot().status === 'submitted');
  expect(stateOf(b.gate, 'c1')).toBe('approval-responded in-flight');
  expect(b.gate.undelivered()).toEqual([]);
  expect(b.gate.getSnapshot().messages[0]).toBe(before[0]);

  a.gate.receive({ type: 'start', messageId: 'a1' });
  a.gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'done' });
  a.gate.receive({ type: 'start-step' });
  a.gate.receive({ type: 'text-start', id: 't' });
  a.gate.receive({ type: 'text-delta', id: 't', delta: 'half' });
  await until(() => textOf(b.gate, 'a1') === 'half');
  expect(b.gate.getSnapshot().status).toBe('streaming');
  const during = b.gate.getSnapshot();
  expect(during.messages[0]).toBe(before[0]);
  a.gate.receive({ type: 'text-delta', id: 't', delta: ' and half' });
  await until(() => textOf(b.gate, 'a1') === 'half and half');
  const after = b.gate.getSnapshot();
  expect(after.messages[1]).not.toBe(during.messages[1]);
  expect(after.messages[1]?.parts[1]).toBe(during.messages[1]?.parts[1]);
  a.gate.receive({ type: 'tool-input-start', toolCallId: 'c2', toolName: 'edit' });
  a.gate.receive({ type: 'tool-input-delta', toolCallId: 'c2', inputTextDelta: '{"path":"hal' });
  await until(() => stateOf(b.gate, 'c2') === 'input-streaming');
  expect(b.gate.getSnapshot().messages[1]?.parts.at(-1)).toMatchObject({ input: { path: 'hal' } });
  a.gate.receive({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'edit', input: { path: 'half' } });
  a.gate.receive({ type: 'tool-output-available', toolCallId: 'c2', output: 'done' });
  a.gate.streamEnded({ status: 'finished' });
  await until(() => b.gate.getSnapshot().status === 'idle');
  expect(b.gate.getSnapshot().messages).toEqual(a.gate.getSnapshot().messages);
  expect(b.gate.getSnapshot().turn).toEqual(a.gate.getSnapshot().turn);
  expect(events).toEqual([]);
  expect([...a.errors, ...b.errors]).toEqual([]);
});

it('a follower can decide while the reply continues; the decision is sent after the end of the reply', async () => {
  const { a, b } = await two();
  a.gate.sendUserMessage({ text: 'tidy up' });
  claimed(a.gate);
  for (const chunk of [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1')]) a.gate.receive(chunk);
  await until(() => b.gate.pending().length === 1);
  expect(b.gate.getSnapshot().status).toBe('streaming');
  expect(b.gate.respond('approve-c1', { approved: true })).toBe('accepted');
  await until(() => a.gate.pending().length === 0);
  expect(a.gate.outgoing()).toEqual([]);
  a.gate.streamEnded({ status: 'finished' });
  expect(claimed(a.gate).approvalIds).toEqual(['approve-c1']);
});

it('an action in a follower is shown at once, and applied by the leader', async () => {
  const { a, b } = await two(['c1', 'c2']);
  expect(b.gate.respond('approve-c1', { approved: false, reason: 'no' })).toBe('accepted');
  expect(stateOf(b.gate, 'c1')).toBe('approval-responded forwarded');
  expect(b.gate.respond('approve-c1', { approved: false })).toBe('duplicate');
  expect(thrownBy(() => b.gate.respond('approve-c1', { approved: true })).code).toBe('already-decided');
  expect(thrownBy(() => b.gate.respond('approve-c9', { approved: true })).code).toBe('unknown-approval');
  await b.persisted.flush();
  expect([stateOf(a.gate, 'c1'), stateOf(b.gate, 'c1')]).toEqual([
    'approval-responded held',
    'approval-responded held',
  ]);
  expect(b.gate.respondAll({ approved: true, where: ({ toolCallId }) => toolCallId === 'c2' })).toBe(1);
  await b.persisted.flush();
  const item = claimed(a.gate);
  expect(item.approvalIds).toEqual(['approve-c1', 'approve-c2']);
  await until(() => stateOf(b.gate, 'c2') === 'approval-responded in-flight');
  a.gate.markFailed(item.id, 'no network');
  await until(() => b.gate.undelivered().length === 1);
  expect(b.gate.undelivered()).toEqual(a.gate.undelivered());
  b.gate.retry(item.id);
  await b.persisted.flush();
  expect(a.gate.outgoing()).toMatchObject([{ id: item.id, key: item.key, attempt: 2 }]);
  expect([...a.errors, ...b.errors]).toEqual([]);
});

it('the leader applies the other actions of a follower: cancel, messages, regenerate and stop', async () => {
  const { a, b } = await two(['c1']);
  b.gate.cancel('enough');
  await b.persisted.flush();
  expect(a.gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ outcome: { kind: 'cancelled' } });
  expect(b.gate.sendUserMessage({ text: 'once more' })).toBe('queued');
  const id = b.gate.getSnapshot().queued.at(-1)?.id;
  await b.persisted.flush();
  expect(a.gate.getSnapshot().messages.at(-1)?.id).toBe(id);
  expect(b.gate.getSnapshot().messages.at(-1)?.id).toBe(id);
  expect(b.gate.getSnapshot().queued).toEqual([]);
  claimed(a.gate);
  await until(() => b.gate.getSnapshot().status === 'submitted');
  expect(b.gate.sendUserMessage({ text: 'and more' })).toBe('queued');
  await b.persisted.flush();
  expect(a.gate.getSnapshot().queued).toHaveLength(1);
  expect(thrownBy(() => b.gate.regenerate()).code).toBe('busy');
  reply(a.gate, [{ type: 'start', messageId: 'a2' }, { type: 'start-step' }, ...ask('c2')]);
  claimed(a.gate);
  reply(a.gate, [
    { type: 'start', messageId: 'a3' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'ok' },
  ]);
  await until(() => textOf(b.gate, 'a3') === 'ok' && b.gate.getSnapshot().status === 'idle');
  b.gate.regenerate();
  await b.persisted.flush();
  expect(a.gate.outgoing()).toMatchObject([{ body: { trigger: 'regenerate-message' } }]);
  b.gate.stop();
  await b.persisted.flush();
  expect(a.gate.outgoing()).toEqual([]);
  expect([...a.errors, ...b.errors]).toEqual([]);
});

it('a follower gives an approval more time in all tabs', async () => {
  const { a, b } = await two(['c1'], { approvalTimeoutMs: 60_000 });
  const [{ expiresAt = 0 } = {}] = b.gate.pending();
  expect(b.gate.extend('approve-c1', expiresAt + 60_000)).toBe(true);
  await b.persisted.flush();
  expect(a.gate.pending()).toMatchObject([{ expiresAt: expiresAt + 60_000 }]);
  await until(() => b.gate.pending()[0]?.expiresAt === expiresAt + 60_000);
  expect([...a.errors, ...b.errors]).toEqual([]);
});

it('the leader receives the result of a browser tool that ran in a follower', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const options = { browserTools: ['edit'] };
  const a = await tab(name, storage, options);
  a.gate.sendUserMessage({ text: 'pick one' });
  claimed(a.gate);
  const call = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {} };
  reply(a.gate, [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, call]);
  await a.persisted.flush();
  const b = await tab(name, storage, options);
  b.gate.addToolOutput('c1', { output: new Date(7) });
  await b.persisted.flush();
  expect(a.gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ state: 'output-available', output: new Date(7) });
  expect(a.gate.outgoing()).toHaveLength(1);
  expect(() => b.gate.addToolOutput('c1', { output: () => {} })).toThrow(/addToolOutput.*output/);
});

it.each([
  [true, true],
  [true, false],
  [false, true],
  [false, false],
])(
  'two tabs decide at the same moment, %s and %s: one decision is valid, both show it, and it is sent once',
  async (first, second) => {
    const { a, b } = await two(['c1']);
    expect(b.gate.respond('approve-c1', { approved: second })).toBe('accepted');
    expect(a.gate.respond('approve-c1', { approved: first })).toBe('accepted');
    await b.persisted.flush();
    await quiet();
    for (const { gate } of [a, b]) {
      expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ approval: { approved: first } });
    }
    const item = claimed(a.gate);
    expect(item.approvalIds).toEqual(['approve-c1']);
    expect(b.errors.map((error) => (error as { code?: string }).code)).toEqual(
      first === second ? [] : ['already-decided'],
    );
    reply(a.gate, [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      { type: 'text-start', id: 't' },
      { type: 'text-end', id: 't' },
    ]);
    await quiet();
    expect(a.gate.outgoing()).toEqual([]);
  },
);

it('when the leader is closed, the other tab takes over with the last state and its own actions', async () => {
  const { a, b } = await two(['c1', 'c2']);
  b.gate.respond('approve-c1', { approved: true });
  await b.persisted.flush();
  let told = 0;
  b.gate.subscribe(() => told++);
  a.persisted.close();
  b.gate.respond('approve-c2', { approved: true });
  await until(() => b.persisted.state === 'leader');
  expect(told).toBeGreaterThan(0);
  expect(claimed(b.gate).approvalIds).toEqual(['approve-c1', 'approve-c2']);
  expect(a.gate.outgoing()).toEqual([]);
  expect(b.errors).toEqual([]);
});

it('a request in flight of the closed tab is unconfirmed in the next leader, and not sent again', async () => {
  const { a, b } = await two(['c1']);
  a.gate.respond('approve-c1', { approved: true });
  const item = claimed(a.gate);
  await until(() => stateOf(b.gate, 'c1') === 'approval-responded in-flight');
  a.persisted.close();
  await until(() => b.persisted.state === 'leader');
  expect(b.gate.outgoing()).toEqual([]);
  expect(b.gate.undelivered()).toMatchObject([{ id: item.id, key: item.key, delivery: 'unconfirmed' }]);
});

it('without a leader actions are held for the next one, which applies them once and in order', async () => {
  const { name, storage, a, b } = await two(['c1', 'c2']);
  const c = await tab(name, storage);
  // The next leader cannot read storage yet, so no tab is the leader.
  const read = storage.read.bind(storage);
  let letRead = (): void => {};
  const waiting = new Promise<void>((resolve) => (letRead = resolve));
  storage.read = async (key) => {
    await waiting;
    return read(key);
  };
  a.persisted.close();
  c.gate.respond('approve-c1', { approved: true });
  c.gate.sendUserMessage({ text: 'one' });
  c.gate.sendUserMessage({ text: 'two' });
  b.gate.respond('approve-c1', { approved: false });
  await quiet();
  expect([b.persisted.state === 'leader', c.persisted.state === 'leader']).toEqual([false, false]);
  letRead();
  await until(() => b.persisted.state === 'leader');
  await c.persisted.flush();
  await quiet();
  // The first decision is valid, whether the leader or the follower made it.
  expect(b.gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({ approval: { approved: true } });
  expect(c.gate.getSnapshot().messages).toEqual(b.gate.getSnapshot().messages);
  const said = [...b.gate.getSnapshot().messages, ...b.gate.getSnapshot().queued]
    .filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts.map((part) => (part as { text?: string }).text));
  expect(said).toEqual(['tidy up', 'one', 'two']);
  expect([b.errors, c.errors]).toMatchObject([[{ code: 'already-decided' }], []]);
});

it('the next leader does not repeat an action that the closed tab has stored', async () => {
  const { name, storage, a, b } = await two();
  const c = await tab(name, storage);
  c.gate.sendUserMessage({ text: 'only once' });
  a.persisted.close();
  await until(() => b.persisted.state === 'leader' || c.persisted.state === 'leader');
  await c.persisted.flush();
  await quiet();
  const leader = b.persisted.state === 'leader' ? b : c;
  expect(leader.gate.getSnapshot().messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(leader.gate.outgoing()).toHaveLength(1);
});

it('a stop in a follower calls onStop in the leader', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  let stops = 0;
  const a = await tab(name, storage, {}, { onStop: () => stops++ });
  const b = await tab(name, storage);
  a.gate.sendUserMessage({ text: 'hello' });
  claimed(a.gate);
  await until(() => b.gate.getSnapshot().status === 'submitted');
  b.gate.stop();
  await b.persisted.flush();
  expect(stops).toBe(1);
  a.gate.stop();
  expect(stops).toBe(1);
});

it('a follower ignores receive and load, because it must show the state of the leader', async () => {
  const { a, b } = await two(['c1']);
  reply(b.gate, [{ type: 'start', messageId: 'a9' }, ...ask('c9')]);
  expect(b.gate.load([])).toEqual({ repairs: [] });
  expect(b.gate.getSnapshot().messages).toEqual(a.gate.getSnapshot().messages);
});

it('a tab with another chat id under the same name reports an error and shows no messages', async () => {
  const { name, storage } = await two(['c1']);
  const c = await tab(name, storage, { chatId: 'another' });
  await until(() => c.errors.length > 0);
  expect(c.errors).toMatchObject([{ code: 'bad-snapshot' }]);
  expect(c.gate.getSnapshot().messages).toEqual([]);
});

it('a decision about all approvals applies to the shown ones, not to those that arrived meanwhile', async () => {
  const { a, b } = await two(['c1']);
  reply(a.gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    ...ask('c1'),
    ...ask('c2'),
    { type: 'finish' },
  ]);
  expect(asks(a.gate)).toEqual(['approve-c1', 'approve-c2']);
  expect(b.gate.respondAll({ approved: true })).toBe(1);
  await b.persisted.flush();
  expect(asks(a.gate)).toEqual(['approve-c2']);
});
