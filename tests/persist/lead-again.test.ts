/**
 * A tab that becomes the leader again without having received a state from another tab or from storage; a tab whose
 * lock manager does not confirm in time that it is the leader; and a leader whose writes the storage refuses.
 */
import { expect, it } from 'vitest';

import { leaderKey } from './explore/disk.js';
import { runEvents } from './explore/run-events.js';
import { World } from './explore/world.js';

it('the earlier request of a tab that leads again is unconfirmed, and no action is applied a second time', async () => {
  const world = new World('database');
  try {
    // The storage is empty.
    world.load('A');
    await world.spoil('A', 'hangs');
    await world.settle();
    await runEvents(world, /./, 10);
    expect(world.open('A')!.persister.isLeader).toBe(true);
    world.load('B');
    await world.settle();
    await runEvents(world, /./);
    await world.act('B', 'write');
    await runEvents(world, /^(?!request)/);
    const a = world.open('A')!;
    expect(a.gate.getSnapshot().status).toBe('submitted');
    // A is frozen. B steals the lock from A, and is killed before it knows that it holds the lock.
    await world.freeze('A', true);
    await world.act('B', 'write');
    const isStolen = (): boolean => world.locks.holder('toolgate:chat') === 'B1';
    for (let turns = 0; turns < 6 && !isStolen(); turns++) {
      if (world.enabled.includes('B1 locks')) await world.happen('B1 locks');
      await runEvents(world, /^(?!request|B1 locks)/, 1);
    }
    expect(isStolen()).toBe(true);
    await world.freeze('A', false);
    await runEvents(world, /^(?!request|B1)/);
    expect(a.persister.isLeader).toBe(false);
    await world.crash('B');
    await runEvents(world, /^(?!request)/, 2);
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
      await runEvents(world, /./, 100);
    }
    await world.act('A', 'write');
    // The lock manager answers after A's time limit.
    await runEvents(world, /^(?!request|A1 locks)/, 40);
    await runEvents(world, /^(?!request)/, 100);
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
    await runEvents(world, /./, 100);
    // Another tab was elected and became the stored leader, but was killed before it could lead.
    world.disk.set(leaderKey('chat'), { epoch: 50, tab: 'B1' });
    await world.act('A', 'write');
    await runEvents(world, /^(?!request)/, 100);
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
