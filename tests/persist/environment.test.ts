/**
 * Browsers without some feature, and environments that are not browsers: every tab is then independent, without errors.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { ToolGate } from 'toolgate';

import { until } from '../lib/waiting.js';
import { begin, claimed, freshName, persistGate, MemoryStorage, quiet, tab } from './support.js';

const locks = globalThis.navigator.locks;

afterEach(() => {
  vi.unstubAllGlobals();
  if (globalThis.navigator?.locks !== locks) vi.stubGlobal('navigator', { locks });
});

it('without locks every tab is a leader, and isExclusive is false', async () => {
  vi.stubGlobal('navigator', {});
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  const b = await tab(name, storage);
  for (const { persisted } of [a, b]) expect([persisted.isLeader, persisted.isExclusive]).toEqual([true, false]);
  begin(a.gate, ['c1']);
  begin(b.gate, ['c2']);
  await a.persisted.saved();
  await b.persisted.saved();
  await quiet();
  expect([a.gate.pending().length, b.gate.pending().length]).toEqual([1, 1]);
});

it('without a navigator, or where locks are not allowed, every tab is a leader, too', async () => {
  vi.stubGlobal('navigator', undefined);
  expect((await tab(freshName(), new MemoryStorage())).persisted.isExclusive).toBe(false);
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } });
  const { persisted } = await tab(freshName(), new MemoryStorage());
  expect([persisted.isLeader, persisted.isExclusive]).toEqual([true, false]);
});

it('without BroadcastChannel the other tabs show the stored state, and the next leader continues from it', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.saved();
  const b = await tab(name, storage);
  expect(b.persisted.isLeader).toBe(false);
  expect(b.gate.pending()).toHaveLength(1);
  b.gate.respond('approve-c1', { approved: true });
  expect(b.gate.outgoing()).toEqual([]);
  a.persisted.close();
  await until(() => b.persisted.isLeader);
  expect(claimed(b.gate).approvalIds).toEqual(['approve-c1']);
});

it('localStorage is written synchronously, and ignored if it throws', async () => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    get length() {
      return values.size;
    },
    key: (n: number) => [...values.keys()][n] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  });
  const name = freshName();
  const first = await tab(name, 'localstorage');
  begin(first.gate, ['c1']);
  const saved = first.persisted.saved();
  expect([...values.keys()]).toEqual([
    `toolgate:${name}.leader`,
    `toolgate:${name}`,
    `toolgate:${name}.journal.000000001`,
  ]);
  await saved;
  first.persisted.close();
  const second = await tab(name, 'localstorage');
  expect(second.gate.pending()).toHaveLength(1);
  second.persisted.close();
  await quiet();

  values.set(`toolgate:${name}`, '{"version":1,"epo');
  const third = await tab(name, 'localstorage');
  expect(third.errors).toMatchObject([{ code: 'bad-snapshot' }]);
  expect(JSON.parse(values.get(`toolgate:${name}.refused`) ?? '')).toMatchObject({
    value: '{"version":1,"epo',
  });

  vi.stubGlobal('localStorage', undefined);
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('', 'SecurityError');
    },
  });
  const { errors } = await persistGate(new ToolGate(), freshName(), 'localstorage');
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('not stored')]);
});
