/** Evidence of a chat in several tabs: one chain, with those who decided. */
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceOfApproval, type EvidenceRecorder } from 'toolgate/evidence';
import type { PersistOptions } from 'toolgate/persist';
import { checkEvidence } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { until } from '../lib/waiting.js';
import { begin, claimed, freshName, latch, MemoryStorage, quiet, tab, type Tab } from '../persist/support.js';
import { answer, newKeys, seal } from './support';

let keys: CryptoKeyPair;
beforeAll(async () => {
  await init();
  keys = await newKeys();
});

/** The store of the chain that all tabs share. */
class ChainStore {
  chain: Evidence | undefined;
  writers: string[] = [];
  readonly read = (): Evidence | undefined => structuredClone(this.chain);
  readonly write = (by: string) => (chain: Evidence) => {
    this.chain = structuredClone(chain);
    this.writers.push(by);
  };
}

interface Recorded extends Tab {
  readonly recorder: EvidenceRecorder;
}

/** Opens a tab that records, unless `user` is null. */
async function open(
  chat: { readonly name: string; readonly storage: MemoryStorage; readonly chains: ChainStore },
  user: string | null,
  options: ToolGateOptions = {},
  more: Partial<PersistOptions> = {},
): Promise<Recorded> {
  const opened = await tab(chat.name, chat.storage, options, more);
  const { chains } = chat;
  const recorder =
    user === null
      ? (undefined as never)
      : recordEvidence(opened.gate, {
          ...{ chatId: 'chat', user: () => user, saved: chains.read },
          onChange: chains.write(user),
        });
  return { ...opened, recorder };
}

const newChat = () => ({ name: freshName(), storage: new MemoryStorage(), chains: new ChainStore() });

/** A stored chat with approvals that wait, and its leader, where Ada is the user. */
async function askedChat(calls: string[]) {
  const chat = newChat();
  const a = await open(chat, 'ada');
  begin(a.gate, calls);
  await a.persisted.flush();
  return { chat, a };
}

async function checked(evidence: Evidence): Promise<EvidenceOfApproval[]> {
  return checkEvidence(await seal(structuredClone(evidence), keys), keys);
}
const decidersOf = async (evidence: Evidence): Promise<unknown[]> =>
  (await checked(evidence)).map(({ toolCallId, decision, problems }) => [toolCallId, decision?.user, ...problems]);
const decided = (gate: ToolGate): boolean => gate.pending().length === 0;

it('a decision in a follower has the user, the tab and the time of that tab', async () => {
  const chat = newChat();
  let time = 1_000;
  const a = await open(chat, 'ada', { now: () => 9_000 });
  begin(a.gate, ['c1', 'c2', 'c3']);
  await a.persisted.flush();
  const b = await open(chat, 'bob', { now: () => time++ });
  b.gate.respond('approve-c1', { approved: true });
  const last = time;
  await until(() => a.gate.pending().length === 2);
  a.gate.respond('approve-c2', { approved: true });
  await until(() => b.gate.pending().length === 1);
  b.gate.respondAll({ approved: false });
  await until(() => decided(a.gate));
  const [first, second, third] = await checked(a.recorder.toJSON());
  expect(first).toMatchObject({ decision: { user: 'bob', by: 'user' }, problems: [], afterTheFact: [] });
  expect(first!.decision!.at).toBeLessThan(last);
  expect(first!.decision!.at).toBeGreaterThanOrEqual(1_000);
  expect(second).toMatchObject({ decision: { user: 'ada', at: 9_000 }, problems: [] });
  expect(second!.decision).not.toHaveProperty('tab');
  expect(third).toMatchObject({ decision: { user: 'bob', approved: false }, problems: [] });
  expect(first!.decision!.tab).toBe(third!.decision!.tab);
  expect(first!.decision!.tab).toMatch(/./);
  await a.persisted.flush();
  await until(() => chat.chains.chain?.links.length === a.recorder.toJSON().links.length);
  expect(new Set(chat.chains.writers)).toEqual(new Set(['ada']));
});

it('who decided in a follower without a recorder is unknown, not the user of the leader', async () => {
  const chat = newChat();
  const a = await open(chat, 'ada', { now: () => 9_000 });
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const b = await open(chat, null, { now: () => 5_000 });
  b.gate.respond('approve-c1', { approved: true });
  await until(() => decided(a.gate));
  const [story] = await checked(a.recorder.toJSON());
  expect(story!.decision).toMatchObject({ by: 'user', at: 5_000 });
  expect(story!.decision).not.toHaveProperty('user');
  expect(story!.decision!.tab).toMatch(/./);
});

it.each<[string, unknown]>([
  ['text', 'bob'],
  ['another user type and time', { user: 1, at: 'now' }],
  ['times that the format lacks', { user: {}, at: -1 }],
  ['nothing', null],
])('what another tab sends as who decided is checked: %s', async (_name, decider) => {
  const chat = newChat();
  const a = await open(chat, 'ada', { now: () => 9_000 });
  begin(a.gate, ['c1']);
  await a.persisted.flush();
  const channel = new BroadcastChannel(`toolgate:${chat.name}`);
  const action = { name: 'respond', args: ['approve-c1', { approved: true }], decider };
  channel.postMessage({ version: 3, message: { type: 'actions', actions: [['evil', 1, action]] } });
  await until(() => decided(a.gate));
  channel.close();
  const [story] = await checked(a.recorder.toJSON());
  expect(story).toMatchObject({ decision: { at: 9_000, tab: 'evil' }, problems: [] });
  expect(story!.decision).not.toHaveProperty('user');
});

it('the next leader continues the chain', async () => {
  const chat = newChat();
  const a = await open(chat, 'ada');
  const b = await open(chat, 'bob');
  begin(a.gate, ['c1', 'c2']);
  a.gate.respond('approve-c1', { approved: true });
  await a.persisted.flush();
  await until(() => b.gate.pending().length === 1);
  a.recorder.stop();
  const before = a.recorder.toJSON();
  a.persisted.close();
  await until(() => b.persisted.state === 'leader');
  b.gate.respond('approve-c2', { approved: true });
  await answer(b.gate, keys.privateKey);
  const chain = b.recorder.toJSON();
  expect(chain.links.slice(0, before.links.length)).toEqual(before.links);
  expect(await decidersOf(chain)).toEqual([
    ['c1', 'ada'],
    ['c2', 'bob'],
  ]);
  await b.persisted.flush();
  await until(() => chat.chains.chain?.links.length === b.recorder.toJSON().links.length);
  for (const { afterTheFact, receipt } of await checked(chat.chains.chain!)) {
    expect(afterTheFact).toEqual([]);
    expect(receipt).toBeDefined();
  }
});

/** Takes the lock of the leader without asking, as a browser does for a tab that is frozen. Returns its release. */
async function stealLock(name: string): Promise<() => void> {
  let release = (): void => {};
  await new Promise<void>((resolve) => {
    navigator.locks
      .request(`toolgate:${name}`, { steal: true }, () => {
        resolve();
        return new Promise<void>((end) => (release = end));
      })
      .catch(() => {});
  });
  return release;
}

const storedDecisions = ({ chain }: ChainStore): number =>
  chain?.links.filter(({ entry }) => entry.type === 'decided').length ?? 0;

it('links that came while the chat was stored are reported when they are stored too', async () => {
  const { chat, a } = await askedChat(['c1', 'c2']);
  await quiet();
  const [first, second] = [latch(), latch()];
  chat.storage.hold = first.opened;
  a.gate.respond('approve-c1', { approved: true });
  await quiet();
  expect(storedDecisions(chat.chains)).toBe(0);
  chat.storage.hold = second.opened;
  a.gate.respond('approve-c2', { approved: true });
  first.open();
  await quiet();
  expect(storedDecisions(chat.chains)).toBe(1);
  second.open();
  await until(() => storedDecisions(chat.chains) === 2);
  expect(chat.chains.chain).toEqual(a.recorder.toJSON());
});

it('links are not reported while the chat cannot be stored, and are reported after that', async () => {
  const { chat, a } = await askedChat(['c1', 'c2']);
  await quiet();
  chat.storage.broken = '';
  a.gate.respond('approve-c1', { approved: true });
  await quiet();
  expect(a.errors.length).toBeGreaterThan(0);
  expect(storedDecisions(chat.chains)).toBe(0);
  chat.storage.broken = undefined;
  a.gate.respond('approve-c2', { approved: true });
  await until(() => storedDecisions(chat.chains) === 2);
});

it('links are reported although the user stops while they are stored', async () => {
  const { chat, a } = await askedChat(['c1']);
  await quiet();
  const { opened, open: unlock } = latch();
  chat.storage.hold = opened;
  a.gate.respond('approve-c1', { approved: true });
  await quiet();
  a.gate.stop();
  await quiet();
  a.gate.stop();
  await quiet();
  unlock();
  await until(() => chat.chains.chain?.links.length === a.recorder.toJSON().links.length);
  expect(storedDecisions(chat.chains)).toBe(1);
});

it('decisions that the last leader never applied have the user who made them', async () => {
  const { chat, a } = await askedChat(['c1', 'c2']);
  const b = await open(chat, 'bob');
  const c = await open(chat, 'eve');
  a.recorder.stop();
  const { opened, open: unlock } = latch();
  // The leader is gone, and no tab has taken over.
  chat.storage.hold = opened;
  b.gate.respond('approve-c1', { approved: true });
  c.gate.respond('approve-c2', { approved: false });
  a.persisted.close();
  unlock();
  await until(() => b.persisted.state === 'leader' || c.persisted.state === 'leader');
  const [leader] = [b, c].filter(({ persisted }) => persisted.state === 'leader') as [Recorded];
  await until(() => decided(leader.gate) && leader.persisted.waiting === 0);
  await quiet();
  expect(await decidersOf(leader.recorder.toJSON())).toEqual([
    ['c1', 'bob'],
    ['c2', 'eve'],
  ]);
});

it('a leader that is replaced stops recording, and continues the chain of the other when it leads again', async () => {
  const { chat, a } = await askedChat(['c1', 'c2', 'c3']);
  const b = await open(chat, 'bob');
  await quiet();
  const release = await stealLock(chat.name);
  await until(() => a.persisted.state !== 'leader');
  const written = chat.chains.writers.length;
  a.gate.respond('approve-c1', { approved: true });
  await quiet();
  expect(chat.chains.writers).toHaveLength(written);
  release();
  await until(() => a.persisted.state === 'leader' || b.persisted.state === 'leader');
  const [leader, follower] = a.persisted.state === 'leader' ? [a, b] : [b, a];
  await until(() => leader.gate.pending().length === 2);
  follower.gate.respond('approve-c2', { approved: true });
  await until(() => leader.gate.pending().length === 1);
  leader.gate.respond('approve-c3', { approved: false });
  claimed(leader.gate);
  await leader.persisted.flush();
  await quiet();
  const names = { c1: 'ada', c2: follower === a ? 'ada' : 'bob', c3: leader === a ? 'ada' : 'bob' };
  expect(await decidersOf(leader.recorder.toJSON())).toEqual(Object.entries(names));
  expect(chat.chains.chain).toEqual(leader.recorder.toJSON());
  expect(follower.recorder.toJSON()).toEqual(chat.chains.chain);
});

it.each(['late', 'never'])(
  'a decision that is stored %s when its leader was replaced is recorded once',
  async (when) => {
    const { chat, a } = await askedChat(['c1']);
    await quiet();
    const { opened, open: unlock } = latch();
    if (when === 'late') chat.storage.hold = opened;
    else chat.storage.broken = '';
    a.gate.respond('approve-c1', { approved: true });
    await quiet();
    const release = await stealLock(chat.name);
    await until(() => a.persisted.state !== 'leader');
    unlock();
    chat.storage.broken = undefined;
    release();
    await until(() => a.persisted.state === 'leader' && decided(a.gate));
    await quiet();
    const { links } = a.recorder.toJSON();
    const decisions = links.filter(({ entry }) => entry.type === 'decided' || 'decision' in entry);
    expect(decisions).toHaveLength(1);
    expect((await checked(a.recorder.toJSON()))[0]).toMatchObject({ decision: { approved: true }, problems: [] });
  },
);

it('a leader that leads again records what the stored chain has lost', async () => {
  const { chat, a } = await askedChat(['c1']);
  await quiet();
  const release = await stealLock(chat.name);
  await until(() => a.persisted.state !== 'leader');
  const other = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(other, { chatId: 'chat' });
  other.sendUserMessage({ text: 'of another tab' });
  chat.chains.chain = recorder.toJSON();
  other.free();
  release();
  await until(() => a.persisted.state === 'leader');
  await quiet();
  expect(a.recorder.toJSON().links.at(-1)!.entry).toMatchObject({ type: 'found', toolCallId: 'c1' });
  a.gate.respond('approve-c1', { approved: true });
  expect((await checked(a.recorder.toJSON()))[0]).toMatchObject({ decision: { user: 'ada' }, problems: [] });
});

it('a stored chain that was changed is reported when this tab takes over, and the chat goes on', async () => {
  const { chat, a } = await askedChat(['c1']);
  const b = await tab(chat.name, chat.storage);
  const errors: unknown[] = [];
  const recorder = recordEvidence(b.gate, {
    ...{ chatId: 'chat', user: () => 'bob', saved: chat.chains.read },
    onError: ({ code }) => errors.push(code),
  });
  a.recorder.stop();
  chat.chains.chain = { ...chat.chains.chain!, links: chat.chains.chain!.links.slice(1) };
  a.persisted.close();
  await until(() => b.persisted.state === 'leader');
  await quiet();
  expect(errors).toEqual(['broken-chain']);
  b.gate.respond('approve-c1', { approved: true });
  expect(await decidersOf(recorder.toJSON())).toEqual([['c1', 'bob']]);
});
