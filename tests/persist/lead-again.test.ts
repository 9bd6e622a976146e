/**
 * A tab that lost the lead and leads again, without a state from another tab or the storage in between; and one whose browser
 * does not say in time whether it leads.
 */
import { expect, it } from 'vitest';

import { World } from './explore/world.js';

/** Lets everything happen that still does, and so many timers, but for what `except` matches. */
async function rest(world: World, except: RegExp, timers: number): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const names = world.enabled.filter((name) => !except.test(name));
    let name = names.find((each) => world.due(each) === undefined);
    if (name === undefined && timers-- > 0) [name] = names.sort((a, b) => world.due(a)! - world.due(b)!);
    if (name === undefined) return;
    await world.happen(name);
  }
  throw new Error('the browser does not come to rest');
}

it('knows nothing of the request that it had sent before, and does no act a second time', async () => {
  const world = new World('database');
  try {
    // The chat is not stored.
    world.load('A');
    await world.spoil('A', 'hangs');
    await world.settle();
    await rest(world, /^$/, 10);
    expect(world.open('A')!.persister.isLeader).toBe(true);
    world.load('B');
    await world.settle();
    await rest(world, /^$/, 0);
    await world.act('B', 'write');
    await rest(world, /^request/, 0);
    const a = world.open('A')!;
    expect(a.gate.getSnapshot().status).toBe('submitted');
    // A is frozen, B takes its place, and is gone before it has led.
    await world.freeze('A', true);
    await world.act('B', 'write');
    await rest(world, /^request|^B1 locks/, 6);
    await world.freeze('A', false);
    await rest(world, /^request|^B1/, 0);
    expect(a.persister.isLeader).toBe(false);
    await world.crash('B');
    await rest(world, /^request/, 2);
    expect(a.persister.isLeader).toBe(true);
    expect(a.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
    expect(a.errors.filter((error) => error.startsWith('TypeError'))).toEqual([]);
    const { messages, queued } = a.gate.getSnapshot();
    expect([...messages, ...queued].map(({ id }) => id)).toEqual(world.given.map(({ message }) => message));
  } finally {
    world.end();
  }
});

it('publishes its last state, also if the browser does not say in time that it leads', async () => {
  const world = new World('database');
  try {
    for (const tab of ['A', 'B']) {
      world.load(tab);
      await world.settle();
      await rest(world, /^$/, 100);
    }
    await world.act('A', 'write');
    // The answers of the locks come later than A waits for them.
    await rest(world, /^request|^A1 locks/, 40);
    await rest(world, /^request/, 100);
    const [a, b] = ['A', 'B'].map((tab) => world.open(tab)!.gate);
    expect(a!.undelivered()).toMatchObject([{ delivery: 'failed' }]);
    expect(b!.undelivered()).toEqual(a!.undelivered());
  } finally {
    world.end();
  }
});
