/**
 * Two tabs notice at the same moment that the leader does not answer. One of them takes over, and the other one does
 * not interrupt it: the approved call runs, and the user does not have to confirm it.
 */
import { expect, it } from 'vitest';

import { profiles } from './explore/profiles.js';
import { random, Way } from './explore/search.js';
import type { World } from './explore/world.js';

/** How much later than another one, in ms of the simulated clock, a timer may fire before it. */
const SPREAD = 30;

/** Runs events in a random order until none are left. The timers of different tabs fire within the spread. */
async function anyOrder(world: World, pick: (below: number) => number): Promise<void> {
  for (let events = 0; events < 2_000; events++) {
    const { enabled } = world;
    if (enabled.length === 0) return;
    const first = Math.min(...enabled.map((name) => world.due(name) ?? Infinity));
    const hasOthers = enabled.some((name) => world.due(name) === undefined);
    const names = enabled.filter((name) => {
      const due = world.due(name);
      return due === undefined || (due <= first + SPREAD && (!hasOthers || due <= world.clock + SPREAD));
    });
    await world.happen(names[pick(names.length)]!);
  }
  throw new Error('the events of the browser do not end');
}

it.each(['one tab acts', 'two tabs act'])('%s', async (what) => {
  const profile = profiles.find(({ name }) => name === 'three-tabs')!;
  for (let seed = 0; seed < 150; seed++) {
    const { world } = await Way.begin(profile);
    try {
      const pick = random(seed);
      await world.freeze('A', true);
      await world.act('B', 'approve');
      if (what === 'two tabs act') await world.act('C', 'approve');
      await anyOrder(world, pick);
      expect([seed, world.ran.get('c1')]).toEqual([seed, 1]);
    } finally {
      world.end();
    }
  }
});

it('a tab that is frozen while it takes over does not keep another one from it', async () => {
  const profile = profiles.find(({ name }) => name === 'three-tabs')!;
  const { world } = await Way.begin(profile);
  try {
    await world.freeze('A', true);
    await world.act('B', 'approve');
    while (world.locks.holder('toolgate-turn:chat') !== 'B1') await world.happen(world.next!);
    await world.freeze('B', true);
    await anyOrder(world, random(1));
    expect(world.open('C')!.persister.isLeader).toBe(true);
    expect(world.ran.get('c1')).toBe(1);
    for (const tab of ['A', 'B']) await world.freeze(tab, false);
    await anyOrder(world, random(2));
    expect(world.ran.get('c1')).toBe(1);
    expect(['A', 'B', 'C'].map((tab) => world.open(tab)!.persister.state).sort()).toEqual([
      'follower',
      'follower',
      'leader',
    ]);
  } finally {
    world.end();
  }
});
