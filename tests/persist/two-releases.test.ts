/**
 * Tabs of two releases of the package. The older tab is told to reload. The newer one is not: reloading it would not
 * help, and an app that reloads by itself would do so again and again. It can take the lead when its user says so.
 */
import { ToolGate } from 'toolgate';
import { logOut, persist } from 'toolgate/persist';
import { expect, it } from 'vitest';

import { runEvents } from './explore/run-events.js';
import { World, type Page } from './explore/world.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, freshName, MemoryStorage, quiet, tab } from './support.js';

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

/** Waits for a promise of the world, whose events happen meanwhile. */
async function during<T>(world: World, promise: Promise<T>): Promise<T> {
  const settled = promise.catch(() => {});
  let isOver = false;
  void settled.then(() => (isOver = true));
  for (let events = 0; !isOver && events < 200; events++) {
    if (world.next !== undefined) await world.happen(world.next);
    else await world.settle();
  }
  return promise;
}

it('an older release leads: the newer tab says so once, keeps what its user does, and leads by "Use here"', async () => {
  const world = await worldOf(['A', 'N']);
  try {
    const [older, newer] = [world.open('A')!, world.open('N')!];
    expect([older.persister.state, newer.persister.state]).toEqual(['leader', 'leaderless']);
    await world.act('N', 'write');
    await runEvents(world, /./, 200);
    // It neither takes the lead by itself nor announces that it will.
    expect([older.persister.isLeader, newer.persister.waiting]).toEqual([true, 1]);
    expect(newer.errors).toEqual([expect.stringMatching(/earlier release.*lead\(\)/)]);
    await during(world, newer.persister.lead());
    expect([newer.persister.isLeader, newer.persister.waiting]).toEqual([true, 0]);
    await runEvents(world, /./, 200);
    expect(older.persister.state).toBe('closed');
    expect(told(world)).toEqual([1, 0]);
    expect(JSON.stringify(newer.gate.getSnapshot().messages)).toContain('and then');
    expect(world.sent.map(({ page }) => page.id)).toEqual(['N1']);
    expect([world.isStoredByNext, world.isDowngraded]).toEqual([true, false]);
  } finally {
    world.end();
  }
});

it.each([true, false])('locks: %s; an older tab does not get the lead from a newer one', async (locks) => {
  const world = await worldOf(['N', 'A'], { locks });
  try {
    const [older, newer] = [world.open('A')!, world.open('N')!];
    await expect(during(world, older.persister.lead())).rejects.toMatchObject({ code: 'outdated' });
    await runEvents(world, /./, 100);
    expect([newer.persister.isLeader, world.isDowngraded]).toEqual([true, false]);
  } finally {
    world.end();
  }
});

it.each([true, false])('locks: %s; `lead` in a follower of the same release: the other one follows', async (locks) => {
  const world = new World('database', { locks });
  try {
    for (const each of ['A', 'B']) {
      world.load(each);
      await world.settle();
      await runEvents(world, /./, 30);
    }
    const roles = (): unknown => ['A', 'B'].map((each) => world.open(each)!.persister.state);
    expect(roles()).toEqual(['leader', 'follower']);
    await world.act('A', 'write');
    await runEvents(world, /./, 30);
    await during(world, (world.open('B') as Page).persister.lead());
    await runEvents(world, /./, 100);
    expect(roles()).toEqual(['follower', 'leader']);
    await during(world, (world.open('B') as Page).persister.lead());
    expect(roles()).toEqual(['follower', 'leader']);
    expect(world.sent).toHaveLength(1);
  } finally {
    world.end();
  }
});

/** A chat that a newer release has stored. Returns what is stored of it. */
async function ofNewer(database: MemoryDatabase, name: string) {
  const { gate, persisted } = await tab(name);
  begin(gate, ['c1']);
  await persisted.flush();
  persisted.close();
  await quiet();
  const key = JSON.stringify([name, 'snapshot']);
  const record = { ...(database.get(name, 'snapshot') as object), version: 3 };
  database.values.set(key, JSON.stringify(record));
  return () => JSON.stringify(database.get(name, 'snapshot')) === JSON.stringify(record);
}

const FRESH = { outdated: 'fresh' } as const;
const codes = (errors: readonly Error[]): unknown[] => errors.map((error) => (error as { code?: string }).code);
const callsOf = (gate: { pending(): readonly { toolCallId: string }[] }) =>
  gate.pending().map(({ toolCallId }) => toolCallId);

it("outdated: 'fresh' continues with an empty chat beside the newer record, which nothing changes", async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const isUnchanged = await ofNewer(database, name);
  const waits = await tab(name);
  expect([waits.persisted.state, codes(waits.errors)]).toEqual(['closed', ['outdated']]);
  const first = await tab(name, undefined, {}, FRESH);
  expect([first.persisted.state, codes(first.errors)]).toEqual(['leader', ['outdated']]);
  expect(first.gate.getSnapshot().messages).toEqual([]);
  begin(first.gate, ['c2']);
  await first.persisted.flush();
  const second = await tab(name, undefined, {}, FRESH);
  expect([second.persisted.state, callsOf(second.gate)]).toEqual(['follower', ['c2']]);
  for (const { persisted } of [second, first]) persisted.close();
  await quiet();
  expect(isUnchanged()).toBe(true);
  // The newer release does not see the chat beside its own, and can open it by its name.
  const record = { ...(database.get(name, 'snapshot') as object), version: 2 };
  database.values.set(JSON.stringify([name, 'snapshot']), JSON.stringify(record));
  const newer = await tab(name, undefined, {}, FRESH);
  expect([callsOf(newer.gate), newer.errors]).toEqual([['c1'], []]);
  expect(callsOf((await tab([name, 'fresh'])).gate)).toEqual(['c2']);
});

it.each(['clear', 'log-out'] as const)('%s of the chat deletes the one beside it too', async (how) => {
  const database = new MemoryDatabase();
  const name = freshName();
  const { gate, persisted } = await tab(name);
  begin(gate, ['c1']);
  const beside = await tab([name, 'fresh']);
  begin(beside.gate, ['c2']);
  for (const each of [persisted, beside.persisted]) await each.flush();
  if (how === 'clear') await persisted.clear();
  else await logOut({ names: [name] });
  await quiet();
  const stored = [name, `${name}.fresh`].flatMap((each) => database.keysOf(each, 'snapshot'));
  expect(stored).toEqual([]);
  expect([...database.values.values()].join()).not.toContain('tidy up');
  expect(beside.persisted.state).toBe(how === 'clear' ? 'leader' : 'closed');
});

it.each(['IndexedDB', 'a custom storage'])('no chat has the name of the one beside another, in %s', async (where) => {
  const storage = where === 'IndexedDB' ? (new MemoryDatabase(), undefined) : new MemoryStorage();
  const name = freshName();
  const { gate, persisted } = await tab(name, storage);
  begin(gate, ['c1']);
  await persisted.flush();
  // Otherwise `clear()` and `logOut` of the chat would delete this one.
  const other = persist(new ToolGate(), { name: `${name}.fresh`, ...(storage && { storage }) });
  await expect(other).rejects.toThrow(/does not end with/);
  for (const wrong of [[name, 'old'], [`${name}.fresh`, 'fresh'], ['', 'fresh'], [7, 'fresh'], [], 7, null])
    await expect(persist(new ToolGate(), { name: wrong as never })).rejects.toThrow(TypeError);
  const beside = await tab([name, 'fresh'], storage);
  expect(beside.gate.getSnapshot().messages).toEqual([]);
  begin(beside.gate, ['c2']);
  await beside.persisted.flush();
  beside.persisted.close();
  await quiet();
  const again = await tab([name, 'fresh'], storage);
  expect(callsOf(again.gate)).toEqual(['c2']);
  again.persisted.close();
  await quiet();
  await persisted.clear();
  expect(callsOf((await tab([name, 'fresh'], storage)).gate)).toEqual([]);
});

it("outdated: 'fresh' does not replace a chat that is shown: the tab closes", async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const { gate, persisted, errors } = await tab(name, undefined, {}, FRESH);
  begin(gate, ['c1']);
  await persisted.flush();
  const record = { ...(database.get(name, 'snapshot') as object), version: 3, epoch: 9 };
  database.values.set(JSON.stringify([name, 'snapshot']), JSON.stringify(record));
  database.values.set(JSON.stringify([name, 'leader']), JSON.stringify({ epoch: 9, tab: 'other' }));
  gate.respond('approve-c1', { approved: false });
  await expect(persisted.flush()).rejects.toMatchObject({ code: 'outdated' });
  expect([persisted.state, codes(errors)]).toEqual(['closed', ['outdated']]);
  expect(database.keysOf(`${name}.fresh`, 'snapshot')).toEqual([]);
});
