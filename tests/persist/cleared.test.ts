/**
 * `clear()` in a follower deletes the chat for good: what the leader's page still does by itself, or leaves when it is
 * unloaded or killed, brings nothing back.
 */
import { expect, it } from 'vitest';

import { until } from '../lib/waiting.js';
import { World } from './explore/world.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, freshName, quiet, tab } from './support.js';

/** A stored chat that is open in two tabs. */
async function twoTabs() {
  const database = new MemoryDatabase();
  const name = freshName();
  const leader = await tab(name);
  begin(leader.gate, ['c1']);
  await leader.persisted.flush();
  const follower = await tab(name);
  await until(() => follower.gate.pending().length === 1);
  return { database, name, leader, follower };
}

const ends = ['is unloaded', 'is closed', 'changes by itself, and is closed'] as const;

it.each(ends)('the leader %s after clear() in a follower: nothing comes back', async (how) => {
  const { database, name, leader, follower } = await twoTabs();
  await follower.persisted.clear();
  expect(leader.errors).toEqual([]);
  follower.persisted.close();
  if (how === 'changes by itself, and is closed') leader.gate.receive({ type: 'data-x', data: { n: 1 } });
  if (how === 'is unloaded') globalThis.dispatchEvent?.(new Event('pagehide'));
  leader.persisted.close();
  await quiet();
  expect(database.keysOf(name, 'snapshot')).toEqual([]);
  expect(database.keysOf(name, 'journal')).toEqual([]);
  const next = await tab(name);
  expect(next.gate.getSnapshot().messages).toEqual([]);
  expect(next.errors).toEqual([]);
});

it('a follower that is elected after clear() in another tab does not store the chat before its user acts', async () => {
  const { database, name, leader, follower } = await twoTabs();
  await leader.persisted.clear();
  leader.persisted.close();
  await until(() => follower.persisted.state === 'leader');
  await quiet();
  expect(database.keysOf(name, 'snapshot')).toEqual([]);
  // The app asked for it, so there is nothing to report.
  expect(follower.errors).toEqual([]);
  follower.gate.respond('approve-c1', { approved: false });
  await follower.persisted.flush();
  expect(JSON.stringify(database.get(name, 'snapshot'))).toContain('approve-c1');
});

it.each(['database', 'custom'] as const)('%s: the next page is empty however the leader ends', async (kind) => {
  for (const end of ['reload', 'crash', 'close'] as const) {
    const world = new World(kind);
    const rest = async (): Promise<void> => {
      for (let events = 0; world.next !== undefined && events < 1_000; events++) await world.happen(world.next);
    };
    try {
      world.load('A');
      await world.settle();
      await rest();
      await world.act('A', 'write');
      await rest();
      world.load('B');
      await world.settle();
      await rest();
      await world.clear('B');
      await rest();
      await world.crash('B');
      await world[end]('A');
      await rest();
      if (end !== 'reload') world.load('C');
      await world.settle();
      await rest();
      const shown = world.pages.filter(({ isGone, isClosed }) => !isGone && !isClosed);
      expect([end, shown.map(({ gate }) => gate.getSnapshot().messages)]).toEqual([end, [[]]]);
    } finally {
      world.end();
    }
  }
});
