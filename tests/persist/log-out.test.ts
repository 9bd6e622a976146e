/**
 * `logOut` ends chats in all tabs, whatever they do at that moment, and deletes what is stored of them.
 */
import { logOut } from 'toolgate/persist';
import { expect, it, vi } from 'vitest';

import { until } from '../lib/waiting.js';
import { runEvents } from './explore/run-events.js';
import { World } from './explore/world.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, freshName, MemoryStorage, quiet, tab } from './support.js';

const SECRET = 'tidy up';

it('all tabs close, and nothing of the chat is stored, under its name or another key', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const [a, b] = [await tab(name), await tab(name)];
  begin(a.gate, ['c1']);
  await until(() => b.gate.pending().length === 1);
  b.gate.respond('approve-c1', { approved: true });
  await logOut();
  await until(() => a.persisted.state === 'closed' && b.persisted.state === 'closed');
  a.gate.cancel();
  b.gate.cancel();
  await quiet();
  const stored = JSON.stringify([...database.values]);
  expect(stored).not.toContain(name);
  expect(stored).not.toContain(SECRET);
  expect(database.keysOf(name, 'leader')).toEqual([]);
  let sent = 0;
  for (const { gate } of [a, b]) await gate.deliver(async () => void sent++);
  expect(sent).toBe(0);
  await expect(a.persisted.flush()).rejects.toThrow();
});

it('a tab that heard nothing of it stores nothing: neither a leader nor a follower', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const [a, b] = [await tab(name), await tab(name)];
  begin(a.gate, ['c1']);
  await until(() => b.gate.pending().length === 1);
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = () => {};
  await logOut({ names: [name] });
  BroadcastChannel.prototype.postMessage = postMessage;
  expect(a.persisted.state).toBe('leader');
  b.gate.respond('approve-c1', { approved: true });
  a.gate.receive({ type: 'data-x', data: 1 });
  await until(() => a.persisted.state === 'closed' && b.persisted.state === 'closed');
  await quiet();
  expect(JSON.stringify([...database.values])).not.toContain(name);
});

it('a chat under the same name is a new one, whose epoch continues; the old tab does not see it', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const old = await tab(name);
  begin(old.gate, ['c1']);
  await old.persisted.flush();
  const { epoch } = database.get(name, 'leader') as { epoch: number };
  await logOut({ names: [name] });
  await until(() => old.persisted.state === 'closed');
  await quiet();
  const next = await tab(name);
  expect(next.gate.getSnapshot().messages).toEqual([]);
  next.gate.sendUserMessage({ text: 'of the next user' });
  await next.persisted.flush();
  expect((database.get(name, 'leader') as { epoch: number }).epoch).toBeGreaterThan(epoch);
  expect(JSON.stringify(old.gate.getSnapshot())).not.toContain('of the next user');
  const again = await tab(name);
  await until(() => again.gate.getSnapshot().queued.length + again.gate.getSnapshot().messages.length === 1);
});

it('with names, and with a storage of the app, only these chats end', async () => {
  new MemoryDatabase();
  const storage = new MemoryStorage();
  const [one, two] = [freshName(), freshName()];
  const [a, b] = [await tab(one, storage), await tab(two, storage)];
  for (const { gate, persisted } of [a, b]) {
    begin(gate, ['c1']);
    await persisted.flush();
  }
  await logOut({ names: [one], storage });
  await until(() => a.persisted.state === 'closed');
  await quiet();
  expect([...storage.values.keys()]).toEqual([two]);
  expect(b.persisted.state).toBe('leader');
  await expect(logOut({ storage })).rejects.toThrow(TypeError);
  await expect(logOut({ name: one } as never)).rejects.toThrow(TypeError);
});

it('the entries of an ended chat and of its leaders are deleted after 30 days', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const tabs = [await tab(name), await tab(name)];
  begin(tabs[0]!.gate, ['c1']);
  for (const opened of tabs) {
    await opened.persisted.flush();
    opened.persisted.close();
    await quiet();
  }
  await logOut({ names: [name] });
  // The chat and the one beside it have ended, and so have two leaders.
  expect(database.keys()).toHaveLength(4);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 86_400_000);
  await logOut({ names: ['now'] });
  vi.restoreAllMocks();
  expect(database.keys()).toHaveLength(2);
});

it.each(['A', 'B'])(
  'tab %s is frozen during the log-out: it closes when it wakes, and stores nothing',
  async (frozen) => {
    const world = new World('database');
    try {
      for (const each of ['A', 'B']) {
        world.load(each);
        await world.settle();
        await runEvents(world, /./, 100);
      }
      await world.act('A', 'write');
      await runEvents(world, /./, 100);
      await world.freeze(frozen, true);
      await world.logOut();
      await runEvents(world, /./, 20_000);
      await world.freeze(frozen, false);
      await world.act(frozen, 'write');
      await runEvents(world, /./, 20_000);
      expect(world.pages.map(({ persister }) => persister.state)).toEqual(['closed', 'closed']);
      expect([...world.disk.values.keys()]).toEqual(['chat ended']);
    } finally {
      world.end();
    }
  },
);
