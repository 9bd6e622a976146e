/**
 * What a leader stores, and what it tells the other tabs: an action is stored together with its effect, nothing is
 * stored after another tab has the lock, and an elected tab answers for the leader that it replaces.
 */
import { expect, it } from 'vitest';

import { internalsOf } from '../../src/ts/gate/internals.js';
import { ToolGate } from '../../src/ts/gate/tool-gate.js';
import { ChatStore } from '../../src/ts/persist/storage/chat-store.js';
import type { FencedStorage } from '../../src/ts/persist/storage/fenced-storage.js';
import { browserPlatform } from '../../src/ts/persist/tabs/platform.js';
import type { TabBase } from '../../src/ts/persist/tabs/tab-base.js';
import { runEvents } from './explore/run-events.js';
import { World } from './explore/world.js';

/** A world with these tabs, in which all events have happened. */
async function worldOf(...tabs: string[]): Promise<World> {
  const world = new World('database');
  for (const tab of tabs) {
    world.load(tab);
    await world.settle();
    await runEvents(world, /./, 50);
  }
  return world;
}

it('an action is part of the state that is stored with its effect, even if the page is hidden at that moment', async () => {
  const world = await worldOf('A');
  try {
    const { gate, listeners } = world.open('A')!;
    gate.sendUserMessage({ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] } as never);
    for (const listener of listeners.get('visibilitychange') ?? []) listener({});
    const { value, changes } = world.disk.chat('chat');
    expect(JSON.stringify(changes.at(-1) ?? value)).toContain('u1');
    expect((changes.at(-1) ?? value) as object).toMatchObject({ applied: [['A1', 1]] });
  } finally {
    world.end();
  }
});

it('a tab that loses the lock during a write writes nothing after it', async () => {
  const world = await worldOf('A');
  try {
    await world.act('A', 'write');
    await world.act('A', 'write');
    expect(world.enabled.map((name) => world.label(name))).toContain('A1: write is done');
    await world.steal();
    await runEvents(world, /^A1 locks/);
    expect(world.open('A')!.persister.isLeader).toBe(false);
    const stored = JSON.stringify(world.disk.chat('chat'));
    await runEvents(world, /^A1 (?!timers)/);
    expect(JSON.stringify(world.disk.chat('chat'))).toBe(stored);
  } finally {
    world.end();
  }
});

it('a tab that is elected answers for the leader that it replaces, however long its storage takes', async () => {
  const world = await worldOf('A', 'B', 'C');
  try {
    // The tabs wait for a reply, so each checks the leader.
    await world.act('A', 'write');
    await runEvents(world, /^(?!request)/, 0);
    while (!world.enabled.includes('A1 from C1')) await runEvents(world, /^C1 timers/, 1);
    await world.crash('A');
    await runEvents(world, /^[BC]1 (?!disk|timers)/);
    expect(world.open('B')!.persister.state).toBe('leaderless');
    await runEvents(world, /^C1/, 1);
    expect([world.open('C')!.persister.state, world.open('C')!.errors]).toEqual(['follower', []]);
  } finally {
    world.end();
  }
});

it('a leader that cannot read storage has an epoch that no stored state has', async () => {
  const platform = browserPlatform();
  const broken = { read: fails, takeOver: fails } as unknown as FencedStorage;
  const internals = internalsOf(new ToolGate({ chatId: 'chat' }))!;
  const part = { name: 'chat', id: 'A1', platform, storeMs: 1_000, internals, onError: () => {} } as unknown;
  const before = Date.now();
  for (const storage of [broken, undefined]) {
    const store = new ChatStore(part as TabBase, storage);
    const { epoch } = await store.takeOver(7, false, () => Promise.resolve(true));
    expect(epoch).toBeGreaterThanOrEqual(before);
    expect((await store.takeOver(epoch, false, () => Promise.resolve(true))).epoch).toBeGreaterThan(epoch);
  }
});

function fails(): never {
  throw new Error('the disk is broken');
}
