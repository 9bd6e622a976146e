/**
 * Stored actions are applied and shown in the other tabs, even if their tab is killed before it forwards them.
 */
import { expect, it } from 'vitest';

import { World, type Page } from './explore/world.js';

/** Runs all pending events. */
async function rest(world: World): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const { next } = world;
    if (next === undefined) return;
    await world.happen(next);
  }
  throw new Error('the events of the browser do not end');
}

const idsOf = ({ gate }: Page): string[] => gate.getSnapshot().messages.map(({ id }) => id);

it.each(['database', 'custom'] as const)(
  '%s: a stored action of a killed tab is applied with the next action in the leader',
  async (kind) => {
    const world = new World(kind);
    try {
      const a = world.load('A');
      await world.settle();
      await rest(world);
      // B is killed after its action is stored, and before it can forward the action.
      world.load('B');
      await world.act('B', 'write');
      for (let events = 0; !world.actions[0]!.isStored && events < 20; events++) await world.happen(world.next!);
      expect(world.actions.map(({ isStored }) => isStored)).toEqual([true]);
      await world.crash('B');
      await rest(world);
      await world.act('A', 'write');
      await rest(world);
      const ids = idsOf(a);
      for (const { message } of world.actions) expect(ids.filter((id) => id === message)).toHaveLength(1);
      expect(world.actions.map((given) => world.isWaiting(given))).toEqual([false, false]);
      expect(a.errors).toEqual([]);
    } finally {
      world.end();
    }
  },
);
