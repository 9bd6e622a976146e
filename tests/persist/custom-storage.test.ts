/**
 * A custom storage: a tab changes shared values while it holds a lock, which it always releases. The storage has no
 * transactions, so the leader reads before it writes.
 */
import { expect, it } from 'vitest';

import { customStorage } from '../../src/ts/persist/storage/custom-storage.js';
import type { ChatRecord } from '../../src/ts/persist/storage/chat-record.js';
import type { Platform } from '../../src/ts/persist/tabs/platform.js';
import { turns, until } from '../lib/waiting.js';
import { begin, freshName, MemoryStorage, tab } from './support.js';

const lead = { tab: 'a', epoch: 1 };

it('a lock that is granted after the time limit is released at once, even if storage never answers', async () => {
  const storage = new MemoryStorage();
  storage.read = () => new Promise(() => {});
  let given!: () => Promise<unknown>;
  const request = (_: string, __: LockOptions, callback: (lock: unknown) => Promise<unknown>) =>
    new Promise((resolve, reject) => {
      given = () => callback({}).then(resolve, reject) as Promise<unknown>;
    });
  const platform = { locks: { request } } as unknown as Platform;
  const controller = new AbortController();
  const update = customStorage(storage, platform, async () => true).updateActions(
    'chat',
    () => 1,
    0,
    controller.signal,
  );
  controller.abort(new Error('its time is over'));
  void given();
  await expect(update).rejects.toThrow('its time is over');
});

const codes = (errors: readonly Error[]): unknown[] => errors.map((error) => (error as { code?: string }).code);

/** A saved chat with a pending approval. */
async function saved() {
  const storage = new MemoryStorage();
  const name = freshName();
  const opened = await tab(name, storage);
  begin(opened.gate, ['c1']);
  await opened.persisted.flush();
  return { storage, name, ...opened };
}

it('a value that is removed under the leader is not stored again before the user acts, and then as a whole', async () => {
  const { storage, name, gate, persisted, errors } = await saved();
  await storage.remove(name);
  gate.receive({ type: 'data-x', data: { n: 1 } });
  await expect(persisted.flush()).rejects.toMatchObject({ code: 'emptied' });
  expect([storage.values.has(name), codes(errors)]).toEqual([false, ['emptied']]);
  gate.respond('approve-c1', { approved: true });
  let stored: unknown;
  await gate.deliver(async () => {
    stored = storage.values.get(name);
  });
  expect(stored).toContain('"approved":true');
  await persisted.flush();
  expect(codes(errors)).toEqual(['emptied']);
});

it.each(['the leader', 'a follower'])('after clear() in %s the leader stores nothing by itself', async (where) => {
  const { storage, name, gate, persisted, errors } = await saved();
  const other = await tab(name, storage);
  await until(() => other.gate.pending().length === 1);
  await (where === 'the leader' ? persisted : other.persisted).clear();
  gate.receive({ type: 'data-x', data: { n: 1 } });
  await expect(persisted.flush()).rejects.toMatchObject({ code: 'emptied' });
  expect([...storage.values.keys()]).toEqual([]);
  // Only the tab that cleared the chat knows that this was no accident.
  expect(codes(errors)).toEqual(where === 'the leader' ? [] : ['emptied']);
  gate.respond('approve-c1', { approved: false });
  await persisted.flush();
  expect(storage.record(name)?.snapshot).toBeDefined();
});

it('what a newer release has written meanwhile, on another device, is not replaced: this tab closes', async () => {
  const { storage, name, gate, persisted, errors } = await saved();
  const newer = { ...storage.record(name), version: 3, epoch: 9 };
  await storage.write(name, newer);
  gate.receive({ type: 'data-x', data: { n: 1 } });
  await until(() => persisted.state === 'closed');
  gate.respond('approve-c1', { approved: true });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect([sent, codes(errors), storage.record(name)]).toEqual([0, ['outdated'], newer]);
});

it('what another device has written is followed by a state with a higher epoch', async () => {
  const { storage, name, gate, persisted, errors } = await saved();
  await storage.write(name, { ...storage.record(name), epoch: 9 });
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  expect([persisted.state, codes(errors), (storage.record(name)?.epoch ?? 0) > 9]).toEqual(['leader', [], true]);
});

it('a storage that returns an older value than the one that was written is reported', async () => {
  const { storage, name, gate, persisted, errors } = await saved();
  const old = storage.values.get(name);
  gate.receive({ type: 'data-x', data: { n: 1 } });
  await persisted.flush();
  expect(errors).toEqual([]);
  storage.values.set(name, old);
  gate.receive({ type: 'data-x', data: { n: 2 } });
  await persisted.flush();
  expect(codes(errors)).toEqual(['stale-storage']);
  expect(storage.values.get(name)).toContain('"n":2');
});

it('of two writes the one that began last wins, although the first is read later', async () => {
  const storage = new MemoryStorage();
  const reads: (() => void)[] = [];
  storage.read = () => new Promise<undefined>((resolve) => reads.push(() => resolve(undefined)));
  const custom = customStorage(storage, {} as Platform, async () => true);
  const { signal } = new AbortController();
  const record = (seq: number) => ({ epoch: 1, seq }) as ChatRecord;
  const both = [1, 2].map((seq) => custom.write('chat', { record: record(seq), changes: [] }, lead, signal));
  reads[1]!();
  await turns(5);
  reads[0]!();
  expect(await Promise.all(both.map(async (written) => written))).toEqual(['stored', 'stored']);
  expect(storage.record('chat')).toEqual(record(2));
  expect(storage.writes).toBe(1);
});
