/**
 * A leader that is frozen or loses its lock: other tabs notice, report and replace it, and no request is sent twice.
 */
import { expect, it, vi } from 'vitest';
import { ToolGate, type Outgoing } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';

import { chats, stage } from '../ai-sdk/support/chats.js';
import { asks, gatekeeper, says } from '../ai-sdk/support/transport.js';
import { reply, thrownBy } from '../gate/support.js';
import { until } from '../lib/waiting.js';
import {
  begin,
  claimed,
  freshName,
  persistGate,
  latch,
  MemoryStorage,
  quiet,
  stateOf,
  tab,
  type Tab,
} from './support.js';

/** Takes the lock with this name, and never answers followers. Returns a function that releases it. */
async function silentLeader(name: string, options: LockOptions = {}): Promise<() => void> {
  const { opened, open } = latch();
  await new Promise<void>((resolve) => {
    const hold = (): Promise<void> => {
      resolve();
      return opened;
    };
    navigator.locks.request(`toolgate:${name}`, options, hold).catch(() => {});
  });
  return open;
}

/** A stored chat with these pending calls, whose leader is frozen. */
async function stopped(
  calls: readonly string[],
): Promise<{ name: string; storage: MemoryStorage; release: () => void }> {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage);
  begin(first.gate, calls);
  first.persisted.close();
  await quiet();
  return { name, storage, release: await silentLeader(name) };
}

const SOON = { leaderTimeoutMs: 20 };
const LATE = { leaderTimeoutMs: 1_000_000 };
const messagesOf = ({ errors }: Tab): string[] => errors.map(({ message }) => message);

it('an action in a follower is shown as forwarded, not as done, until the leader confirms it', async () => {
  const { name, storage } = await stopped(['c1', 'c2']);
  const b = await tab(name, storage, { onDeny: 'skip-rest' }, LATE);
  let told = 0;
  b.gate.subscribe(() => told++);
  expect([b.persisted.state, b.persisted.waiting]).toEqual(['follower', 0]);
  expect(b.gate.respond('approve-c1', { approved: false, reason: 'no' })).toBe('accepted');
  expect(told).toBeGreaterThan(0);
  const [, denied, skipped] = b.gate.getSnapshot().messages[1]?.parts ?? [];
  // The user decided only `c1`. The leader determines the effect on `c2`.
  expect(denied).toMatchObject({
    state: 'approval-responded',
    approval: { approved: false, reason: 'no' },
    delivery: 'forwarded',
  });
  expect(skipped).toMatchObject({ state: 'approval-requested', delivery: 'forwarded' });
  for (const part of [denied, skipped]) expect(part).not.toHaveProperty('outcome');
  expect(b.gate.pending()).toEqual([]);

  expect(b.gate.sendUserMessage({ text: 'go on' })).toBe('queued');
  expect(b.gate.getSnapshot().messages).toHaveLength(2);
  expect(b.gate.getSnapshot().queued).toHaveLength(1);
  expect(b.persisted.waiting).toBe(2);
  // The decision cannot be undone.
  expect(thrownBy(() => b.gate.respond('approve-c1', { approved: true })).code).toBe('already-decided');
});

it('unchanged objects stay the same from view to view', async () => {
  const { name, storage } = await stopped(['c1', 'c2']);
  const { gate } = await tab(name, storage, {}, LATE);
  const before = gate.getSnapshot().messages;
  gate.respond('approve-c1', { approved: true });
  const one = gate.getSnapshot().messages;
  expect(one[0]).toBe(before[0]);
  expect(one[1]?.parts[2]).toBe(before[1]?.parts[2]);
  gate.respond('approve-c2', { approved: true });
  const two = gate.getSnapshot().messages;
  expect(two[1]?.parts[1]).toBe(one[1]?.parts[1]);
  expect(gate.getSnapshot().messages).toBe(two);
});

it('a forwarded action survives a reload of the follower, and the next leader applies it once', async () => {
  const { name, storage, release } = await stopped(['c1']);
  const b = await tab(name, storage, {}, LATE);
  b.gate.respond('approve-c1', { approved: true });
  await until(() => storage.values.has(`${name}.actions`));
  // The page is killed without closing the persister, and is loaded again.
  const again = await tab(name, storage, {}, LATE);
  expect(again.gate.pending()).toEqual([]);
  expect(stateOf(again.gate, 'c1')).toBe('approval-responded forwarded');
  expect(again.persisted.waiting).toBe(1);
  expect(thrownBy(() => again.gate.respond('approve-c1', { approved: false })).code).toBe('already-decided');
  b.persisted.close();
  await quiet();
  release();
  await until(() => again.persisted.state === 'leader');
  expect(claimed(again.gate).approvalIds).toEqual(['approve-c1']);
  await again.persisted.flush();
  await until(() => !storage.values.has(`${name}.actions`));
  expect(again.errors).toEqual([]);
});

it('a leader that does not answer is replaced when the user performs an action', async () => {
  const { name, storage } = await stopped(['c1']);
  const b = await tab(name, storage, {}, SOON);
  b.gate.respond('approve-c1', { approved: true });
  await until(() => b.persisted.state === 'leader');
  expect([b.persisted.state, b.persisted.waiting]).toEqual(['leader', 0]);
  expect(claimed(b.gate).approvalIds).toEqual(['approve-c1']);
  expect(messagesOf(b)).toEqual([expect.stringMatching(/has not answered for 20 ms. This tab takes over/)]);
});

it('a leader that does not answer while a reply is in flight is reported before the user acts', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const first = await tab(name, storage);
  first.gate.sendUserMessage({ text: 'hello' });
  claimed(first.gate);
  await first.persisted.flush();
  storage.copyOf(name, `${name}'`);
  const release = await silentLeader(`${name}'`);
  const b = await tab(`${name}'`, storage, {}, SOON);
  await until(() => b.persisted.state === 'leaderless');
  expect(messagesOf(b)).toEqual([expect.stringMatching(/takes over on the user's next action/)]);
  // The silent leader is replaced at once.
  b.gate.stop();
  await until(() => b.persisted.state === 'leader');
  expect(b.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  release();
});

it('an elected tab answers other tabs before it has read storage, so no other tab takes its lock', async () => {
  const { name, storage, release } = await stopped(['c1']);
  const [b, c] = [await tab(name, storage, {}, LATE), await tab(name, storage, {}, { leaderTimeoutMs: 200 })];
  const held = latch();
  const read = storage.read.bind(storage);
  storage.read = async (key) => {
    await held.opened;
    return read(key);
  };
  release();
  await until(() => b.persisted.state === 'leaderless');
  c.gate.respond('approve-c1', { approved: true });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([b.persisted.state, c.persisted.state]).toEqual(['leaderless', 'follower']);
  held.open();
  await until(() => b.persisted.state === 'leader' && b.gate.pending().length === 0);
  expect(c.errors).toEqual([]);
});

it('a request of the frozen tab is unconfirmed in the next leader, and not sent again', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  a.gate.respond('approve-c1', { approved: true });
  const item = claimed(a.gate);
  await a.persisted.flush();
  storage.copyOf(name, `${name}'`);
  await silentLeader(`${name}'`);
  const b = await tab(`${name}'`, storage, {}, SOON);
  b.gate.sendUserMessage({ text: 'and?' });
  await until(() => b.persisted.state === 'leader');
  expect(b.gate.outgoing().every(({ key }) => key !== item.key)).toBe(true);
});

it('a tab whose lock is stolen sends nothing, not even claimed requests, and forwards actions whose storage is uncertain', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, {}, LATE);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const held = latch();
  storage.hold = held.opened;
  a.gate.respond('approve-c1', { approved: true });
  const sent: Outgoing[] = [];
  const delivered = a.gate.deliver(async (item) => void sent.push(item));
  await quiet();
  await silentLeader(name, { steal: true });
  held.open();
  await delivered;
  expect(sent).toEqual([]);
  await until(() => a.persisted.state === 'follower');
  expect(a.gate.outgoing()).toEqual([]);
  await until(() => stateOf(a.gate, 'c1') === 'approval-responded forwarded');
  expect(a.persisted.waiting).toBe(1);
});

it('a tab that leads again when its claim is stored does not send: another tab may have sent the request in between', async () => {
  const [name, storage, write] = [freshName(), new MemoryStorage(), latch()];
  const a = await tab(name, storage, {}, LATE);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  storage.hold = write.opened;
  a.gate.respond('approve-c1', { approved: true });
  const sent: Outgoing[] = [];
  const delivered = a.gate.deliver(async (item) => void sent.push(item));
  await quiet();
  storage.hold = undefined;
  const release = await silentLeader(name, { steal: true });
  await until(() => a.persisted.state === 'follower');
  release();
  await until(() => a.persisted.state === 'leader');
  write.open();
  await delivered;
  expect(sent).toEqual([]);
  expect([a.persisted.state === 'leader', a.gate.undelivered()]).toMatchObject([true, [{ delivery: 'unconfirmed' }]]);
});

it('a tab also forwards its actions from before its election if it loses the lock before they are stored', async () => {
  const [name, storage, { opened, open }] = [freshName(), new MemoryStorage(), latch()];
  const read = storage.read.bind(storage);
  storage.read = (key) => opened.then(() => read(key));
  storage.hold = new Promise(() => {});
  const gate = new ToolGate({ chatId: 'chat' });
  const keeping = persistGate(gate, name, storage, LATE);
  gate.sendUserMessage({ text: 'hello' });
  open();
  const { persisted } = await keeping;
  expect([persisted.state === 'leader', persisted.waiting]).toEqual([true, 0]);
  await silentLeader(name, { steal: true });
  await until(() => persisted.state !== 'leader');
  expect(persisted.waiting).toBe(1);
});

it('a page that does not know yet that its lock was stolen sends nothing', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, {}, LATE);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const real = navigator.locks.query.bind(navigator.locks);
  // The browser knows that another tab holds the lock. The page does not know that yet.
  const query: typeof real = async () => {
    const { held = [], ...rest } = await real();
    return {
      ...rest,
      held: held.map((lock) => (lock.name === `toolgate:${name}` ? { ...lock, clientId: 'another page' } : lock)),
    };
  };
  Object.assign(navigator.locks, { query });
  try {
    a.gate.respond('approve-c1', { approved: true });
    const sent: Outgoing[] = [];
    await a.gate.deliver(async (item) => void sent.push(item));
    expect(sent).toEqual([]);
    expect(a.persisted.state).toBe('follower');
  } finally {
    Object.assign(navigator.locks, { query: real });
  }
});

it('a page that may have been frozen shows a denial only when the browser confirms its lock', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { gate, persisted } = await tab(name, storage, {}, { leaderTimeoutMs: 1 });
  begin(gate, ['c1']);
  await persisted.flush();
  await new Promise((resolve) => setTimeout(resolve, 5));
  gate.respond('approve-c1', { approved: false });
  const part = (): unknown => gate.getSnapshot().messages[1]?.parts[1];
  expect(part()).toMatchObject({ delivery: 'forwarded' });
  expect(part()).not.toHaveProperty('outcome');
  await until(() => stateOf(gate, 'c1') === 'approval-responded ready');
  expect(part()).toMatchObject({ outcome: { kind: 'denied' } });
});

it('a decision applies to the input that was shown in its tab', async () => {
  const { name, storage, release } = await stopped(['c1']);
  const b = await tab(name, storage, {}, LATE);
  b.gate.respond('approve-c1', { approved: true });
  await until(() => storage.values.has(`${name}.actions`));
  const actions = storage.values.get(`${name}.actions`) as string;
  const [digest] = /[0-9a-f]{64}/.exec(actions) ?? [];
  expect(digest).toBe((await import('../../src/ts/json/digest.js')).digest({ path: 'c1' }));
  // As if the call had another input in the leader.
  b.persisted.close();
  await quiet();
  storage.values.set(`${name}.actions`, actions.replace(digest ?? '', '0'.repeat(64)));
  release();
  const c = await tab(name, storage, {}, LATE);
  await until(() => c.persisted.state === 'leader');
  expect(c.errors).toMatchObject([{ code: 'stale-input' }]);
  expect(c.gate.pending()).toHaveLength(1);
});

it('when another tab becomes the leader, the request of the former leader is aborted, and its events change nothing', async () => {
  for (const kind of chats) {
    const never = gatekeeper();
    const [name, storage] = [freshName(), new MemoryStorage()];
    const { chat, transport } = await stage(kind, {
      replies: [[...says('half').slice(0, 4), () => never.opened, ...asks(['c1'])]],
      chat: { generateId: () => crypto.randomUUID() },
    });
    const { persisted } = await persistGate(gateOf(chat), name, storage, LATE);
    const sent = chat.sendMessage({ text: 'hello' });
    await until(() => chat.lastMessage?.parts.at(-1)?.['text'] === 'half');
    await persisted.flush();
    await silentLeader(name, { steal: true });
    await sent;
    expect(transport.requests[0]?.abortSignal?.aborted).toBe(true);
    never.open();
    await quiet();
    expect(gateOf(chat).pending()).toEqual([]);
    expect(persisted.state).not.toBe('leader');
  }
});

it('the end of a request does not affect the items of a state that was adopted after the request began', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage, {}, LATE);
  begin(a.gate, ['c1']);
  a.gate.respond('approve-c1', { approved: true });
  const { opened, open } = latch();
  const delivered = a.gate.deliver(() => opened);
  await until(() => a.gate.getSnapshot().status === 'submitted' && a.gate.outgoing().length === 0);
  await a.persisted.flush();
  const release = await silentLeader(name, { steal: true });
  await until(() => a.persisted.state === 'follower');
  release();
  await until(() => a.persisted.state === 'leader');
  expect(a.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  open();
  await delivered;
  expect(a.gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  reply(a.gate, []);
});

it('a page that is restored from the back/forward cache queries which tab is the leader', async () => {
  const target = new EventTarget();
  const listeners = {
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
  vi.stubGlobal('addEventListener', listeners.addEventListener);
  vi.stubGlobal('removeEventListener', listeners.removeEventListener);
  try {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const a = await tab(name, storage, {}, LATE);
    begin(a.gate, ['c1']);
    await a.persisted.flush();
    const b = await tab(name, storage, {}, LATE);
    const show = (): boolean => target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    // Tab A is still the leader.
    show();
    await quiet();
    expect([a.persisted.state, b.persisted.state]).toEqual(['leader', 'follower']);
    // The browser releases its lock without an event.
    const real = navigator.locks.query.bind(navigator.locks);
    Object.assign(navigator.locks, { query: async () => ({ held: [], pending: [] }) });
    show();
    await until(() => a.persisted.state === 'follower');
    Object.assign(navigator.locks, { query: real });
    for (const { persisted } of [a, b]) persisted.close();
  } finally {
    vi.stubGlobal('addEventListener', undefined);
    vi.stubGlobal('removeEventListener', undefined);
  }
});

it('a follower that is closed with unconfirmed actions forwards them', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await tab(name, storage);
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await tab(name, storage);
  b.gate.respond('approve-c1', { approved: true });
  b.persisted.close();
  await until(() => a.gate.pending().length === 0);
  expect(new ToolGate()).toBeDefined();
});
