/** A recorder that begins late: what it finds is recorded as found, and is not a contradiction. */
import { init, ToolGate } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceOfApproval } from 'toolgate/evidence';
import { langgraph } from 'toolgate/protocols/langgraph';
import { checkEvidence } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { foundIn, LoggedApprovals } from '../../src/ts/evidence/found-approvals.js';
import { digestOf } from '../../src/ts/json/digest.js';
import { Stories } from '../../src/ts/evidence/story.js';
import { turns } from '../lib/waiting.js';
import { answer, asking, evidenceOfChat, newKeys, seal } from './support';

let keys: CryptoKeyPair;
beforeAll(async () => {
  await init();
  keys = await newKeys();
});

const checked = async (evidence: Evidence): Promise<EvidenceOfApproval[]> =>
  checkEvidence(await seal(JSON.parse(JSON.stringify(evidence)) as Evidence, keys), keys);
const typesOf = ({ links }: Evidence): string[] => links.map(({ entry }) => entry.type);
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('a pending approval is recorded at the time at which the recorder finds it', async () => {
  const gate = asking(['c1']);
  const [{ requestedAt, inputDigest }] = gate.pending() as [ReturnType<ToolGate['pending']>[0]];
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => 'ada' });
  const [{ entry }] = recorder.toJSON().links as [Evidence['links'][0]];
  expect(entry).toMatchObject({ type: 'found', toolCallId: 'c1', requestedAt, inputDigest });
  expect(entry.at).toBeGreaterThan(requestedAt);
  expect(entry).not.toHaveProperty('decision');
  gate.respond('approve-c1', { approved: true });
  await answer(gate, keys.privateKey);
  const [story] = await checked(recorder.toJSON());
  expect(story).toMatchObject({
    decision: { approved: true, user: 'ada' },
    afterTheFact: ['requested'],
    problems: [],
  });
});

it('a decision before the recorder has the time of the audit log, and no user', async () => {
  const gate = asking(['c1', 'c2']);
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false, reason: 'keep it' });
  const times = gate.auditLog().flatMap((entry) => (entry.type === 'decided' ? [entry.at] : []));
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => 'bob' });
  await answer(gate, keys.privateKey);
  const [first, second] = await checked(recorder.toJSON());
  expect(first!.decision).toEqual({ approved: true, by: 'user', at: times[0] });
  expect(second!.decision).toEqual({ approved: false, by: 'user', at: times[1], reason: 'keep it' });
  for (const { problems, afterTheFact, keys: sent } of [first!, second!]) {
    expect([problems, afterTheFact]).toEqual([[], ['requested', 'decided']]);
    expect(sent).toHaveLength(1);
  }
});

it('a call that has run has its decision, its key and its receipt', async () => {
  const { gate, receipts } = await evidenceOfChat(keys);
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  expect(typesOf(recorder.toJSON())).toEqual(['found', 'found', 'ran']);
  const [first, second] = await checked(recorder.toJSON());
  expect(first).toMatchObject({ receipt: receipts[0], problems: [], afterTheFact: ['requested', 'decided', 'sent'] });
  expect(first!.keys).toEqual(second!.keys);
  expect(first!.keys).toHaveLength(1);
});

it('of a restored chat, who decided and when is unknown', async () => {
  const before = asking(['c1', 'c2']);
  before.respond('approve-c1', { approved: true });
  before.respond('approve-c2', { approved: false });
  const gate = ToolGate.restore(copyOf(before.toJSON()));
  const recorder = recordEvidence(gate, { chatId: 'chat', user: () => 'bob' });
  await answer(gate, keys.privateKey);
  const stories = await checked(recorder.toJSON());
  expect(stories.map(({ decision }) => decision)).toEqual([
    { approved: true, by: 'unknown' },
    { approved: false, by: 'unknown' },
  ]);
  expect(stories.flatMap(({ problems }) => problems)).toEqual([]);
});

it('the decisions in a history that is loaded later are found too', async () => {
  const { gate: before, receipts } = await evidenceOfChat(keys);
  const gate = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  gate.load(copyOf(before.getSnapshot().messages));
  await turns();
  const [first, second] = await checked(recorder.toJSON());
  expect(first).toMatchObject({ receipt: receipts[0], problems: [], afterTheFact: ['requested', 'decided'] });
  expect(second).toMatchObject({ decision: { approved: false }, problems: [] });
});

it('an input that the user edited before the recorder began is the approved one', async () => {
  const gate = new ToolGate({ chatId: 'chat', protocol: langgraph });
  gate.load(copyOf(asking(['c1']).getSnapshot().messages));
  const [{ approvalId, inputDigest }] = gate.pending() as [ReturnType<ToolGate['pending']>[0]];
  gate.respond(approvalId, { approved: true, input: { path: 'other' } });
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  const [story] = await checked(recorder.toJSON());
  expect(story).toMatchObject({ problems: [], inputDigest, decision: { by: 'user', approved: true } });
  expect(story!.decision!.editedInputDigest).toMatch(/^[0-9a-f]{64}$/);
  expect(story!.decision!.editedInputDigest).not.toBe(inputDigest);
});

it('calls that were closed without a decision have none', async () => {
  const gate = asking(['c1', 'c2']);
  gate.cancel();
  for (const source of [gate, ToolGate.restore(copyOf(gate.toJSON()))]) {
    const stories = await checked(recordEvidence(source, { chatId: 'chat' }).toJSON());
    expect(stories.flatMap(({ decision, problems }) => [...problems, ...(decision ? [decision] : [])])).toEqual([]);
  }
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])(
  'a chain whose end was lost after %i links continues without a contradiction',
  async (count) => {
    const { gate, evidence } = await evidenceOfChat(keys);
    const saved = { ...evidence, links: evidence.links.slice(0, count) };
    for (const source of [gate, ToolGate.restore(copyOf(gate.toJSON()))]) {
      const chain = recordEvidence(source, { chatId: 'chat', saved }).toJSON();
      expect(chain.links.slice(0, count)).toEqual(saved.links);
      const stories = await checked(chain);
      expect(stories.map(({ toolCallId, decision, problems }) => [toolCallId, decision?.approved, problems])).toEqual([
        ['c1', true, []],
        ['c2', false, []],
      ]);
    }
  },
);

it('a chat that says otherwise than its saved chain is a contradiction', async () => {
  const before = asking(['c1']);
  const recorder = recordEvidence(before, { chatId: 'chat' });
  before.respond('approve-c1', { approved: false });
  const gate = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  const [story] = await checked(recordEvidence(gate, { chatId: 'chat', saved: recorder.toJSON() }).toJSON());
  expect(story).toMatchObject({ decision: { approved: false }, problems: ['decided-twice'] });
});

it('a contradiction between the chat and its saved chain is recorded once, not at each reload', async () => {
  const before = asking(['c1']);
  const recorder = recordEvidence(before, { chatId: 'chat' });
  before.respond('approve-c1', { approved: false });
  const gate = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  const first = recordEvidence(gate, { chatId: 'chat', saved: recorder.toJSON() }).toJSON();
  const second = recordEvidence(gate, { chatId: 'chat', saved: first }).toJSON();
  expect(first.links.length).toBe(recorder.toJSON().links.length + 1);
  expect(second).toEqual(first);
});

it.each<[string, (gate: ToolGate) => void]>([
  ['a policy', (gate) => void gate.sendUserMessage({ text: 'never mind' })],
  ['a deadline', (gate) => gate.tick(10_000)],
])('a decision by %s as soon as its history is loaded is not a contradiction', async (_name, decide) => {
  let now = 1_000;
  const gate = new ToolGate({ chatId: 'chat', approvalTimeoutMs: 50, now: () => now });
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  gate.load(copyOf(asking(['c1']).getSnapshot().messages));
  now = 10_000;
  decide(gate);
  const [story] = await checked(recorder.toJSON());
  expect(story).toMatchObject({
    decision: { approved: false, by: 'policy' },
    afterTheFact: ['requested'],
    problems: [],
  });
});

it('a call that ran although it was denied before the recorder began is a contradiction', async () => {
  const { evidence, gate } = await evidenceOfChat(keys);
  const ran = evidence.links.find(({ entry }) => entry.type === 'ran')!.entry;
  const other = asking(['c1']);
  other.respond('approve-c1', { approved: false });
  const part = { type: 'data-toolgate-receipt', data: (ran as { receipt: unknown }).receipt };
  const late = new ToolGate({ chatId: 'chat' });
  const [user, reply] = copyOf(other.getSnapshot().messages) as { parts: unknown[] }[];
  late.load([user, { ...reply, parts: [...reply!.parts, part] }]);
  const [story] = await checked(recordEvidence(late, { chatId: 'chat', onError: () => {} }).toJSON());
  expect(story).toMatchObject({ decision: { approved: false }, problems: ['not-approved'] });
  expect(gate.getSnapshot().status).toBe('idle');
});

it('a recorder that was there from the start finds nothing', async () => {
  const { evidence } = await evidenceOfChat(keys);
  expect(typesOf(evidence)).not.toContain('found');
  for (const { afterTheFact } of await checked(evidence)) expect(afterTheFact).toEqual([]);
});

it('`toJSON` in a listener of events does not find what is about to be recorded', async () => {
  let recorder: ReturnType<typeof recordEvidence> | undefined;
  const gate = asking(['c1', 'c2'], (made) => {
    recorder = recordEvidence(made, { chatId: 'chat' });
    made.onEvent(() => void recorder!.toJSON());
  });
  gate.respondAll({ approved: true });
  await answer(gate, keys.privateKey);
  expect(typesOf(recorder!.toJSON())).not.toContain('found');
});

it('the log counts only for the decision that the chat has: a leader may have refused that of this tab', () => {
  const gate = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  const log = new LoggedApprovals(gate.auditLog());
  const { messages } = gate.getSnapshot();
  const denied = copyOf(messages) as unknown as { parts: { approval?: object }[] }[];
  for (const part of denied[1]!.parts) if (part.approval) part.approval = { ...part.approval, approved: false };
  const known = { stories: new Stories(), log, requestedAt: () => undefined, digestOf, at: 1, isBeginning: true };
  expect(foundIn(messages, known)).toMatchObject([{ decision: { approved: true, by: 'user' } }]);
  expect(foundIn(denied as never, known)).toMatchObject([{ decision: { approved: false, by: 'unknown' } }]);
});

it.each<[string, object, (gate: ToolGate) => void, unknown[]]>([
  [
    'skipped after a denial has none',
    { onDeny: 'skip-rest' },
    (gate) => gate.respond('approve-c1', { approved: false }),
    ['unknown', undefined],
  ],
  ['expired has that of the policy', { approvalTimeoutMs: 50 }, (gate) => gate.tick(10_000), ['policy', 'policy']],
])('of the decisions of a restored chat, a call that was %s', async (_name, options, close, deciders) => {
  let now = 1_000;
  const before = new ToolGate({ chatId: 'chat', now: () => now, ...options });
  before.load(copyOf(asking(['c1', 'c2']).getSnapshot().messages));
  now = 10_000;
  close(before);
  const gate = ToolGate.restore(copyOf(before.toJSON()));
  const stories = await checked(recordEvidence(gate, { chatId: 'chat' }).toJSON());
  expect(stories.map(({ decision }) => decision?.by)).toEqual(deciders);
});

it('a decision about another input than in the saved chain has the input that is shown now', async () => {
  const { messages } = asking(['c1']).getSnapshot();
  const before = new ToolGate({ chatId: 'chat' });
  const recorder = recordEvidence(before, { chatId: 'chat' });
  before.load(JSON.parse(JSON.stringify(messages).replaceAll('"path":"c1"', '"path":"other"')));
  const saved = recorder.toJSON();
  const gate = new ToolGate({ chatId: 'chat' });
  const next = recordEvidence(gate, { chatId: 'chat', saved });
  gate.load(copyOf(messages));
  const [{ inputDigest }] = gate.pending() as [ReturnType<ToolGate['pending']>[0]];
  gate.respond('approve-c1', { approved: true });
  const [story] = await checked(next.toJSON());
  expect(story).toMatchObject({ inputDigest, decision: { approved: true }, problems: [] });
  expect(saved.links[0]!.entry).not.toMatchObject({ inputDigest });
});

it('an earlier call whose approval id came again for another one is not found, and not taken for it', () => {
  const call = (toolCallId: string) => ({ approvalId: 'approve-c1', toolCallId, toolName: 'edit' });
  const gate = asking(['c1']);
  gate.respond('approve-c1', { approved: true });
  const stories = new Stories();
  stories.read({ at: 1, type: 'requested', ...call('c1') });
  stories.read({ at: 2, type: 'requested', ...call('c2') });
  const log = new LoggedApprovals(gate.auditLog());
  const known = { stories, log, requestedAt: () => undefined, digestOf, at: 3, isBeginning: true };
  expect(foundIn(gate.getSnapshot().messages, known)).toEqual([]);
  expect(log.find('approve-c1', 'c1')).toBeDefined();
  expect(log.find('approve-c1', 'c2')).toBeUndefined();
});

it('of two decisions in an audit log, the first one counts', () => {
  const decided = { type: 'decided', approvalId: 'a', toolCallId: 'c', toolName: 'edit', by: 'user' } as const;
  const log = new LoggedApprovals([
    { ...decided, at: 1, approved: false },
    { ...decided, at: 2, approved: true },
  ]);
  expect(log.find('a', 'c')!.decided).toMatchObject({ at: 1, approved: false });
});
