/**
 * A state that cannot be restored or stored, and a storage that cannot be used: the error is reported, stored data is
 * not lost, and the page continues.
 */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';
import { persist } from 'toolgate/persist';

import { begin, freshName, MemoryStorage, quiet, tab } from './support.js';

const record = { version: 2, epoch: 1, seq: 1, applied: [] };
const { version } = new ToolGate().toJSON();
const snapshot = { version, chatId: 'chat', numbers: [7], texts: [], values: [] };

it.each([
  ['a text', 'nonsense', /damaged/],
  ['a list', [], /damaged/],
  ['a record without a snapshot', record, /damaged/],
  ['a damaged snapshot', { ...record, snapshot: { version } }, /damaged/],
  ['a snapshot with damaged numbers', { ...record, epoch: 3, snapshot }, /damaged/],
  ['a later snapshot', { ...record, snapshot: { version: 99 } }, /version 99/],
  ['a later record', { version: 3, what: 'ever' }, /version 3/],
  ['another chat', { ...record, snapshot: { ...snapshot, chatId: 'other' } }, /the id "other".*"chat"/],
])('refuses %s, stores a copy, and continues', async (_, stored, message) => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const text = JSON.stringify(stored);
  storage.values.set(name, text);
  const { gate, persisted, errors } = await tab(name, storage);
  expect(errors).toMatchObject([{ code: 'bad-snapshot', message: expect.stringMatching(message) as unknown }]);
  expect(storage.values.get(`${name}.refused`)).toBe(text);
  expect(gate.getSnapshot()).toMatchObject({ messages: [], status: 'idle' });
  gate.sendUserMessage({ text: 'hello' });
  await persisted.saved();
  expect(storage.record(name)?.snapshot.version).toBe(gate.toJSON().version);
  expect(storage.values.get(`${name}.refused`)).toBe(text);
});

it('overwrites neither earlier copies nor a record that cannot be copied', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.values.set(`${name}.refused`, '"the first"');
  storage.values.set(name, '"the second"');
  const first = await tab(name, storage);
  expect(storage.values.get(`${name}.refused`)).toBe('"the first"');
  expect(storage.values.get(`${name}.refused.2`)).toBe('"the second"');
  first.persisted.close();
  await quiet();

  storage.values.set(name, '"the third"');
  storage.broken = '.refused.3';
  const { gate, persisted, errors } = await tab(name, storage);
  expect(errors.slice(0, 2).map(({ message }) => message)).toEqual([
    expect.stringContaining('damaged'),
    'the disk is full',
  ]);
  let sent = 0;
  gate.sendUserMessage({ text: 'hello' });
  await gate.deliver(async () => void sent++);
  await expect(persisted.saved()).rejects.toMatchObject({ code: 'bad-snapshot' });
  expect(storage.values.get(name)).toBe('"the third"');
  expect(sent).toBe(0);
  expect(gate.undelivered()).toMatchObject([
    { delivery: 'failed', error: expect.stringContaining('not sent') as unknown },
  ]);

  await persisted.clear();
  expect([...storage.values.keys()].filter((key) => key.startsWith(name))).toEqual([]);
  gate.retry(gate.undelivered()[0]?.id ?? '');
  await gate.deliver(async () => void sent++);
  expect(sent).toBe(1);
  expect(storage.record(name)?.snapshot.version).toBe(gate.toJSON().version);
});

it('reports the path of a value that cannot be stored, does not overwrite the last state, and sends no request', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted, errors } = await tab(name, storage);
  begin(gate, ['c1']);
  gate.respond('approve-c1', { approved: false });
  await persisted.saved();
  const last = storage.values.get(name);
  gate.sendUserMessage({ text: 'with a function', metadata: { call: () => {} } });
  await expect(persisted.saved()).rejects.toMatchObject({ code: 'unserializable' });
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
  await persisted.saved();
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
    expect(persisted.isLeader).toBe(true);
    expect(failures).toMatchObject([{ message: 'of the app' }]);
  } finally {
    for (const listener of others) process.on('uncaughtException', listener);
    process.off('uncaughtException', catcher);
  }
});
