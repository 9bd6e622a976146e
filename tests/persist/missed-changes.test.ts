/**
 * Tabs replicate the leader's journal. A tab that has missed a change does not apply later ones: it requests the state,
 * and then shows the same as the leader.
 */
import { expect, it } from 'vitest';

import { runEvents } from './explore/run-events.js';
import { shownBy, World } from './explore/world.js';

/** A browser that can lose messages between tabs. */
class LossyBrowser extends World {
  /** Drops the messages to a tab that have not arrived. Returns their types. */
  loseMessages(tab: string): string[] {
    const lost: string[] = [];
    while (this.hears(tab)) {
      lost.push(
        /"(\w+)"/.exec(this.label([...this.queues.keys()].find((name) => name.startsWith(`${tab}1 from`))!))![1]!,
      );
      this.loseMessage(tab);
    }
    return lost;
  }

  /** The types of the messages to a tab that have not arrived. */
  messagesTo(tab: string): string[] {
    const queue = [...this.queues].find(([name]) => name.startsWith(`${tab}1 from`));
    return (queue?.[1].events ?? []).map(({ label }) => /"(\w+)"/.exec(label)![1]!);
  }
}

/** Runs events until this much time has passed, or until none are left. */
async function rest(world: World, ms = 3_000): Promise<void> {
  const end = world.clock + ms;
  for (let events = 0; events < 1_000; events++) {
    const { next } = world;
    if (next === undefined || (world.due(next) ?? 0) > end) return;
    await world.happen(next);
  }
  throw new Error('the events of the browser do not end');
}

/** A leader A and a follower B. */
async function twoTabs(kind: 'database' | 'custom'): Promise<LossyBrowser> {
  const world = new LossyBrowser(kind);
  for (const tab of ['A', 'B']) {
    world.load(tab);
    await world.settle();
    await rest(world);
  }
  return world;
}

/** The leader receives the beginning of an unrequested reply, with this text. */
async function receive(world: World, text: string): Promise<void> {
  const { gate } = world.open('A')!;
  gate.receive({ type: 'start', messageId: 'unasked' });
  gate.receive({ type: 'text-start', id: text });
  gate.receive({ type: 'text-delta', id: text, delta: text });
  await world.settle();
}

const shown = (world: World, tab: string): unknown => {
  const { gate } = world.open(tab)!;
  return [shownBy(gate), gate.getSnapshot().messages];
};

for (const kind of ['database', 'custom'] as const) {
  it(`${kind}: a tab that missed a change requests the state`, async () => {
    const world = await twoTabs(kind);
    try {
      await world.act('A', 'write');
      while (!world.messagesTo('B').includes('change')) await world.happen(world.next!);
      expect(world.loseMessages('B')).toContain('change');
      await receive(world, 'one');
      const heard: string[] = [];
      for (let events = 0; events < 60 && world.next !== undefined; events++) {
        heard.push(world.label(world.next));
        await world.happen(world.next);
      }
      expect(heard.filter((label) => label === 'A1: hears "hello" of B1')).toHaveLength(1);
      expect(heard.filter((label) => label === 'B1: hears "state" of A1')).toHaveLength(1);
      expect(shown(world, 'B')).toEqual(shown(world, 'A'));
      expect(world.open('B')!.errors).toEqual([]);
    } finally {
      world.end();
    }
  });

  it(`${kind}: a tab that missed the end of a reply shows that end, although the next change could be applied without it`, async () => {
    const world = await twoTabs(kind);
    try {
      await receive(world, 'one');
      await rest(world);
      const { gate } = world.open('A')!;
      gate.receive({ type: 'text-delta', id: 'one', delta: ' and two' });
      gate.streamEnded({ status: 'finished' });
      await world.settle();
      while (!world.messagesTo('B').includes('change')) await world.happen(world.next!);
      world.loseMessages('B');
      await world.act('A', 'write');
      await rest(world);
      expect(JSON.stringify(shown(world, 'A'))).toContain('one and two');
      expect(shown(world, 'B')).toEqual(shown(world, 'A'));
    } finally {
      world.end();
    }
  });

  it(`${kind}: a tab requests the state again if the answer is lost`, async () => {
    const world = await twoTabs(kind);
    try {
      await world.act('A', 'write');
      while (!world.messagesTo('B').includes('change')) await world.happen(world.next!);
      world.loseMessages('B');
      await receive(world, 'one');
      while (!world.messagesTo('B').includes('state')) await world.happen(world.next!);
      world.loseMessages('B');
      await rest(world, 10_000);
      expect(shown(world, 'B')).toEqual(shown(world, 'A'));
    } finally {
      world.end();
    }
  });

  it(`${kind}: a change that arrives twice is applied once`, async () => {
    const world = await twoTabs(kind);
    try {
      await receive(world, 'one');
      for (let events = 0; events < 40 && world.next !== undefined; events++) {
        if (world.messagesTo('B')[0] === 'change') await world.hearTwice('B');
        await world.happen(world.next);
        if (world.clock > 2_000) break;
      }
      await rest(world);
      expect(shown(world, 'B')).toEqual(shown(world, 'A'));
      expect(world.open('B')!.errors).toEqual([]);
    } finally {
      world.end();
    }
  });

  it(`${kind}: if the leader is killed, the follower continues from the changes that it has received`, async () => {
    const world = await twoTabs(kind);
    try {
      await receive(world, 'one');
      await rest(world);
      await receive(world, 'two');
      await rest(world);
      const before = JSON.stringify(world.open('A')!.gate.getSnapshot().messages);
      await world.crash('A');
      await rest(world, 10_000);
      expect(world.open('B')!.persister.isLeader).toBe(true);
      expect(JSON.stringify(world.open('B')!.gate.getSnapshot().messages)).toBe(before);
    } finally {
      world.end();
    }
  });
}

it('a tab that missed a change requests the state until it has one, even if it reads an older one in storage', async () => {
  const world = await twoTabs('database');
  try {
    await receive(world, 'one');
    while (!world.messagesTo('B').includes('change')) await world.happen(world.next!);
    world.loseMessages('B');
    await rest(world, 500);
    // The next change is published, but not stored. B hears of it, and reads storage when its page is shown again.
    await receive(world, 'two');
    for (let timers = 0; !world.messagesTo('B').includes('change') && timers < 20; timers++)
      await runEvents(world, /^A1 (?!disk)/, 1);
    await runEvents(world, /^B1 from/);
    for (const shows of world.open('B')!.listeners.get('pageshow')!) shows({ persisted: true });
    await world.settle();
    for (let turns = 0; turns < 5; turns++) await runEvents(world, /^(disk of B1|B1 disk)/);
    expect(JSON.stringify(shown(world, 'B'))).toContain('one');
    expect(JSON.stringify(shown(world, 'B'))).not.toContain('two');
    // All answers to its requests are lost.
    await runEvents(world, /^A1 from/);
    expect(world.loseMessages('B')).toContain('state');
    await rest(world, 10_000);
    expect(shown(world, 'B')).toEqual(shown(world, 'A'));
  } finally {
    world.end();
  }
});
