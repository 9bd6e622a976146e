/**
 * A tab that becomes the leader again without having received a state from another tab or from storage; a tab whose
 * lock manager does not confirm in time that it is the leader; and a leader whose writes the storage refuses.
 */
import { expect, it } from 'vitest';

import { leaderKey } from '../../src/ts/persist/storage-names.js';
import { World } from './explore/world.js';

/** Runs all pending events except those of queues that match `except`. At most `timers` of them may be timers. */
async function rest(world: World, except: RegExp, timers: number): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const names = world.enabled.filter((name) => !except.test(name));
    let name = names.find((each) => world.due(each) === undefined);
    if (name === undefined && timers-- > 0) [name] = names.sort((a, b) => world.due(a)! - world.due(b)!);
    if (name === undefined) return;
    await world.happen(name);
  }
  throw new Error('the events of the browser do not end');
}

it('the earlier request of a tab that leads again is unconfirmed, and no action is applied a second time', async () => {
  const world = new World('database');
  try {
    // The storage is empty.
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
    // A is frozen. B steals the lock from A, and is killed before it knows that it holds the lock.
    await world.freeze('A', true);
    await world.act('B', 'write');
    const isStolen = (): boolean => world.locks.holder('toolgate:chat') === 'B1';
    for (let turns = 0; turns < 6 && !isStolen(); turns++) {
      if (world.enabled.includes('B1 locks')) await world.happen('B1 locks');
      await rest(world, /^request|^B1 locks/, 1);
    }
    expect(isStolen()).toBe(true);
    await world.freeze('A', false);
    await rest(world, /^request|^B1/, 0);
    expect(a.persister.isLeader).toBe(false);
    await world.crash('B');
    await rest(world, /^request/, 2);
    expect(a.persister.isLeader).toBe(true);
    expect(a.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
    expect(a.errors.filter((error) => error.startsWith('TypeError'))).toEqual([]);
    const { messages, queued } = a.gate.getSnapshot();
    expect([...messages, ...queued].map(({ id }) => id)).toEqual(world.actions.map(({ message }) => message));
  } finally {
    world.end();
  }
});

it('a tab publishes its last state even if the lock manager does not confirm in time that it leads', async () => {
  const world = new World('database');
  try {
    for (const tab of ['A', 'B']) {
      world.load(tab);
      await world.settle();
      await rest(world, /^$/, 100);
    }
    await world.act('A', 'write');
    // The lock manager answers after A's time limit.
    await rest(world, /^request|^A1 locks/, 40);
    await rest(world, /^request/, 100);
    const [a, b] = ['A', 'B'].map((tab) => world.open(tab)!.gate);
    expect(a!.undelivered()).toMatchObject([{ delivery: 'failed' }]);
    expect(b!.undelivered()).toEqual(a!.undelivered());
  } finally {
    world.end();
  }
});

it('a leader that holds its lock stores a write that the storage refused, because it knew another leader', async () => {
  const world = new World('database');
  try {
    world.load('A');
    await world.settle();
    await rest(world, /^$/, 100);
    // Another tab was elected and became the stored leader, but was killed before it could lead.
    world.disk.set(leaderKey('chat'), { epoch: 50, tab: 'B1' });
    await world.act('A', 'write');
    await rest(world, /^request/, 100);
    const { value, changes } = world.disk.chat('chat');
    const { message } = world.actions[0]!;
    expect(world.open('A')!.persister.isLeader).toBe(true);
    expect(world.disk.get(leaderKey('chat'))).toEqual({ epoch: expect.toSatisfy((epoch) => epoch > 50), tab: 'A1' });
    expect(JSON.stringify([value, changes])).toContain(message);
    expect(world.open('A')!.gate.getSnapshot().status).toBe('submitted');
  } finally {
    world.end();
  }
});
