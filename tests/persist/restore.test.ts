/**
 * The last state of a chat is always the one that is stored. It is restored into an existing gate.
 */
import { expect, it, onTestFinished } from 'vitest';
import { ToolGate } from 'toolgate';
import { persist } from 'toolgate/persist';

import { ask, reply } from '../gate/support.js';
import { turns, until } from '../lib/waiting.js';
import {
  begin,
  claimed,
  freshName,
  persistGate,
  latch,
  MemoryStorage,
  quiet,
  stateOf,
  tab,
  textOf,
} from './support.js';

it('restores into the existing gate, and notifies its listeners', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage);
  begin(first.gate, ['c1', 'c2']);
  first.gate.respond('approve-c1', { approved: true });
  first.persisted.close();
  await quiet();

  const gate = new ToolGate({ chatId: 'chat' });
  gate.load([{ id: 'x', role: 'user', parts: [{ type: 'text', text: 'of the server' }] }]);
  const before = gate.getSnapshot();
  let told = 0;
  gate.subscribe(() => told++);
  const { persisted, errors } = await persistGate(gate, name, storage);
  expect(persisted.state).toBe('leader');
  expect(persisted.isExclusive).toBe(true);
  expect(told).toBeGreaterThan(0);
  expect(gate.getSnapshot().revision).toBeGreaterThan(before.revision);
  expect(gate.getSnapshot().messages.map(({ id }) => id)).toEqual(['before-a1', 'a1']);
  expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['approve-c2']);
  expect(before.pending).toEqual([]);
  expect(gate.respond('approve-c2', { approved: true })).toBe('accepted');
  expect(claimed(gate).approvalIds).toEqual(['approve-c1', 'approve-c2']);
  expect(errors).toEqual([]);
});

it('asks `rewriteResult` for the results that a restored chat writes, so its requests can be sent', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const rewriteResult = ({ toolCallId }: { toolCallId: string }): string => `rewritten ${toolCallId}`;
  const first = await tab(name, storage, { rewriteResult });
  for (const chunk of [{ type: 'start', messageId: 'a1' }, ...ask('c1')]) first.gate.receive(chunk);
  first.gate.respond('approve-c1', { approved: true });
  first.gate.sendUserMessage({ text: 'hello' });
  await first.persisted.flush();
  // The page is killed while the reply is streaming.
  const { gate } = await tab(`${name}'`, storage.copyOf(name, `${name}'`), { rewriteResult });
  expect(JSON.stringify(gate.getSnapshot().messages)).toEqual(
    JSON.stringify(ToolGate.restore(first.gate.toJSON(), { rewriteResult }).getSnapshot().messages),
  );
  expect(gate.getSnapshot().turn.waitingFor).not.toContainEqual({ kind: 'rewrite' });
});

it('a view from before the restore can still be read, and unchanged content is the same object afterwards', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage, { now: () => 5 });
  begin(first.gate, ['c1']);
  await first.persisted.flush();
  const gate = new ToolGate({ chatId: 'chat', now: () => 5 });
  begin(gate, ['c1']);
  const old = gate.getSnapshot();
  await persistGate(gate, `${name}'`, storage.copyOf(name, `${name}'`));
  expect(old.pending).toMatchObject([{ approvalId: 'approve-c1', requestedAt: 5 }]);
  expect(gate.getSnapshot()).not.toBe(old);
  expect(gate.getSnapshot().messages[1]).toBe(old.messages[1]);
});

it('after a restore a request in flight is unconfirmed, its reply is disconnected, and ready requests are sent', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage);
  begin(first.gate, ['c1']);
  first.gate.respond('approve-c1', { approved: true });
  const before = first.gate.outgoing()[0];
  await first.persisted.flush();
  const ready = await tab(`${name}-ready`, storage.copyOf(name, `${name}-ready`));
  expect(ready.gate.outgoing().map(({ key }) => key)).toEqual([before?.key]);

  const item = claimed(first.gate);
  await first.persisted.flush();
  const sent = await tab(`${name}-sent`, storage.copyOf(name, `${name}-sent`));
  expect(sent.gate.outgoing()).toEqual([]);
  expect(sent.gate.undelivered()).toMatchObject([{ id: item.id, key: item.key, delivery: 'unconfirmed' }]);
  sent.gate.retry(item.id);
  expect(sent.gate.outgoing()).toMatchObject([{ key: item.key, attempt: 2, body: item.body }]);

  first.gate.receive({ type: 'start', messageId: 'a1' });
  first.gate.receive({ type: 'text-start', id: 't' });
  first.gate.receive({ type: 'text-delta', id: 't', delta: 'half a' });
  await first.persisted.flush();
  const cut = await tab(`${name}-cut`, storage.copyOf(name, `${name}-cut`));
  expect(textOf(cut.gate, 'a1')).toBe('half a');
  expect(cut.gate.getSnapshot().turn.ending).toBe('disconnected');
  expect(cut.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
});

it('actions before the stored state is read are applied on top of it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage);
  begin(first.gate, ['c1']);
  await first.persisted.flush();
  storage.copyOf(name, `${name}'`);
  const gate = new ToolGate({ chatId: 'chat' });
  const keeping = persistGate(gate, `${name}'`, storage);
  gate.sendUserMessage({ text: 'and one thing more' });
  expect(gate.outgoing()).toEqual([]);
  expect(gate.getSnapshot().queued).toHaveLength(1);
  await keeping;
  expect(gate.getSnapshot().queued).toEqual([]);
  expect(gate.getSnapshot().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(stateOf(gate, 'c1')).toContain('output-denied');
  expect(gate.outgoing()).toHaveLength(1);
});

it('always stores the last state, with one write at a time', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  await persisted.flush();
  const held = latch();
  storage.hold = held.opened;
  const before = storage.writes;
  gate.sendUserMessage({ text: 'one' });
  await quiet();
  expect(storage.writes).toBe(before + 1);
  claimed(gate);
  for (let part = 0; part < 20; part++) {
    gate.receive({ type: 'text-start', id: `t${part}` });
    gate.receive({ type: 'text-delta', id: `t${part}`, delta: `${part} ` });
  }
  gate.streamEnded({ status: 'finished' });
  await quiet();
  expect(storage.writes).toBe(before + 1);
  held.open();
  await until(() => storage.writes === before + 2);
  await quiet();
  expect(storage.writes).toBe(before + 2);
  expect(JSON.stringify(storage.record(name))).toContain('19 ');
});

it('the calls of a reply are stored and published together; decisions and claims at once', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  const other = await tab(name, storage);
  let published = 0;
  const channel = new BroadcastChannel(`toolgate:${name}`);
  channel.onmessage = ({ data }) =>
    void (published += (data as { message: { type: string } }).message.type === 'change' ? 1 : 0);
  onTestFinished(() => channel.close());
  gate.sendUserMessage({ text: 'tidy up' });
  claimed(gate);
  await persisted.flush();
  await quiet();
  [storage.writes, published] = [0, 0];
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  for (let call = 0; call < 100; call++) {
    for (const chunk of ask(`c${call}`)) gate.receive(chunk);
    await turns(1);
  }
  expect(storage.writes).toBeLessThan(10);
  expect(published).toBeLessThan(20);
  gate.streamEnded({ status: 'finished' });
  await until(() => other.gate.pending().length === 100);

  [storage.writes, published] = [0, 0];
  gate.respondAll({ approved: true });
  await turns(3);
  expect(storage.writes).toBe(1);
  claimed(gate);
  await turns(3);
  expect(storage.writes).toBe(2);
  expect(published).toBe(2);
});

it('clear deletes the stored state', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  begin(gate, ['c1']);
  await persisted.clear();
  await quiet();
  expect(storage.values.has(name)).toBe(false);
  expect(gate.pending()).toHaveLength(1);
  gate.respond('approve-c1', { approved: false });
  await persisted.flush();
  expect(storage.values.has(name)).toBe(true);
});

it('a gate sends nothing after close, until it is persisted again', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  begin(gate, ['c1']);
  gate.respond('approve-c1', { approved: true });
  persisted.close();
  persisted.close();
  expect(gate.outgoing()).toEqual([]);
  expect(gate.claim('out-2')).toBe(false);
  expect(persisted.state).not.toBe('leader');
  await quiet();
  const again = await persistGate(gate, name, storage);
  expect(again.persisted.state).toBe('leader');
  expect(gate.outgoing()).toHaveLength(1);
});

it('persist refuses invalid arguments', async () => {
  const gate = new ToolGate();
  const storage = new MemoryStorage();
  await expect(persist({} as ToolGate, { name: 'a' })).rejects.toThrow(TypeError);
  await expect(persist(gate, { name: '', storage })).rejects.toThrow(TypeError);
  await expect(persist(gate, { name: 'a.actions', storage })).rejects.toThrow(TypeError);
  for (const unknown of ['cookies', 'localstorage'])
    await expect(persist(gate, { name: 'a', storage: unknown as never })).rejects.toThrow(
      `invalid option \`storage\`: "${unknown}"`,
    );
  const { persisted } = await persistGate(gate, freshName(), storage);
  await expect(persist(gate, { name: 'b', storage })).rejects.toThrow(/already persisted/);
  persisted.close();
  const busy = new ToolGate();
  busy.sendUserMessage({ text: 'hello' });
  claimed(busy);
  await expect(persist(busy, { name: freshName(), storage })).rejects.toThrow(/in flight/);
  reply(busy, [{ type: 'start', messageId: 'a1' }, ...ask('c1')]);
  await persistGate(busy, freshName(), storage);
  expect(busy.pending()).toHaveLength(1);
});

it('chats with different names are independent', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const one = await tab(name, storage);
  const two = await tab(`${name}2`, storage);
  begin(one.gate, ['c1']);
  await one.persisted.flush();
  await quiet();
  expect([one.persisted.state === 'leader', two.persisted.state === 'leader']).toEqual([true, true]);
  expect(two.gate.getSnapshot().messages).toEqual([]);
  expect(storage.record(`${name}2`)?.snapshot).not.toEqual(storage.record(name)?.snapshot);
});
