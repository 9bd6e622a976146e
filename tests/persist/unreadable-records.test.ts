/**
 * A state that cannot be restored or stored, and a storage that cannot be used: the error is reported, and the page
 * continues. What a newer release has stored is not changed.
 */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';
import { persist } from 'toolgate/persist';

import { until } from '../lib/waiting.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, freshName, MemoryStorage, persistGate, quiet, tab } from './support.js';

const record = { version: 2, epoch: 1, seq: 1, applied: [] };
const { version } = new ToolGate().toJSON();
const snapshot = { version, chatId: 'chat', numbers: [7], texts: [], values: [] };

it.each([
  ['a text', 'nonsense', /damaged/],
  ['a list', [], /damaged/],
  ['a record without a snapshot', record, /damaged/],
  ['a damaged snapshot', { ...record, snapshot: { version } }, /damaged/],
  ['a snapshot with damaged numbers', { ...record, epoch: 3, snapshot }, /damaged/],
  ['another chat', { ...record, snapshot: { ...snapshot, chatId: 'other' } }, /the id "other".*"chat"/],
])(
  'refuses %s, and continues with an empty chat, which replaces it with the user’s next action',
  async (_, stored, message) => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const text = JSON.stringify(stored);
    storage.values.set(name, text);
    for (let page = 0; page < 2; page++) {
      const { gate, persisted, errors } = await tab(name, storage);
      gate.receive({ type: 'data-x', data: { page } });
      await expect(persisted.flush()).rejects.toThrow(message);
      expect(errors).toMatchObject([{ code: 'bad-snapshot', message: expect.stringMatching(message) as unknown }]);
      expect(errors[0]!.message).toContain("replaced with the user's next action");
      persisted.close();
      await quiet();
      expect([storage.writes, storage.values.get(name)]).toEqual([0, text]);
    }
    const { gate, persisted, errors } = await tab(name, storage);
    expect(gate.getSnapshot()).toMatchObject({ messages: [], status: 'idle' });
    gate.sendUserMessage({ text: 'hello' });
    let claimedAs: number | undefined;
    await gate.deliver(async () => void (claimedAs = storage.record(name)?.snapshot.version));
    await persisted.flush();
    expect(claimedAs).toBe(gate.toJSON().version);
    expect(errors).toHaveLength(1);
    expect([...storage.values.keys()].filter((key) => key.startsWith(name))).toEqual([name]);
  },
);

it('an unreadable record stays in IndexedDB while its tabs only show the chat, and goes with the first action', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const key = JSON.stringify([name, 'snapshot']);
  const text = JSON.stringify({ ...record, snapshot: { ...snapshot, chatId: 'other' } });
  database.values.set(key, text);
  const one = await tab(name);
  const other = await tab(name);
  one.persisted.close();
  await until(() => other.persisted.state === 'leader');
  await quiet();
  expect(database.values.get(key)).toBe(text);
  expect(other.errors).toMatchObject([{ code: 'bad-snapshot' }]);
  other.gate.sendUserMessage({ text: 'hello' });
  await other.persisted.flush();
  expect(database.get(name, 'snapshot')).toMatchObject({ snapshot: { chatId: 'chat' } });
});

it('a message that was sent while an unreadable chat was opened is stored', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.values.set(name, '"nonsense"');
  const gate = new ToolGate({ chatId: 'chat' });
  const opening = persistGate(gate, name, storage);
  gate.sendUserMessage({ text: 'hello' });
  const { persisted, errors } = await opening;
  await persisted.flush();
  expect(storage.record(name)?.snapshot.version).toBe(gate.toJSON().version);
  expect(errors).toMatchObject([{ code: 'bad-snapshot' }]);
});

it.each([
  ['a later snapshot', { ...record, snapshot: { version: 99 } }],
  ['a later record', { version: 3, what: 'ever' }],
])('never overwrites %s: nothing is stored or sent, and the error says to reload', async (_, stored) => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const text = JSON.stringify(stored);
  storage.values.set(name, text);
  const { gate, persisted, errors } = await tab(name, storage);
  expect(errors).toMatchObject([{ code: 'outdated', message: expect.stringMatching(/Reload/) as unknown }]);
  expect(persisted.state).toBe('closed');
  gate.sendUserMessage({ text: 'hello' });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  await expect(persisted.flush()).rejects.toThrow();
  await quiet();
  expect([sent, storage.writes, storage.values.get(name)]).toEqual([0, 0, text]);
});

it('reports the path of a value that cannot be stored, does not overwrite the last state, and sends no request', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted, errors } = await tab(name, storage);
  begin(gate, ['c1']);
  gate.respond('approve-c1', { approved: false });
  await persisted.flush();
  const last = storage.values.get(name);
  gate.sendUserMessage({ text: 'with a function', metadata: { call: () => {} } });
  await expect(persisted.flush()).rejects.toMatchObject({ code: 'unserializable' });
  expect(errors[0]).toMatchObject({ code: 'unserializable', message: expect.stringContaining('.call') as unknown });
  expect(storage.values.get(name)).toBe(last);
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(0);
  expect(gate.undelivered()).toMatchObject([
    { delivery: 'failed', error: expect.stringContaining('.call') as unknown },
  ]);
});

it('continues without storage, and reports that', async () => {
  const errors: Error[] = [];
  const gate = new ToolGate();
  const persisted = await persist(gate, { name: freshName(), onError: (error) => errors.push(error) });
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('not stored')]);
  gate.sendUserMessage({ text: 'hello' });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(1);
  await persisted.flush();
  persisted.close();
});

it('continues without a storage that cannot be read, and writes nothing to it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.read = async () => {
    throw new Error('no storage for private windows');
  };
  const { gate, errors } = await tab(name, storage);
  gate.sendUserMessage({ text: 'hello' });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(1);
  expect(storage.writes).toBe(0);
  expect(errors.map(({ message }) => message)).toEqual(['no storage for private windows']);
});

it('an error of onError does not stop the persister', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.values.set(name, '"nonsense"');
  const failures: unknown[] = [];
  const catcher = (error: unknown): void => void failures.push(error);
  process.on('uncaughtException', catcher);
  const others = process.listeners('uncaughtException').filter((listener) => listener !== catcher);
  for (const listener of others) process.off('uncaughtException', listener);
  try {
    const { persisted } = await tab(
      name,
      storage,
      {},
      {
        onError: () => {
          throw new Error('of the app');
        },
      },
    );
    await quiet();
    expect(persisted.state).toBe('leader');
    expect(failures).toMatchObject([{ message: 'of the app' }]);
  } finally {
    for (const listener of others) process.on('uncaughtException', listener);
    process.off('uncaughtException', catcher);
  }
});
