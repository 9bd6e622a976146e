/**
 * Invalid messages on the channel and invalid values in storage are ignored, and valid ones still work afterwards.
 */
import { afterEach, expect, it, onTestFinished } from 'vitest';

import { toChangeRecord } from '../../src/ts/persist/storage/change-record.js';
import { until } from '../lib/waiting.js';
import { begin, claimed, freshName, MemoryStorage, quiet, stateOf, tab, textOf } from './support.js';

const failures: unknown[] = [];
const catcher = (error: unknown): void => void failures.push(error);
process.on('uncaughtException', catcher);
afterEach(() => expect(failures.splice(0)).toEqual([]));

/** A script of the site that uses the channel of a chat. */
function stranger(name: string): (message: unknown) => Promise<void> {
  const channel = new BroadcastChannel(`toolgate:${name}`);
  onTestFinished(() => channel.close());
  return async (message) => {
    channel.postMessage(message);
    await quiet();
  };
}

const ODD: readonly unknown[] = [
  null,
  5,
  'hello',
  {},
  { version: 3 },
  { version: 3, message: null },
  { version: 3, message: [] },
  { version: 3, message: { type: 5 } },
  { version: 3, message: { type: '__proto__' } },
  { version: 3, message: { type: 'toString' } },
  { version: 3, message: { type: 'state' } },
  { version: 3, message: { type: 'state', state: { record: {} } } },
  { version: 3, message: { type: 'state', state: { record: { epoch: 2 ** 60, seq: 1 }, changes: [] } } },
  { version: 3, message: { type: 'state', state: { record: { epoch: 1, seq: 1 }, changes: [{}] } } },
  { version: 3, message: { type: 'change' } },
  { version: 3, message: { type: 'change', change: { version: 1, epoch: 2 ** 40, seq: 1, changes: '{}' } } },
  { version: 3, message: { type: 'actions' } },
  { version: 3, message: { type: 'actions', actions: [null] } },
  { version: 3, message: { type: 'actions', actions: [['a', 1]] } },
  { version: 3, message: { type: 'actions', actions: [['a', 'b', null]] } },
  { version: 3, message: { type: 'saved' } },
  { version: 3, message: { type: 'saved', epoch: 1, applied: 7 } },
  { version: 3, message: { type: 'saved', epoch: 1, applied: [['a']] } },
  { version: 3, message: { type: 'refused', tab: 'a' } },
  { version: 1, message: { type: 'saved', applied: null } },
  { version: 4, message: { type: 'hello' } },
];

it('both tabs ignore invalid messages', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage);
  const say = stranger(name);
  for (const message of ODD) await say(message);
  b.gate.respond('approve-c1', { approved: true });
  await b.persisted.flush();
  expect(claimed(a.gate).approvalIds).toEqual(['approve-c1']);
  await until(() => stateOf(b.gate, 'c1') === 'approval-responded in-flight');
  expect([a.persisted.state, b.persisted.state]).toEqual(['leader', 'follower']);
});

it('an invalid action is not executed, and is reported', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, errors } = await tab(name, storage);
  begin(gate, ['c1']);
  const say = stranger(name);
  const actions = [
    { name: 'free', args: [] },
    { name: 'load', args: [[]] },
    { name: 'adopt', args: [{}, 0] },
    { name: 'claim', args: ['out-1'] },
    { name: 'toString', args: [] },
    null,
    { name: 'stop' },
  ];
  await say({ version: 3, message: { type: 'actions', actions: actions.map((action, i) => ['x', i + 1, action]) } });
  expect(gate.pending()).toHaveLength(1);
  expect(errors.map(({ message }) => message)).toEqual(
    actions.map(() => expect.stringContaining('not an action of the user') as unknown),
  );
});

it('a record with a damaged snapshot does not count as the newest: the leader’s next changes are shown', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage);
  const say = stranger(name);
  const record = {
    version: 1,
    epoch: 1_000_000,
    seq: 1,
    applied: [],
    snapshot: { version: 3, chatId: 'chat', numbers: [7], texts: [], values: [] },
  };
  await say({ version: 3, message: { type: 'state', state: { record, changes: [] } } });
  await say({ version: 3, message: { type: 'state', state: { record, changes: [] } } });
  expect(b.errors).toMatchObject([{ code: 'bad-snapshot' }]);
  a.gate.respond('approve-c1', { approved: true });
  claimed(a.gate);
  await until(() => stateOf(b.gate, 'c1') === 'approval-responded in-flight');
  // The leader has queried its lock, and is still the leader.
  expect([a.persisted.state, a.errors]).toEqual(['leader', []]);
});

it('after a tab has shown a different state, the leader publishes its whole state, and no tab has to request it', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  a.gate.sendUserMessage({ text: 'hello', id: 'u1' } as never);
  await a.persisted.flush();
  const b = await tab(name, storage);
  const heard: [type: string, epoch: number | undefined][] = [];
  const channel = new BroadcastChannel(`toolgate:${name}`);
  onTestFinished(() => channel.close());
  channel.onmessage = ({ data }) => {
    const { message } = data as { message: { type: string; state?: { record: { epoch: number } } } };
    heard.push([message.type, message.state?.record.epoch]);
  };
  const say = stranger(name);
  const record = { ...storage.record(name), epoch: 1_000_000, seq: 1 };
  await say({ version: 3, message: { type: 'state', state: { record, changes: [] } } });
  await until(() => heard.some(([type, epoch]) => type === 'state' && epoch === 1_000_001));
  await quiet();
  expect(heard.map(([type]) => type)).not.toContain('hello');
  expect(textOf(b.gate, 'u1')).toBe('hello');
  expect([a.persisted.state, b.persisted.state]).toEqual(['leader', 'follower']);
});

it('a follower that missed a change of an earlier leader is content with the state of the present one', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, {}, { leaderTimeoutMs: 40 });
  const b = await tab(name, storage, {}, { leaderTimeoutMs: 40 });
  let asked = 0;
  const channel = new BroadcastChannel(`toolgate:${name}`);
  onTestFinished(() => channel.close());
  channel.onmessage = ({ data }) => {
    if ((data as { message: { type: string } }).message.type === 'hello') asked++;
  };
  const say = stranger(name);
  const ids = { snapshot: [2 ** 40, 1], after: [2 ** 40, 1], number: 1 } as const;
  const change = toChangeRecord({ ...ids, epoch: 2 ** 40, seq: 2, applied: [], changes: '{}' });
  await say({ version: 3, message: { type: 'change', change } });
  a.gate.sendUserMessage({ text: 'hello', id: 'u1' } as never);
  await until(() => textOf(b.gate, 'u1') === 'hello');
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(before).toBeGreaterThan(0);
  expect(asked).toBe(before);
});

it('a record of another chat or of an older epoch changes nothing', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  a.gate.sendUserMessage({ text: 'hello', id: 'u1' } as never);
  await a.persisted.flush();
  const b = await tab(name, storage);
  const record = storage.record(name);
  const say = stranger(name);
  await say({
    version: 3,
    message: {
      type: 'state',
      state: { record: { ...record, epoch: 0, snapshot: { ...record?.snapshot, chatId: 'other' } }, changes: [] },
    },
  });
  await say({ version: 3, message: { type: 'saved', epoch: 0, applied: [] } });
  expect(textOf(b.gate, 'u1')).toBe('hello');
  expect(b.errors).toEqual([]);
});

it('invalid actions in storage are ignored', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  storage.values.set(`${name}.actions`, JSON.stringify({ version: 1, actions: [['x'], 5] }));
  const { gate, persisted, errors } = await tab(name, storage);
  begin(gate, ['c1']);
  await persisted.flush();
  expect(errors).toEqual([]);
});
