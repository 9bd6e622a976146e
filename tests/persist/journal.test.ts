/**
 * A chat is saved as a snapshot and a journal: each later change is stored as one small record. A restored chat equals
 * the one that wrote the journal. A damaged or incomplete journal is read up to the damage, which is reported.
 */
import fc from 'fast-check';
import { ToolGate } from 'toolgate';
import { beforeEach, expect, it, vi } from 'vitest';

import { ask, reply } from '../gate/support.js';
import { acts, Scene, setups } from '../inspector/acts.js';
import { turns } from '../lib/waiting.js';
import { MemoryDatabase } from './indexed-db.js';
import { begin, claimed, freshName, persistGate, quiet, tab } from './support.js';

/** The browser's database. */
let database: MemoryDatabase;

/** The writes since the test began. */
let writes: [key: string, size: number][] = [];

beforeEach(() => {
  [database, writes] = [new MemoryDatabase(), []];
  database.onWrite = (key, text) => void writes.push([key, text.length]);
});

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A setup whose deadlines are far away. */
const patient = <T extends { readonly timeout?: number | undefined }>(setup: T): T => ({
  ...setup,
  timeout: setup.timeout && 3_600_000,
});

/** The keys of the journal's records, in order. */
const journalOf = (name: string): string[] => database.keysOf(name, 'journal');

/**
 * Copies the values that this page has stored to another name, so that a test can open a page with the state of this
 * moment.
 */
function copyAs(name: string, as: string): void {
  for (const key of [...database.keysOf(name, 'snapshot'), ...journalOf(name)])
    database.values.set(key.replace(name, as), database.values.get(key)!);
}

/** The state that a page would restore if it were opened now. */
async function opened(name: string): Promise<{ gate: ToolGate; errors: Error[] }> {
  const as = freshName();
  copyAs(name, as);
  const { gate, persisted, errors } = await tab(as);
  persisted.close();
  return { gate, errors };
}

/** A chat of this many messages with a pending approval, persisted. */
async function longChat(messages: number): Promise<Awaited<ReturnType<typeof tab>> & { name: string }> {
  const name = freshName();
  const gate = new ToolGate({ chatId: 'chat' });
  gate.load(
    Array.from({ length: messages }, (_, n) => ({
      id: `m${n}`,
      role: n % 2 ? 'assistant' : 'user',
      parts: [{ type: 'text', text: `message ${n}` }],
    })),
  );
  const { persisted, errors } = await persistGate(gate, name);
  begin(gate, ['c1']);
  await persisted.flush();
  return { name, gate, persisted, errors };
}

it('a claim waits for one small record, for a history of any length', async () => {
  const sizes: number[] = [];
  for (const messages of [10, 2_000]) {
    const { name, gate, persisted } = await longChat(messages);
    gate.respond('approve-c1', { approved: true });
    await persisted.flush();
    writes = [];
    let before = 0;
    await gate.deliver(async () => {
      before = writes.length;
      await Promise.resolve();
    });
    expect(before).toBe(1);
    expect(writes[0]![0]).toContain(`["${name}","journal",`);
    sizes.push(writes[0]![1]);
    persisted.close();
  }
  expect(sizes[0]).toBeLessThan(3_000);
  expect(Math.abs(sizes[1]! - sizes[0]!)).toBeLessThan(200);
});

it('a restored chat equals the one that wrote it, for any sequence of commands', async () => {
  await fc.assert(
    // No approval expires between the end of a plan and the comparison.
    fc.asyncProperty(setups.map(patient), fc.array(acts, { maxLength: 15, size: 'max' }), async (setup, plan) => {
      const name = freshName();
      const scene = new Scene(setup, { chatId: 'chat' });
      const { persisted } = await persistGate(scene.gate, name);
      for (const act of plan) {
        await scene.play([act]);
        await persisted.flush().catch(() => {});
      }
      // A gate's timer may change it while the database is awaited: it forgets a decision that was remembered until a
      // time in the past. So this waits until the last state is stored, and reads the other gate before its timer.
      for (let stored = ''; stored !== JSON.stringify(scene.gate);) {
        stored = JSON.stringify(scene.gate);
        await persisted.flush().catch(() => {});
      }
      const as = freshName();
      copyAs(name, as);
      const other = ToolGate.restore(plain(scene.gate.toJSON()), scene.options);
      for (let i = 0; i < 20; i++) await Promise.resolve();
      const wanted = plain(other.toJSON());
      const gate = new Scene(setup, { chatId: 'chat' }).gate;
      const restored = await persistGate(gate, as);
      expect(restored.errors).toEqual([]);
      expect(plain(gate.toJSON())).toEqual(wanted);
      restored.persisted.close();
      persisted.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);

it('a page can be killed between any two writes: everything that was saved before is restored', async () => {
  const { name, gate, persisted } = await longChat(4);
  const states: unknown[] = [];
  const steps = [
    () => gate.respond('approve-c1', { approved: true }),
    () => claimed(gate),
    () => gate.receive({ type: 'start', messageId: 'a1' }),
    () => gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: { is: 'done' } }),
    () => gate.streamEnded({ status: 'finished' }),
    () => gate.sendUserMessage({ id: 'u9', text: 'and then' }),
  ];
  for (const step of steps) {
    step();
    await persisted.flush();
    states.push(plain(ToolGate.restore(plain(gate.toJSON())).toJSON()));
  }
  const keys = journalOf(name);
  expect(keys.length).toBeGreaterThanOrEqual(steps.length);
  for (let lost = 0; lost < steps.length; lost++) {
    const { gate: found, errors } = await opened(name);
    expect(plain(found.toJSON())).toEqual(states.at(-1 - lost));
    expect(errors).toEqual([]);
    database.values.delete(keys.at(-1 - lost)!);
  }
});

it('an incomplete or damaged record ends the journal: it is reported, and no request is sent', async () => {
  const { name, gate, persisted } = await longChat(4);
  const before = plain(gate.toJSON());
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  const decided = plain(gate.toJSON());
  claimed(gate);
  await persisted.flush();
  const keys = journalOf(name);
  const damage: ((text: string) => string)[] = [
    (text) => JSON.stringify(text.slice(0, text.length / 2)),
    (text) => text.replace('approve-c1', 'approve-c2'),
    (text) => text.replace('"number":', '"numbers":'),
    (text) => text.replace(/"version":2/, '"version":1'),
    () => 'null',
    () => '""',
  ];
  for (const [at, wanted] of [
    [-2, before],
    [-1, decided],
  ] as const) {
    for (const spoil of damage) {
      const as = freshName();
      copyAs(name, as);
      const key = keys.at(at)!.replace(name, as);
      const text = database.values.get(key)!;
      expect(spoil(text)).not.toBe(text);
      database.values.set(key, spoil(text));
      const found = await tab(as);
      expect(found.errors).toMatchObject([
        { code: 'journal-damaged', message: expect.stringContaining('damaged') as unknown },
      ]);
      const { messages } = ToolGate.restore(plain(wanted)).getSnapshot();
      expect(found.gate.getSnapshot().messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
      // The lost record may say that the request was sent.
      expect(found.gate.outgoing()).toEqual([]);
      // It stays until the user's next action. The next state is a snapshot then, and the damaged journal is gone.
      const last = keys.at(-1)!.replace(name, as);
      await expect(found.persisted.flush()).rejects.toMatchObject({ code: 'journal-damaged' });
      expect(journalOf(as)).toContain(last);
      found.gate.sendUserMessage({ text: 'hello' });
      await found.persisted.flush();
      expect(journalOf(as)).not.toContain(last);
      expect(found.errors).toHaveLength(1);
      found.persisted.close();
      await quiet();
      expect((await opened(as)).errors).toEqual([]);
    }
  }
});

it('a missing record ends the journal', async () => {
  const { name, gate, persisted } = await longChat(4);
  gate.respond('approve-c1', { approved: true });
  await persisted.flush();
  claimed(gate);
  await persisted.flush();
  database.values.delete(journalOf(name).at(-2)!);
  const { gate: found, errors } = await opened(name);
  expect(errors).toMatchObject([{ code: 'journal-damaged', message: expect.stringContaining('missing') as unknown }]);
  expect(found.getSnapshot().pending).toHaveLength(1);
});

it('a journal without its snapshot is reported', async () => {
  const { name, persisted } = await longChat(4);
  persisted.close();
  await quiet();
  database.values.delete(JSON.stringify([name, 'snapshot']));
  const { errors } = await tab(name);
  expect(errors).toMatchObject([
    { code: 'journal-damaged', message: expect.stringContaining('no snapshot') as unknown },
  ]);
});

it('records of an earlier snapshot, which a killed page has not deleted, are not used', async () => {
  const { name, gate, persisted } = await longChat(4);
  const old = journalOf(name).map((key) => [key, database.values.get(key)!] as const);
  await persisted.clear();
  gate.sendUserMessage({ text: 'hello', id: 'u2' } as never);
  await persisted.flush();
  for (const [key, text] of old) database.values.set(key, text);
  const { gate: found, errors } = await opened(name);
  expect(errors).toEqual([]);
  expect(plain(found.getSnapshot().queued)).toEqual(plain(ToolGate.restore(plain(gate.toJSON())).getSnapshot().queued));
});

it('if a leader is killed between storing a claim and sending its request, the request is not sent again', async () => {
  const { name, gate } = await longChat(4);
  gate.respond('approve-c1', { approved: true });
  let found: Awaited<ReturnType<typeof opened>> | undefined;
  await gate.deliver(async () => {
    found = await opened(name);
  });
  expect(found!.gate.outgoing()).toEqual([]);
  expect(found!.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed', approvalIds: ['approve-c1'] }]);
});

it('a failed write is repeated with the next one, so no record is missing', async () => {
  const { name, gate, persisted, errors } = await longChat(4);
  database.onWrite = (key) => {
    if (key.includes('journal')) throw new Error('the disk is full');
  };
  gate.respond('approve-c1', { approved: true });
  await expect(persisted.flush()).rejects.toThrow('the disk is full');
  database.onWrite = undefined;
  claimed(gate);
  await persisted.flush();
  expect(errors[0]?.message).toBe('the disk is full');
  const { gate: found, errors: others } = await opened(name);
  expect(others).toEqual([]);
  expect(plain(found.toJSON())).toEqual(plain(ToolGate.restore(plain(gate.toJSON())).toJSON()));
});

it('the journal of a page is continued by the next page', async () => {
  const { name, gate, persisted } = await longChat(4);
  persisted.close();
  await quiet();
  const snapshot = database.get(name, 'snapshot');
  const next = await tab(name);
  next.gate.respond('approve-c1', { approved: false });
  await next.persisted.flush();
  expect(database.get(name, 'snapshot')).toEqual(snapshot);
  const { gate: found, errors } = await opened(name);
  expect(errors).toEqual([]);
  expect(plain(found.toJSON())).toEqual(plain(ToolGate.restore(plain(next.gate.toJSON())).toJSON()));
  expect(gate.pending()).toHaveLength(1);
});

it('a snapshot replaces a journal that reaches its maximum length', async () => {
  const { name, gate, persisted } = await longChat(10);
  let longest = 0;
  for (let n = 0; n < 500; n++) {
    gate.receive({ type: 'data-x', id: 'x', data: { n } });
    await persisted.flush();
    longest = Math.max(longest, journalOf(name).length);
  }
  expect(longest).toBeGreaterThan(100);
  expect(longest).toBeLessThanOrEqual(400);
  const big = 'x'.repeat(300_000);
  for (let n = 0; n < 20; n++) {
    gate.sendUserMessage({ id: `big${n}`, text: big });
    await persisted.flush();
    gate.cancel();
    const size = journalOf(name).reduce((sum, key) => sum + database.values.get(key)!.length, 0);
    expect(size).toBeLessThan(6_000_000);
  }
  expect((await opened(name)).errors).toEqual([]);
});

it('followers get small changes, and the whole state only when they join', async () => {
  const { name, gate } = await longChat(200);
  const heard: [type: string, size: number][] = [];
  const channel = new BroadcastChannel(`toolgate:${name}`);
  channel.onmessage = ({ data }) => {
    const { type } = (data as { message: { type: string } }).message;
    heard.push([type, JSON.stringify(data).length]);
  };
  const other = await tab(name);
  await quiet();
  heard.length = 0;
  gate.respond('approve-c1', { approved: true });
  claimed(gate);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'tool-output-available', toolCallId: 'c1', output: 'done' },
  ]);
  await turns(100);
  await vi.waitFor(() => expect(plain(other.gate.getSnapshot().messages)).toEqual(plain(gate.getSnapshot().messages)));
  expect(heard.map(([type]) => type)).not.toContain('state');
  expect(Math.max(...heard.map(([, size]) => size))).toBeLessThan(5_000);
  channel.close();
});

it('calls in all states are restored', async () => {
  const { name, gate, persisted } = await longChat(2);
  gate.cancel('no');
  begin(gate, ['c2', 'c3'], 'a2');
  gate.respond('approve-c2', { approved: false, reason: 'no' });
  for (const chunk of ask('c4')) gate.receive(chunk);
  await persisted.flush();
  const { gate: found } = await opened(name);
  expect(plain(found.toJSON())).toEqual(plain(ToolGate.restore(plain(gate.toJSON())).toJSON()));
});
