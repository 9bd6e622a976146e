/** `StoredRecord` with `resolveApprovals`: what a repeated approval gets, and how long entries are stored. */
import { resolveApprovals, StoredRecord, type RecordStore } from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { forms, historyOf, type Call } from '../../seeds/resolve-backends';
import { ClockedStore, RepeatingStore } from './clocked-store.js';

const UNKNOWN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
const DAY_MS = 86_400_000;
const CHAT = { user: 'ann', chat: 'chat' };

const call: Call = { id: 'call_1', name: 'run', input: { n: 1 }, approved: true };
const requested = { approvalId: 'appr_1', toolCallId: 'call_1', toolName: 'run', input: { n: 1 } };

/** Posts the approval to a new process with this store. Resolves to the output, or to the model's error text. */
async function posted(store: RecordStore, form: (typeof forms)[number], run: () => unknown): Promise<unknown> {
  const record = new StoredRecord(store, CHAT);
  const messages = JSON.parse(JSON.stringify(historyOf(form, [call]))) as unknown[];
  const { results } = await resolveApprovals(messages, { toolkit: { run }, record });
  return results[0]!.output ?? results[0]!.errorText;
}

describe.each(forms)('%s', (form) => {
  test('a call runs once, and a repeated approval gets its output in another process', async () => {
    const store = new ClockedStore();
    await expect(posted(store, form, () => 'ran')).rejects.toMatchObject({ code: 'not-on-record' });
    await new StoredRecord(store, CHAT).request(requested);
    expect(await posted(store, form, () => 'ran')).toBe('ran');
    expect(await posted(store, form, () => 'ran again')).toBe('ran');
  });

  test('the outcome of a call whose process ended is unknown, and the call does not run again', async () => {
    const store = new ClockedStore();
    await new StoredRecord(store, CHAT).request(requested);
    void posted(store, form, () => new Promise(() => {})); // never ends, like a process that was killed
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await posted(store, form, () => 'ran again')).toBe(UNKNOWN);
  });
});

test('a claim and a result are stored twice as long as the request', async () => {
  const store = new ClockedStore();
  const record = new StoredRecord(store, CHAT, { ttlMs: 1000 });
  await record.request(requested);
  store.now = 999;
  expect(await record.begin('k')).toBe(true);
  await record.finish('k', { ...requested, outcome: 'executed' });
  store.now = 1000;
  expect(await record.requested('appr_1')).toBeUndefined();
  store.now = 2998;
  expect(await record.begin('k')).toBe(false);
  expect(store.lifetimes).toEqual([1000, 2000, 2000]);
  const lasting = new StoredRecord(store, CHAT);
  await lasting.request(requested);
  expect(store.lifetimes.at(-1)).toBe(30 * DAY_MS);
});

test('a claim is the first one also if the client has repeated the insert', async () => {
  const record = new StoredRecord(new RepeatingStore(), CHAT);
  expect([await record.begin('k'), await record.begin('k')]).toEqual([true, false]);
});

test('invalid names and options throw', () => {
  const store = new ClockedStore();
  for (const chat of [undefined, {}, { user: '', chat: 'a' }, ['ann', 'a']])
    expect(() => new StoredRecord(store, chat as never)).toThrow(
      'StoredRecord: invalid `user`. Expected a non-empty string.',
    );
  expect(() => new StoredRecord(store, { user: 'ann' } as never)).toThrow(/invalid `chat`/);
  for (const ttlMs of [0, -1, Number.NaN, '5'])
    expect(() => new StoredRecord(store, CHAT, { ttlMs: ttlMs as never })).toThrow(/invalid option `ttlMs`/);
  expect(() => new StoredRecord(store, CHAT, { ttl: 5 } as never)).toThrow(/unknown option `ttl`/);
});

test('an id that comes again with another input is another call, and so is one of another turn', async () => {
  const record = new StoredRecord(new ClockedStore(), CHAT);
  const post = async (input: { n: number }): Promise<unknown> => {
    const messages = historyOf('UI messages', [{ ...call, input }]);
    const { results } = await resolveApprovals(messages, { toolkit: { run: ({ n }: { n: number }) => n }, record });
    return results[0]!.output;
  };
  await record.request(requested);
  expect(await post({ n: 1 })).toBe(1);
  // A local model server writes `call_1` in each reply.
  await record.request({ ...requested, input: { n: 2 } });
  expect(await post({ n: 2 })).toBe(2);

  let runs = 0;
  const posted = async (): Promise<unknown> => {
    const toolkit = { run: () => ++runs };
    return (await resolveApprovals(historyOf('UI messages', [call]), { toolkit, record })).results[0]!.output;
  };
  const inTurn = (turn: string): Promise<void> => record.request({ ...requested, turn });
  await inTurn('u1');
  expect([await posted(), await posted()]).toEqual([1, 1]);
  await inTurn('u1'); // stored again by a repeated request of the page
  expect(await posted()).toBe(1);
  await inTurn('u2');
  expect([await posted(), await posted()]).toEqual([2, 2]);
});

test('a request that is stored again does not outlive the record of its run', async () => {
  const store = new ClockedStore();
  const record = new StoredRecord(store, CHAT, { ttlMs: 1000 });
  await record.request(requested);
  const run = (): Promise<unknown> => posted(store, 'UI messages', () => 'ran');
  store.now = 10;
  expect(await run()).toBe('ran');
  for (store.now = 900; store.now < 70 * DAY_MS; store.now += 10 * DAY_MS) {
    await record.request(requested);
    // The record of the run is stored for 60 days, and the first request has expired before.
    if (store.now < 59 * DAY_MS && store.now > 1000)
      await expect(run()).rejects.toMatchObject({ code: 'not-on-record' });
  }
});
