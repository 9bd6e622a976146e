/** What the recorder has in its chain, and when it reports it. */
import { init, ToolGate, type AiSdkBody } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceEntry } from 'toolgate/evidence';
import { checkEvidence, resolveApprovalsStream } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { ask, reply } from '../gate/support.js';
import { uncaughtIn } from '../lib/uncaught.js';
import { turns } from '../lib/waiting.js';
import { answer, asking, newKeys, seal } from './support';

let keys: CryptoKeyPair;
beforeAll(async () => {
  await init();
  keys = await newKeys();
});

const typesOf = ({ links }: Evidence): EvidenceEntry['type'][] => links.map(({ entry }) => entry.type);
const usersOf = ({ links }: Evidence): string[] =>
  links.flatMap(({ entry }) =>
    entry.type === 'decided' ? [`${entry.toolCallId} by ${entry.by}: ${entry.user ?? 'nobody'}`] : [],
  );

it('reports what it has added at the start', async () => {
  let stored: Evidence | undefined;
  recordEvidence(asking(['c1']), { chatId: 'chat', onChange: (chain) => (stored = chain) });
  await turns();
  expect(stored && typesOf(stored)).toEqual(['found']);
});

it('reports links that `toJSON` has shown before', async () => {
  let stored: Evidence | undefined;
  const gate = asking(['c1']);
  const recorder = recordEvidence(gate, { chatId: 'chat', onChange: (chain) => (stored = chain) });
  await turns();
  gate.respond('approve-c1', { approved: true });
  const shown = recorder.toJSON();
  await turns();
  expect(typesOf(shown)).toContain('decided');
  expect(stored).toEqual(shown);
});

it('`stop` reports the last links, and nothing is recorded or reported later', async () => {
  const stored: Evidence[] = [];
  const gate = asking(['c1', 'c2']);
  const recorder = recordEvidence(gate, { chatId: 'chat', onChange: (chain) => stored.push(chain) });
  gate.respond('approve-c1', { approved: true });
  recorder.stop();
  expect(stored).toHaveLength(1);
  expect(typesOf(stored[0]!)).toContain('decided');
  gate.respond('approve-c2', { approved: true });
  await turns();
  expect(stored).toHaveLength(1);
  expect(recorder.toJSON()).toEqual(stored[0]);
});

it.each([0, 2, 1000])('has all entries with a log of %i', async (logLimit) => {
  const gate = new ToolGate({ chatId: 'chat', logLimit });
  let who = 'bob';
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => who });
  gate.sendUserMessage({ text: 'tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  const calls = Array.from({ length: 20 }, (_, at) => `c${at}`);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
    { type: 'finish-step' },
    { type: 'finish' },
  ]);
  for (const call of calls.slice(1)) gate.respond(`approve-${call}`, { approved: false });
  who = 'ada';
  gate.respond('approve-c0', { approved: true });
  expect(usersOf(recorder.toJSON())).toEqual([
    ...calls.slice(1).map((call) => `${call} by user: bob`),
    'c0 by user: ada',
  ]);
});

it('reads the user when the decision happens, also if a listener decides in between', () => {
  const gate = asking(['c1', 'c2']);
  let who = 'ada';
  gate.onEvent((event) => {
    if (event.type !== 'decision' || event.approvalId !== 'approve-c1') return;
    who = 'bob';
    gate.respond('approve-c2', { approved: false });
  });
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => who });
  gate.respond('approve-c1', { approved: true });
  expect(usersOf(recorder.toJSON())).toEqual(['c1 by user: ada', 'c2 by user: bob']);
});

it.each<[string, () => unknown, string]>([
  ['throws', () => JSON.parse('{'), 'SyntaxError'],
  ['returns a number', () => 7, 'TypeError: recordEvidence: `user` must return a string.'],
])('a `user` that %s is reported, and the decision has no user', async (_name, user, problem) => {
  const uncaught = await uncaughtIn(async () => {
    const gate = asking(['c1']);
    const recorder = recordEvidence(gate, { chatId: 'chat', user: user as () => string });
    gate.respond('approve-c1', { approved: true });
    await turns();
    expect(usersOf(recorder.toJSON())).toEqual(['c1 by user: nobody']);
  });
  expect(String(uncaught[0])).toContain(problem);
  expect(uncaught).toHaveLength(1);
});

it('a receipt is recorded when it arrives, even if the result does not', async () => {
  let stored: Evidence | undefined;
  const gate = asking(['c1']);
  recordEvidence(gate, { chatId: 'chat', onChange: (chain) => (stored = chain) });
  gate.respond('approve-c1', { approved: true });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  const { stream } = resolveApprovalsStream((item!.body as AiSdkBody).messages, {
    toolkit: { edit: () => 'done' },
    receipts: { key: keys.privateKey, chatId: 'chat' },
  });
  gate.markSent(item!.id);
  gate.receive({ type: 'start' });
  for await (const chunk of stream) if (chunk.type === 'data-toolgate-receipt') gate.receive(chunk);
  gate.streamEnded({ status: 'disconnected' });
  await turns();
  expect(typesOf(stored!).filter((type) => type === 'ran')).toHaveLength(1);
});

it('receipts in a history that is loaded are recorded once', async () => {
  const gate = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  await answer(gate, keys.privateKey);
  const history = JSON.parse(JSON.stringify(gate.getSnapshot().messages));
  const other = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(other, { chatId: 'chat' });
  other.load(history);
  await turns();
  expect(typesOf(recorder.toJSON())).toEqual(['found', 'ran']);
});

it('a receipt without the form of one, or of another chat, is not recorded', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(gate, { chatId: 'chat', onError: () => {} });
  gate.load([
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'x' }] },
    { id: 'a', role: 'assistant', parts: [{ type: 'data-toolgate-receipt', data: null }] },
  ] as never);
  expect(recorder.toJSON().links).toEqual([]);
});

it.each<[string, (gate: ToolGate) => Promise<unknown>]>([
  [
    'when a call has run',
    async (gate) => {
      gate.respond('approve-c1', { approved: true });
      await answer(gate, keys.privateKey);
    },
  ],
  ['after the decision', async (gate) => gate.respond('approve-c1', { approved: true })],
  ['before the decision', async () => {}],
])('a recorder that begins %s has a chain that can be sealed, without a contradiction', async (_name, before) => {
  const gate = asking(['c1']);
  await before(gate);
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  if (gate.pending().length > 0) gate.respond('approve-c1', { approved: true });
  if (gate.outgoing().length > 0) await answer(gate, keys.privateKey);
  const story = await checkEvidence(await seal(recorder.toJSON(), keys), keys);
  expect(story.flatMap((approval) => approval.problems)).toEqual([]);
});

it('a request that came with a loaded history is recorded before its decision', async () => {
  const history = JSON.parse(JSON.stringify(asking(['c1']).getSnapshot().messages));
  const gate = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  gate.load(history);
  gate.respond('approve-c1', { approved: true });
  const [story] = await checkEvidence(await seal(recorder.toJSON(), keys), keys);
  expect(story).toMatchObject({ decision: { approved: true }, problems: [] });
});
