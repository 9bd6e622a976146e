/** The record stores on real databases, each with the clients that an app would use. */
import { StoredRecord, type RecordStore } from 'toolgate/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDatabase, type Database } from './databases.js';

type Store = RecordStore & { deleteExpired?(): Promise<number> };

const DAY_MS = 86_400_000;
let keys = 0;
const newKey = (): string => `key-${++keys}`;

/** Waits until the value has expired. */
async function expired(store: Store, key: string): Promise<void> {
  for (let round = 0; (await store.get(key)) !== undefined; round++) {
    if (round > 10_000) throw new Error(`${key} does not expire`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe.each(['redis', 'ioredis', 'postgres', 'sqlite', 'd1', 'd1-binding'] as const)('%s', (name) => {
  let database: Database;
  let [a, b]: Store[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await startDatabase(name);
    const connections = [await database.connect(), await database.connect()];
    closers.push(...connections.map(({ close }) => close));
    [a, b] = connections.map(({ store }) => store);
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await database?.stop();
  });

  test('insert stores a value under a key that has none, and returns true only then', async () => {
    const key = newKey();
    expect(await a!.insert(key, 'first', DAY_MS)).toBe(true);
    expect(await a!.insert(key, 'second', DAY_MS)).toBe(false);
    expect(await b!.insert(key, 'third', DAY_MS)).toBe(false);
    expect([await a!.get(key), await b!.get(key)]).toEqual(['first', 'first']);
  });

  test('of inserts at the same time over two connections, one returns true, and its value is stored', async () => {
    for (let round = 0; round < 5; round++) {
      const key = newKey();
      const all = Array.from({ length: 20 }, (_, i) => (i % 2 ? a! : b!).insert(key, `value ${i}`, DAY_MS));
      const results = await Promise.all(all);
      expect(results.filter(Boolean)).toEqual([true]);
      expect(await a!.get(key)).toBe(`value ${results.indexOf(true)}`);
    }
  });

  test('put stores and replaces, and keeps the text as it is', async () => {
    const key = newKey();
    expect(await a!.get(key)).toBeUndefined();
    for (const value of ['one', '', 'it\'s {"a":1} ü 🙂 \\u0000\n', 'x'.repeat(200_000)]) {
      await a!.put(key, value, DAY_MS);
      expect(await b!.get(key)).toBe(value);
    }
    expect(await a!.insert(key, 'other', DAY_MS)).toBe(false);
  });

  test('a value expires, and put gives it another lifetime', async () => {
    const [short, long, renewed] = [newKey(), newKey(), newKey()];
    await a!.put(short, 'short', 1.5);
    await a!.put(long, 'long', Infinity);
    await a!.insert(renewed, 'renewed', DAY_MS);
    await expired(a!, short);
    expect([await b!.get(long), await b!.get(renewed)]).toEqual(['long', 'renewed']);
    await a!.put(renewed, 'renewed', 1);
    await expired(b!, renewed);
    expect(await a!.get(long)).toBe('long');
  });

  test('deleteExpired deletes expired rows only', async () => {
    if (!a!.deleteExpired) return expect(name).toMatch(/redis$/);
    // More rows than one statement deletes; the simulated D1 is slow.
    const count = name.startsWith('d1') ? 3 : 1003;
    const [long, short] = [newKey(), Array.from({ length: count }, newKey)];
    await a!.put(long, 'long', DAY_MS);
    for (const key of short) await a!.put(key, 'short', 1);
    await expired(a!, short.at(-1)!);
    // An expired row that is not deleted yet is replaced, once, and then not deleted.
    expect(await a!.insert(short[0]!, 'again', DAY_MS)).toBe(true);
    expect(await b!.insert(short[0]!, 'third', DAY_MS)).toBe(false);
    expect(await a!.deleteExpired()).toBeGreaterThanOrEqual(count - 1);
    expect(await a!.deleteExpired()).toBe(0);
    expect(await a!.get(short[0]!)).toBe('again');
    expect(await a!.get(long)).toBe('long');
  });

  test('a StoredRecord keeps requests, claims and results of a chat for all processes', async () => {
    const names = { user: 'ann', chat: newKey() };
    const [record, other] = [new StoredRecord(a!, names), new StoredRecord(b!, names)];
    const call = { approvalId: 'ask', toolCallId: 'call', toolName: 'run', input: { text: '\0 \ud800 ü' } };
    expect(await other.requested('ask')).toBeUndefined();
    await record.request(call);
    expect(await other.requested('ask')).toEqual(call);

    expect([await record.begin('k'), await other.begin('k'), await record.begin('k')]).toEqual([true, false, false]);
    expect([await record.result('k'), await other.result('k')]).toEqual([undefined, undefined]);
    const result = { ...call, outcome: 'executed' as const, output: ['\0', null, 1.5] };
    await record.finish('k', result);
    expect(await other.result('k')).toEqual(result);
    expect(await other.begin('k')).toBe(false);
    expect(await other.result('unclaimed')).toBeUndefined();
    await expect(record.finish('k', { ...result, output: 1n })).rejects.toThrow(/BigInt/);
  });

  test('ids that a database rejects or confuses are distinct', async () => {
    const chat = newKey();
    const ids = ['\0', '\ud800', '\ud801', '\ufffd', 'a\0', 'a', 'A', 'a ', 'é', 'e\u0301', 'x'.repeat(100_000)];
    const record = new StoredRecord(a!, { user: chat, chat: 'a' });
    for (const id of ids) await record.request({ approvalId: id, toolCallId: id, toolName: 'run', input: id });
    for (const id of ids) expect((await record.requested(id))?.input).toBe(id);
    for (const id of ids) expect(await record.begin(id)).toBe(true);
    // Another chat and another user have their own record, also if their names read the same when joined.
    expect(await new StoredRecord(a!, { user: chat, chat: 'b' }).requested('a')).toBeUndefined();
    expect(await new StoredRecord(a!, { user: chat, chat: 'b c' }).begin('a')).toBe(true);
    expect(await new StoredRecord(a!, { user: `${chat} b`, chat: 'c' }).begin('a')).toBe(true);
  });
});
