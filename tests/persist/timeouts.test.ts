/**
 * If storage or locks never answer, every wait ends with an error.
 */
import { expect, it, vi } from 'vitest';
import { ToolGate, type Outgoing } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';

import { chats, stage } from '../ai-sdk/support/chats.js';
import { until } from '../lib/waiting.js';
import { begin, claimed, freshName, persistGate, latch, MemoryStorage, quiet, tab } from './support.js';

const { locks } = navigator;
const never = new Promise<never>(() => {});
const SHORT = { storeTimeoutMs: 20 };

it('a request whose claim is not stored in time is not sent, fails with the reason, and can be retried', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted, errors } = await tab(name, storage, {}, SHORT);
  gate.sendUserMessage({ text: 'hello' });
  await persisted.flush();
  storage.hold = never;
  const sent: Outgoing[] = [];
  await gate.deliver(async (item) => void sent.push(item));
  expect(sent).toEqual([]);
  expect(gate.undelivered()).toMatchObject([
    { delivery: 'failed', error: expect.stringMatching(/not sent.*did not answer within 20 ms/) as unknown },
  ]);
  expect(errors[0]?.message).toBe('storage did not answer within 20 ms');
  storage.hold = undefined;
  gate.retry(gate.undelivered()[0]?.id ?? '');
  await gate.deliver(async (item) => void sent.push(item));
  expect(sent).toHaveLength(1);
});

it('a write that exceeds the time limit is reported', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const signals: (AbortSignal | undefined)[] = [];
  const write = storage.write.bind(storage);
  storage.write = (key: string, value: unknown, signal?: AbortSignal) => {
    signals.push(signal);
    return write(key, value);
  };
  const { gate, persisted } = await tab(name, storage, {}, SHORT);
  storage.hold = never;
  gate.sendUserMessage({ text: 'hello' });
  await expect(persisted.flush()).rejects.toThrow('did not answer within 20 ms');
  expect(signals.at(-1)?.aborted).toBe(true);
  expect(signals[0]?.aborted).toBe(false);
});

it('persist resolves if storage cannot be read, and the chat continues without it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.read = () => never;
  const { gate, persisted, errors } = await tab(name, storage, {}, SHORT);
  expect(persisted.state).toBe('leader');
  expect(errors.map(({ message }) => message)).toEqual(['storage did not answer within 20 ms']);
  gate.sendUserMessage({ text: 'hello' });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(1);
  expect(storage.writes).toBe(0);
});

it('a tab with stored actions waits for its storage: they are executed once, and none of them stays there', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const read = storage.read.bind(storage);
  storage.read = (key) => (key === name ? never : read(key));
  const gate = new ToolGate({ chatId: 'chat' });
  const keeping = persistGate(gate, name, storage, SHORT);
  gate.sendUserMessage({ text: 'hello' });
  await until(() => storage.values.has(`${name}.actions`));
  storage.read = read;
  const { persisted } = await keeping;
  await until(() => persisted.state === 'leader');
  expect(claimed(gate).kind).toBe('submission');
  await until(() => !storage.values.has(`${name}.actions`));
});

it('an action in a follower of a chat without storage is executed once, too', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const read = storage.read.bind(storage);
  storage.read = (key) => (key === name ? never : read(key));
  const a = await tab(name, storage, {}, SHORT);
  storage.read = read;
  const b = await tab(name, storage);
  b.gate.sendUserMessage({ text: 'hello' });
  await b.persisted.flush();
  expect(claimed(a.gate).kind).toBe('submission');
  await until(() => !storage.values.has(`${name}.actions`));
});

it('persist also resolves in a follower whose storage does not answer', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  const read = storage.read.bind(storage);
  storage.read = () => never;
  const b = await tab(name, storage, {}, SHORT);
  expect(b.persisted.state).not.toBe('leader');
  await until(() => b.gate.pending().length === 1);
  storage.read = read;
});

it('close releases the lock after the time limit, and the next page that opens the chat is the leader', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, {}, SHORT);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  storage.hold = never;
  a.gate.respond('approve-c1', { approved: true });
  a.persisted.close();
  storage.hold = undefined;
  const b = await tab(name, storage, {}, { leaderTimeoutMs: 1_000_000 });
  await until(() => b.persisted.state === 'leader');
  expect(b.gate.getSnapshot().messages).toHaveLength(2);
});

it('saved rejects in a follower whose leader cannot store', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage, {}, { storeTimeoutMs: 20, leaderTimeoutMs: 20 });
  b.gate.respond('approve-c1', { approved: true });
  await until(() => a.gate.pending().length === 0);
  await b.persisted.flush();
  storage.hold = never;
  a.gate.sendUserMessage({ text: 'hello' });
  // The follower's actions can still be stored; the leader's state cannot.
  const write = storage.write.bind(storage);
  storage.write = (key: string, value: unknown) => {
    if (key.endsWith('.actions')) storage.values.set(key, JSON.stringify(value));
    return key.endsWith('.actions') ? Promise.resolve() : write(key, value);
  };
  b.gate.sendUserMessage({ text: 'and more' });
  await expect(b.persisted.flush()).rejects.toThrow(/the leader did not answer/);
});

it('an action that cannot be stored is undone, and reported', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage, {}, SHORT);
  storage.broken = '.actions';
  expect(b.gate.respond('approve-c1', { approved: true })).toBe('accepted');
  await until(() => b.errors.length > 0);
  expect(b.errors.map(({ message }) => message)).toEqual([expect.stringMatching(/undid.*disk is full/)]);
  expect([b.gate.pending().length, a.gate.pending().length, b.persisted.waiting]).toEqual([1, 1, 0]);
  storage.broken = undefined;
  b.gate.respond('approve-c1', { approved: true });
  await b.persisted.flush();
  expect(a.gate.pending()).toEqual([]);
});

it('without storage a follower forwards its actions unstored', async () => {
  const name = freshName();
  const a = await tab(name, undefined);
  begin(a.gate, ['c1']);
  const b = await tab(name, undefined);
  await until(() => b.gate.pending().length === 1);
  b.gate.respond('approve-c1', { approved: true });
  await until(() => a.gate.pending().length === 0);
  expect(claimed(a.gate).approvalIds).toEqual(['approve-c1']);
});

it('a stop while the claim is being stored fails the request, which is not sent', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage);
  gate.sendUserMessage({ text: 'hello' });
  await persisted.flush();
  const held = latch();
  storage.hold = held.opened;
  let sent = 0;
  const delivered = gate.deliver(async () => void sent++);
  await quiet();
  gate.stop();
  await delivered;
  expect(sent).toBe(0);
  expect(gate.undelivered()).toMatchObject([{ delivery: 'failed', error: 'stopped before it was sent' }]);
  held.open();
});

for (const kind of chats) {
  it(`${kind.name}: a stop while the claim is being stored fails the request`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { chat, transport } = await stage(kind, { chat: { generateId: () => crypto.randomUUID() } });
    const { persisted } = await persistGate(gateOf(chat), name, storage);
    await persisted.flush();
    const held = latch();
    storage.hold = held.opened;
    void chat.sendMessage({ text: 'tidy up' });
    await quiet();
    await chat.stop();
    expect(gateOf(chat).undelivered()).toMatchObject([{ delivery: 'failed', error: 'stopped before it was sent' }]);
    held.open();
    await quiet();
    expect(transport.requests).toEqual([]);
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(1);
  });

  it(`${kind.name}: a storage that never answers fails the request, and the chat reports it`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { chat, transport } = await stage(kind, { chat: { generateId: () => crypto.randomUUID() } });
    const { persisted } = await persistGate(gateOf(chat), name, storage, SHORT);
    await persisted.flush();
    storage.hold = never;
    await chat.sendMessage({ text: 'tidy up' });
    expect([chat.status, transport.requests.length]).toEqual(['error', 0]);
    expect(String(chat.error)).toContain('did not answer within 20 ms');
  });
}

it('while the locks do not answer, the tab is a follower and reports that; then it becomes the leader', async () => {
  const { opened, open } = latch();
  const late = async (...args: Parameters<typeof locks.request>): Promise<unknown> => {
    await opened;
    return (locks.request as (...all: unknown[]) => Promise<unknown>)(...args);
  };
  vi.stubGlobal('navigator', { locks: { request: late, query: () => locks.query() } });
  const { gate, persisted, errors } = await tab(freshName(), new MemoryStorage(), {}, { leaderTimeoutMs: 20 });
  expect([persisted.state === 'leader', persisted.isExclusive]).toEqual([false, true]);
  expect(errors[0]?.message).toMatch(/browser's locks did not answer within 20 ms/);
  gate.sendUserMessage({ text: 'hello' });
  expect(gate.outgoing()).toEqual([]);
  open();
  await until(() => persisted.state === 'leader');
  expect(gate.outgoing()).toHaveLength(1);
  vi.stubGlobal('navigator', { locks });
});

it('refuses invalid time limits', async () => {
  for (const wrong of [{ storeTimeoutMs: 0 }, { leaderTimeoutMs: NaN }, { storeTimeoutMs: '5' as never }]) {
    await expect(
      persist(new ToolGate(), { name: freshName(), storage: new MemoryStorage(), ...wrong }),
    ).rejects.toThrow(/Expected a number above 0/);
  }
  await expect(persist(new ToolGate(), { name: 'a.actions', storage: new MemoryStorage() })).rejects.toThrow(
    /does not end with/,
  );
});
