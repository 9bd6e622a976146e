/** What the evidence of a chat says, and that a page can continue it. */
import { init, ToolGate, type AiSdkBody } from 'toolgate';
import { recordEvidence, type Evidence } from 'toolgate/evidence';
import { checkEvidence, resolveApprovals, type Receipt } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { turns } from '../lib/waiting.js';
import { answer, asking, evidenceOfChat, newKeys, seal } from './support';

let keys: CryptoKeyPair;
beforeAll(async () => {
  await init();
  keys = await newKeys();
});

const sealed = (evidence: Evidence, receipts: readonly Receipt[] = []): Promise<Evidence> =>
  seal(evidence, { ...keys, receipts });

it('says what was shown, who decided what, in which request it was sent, and what ran', async () => {
  const { evidence, receipts } = await evidenceOfChat(keys);
  const [approved, denied, ...others] = await checkEvidence(await sealed(evidence, receipts), keys);
  expect(others).toEqual([]);
  expect(approved).toMatchObject({
    toolCallId: 'c1',
    toolName: 'edit',
    decision: { approved: true, by: 'user', user: 'ada' },
  });
  expect(approved!.inputDigest).toMatch(/^[0-9a-f]{64}$/);
  expect(approved!.keys).toHaveLength(1);
  expect(approved!.receipt).toEqual(receipts[0]);
  expect(receipts[0]).toMatchObject({ inputDigest: approved!.inputDigest, outcome: 'executed' });
  expect(denied).toMatchObject({ toolCallId: 'c2', decision: { approved: false, user: 'ada', reason: 'keep it' } });
  expect(denied!.keys).toEqual(approved!.keys);
  expect(denied!.receipt).toBeUndefined();
});

it('a call that failed has a receipt without an output', async () => {
  const gate = asking(['c1']);
  const recorder = recordEvidence(gate, { chatId: 'chat' });
  gate.respond(gate.pending()[0]!.approvalId, { approved: true });
  const [receipt] = await answer(gate, keys.privateKey, true);
  expect(receipt).toMatchObject({ outcome: 'failed' });
  expect(receipt).not.toHaveProperty('outputDigest');
  const [checked] = await checkEvidence(await sealed(recorder.toJSON()), keys);
  expect(checked!.receipt).toEqual(receipt);
});

it('a decision on an input that the backend replaced is not one on the new input', async () => {
  let recorder: ReturnType<typeof recordEvidence> | undefined;
  const gate = asking(['c1'], (made) => (recorder = recordEvidence(made, { chatId: 'chat' })));
  const change = (path: string): void => gate.receive({ type: 'tool-input-update', toolCallId: 'c1', input: { path } });
  change('another');
  gate.respond(gate.pending()[0]!, { approved: true });
  change('a third');
  gate.respond(gate.pending()[0]!, { approved: false });
  gate.claim(gate.outgoing()[0]!.id);
  const [first, second, ...others] = await checkEvidence(await sealed(recorder!.toJSON()), keys);
  expect([first!.decision?.approved, first!.problems, first!.keys]).toEqual([true, [], []]);
  expect([second!.decision?.approved, second!.problems, second!.keys.length]).toEqual([false, [], 1]);
  expect([first!.inputDigest === second!.inputDigest, others]).toEqual([false, []]);
});

it('a page that was loaded again continues the chain', async () => {
  let stored: Evidence | undefined;
  const gate = asking(['c1', 'c2'], (made) => {
    recordEvidence(made, { chatId: 'chat', onChange: (evidence) => (stored = JSON.parse(JSON.stringify(evidence))) });
  });
  gate.respond('approve-c1', { approved: true });
  await turns();
  const links = stored!.links.length;
  const again = ToolGate.restore(JSON.parse(JSON.stringify(gate)));
  const recorder = recordEvidence(again, { chatId: 'chat', saved: stored! });
  again.respond('approve-c2', { approved: true });
  const receipts = await answer(again, keys.privateKey);
  expect(receipts).toHaveLength(2);
  const evidence = recorder.toJSON();
  expect(evidence.links.slice(0, links)).toEqual(stored!.links);
  const checked = await checkEvidence(await sealed(evidence, receipts), keys);
  expect(checked.map(({ toolCallId, receipt }) => [toolCallId, receipt?.outcome])).toEqual([
    ['c1', 'executed'],
    ['c2', 'executed'],
  ]);
});

it('a recorder that begins late has the requests that are pending, and receipts that have arrived', async () => {
  const { gate, receipts } = await evidenceOfChat(keys);
  expect(
    recordEvidence(gate, { chatId: 'chat' })
      .toJSON()
      .links.map(({ entry }) => entry.type),
  ).toEqual(['found', 'found', 'ran']);
  const pending = recordEvidence(asking(['c3']), { chatId: 'chat' }).toJSON();
  expect(pending.links.map(({ entry }) => entry)).toMatchObject([{ type: 'found', toolCallId: 'c3' }]);
  expect(receipts).toHaveLength(1);
});

it('receipts are data parts of the message, and the next request has them once', async () => {
  const { gate } = await evidenceOfChat(keys);
  const parts = gate.getSnapshot().messages.flatMap((message) => message.parts as { type: string }[]);
  expect(parts.filter(({ type }) => type === 'data-toolgate-receipt')).toHaveLength(1);
  expect(JSON.stringify(gate.assemble())).not.toContain('signature');
});

it('a server refuses a chain that lacks a receipt that it has issued', async () => {
  const { evidence, receipts } = await evidenceOfChat(keys);
  const { links } = evidence;
  const until = links.findIndex(({ entry }) => entry.type === 'ran');
  await expect(sealed({ ...evidence, links: links.slice(0, until) }, receipts)).rejects.toMatchObject({
    code: 'missing-receipt',
  });
});

it('invalid arguments are refused', async () => {
  const gate = asking([]);
  expect(() => recordEvidence(gate, { chatId: 'chat', usr: () => '' } as never)).toThrow(/usr/);
  expect(() => recordEvidence(gate, {} as never)).toThrow(/chatId/);
  expect(() => recordEvidence({} as never, { chatId: 'chat' })).toThrow(TypeError);
  expect(() => recordEvidence(gate, { chatId: 'chat', saved: {} as never })).toThrow(/expected \{ version: 1/);
});

it('a key that cannot sign is refused before a tool runs', async () => {
  const wrong = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  for (const key of [keys.publicKey, wrong, 'a key', undefined])
    await expect(resolveApprovals([], { receipts: { key: key as never, chatId: 'chat' } })).rejects.toThrow(
      /`receipts`\. Expected \{ key, chatId \}/,
    );
});

it('a receipt that cannot be signed does not lose the result', async () => {
  const gate = asking(['c1']);
  gate.respond(gate.pending()[0]!.approvalId, { approved: true });
  const { messages } = gate.outgoing()[0]!.body as AiSdkBody;
  const looksRight = { type: 'private', usages: ['sign'], algorithm: { name: 'ECDSA', namedCurve: 'P-256' } };
  const receipts = { key: looksRight as never, chatId: 'chat' };
  const { results, unrecorded } = await resolveApprovals(messages, { toolkit: { edit: () => 'done' }, receipts });
  expect(results).toMatchObject([{ outcome: 'executed', output: 'done' }]);
  expect(unrecorded).toMatchObject([{ code: 'record-failed', toolCallId: 'c1' }]);
});

it('the digest of an output is that of what was sent', async () => {
  const digests: unknown[] = [];
  for (const output of [{ a: 1, b: undefined }, { a: 1 }]) {
    const gate = asking(['c1']);
    gate.respond(gate.pending()[0]!.approvalId, { approved: true });
    const { messages } = gate.outgoing()[0]!.body as AiSdkBody;
    const receipts = { key: keys.privateKey, chatId: 'chat' };
    const { results } = await resolveApprovals(messages, { toolkit: { edit: () => output }, receipts });
    digests.push(results[0]!.receipt!.outputDigest);
  }
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests[0]).toBe(digests[1]);
});

it('a server that stores its last seal seals only what continues it', async () => {
  const { evidence } = await evidenceOfChat(keys);
  const half = { ...evidence, links: evidence.links.slice(0, 5) };
  const { seal: first } = await seal(half, { ...keys });
  const whole = await seal(evidence, { ...keys, previous: first! });
  await expect(seal(half, { ...keys, previous: whole.seal! })).rejects.toMatchObject({ code: 'not-continued' });
  const { evidence: other } = await evidenceOfChat(keys, { user: () => 'bob' });
  await expect(seal(other, { ...keys, previous: whole.seal! })).rejects.toMatchObject({
    code: 'not-continued',
  });
});
