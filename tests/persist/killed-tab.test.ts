/**
 * What a tab has stored is done or shown in the others, also if the tab is gone before it could say so.
 */
import { expect, it } from 'vitest';

import { World, type Page } from './explore/world.js';

/** Lets everything happen that still does. */
async function rest(world: World): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const { next } = world;
    if (next === undefined) return;
    await world.happen(next);
  }
  throw new Error('the browser does not come to rest');
}

const idsOf = ({ gate }: Page): string[] => gate.getSnapshot().messages.map(({ id }) => id);

it.each(['database', 'own'] as const)(
  '%s: the act of a killed tab is done with the next act in the tab that leads',
  async (kind) => {
    const world = new World(kind);
    try {
      const a = world.load('A');
      await world.settle();
      await rest(world);
      // Killed once its act is stored, before it knows that: nobody hears of the act.
      world.load('B');
      await world.act('B', 'write');
      for (let events = 0; !world.given[0]!.isStored && events < 20; events++) await world.happen(world.next!);
      expect(world.given.map(({ isStored }) => isStored)).toEqual([true]);
      await world.crash('B');
      await rest(world);
      await world.act('A', 'write');
      await rest(world);
      const ids = idsOf(a);
      for (const { message } of world.given) expect(ids.filter((id) => id === message)).toHaveLength(1);
      expect(world.given.map((given) => world.isWaiting(given))).toEqual([false, false]);
      expect(a.errors).toEqual([]);
    } finally {
      world.end();
    }
  },
);
