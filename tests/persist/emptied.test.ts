/**
 * What was stored is deleted behind the leader's back: with the site's data, by a script, or by `clear()` in another
 * tab. Nothing counts as saved that is not, an open tab does not undo the deletion by itself, and nothing that ran is
 * asked again.
 */
import { ToolGate } from 'toolgate';
import { logOut } from 'toolgate/persist';
import { expect, it } from 'vitest';

import { indexedDbStorage } from '../../src/ts/persist/storage/indexed-db.js';
import { ask, reply } from '../gate/support.js';
import { until } from '../lib/waiting.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, claimed, freshName, persistGate, quiet, tab } from './support.js';

/** A saved chat with a pending approval. */
async function saved(name = freshName()) {
  const database = new MemoryDatabase();
  const opened = await tab(name);
  begin(opened.gate, ['c1']);
  await opened.persisted.flush();
  return { name, database, ...opened };
}

const codes = (errors: readonly Error[]): unknown[] => errors.map((error) => (error as { code?: string }).code);

it.each(['delete', 'clear'] as const)(
  'nothing is stored or reported as saved after "%s", until the user acts: then the whole chat is',
  async (how) => {
    const { name, database, gate, persisted, errors } = await saved();
    if (how === 'delete') database.delete();
    else database.values.clear();
    gate.receive({ type: 'data-x', data: { n: 1 } });
    await expect(persisted.flush()).rejects.toMatchObject({ code: 'emptied' });
    gate.receive({ type: 'data-x', data: { n: 2 } });
    await expect(persisted.flush()).rejects.toMatchObject({ code: 'emptied' });
    expect(database.keys()).toEqual([]);
    expect(codes(errors)).toEqual(['emptied']);

    gate.respond('approve-c1', { approved: true });
    await persisted.flush();
    expect(database.get(name, 'snapshot')).toMatchObject({ applied: [[expect.any(String), 2]] });
    await gate.deliver(async () => {});
    persisted.close();
    await quiet();
    const next = await tab(name);
    expect(next.gate.pending()).toEqual([]);
    expect(JSON.stringify(next.gate.getSnapshot().messages)).toContain('"approved":true');
    expect(codes(next.errors)).toEqual([]);
  },
);

it('an approval after the deletion is stored with the whole chat before its request is sent', async () => {
  const { name, database, gate, persisted, errors } = await saved();
  database.delete();
  gate.respond('approve-c1', { approved: true });
  let stored: unknown;
  await gate.deliver(async () => {
    stored = database.get(name, 'snapshot');
  });
  expect(JSON.stringify(stored)).toContain('approve-c1');
  expect(codes(errors)).toEqual(['emptied']);
  await persisted.flush();
});

it('a request that the chat sends by itself is sent, and reported as not recorded', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['look'] });
  const { errors } = await persistGate(gate, name);
  gate.sendUserMessage({ text: 'look' });
  claimed(gate);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'look', input: {} },
    { type: 'finish' },
  ]);
  await quiet();
  database.delete();
  gate.addToolOutput('c1', { output: 'seen' });
  let sent = 0;
  await gate.deliver(async () => void sent++);
  expect([sent, codes(errors)]).toEqual([1, ['emptied']]);
});

it('a follower that is elected after the deletion does not store the chat by itself', async () => {
  const { name, database, gate, persisted } = await saved();
  const other = await tab(name);
  await until(() => other.gate.pending().length === 1);
  database.delete();
  persisted.close();
  await until(() => other.persisted.state === 'leader');
  await quiet();
  expect(database.keys()).toEqual([]);
  expect(codes(other.errors)).toEqual(['emptied']);
  other.gate.respond('approve-c1', { approved: false });
  await other.persisted.flush();
  expect(JSON.stringify(database.get(name, 'snapshot'))).toContain('approve-c1');
  expect(gate.pending()).toHaveLength(1);
});

it('clear() in a follower deletes what is stored; the chat stays open in both tabs, and its next change is stored', async () => {
  const { name, database, gate, persisted, errors } = await saved();
  const other = await tab(name);
  await until(() => other.gate.pending().length === 1);
  await other.persisted.clear();
  await quiet();
  expect(database.keysOf(name, 'snapshot')).toEqual([]);
  expect(database.keysOf(name, 'journal')).toEqual([]);
  expect([persisted.state, other.persisted.state]).toEqual(['leader', 'follower']);
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  expect(database.get(name, 'snapshot')).toMatchObject({ applied: [[expect.any(String), 2]] });
  expect([errors, other.errors]).toEqual([[], []]);
});

it('a chat that was never saved, and one whose calls are answered meanwhile, are stored as ever', async () => {
  const database = new MemoryDatabase();
  const name = freshName();
  const { gate, persisted, errors } = await tab(name);
  for (const call of ['c1', 'c2']) {
    gate.sendUserMessage({ text: call });
    claimed(gate);
    reply(gate, [{ type: 'start', messageId: `a-${call}` }, { type: 'start-step' }, ...ask(call), { type: 'finish' }]);
    await persisted.flush();
  }
  expect(database.keysOf(name, 'leader')).toHaveLength(1);
  expect(errors).toEqual([]);
});

it('the last changes before a page is unloaded are stored without waiting, but not by a leader that was replaced', async () => {
  const { name, database, gate, persisted } = await saved();
  const stored = (): number => database.keysOf(name, 'journal').length;
  const before = stored();
  const store = indexedDbStorage(indexedDB);
  const { signal } = new AbortController();
  const { epoch, tab: id } = database.get(name, 'leader') as { epoch: number; tab: string };
  const write = (of: number): PromiseLike<unknown> | unknown =>
    store.write(name, { changes: [{ number: 99 } as never] }, { tab: id, epoch: of }, signal);
  expect(await write(epoch)).toBe('stored');
  expect(stored()).toBe(before + 1);
  await store.takeOver(name, { tab: 'other', minimum: 0, mayLead: () => true }, signal);
  expect(await write(epoch)).toBe('refused');
  await logOut({ names: [name] });
  expect(await write(epoch + 1)).toBe('refused');
  expect(stored()).toBe(0);
  expect([gate.pending().length, persisted.isExclusive]).toEqual([1, true]);
});

it('a leader whose database was deleted writes nothing beside the leader of the new one', async () => {
  const database = new MemoryDatabase();
  const [store, other] = [indexedDbStorage(indexedDB), indexedDbStorage(indexedDB)];
  const { signal } = new AbortController();
  const lead = (tab: string) => ({ tab, minimum: 0, mayLead: () => true });
  const write = { changes: [{ number: 1 } as never] };
  const { epoch } = await store.takeOver('chat', lead('one'), signal);
  expect(await store.write('chat', write, { tab: 'one', epoch }, signal)).toBe('stored');
  database.delete();
  await other.takeOver('chat', lead('two'), signal);
  expect(await store.write('chat', write, { tab: 'one', epoch }, signal)).toBe('refused');
  expect(database.keysOf('chat', 'journal')).toEqual([]);
});
