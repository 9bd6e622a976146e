/**
 * Tabs of two releases of the package. The older tab is told to reload. The newer one is not: reloading it would not
 * help, and an app that reloads by itself would do so again and again.
 */
import { expect, it } from 'vitest';

import { runEvents } from './explore/run-events.js';
import { World } from './explore/world.js';

const OUTDATED = /Reload this page/;

/** Opens these tabs one after the other. `N` is of the next release. */
async function worldOf(tabs: readonly string[], options: { locks?: boolean } = {}): Promise<World> {
  const world = new World('database', options);
  for (const tab of tabs) {
    world.load(tab);
    await world.settle();
    await runEvents(world, /./, 30);
  }
  return world;
}

/** How often each tab was told to reload. */
const told = (world: World): readonly number[] =>
  ['A', 'N'].map((tab) => world.open(tab)!.errors.filter((error) => OUTDATED.test(error)).length);

it.each([[['N', 'A']], [['A', 'N']]])('%j: the older tab is told to reload once, the newer one never', async (tabs) => {
  const world = await worldOf(tabs);
  try {
    expect(told(world)).toEqual([1, 0]);
    const leader = world.open(tabs[0]!)!;
    expect(leader.persister.isLeader).toBe(true);
    // A follower's action, which the leader does not understand, takes nothing from it.
    for (const tab of ['N', 'A']) await world.act(tab, 'write');
    await runEvents(world, /^(?!request)/, 60);
    expect(leader.persister.isLeader).toBe(true);
    expect(told(world)).toEqual([1, 0]);
  } finally {
    world.end();
  }
});

it.each([[['N', 'A']], [['A', 'N']]])('%j without locks: the newer tab leads, and the older one ends', async (tabs) => {
  const world = await worldOf(tabs, { locks: false });
  try {
    expect([world.open('A')!.persister.state, world.open('N')!.persister.state]).toEqual(['closed', 'leader']);
    expect(told(world)).toEqual([1, 0]);
  } finally {
    world.end();
  }
});
