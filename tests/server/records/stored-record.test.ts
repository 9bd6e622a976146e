/** `StoredRecord` with `resolveApprovals`: what a repeated approval gets, and how long entries are stored. */
import { resolveApprovals, StoredRecord, type RecordStore } from 'toolgate/server';
import { describe, expect, test } from 'vitest';

import { forms, historyOf, type Call } from '../../seeds/resolve-backends';
import { ClockedStore, RepeatingStore } from './clocked-store.js';

const UNKNOWN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
const DAY_MS = 86_400_000;
const NAMES = ['ann', 'chat'];

const call: Call = { id: 'call_1', name: 'run', input: { n: 1 }, approved: true };
const requested = { approvalId: 'appr_1', toolCallId: 'call_1', toolName: 'run', input: { n: 1 } };

/** Posts the approval to a new process with this store. Resolves to the output, or to the model's error text. */
async function posted(store: RecordStore, form: (typeof forms)[number], run: () => unknown): Promise<unknown> {
  const record = new StoredRecord(store, NAMES);
  const messages = JSON.parse(JSON.stringify(historyOf(form, [call]))) as unknown[];
  const { results } = await resolveApprovals(messages, { toolkit: { run }, record });
  return results[0]!.output ?? results[0]!.errorText;
}

describe.each(forms)('%s', (form) => {
  test('a call runs once, and a repeated approval gets its output in another process', async () => {
    const store = new ClockedStore();
    await expect(posted(store, form, () => 'ran')).rejects.toMatchObject({ code: 'not-on-record' });
    await new StoredRecord(store, NAMES).add(requested);
    expect(await posted(store, form, () => 'ran')).toBe('ran');
    expect(await posted(store, form, () => 'ran again')).toBe('ran');
  });

  test('the outcome of a call whose process ended is unknown, and the call does not run again', async () => {
    const store = new ClockedStore();
    await new StoredRecord(store, NAMES).add(requested);
    void posted(store, form, () => new Promise(() => {})); // never ends, like a process that was killed
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await posted(store, form, () => 'ran again')).toBe(UNKNOWN);
  });
});

test('a claim and a result are stored twice as long as the request', async () => {
  const store = new ClockedStore();
  const record = new StoredRecord(store, NAMES, { ttlMs: 1000 });
  await record.add(requested);
  store.now = 999;
  expect(await record.claim('k')).toBe(true);
  await record.keep('k', { ...requested, outcome: 'executed' });
  store.now = 1000;
  expect(await record.get('appr_1')).toBeUndefined();
  store.now = 2998;
  expect(await record.claim('k')).toBe(false);
  expect(store.lifetimes).toEqual([1000, 2000, 2000]);
  const lasting = new StoredRecord(store, NAMES);
  await lasting.add(requested);
  expect(store.lifetimes.at(-1)).toBe(30 * DAY_MS);
});

test('a claim is the first one also if the client has repeated the insert', async () => {
  const record = new StoredRecord(new RepeatingStore(), NAMES);
  expect([await record.claim('k'), await record.claim('k')]).toEqual([true, false]);
});

test('invalid names and options throw', () => {
  const store = new ClockedStore();
  for (const names of [[], [''], ['ann', undefined], 'ann', undefined])
    expect(() => new StoredRecord(store, names as never)).toThrow(
      'StoredRecord: invalid `names`. Expected an array of non-empty strings.',
    );
  for (const ttlMs of [0, -1, Number.NaN, '5'])
    expect(() => new StoredRecord(store, NAMES, { ttlMs: ttlMs as never })).toThrow(/invalid option `ttlMs`/);
  expect(() => new StoredRecord(store, NAMES, { ttl: 5 } as never)).toThrow(/unknown option `ttl`/);
});
