/**
 * Browsers without some feature, and environments that are not browsers: the tabs still agree on a leader, or are
 * independent, without errors.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { ToolGate } from 'toolgate';

import { until } from '../lib/waiting.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, claimed, freshName, persistGate, MemoryStorage, tab } from './support.js';

const locks = globalThis.navigator.locks;

afterEach(() => {
  vi.unstubAllGlobals();
  if (globalThis.navigator?.locks !== locks) vi.stubGlobal('navigator', { locks });
});

/** What two tabs of a browser without locks store, and how often. */
async function twoWithoutLocks(storage?: MemoryStorage) {
  vi.stubGlobal('navigator', {});
  const name = freshName();
  const a = await tab(name, storage, {}, { leaderTimeoutMs: 200 });
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage, {}, { leaderTimeoutMs: 200 });
  await until(() => b.gate.pending().length === 1);
  return { name, a, b, tabs: [a, b] };
}

const storages = [
  ['a database', () => void new MemoryDatabase()],
  ['a storage of the app', () => new MemoryStorage()],
] as const;

it.each(storages)(
  'without locks, with %s, one of two tabs leads, and forwarded actions are executed',
  async (_, open) => {
    const { a, b, tabs } = await twoWithoutLocks(open() ?? undefined);
    expect(tabs.map(({ persisted }) => [persisted.state, persisted.isExclusive])).toEqual([
      ['leader', false],
      ['follower', false],
    ]);
    b.gate.respond('approve-c1', { approved: true });
    await b.persisted.flush();
    expect(claimed(a.gate).approvalIds).toEqual(['approve-c1']);
    expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
  },
);

it.each(storages)(
  'without locks, with %s, the second tab leads after the first, and the first after it',
  async (_, open) => {
    const { name, a, b, tabs } = await twoWithoutLocks(open() ?? undefined);
    a.persisted.close();
    b.gate.respond('approve-c1', { approved: true });
    await until(() => b.persisted.state === 'leader');
    expect(claimed(b.gate).approvalIds).toEqual(['approve-c1']);
    const again = await persistGate(new ToolGate({ chatId: 'chat' }), name, undefined, { leaderTimeoutMs: 200 });
    expect(again.persisted.isExclusive).toBe(false);
    expect(tabs.map(({ persisted }) => persisted.state)).toEqual(['closed', 'leader']);
  },
);

it.each(storages)(
  'without locks, with %s, two tabs that open together agree, and then nothing is written',
  async (_, open) => {
    vi.stubGlobal('navigator', {});
    const storage = open() ?? undefined;
    const name = freshName();
    const both = await Promise.all([tab(name, storage), tab(name, storage)]);
    begin(both[0].gate, ['c1']);
    begin(both[1].gate, ['c2']);
    await until(() => both.filter(({ persisted }) => persisted.state === 'leader').length === 1);
    await until(() => both.every(({ persisted }) => persisted.waiting === 0));
    const halfASecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));
    await halfASecond();
    let posts = 0;
    const channel = new BroadcastChannel(`toolgate:${name}`);
    channel.onmessage = () => void posts++;
    const writes = storage?.writes;
    await halfASecond();
    expect([posts, storage?.writes]).toEqual([0, writes]);
    channel.close();
  },
);

it('without a navigator, or where locks are not allowed, a single tab leads', async () => {
  vi.stubGlobal('navigator', undefined);
  expect((await tab(freshName(), new MemoryStorage())).persisted.isExclusive).toBe(false);
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } });
  const { persisted } = await tab(freshName(), new MemoryStorage());
  expect([persisted.state === 'leader', persisted.isExclusive]).toEqual([true, false]);
});

it('without BroadcastChannel the other tabs show the stored state, and the next leader continues from it', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage);
  expect(b.persisted.state).not.toBe('leader');
  expect(b.gate.pending()).toHaveLength(1);
  b.gate.respond('approve-c1', { approved: true });
  expect(b.gate.outgoing()).toEqual([]);
  a.persisted.close();
  await until(() => b.persisted.state === 'leader');
  expect(claimed(b.gate).approvalIds).toEqual(['approve-c1']);
});
