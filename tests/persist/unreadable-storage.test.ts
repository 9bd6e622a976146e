/**
 * A new leader that cannot read storage does not begin an empty chat while another tab shows the chat.
 */
import { expect, it } from 'vitest';

import type { Platform } from '../../src/ts/persist/tabs/platform.js';
import { shownBy, World, type Page } from './explore/world.js';

/**
 * Runs all pending events. If `except` is given, runs only events that are not timers, and none of a queue whose name
 * begins with `except`.
 */
async function rest(world: World, except = ''): Promise<void> {
  for (let events = 0; events < 1_000; events++) {
    const name =
      except === ''
        ? world.next
        : world.enabled.find((each) => !each.startsWith(except) && world.due(each) === undefined);
    if (name === undefined) return;
    await world.happen(name);
  }
  throw new Error('the events of the browser do not end');
}

it.each(['database', 'custom'] as const)(
  '%s: a frozen tab that did not send its state to the new leader in time adopts the state of that leader',
  async (kind) => {
    const world = new World(kind);
    try {
      for (const tab of ['A', 'B']) {
        world.load(tab);
        await world.settle();
        await rest(world);
      }
      world.load('C');
      await world.settle();
      await world.act('A', 'write');
      await rest(world, 'C1 locks');
      expect(world.open('C')!.gate.getSnapshot().messages).toHaveLength(1);
      await world.freeze('C', true);
      await world.crash('B');
      await world.crash('A');
      world.load('D');
      await world.spoil('D', 'fails');
      await world.settle();
      await rest(world);
      await world.freeze('C', false);
      await rest(world);
      await world.act('D', 'write');
      await rest(world);
      const [c, d] = ['C', 'D'].map((tab) =>
        world
          .open(tab)!
          .gate.getSnapshot()
          .messages.map(({ id }) => id),
      );
      expect(d!.length).toBeGreaterThan(0);
      expect(c).toEqual(d);
    } finally {
      world.end();
    }
  },
);

it.each(['database', 'custom'] as const)(
  '%s: a leader that cannot read storage continues from the state that another tab shows',
  async (kind) => {
    const world = new World(kind);
    try {
      for (const tab of ['A', 'B']) {
        world.load(tab);
        await world.settle();
        await rest(world);
      }
      // A and B are killed before C learns that the lock is taken. So C does not wait for the lock yet, and D gets it.
      world.load('C');
      await world.settle();
      await world.act('A', 'write');
      await rest(world, 'C1 locks');
      const [message] = world.open('C')!.gate.getSnapshot().messages;
      expect(message).toBeDefined();
      await world.crash('B');
      await world.crash('A');
      world.load('D');
      await world.spoil('D', 'fails');
      await world.settle();
      await rest(world);
      const shown = world.pages
        .filter(({ isGone }) => !isGone)
        .map(({ gate }) => gate.getSnapshot().messages.map(({ id }) => id));
      expect(shown[0]).toContain(message!.id);
      expect(shown[1]).toEqual(shown[0]);
      expect(world.open('D')!.errors).toEqual(['Error: the disk is full']);
    } finally {
      world.end();
    }
  },
);

it.each(['database', 'custom'] as const)(
  '%s: a tab that can read storage shows the state that the leader without storage continues from',
  async (kind) => {
    const world = new World(kind);
    try {
      world.load('A');
      await world.settle();
      await rest(world);
      await world.act('A', 'write');
      await rest(world);
      await world.crash('A');
      world.load('A');
      await world.spoil('A', 'fails');
      await world.settle();
      await rest(world);
      world.load('B');
      await world.settle();
      // B receives A's message before storage answers.
      await rest(world, 'B1 disk');
      await rest(world);
      const [a, b] = ['A', 'B'].map((tab) =>
        world
          .open(tab)!
          .gate.getSnapshot()
          .messages.map(({ id }) => id),
      );
      expect(b).toEqual(a);
    } finally {
      world.end();
    }
  },
);

/** A browser whose clock can be set back. */
class ClockedWorld extends World {
  /** How far the clock is behind, in ms. */
  setBack = 0;

  override platform(page: Page): Platform {
    const platform = super.platform(page);
    return { ...platform, now: () => platform.now() - this.setBack };
  }
}

// The epoch of a leader without storage is a time. The next leader counts on from there, and stores it.
it.each(['database', 'custom'] as const)(
  '%s: a leader without storage, whose clock was set back, is told of the newer state in storage, and publishes above it',
  async (kind) => {
    const world = new ClockedWorld(kind);
    const load = async (tab: string, spoilt = false): Promise<void> => {
      world.load(tab);
      if (spoilt) await world.spoil(tab, 'fails');
      await world.settle();
    };
    try {
      await load('A', true);
      await rest(world);
      await load('B');
      await rest(world);
      await world.crash('A');
      await rest(world);
      await world.act('B', 'write');
      await rest(world);
      await world.crash('B');
      world.setBack = 86_400_000;
      await load('C', true);
      await rest(world);
      await load('D');
      // D receives C's state before storage answers with a newer one.
      await rest(world, 'D1 disk');
      await rest(world);
      const [c, d] = ['C', 'D'].map((tab) => world.open(tab)!);
      expect(c!.persister.isLeader).toBe(true);
      expect(shownBy(d!.gate)).toEqual(shownBy(c!.gate));
      expect(d!.errors).toEqual([]);
    } finally {
      world.end();
    }
  },
);
