/** Receipts that are bad: what a hostile page, stream or server can do with them, and what it cannot. */
import { init, ToolGate } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceError, type EvidenceRecorder } from 'toolgate/evidence';
import { checkEvidence, type Receipt } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { signReceipt } from '../../src/ts/server/resolve/receipts.js';
import { uncaughtIn } from '../lib/uncaught.js';
import { turns, until } from '../lib/waiting.js';
import { answer, asking, newKeys, seal, twinOf } from './support';

let keys: CryptoKeyPair;
let others: CryptoKeyPair;
beforeAll(async () => {
  await init();
  [keys, others] = await Promise.all([newKeys(), newKeys()]);
});

interface Recorded {
  readonly gate: ToolGate;
  readonly recorder: EvidenceRecorder;
  readonly codes: () => string[];
}

/** A recorded chat in which `c1` is approved and `c2` is denied. Its next reply is open. */
function replying(options: { publicKey?: CryptoKey } = {}): Recorded {
  const errors: EvidenceError[] = [];
  let recorder: EvidenceRecorder | undefined;
  const gate = asking(['c1', 'c2'], (made) => {
    recorder = recordEvidence(made, { chatId: 'chat', onError: (error) => errors.push(error), ...options });
  });
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  gate.markSent(item!.id);
  gate.receive({ type: 'start' });
  return { gate, recorder: recorder!, codes: () => errors.map(({ code }) => code) };
}

const signed = (call: object = {}, { key = keys.privateKey, chatId = 'chat', at = 5_000 } = {}): Promise<Receipt> =>
  signReceipt(
    {
      ...{ approvalId: 'approve-c1', toolCallId: 'c1', toolName: 'edit', input: { path: 'c1' } },
      ...{ outcome: 'executed', output: 'done' },
      ...call,
    } as never,
    { key, chatId },
    at,
  );

/** Passes receipts to the chat, and ends the reply. */
async function receive({ gate }: Recorded, ...receipts: readonly unknown[]): Promise<void> {
  for (const [at, data] of receipts.entries()) gate.receive({ type: 'data-toolgate-receipt', id: `r${at}`, data });
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'done' });
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
  await turns();
}

async function problemsOf({ recorder }: Recorded, receipts: readonly Receipt[] = []): Promise<unknown[]> {
  const evidence = JSON.parse(JSON.stringify(recorder)) as Evidence;
  const story = await checkEvidence(await seal(evidence, { ...keys, receipts }), keys);
  return story.map(({ toolCallId, receipt, problems }) => [toolCallId, receipt?.at, ...problems]);
}
/** A signature of nobody, in the form of one. */
const unsigned = ({ signature }: Receipt): string => `${signature.split('.')[0]}..${'A'.repeat(86)}`;
const GOOD = [
  ['c1', 5_000],
  ['c2', undefined],
];

it('a good receipt is reported to nobody', async () => {
  const chat = replying({ publicKey: keys.publicKey });
  await receive(chat, await signed());
  await turns(100);
  expect(await problemsOf(chat)).toEqual(GOOD);
  expect(chat.codes()).toEqual([]);
});

it.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['text', 'approved'],
  ['a list', []],
  ['an empty object', {}],
  ['an object of the prototype', JSON.parse('{"__proto__": {"chatId": "chat"}}')],
])('a receipt that is %s is reported, and is not in the chain', async (_name, data) => {
  const chat = replying();
  const good = await signed();
  await receive(chat, data, good);
  expect(chat.codes()).toEqual(['malformed-receipt']);
  expect(await problemsOf(chat, [good])).toEqual(GOOD);
  // The same part in a message that changes is not reported again.
  chat.gate.sendUserMessage({ text: 'next' });
  await turns();
  expect(chat.codes()).toEqual(['malformed-receipt']);
});

it.each<[string, (receipt: Receipt) => object]>([
  ['has no signature', ({ signature: _, ...receipt }) => receipt],
  ['has a short signature', (receipt) => ({ ...receipt, signature: receipt.signature.slice(0, -2) })],
  ['has unused bits in its signature', (receipt) => ({ ...receipt, signature: `${receipt.signature.slice(0, -1)}B` })],
  [
    'has a payload in its signature',
    (receipt) => ({ ...receipt, signature: receipt.signature.replace('..', '.e30.') }),
  ],
  ['has a lone surrogate', (receipt) => ({ ...receipt, toolName: 'edit\ud800' })],
  ['has one more field', (receipt) => ({ ...receipt, user: 'ada' })],
  ['has a number as its chat', (receipt) => ({ ...receipt, chatId: 1 })],
  ['has another outcome', (receipt) => ({ ...receipt, outcome: 'paid' })],
  ['has a time before 1970', (receipt) => ({ ...receipt, at: -1 })],
  ['has a time that no `Date` has', (receipt) => ({ ...receipt, at: 8.64e15 + 1 })],
])('a receipt that %s is malformed', async (_name, change) => {
  const chat = replying();
  const good = await signed();
  await receive(chat, change(good), good);
  expect(chat.codes()).toEqual(['malformed-receipt']);
  expect(await problemsOf(chat, [good])).toEqual(GOOD);
});

it('a receipt of another chat is reported, and is not in the chain', async () => {
  const chat = replying();
  await receive(chat, await signed({}, { chatId: 'other' }), await signed());
  expect(chat.codes()).toEqual(['other-chat']);
  expect(await problemsOf(chat)).toEqual(GOOD);
});

it('a forged receipt does not prevent sealing, does not count, and does not displace the real one', async () => {
  const good = await signed();
  for (const forged of [
    await signed({}, { key: others.privateKey }),
    { ...good, signature: unsigned(good) },
    { ...good, outcome: 'failed' },
    { ...good, inputDigest: '0'.repeat(64) },
  ]) {
    const chat = replying({ publicKey: keys.publicKey });
    await receive(chat, forged, good);
    await until(() => chat.codes().includes('bad-signature'));
    expect(await problemsOf(chat, [good])).toEqual([
      ['c1', 5_000, 'bad-receipt'],
      ['c2', undefined],
    ]);
  }
});

it('a forged receipt alone is not a receipt', async () => {
  const chat = replying();
  await receive(chat, { ...(await signed()), signature: unsigned(await signed()) });
  expect(await problemsOf(chat)).toEqual([
    ['c1', undefined, 'bad-receipt'],
    ['c2', undefined],
  ]);
  const lacks = seal(chat.recorder.toJSON(), { ...keys, receipts: [await signed()] });
  await expect(lacks).rejects.toMatchObject({ code: 'missing-receipt' });
});

it('a receipt that is repeated is reported, and counts once', async () => {
  const chat = replying();
  const good = await signed();
  await receive(chat, good, good, { ...good });
  expect(chat.codes()).toEqual(['repeated-receipt', 'repeated-receipt']);
  expect(await problemsOf(chat, [good])).toEqual(GOOD);
});

it('a receipt with its other valid signature counts once', async () => {
  const chat = replying();
  const good = await signed();
  await receive(chat, good, twinOf(good));
  expect(chat.codes()).toEqual(['ran-twice']);
  expect(await problemsOf(chat, [good])).toEqual([
    ['c1', 5_000, 'repeated-receipt'],
    ['c2', undefined],
  ]);
});

it('receipts of what was not approved are recorded and reported: they are what evidence is for', async () => {
  const chat = replying();
  const denied = await signed({ approvalId: 'approve-c2', toolCallId: 'c2', input: { path: 'c2' } });
  const unknown = await signed({ approvalId: 'approve-c9', toolCallId: 'c9' });
  const again = await signed({}, { at: 6_000 });
  await receive(chat, await signed(), denied, unknown, again);
  expect(chat.codes()).toEqual(['not-approved', 'not-witnessed', 'ran-twice']);
  expect(await problemsOf(chat, [denied, unknown, again])).toEqual([
    ['c1', 5_000, 'ran-twice'],
    ['c2', 5_000, 'not-approved'],
    ['c9', 5_000, 'not-witnessed', 'not-approved'],
  ]);
});

it('what is wrong with a call is reported once, and not for each later receipt of it', async () => {
  const chat = replying();
  const denied = { approvalId: 'approve-c2', toolCallId: 'c2', input: { path: 'c2' } };
  await receive(chat, await signed(denied), await signed(denied, { at: 6_000 }), await signed(denied, { at: 7_000 }));
  expect(chat.codes()).toEqual(['not-approved', 'ran-twice']);
});

it('a malformed receipt is reported once while its message changes', async () => {
  const chat = replying();
  chat.gate.receive({ type: 'data-toolgate-receipt', data: null });
  await turns();
  chat.gate.receive({ type: 'text-start', id: 't' });
  await turns();
  await receive(chat, await signed());
  expect(chat.codes()).toEqual(['malformed-receipt']);
});

it('an `onError` or `onChange` that throws does not end the recording or the stream', async () => {
  const uncaught = await uncaughtIn(async () => {
    const fails = (): never => {
      throw new Error('of the app');
    };
    const gate = asking(['c1']);
    const recorder = recordEvidence(gate, { chatId: 'chat', onError: fails, onChange: fails });
    gate.respond('approve-c1', { approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'start' });
    gate.receive({ type: 'data-toolgate-receipt', data: null });
    gate.receive({ type: 'data-toolgate-receipt', data: await signed() });
    gate.streamEnded({ status: 'finished' });
    recorder.stop();
    await turns(5);
    expect(recorder.toJSON().links.at(-1)!.entry.type).toBe('ran');
  });
  expect(new Set(uncaught.map(String))).toEqual(new Set(['Error: of the app']));
});

it('a clock with values that the format lacks does not prevent sealing', async () => {
  for (const now of [-5, -0.2, 1e300]) {
    const gate = new ToolGate({ chatId: 'chat', now: () => now });
    const errors: EvidenceError[] = [];
    const recorder = recordEvidence(gate, { chatId: 'chat', onError: (error) => errors.push(error) });
    gate.sendUserMessage({ text: 'x' });
    gate.markSent(gate.outgoing()[0]!.id);
    const { links } = await seal(recorder.toJSON(), keys);
    // A third party prints them.
    for (const { entry } of links) expect(() => new Date(entry.at).toISOString()).not.toThrow();
    expect(errors).toEqual([]);
  }
});

it('keys that are not a pair are refused before anything is sealed', async () => {
  const { recorder, gate } = replying();
  gate.streamEnded({ status: 'finished' });
  await expect(
    seal(recorder.toJSON(), { privateKey: keys.privateKey, publicKey: others.publicKey }),
  ).rejects.toMatchObject({ code: 'bad-signature' });
});

it('a chat that continues after bad receipts is sealed again', async () => {
  const chat = replying();
  await receive(chat, { ...(await signed()), signature: unsigned(await signed()) }, null, await signed());
  const first = await seal(chat.recorder.toJSON(), keys);
  chat.gate.sendUserMessage({ text: 'next' });
  await answer(chat.gate, keys.privateKey).catch(() => {});
  const next = await seal(chat.recorder.toJSON(), { ...keys, previous: first.seal! });
  expect(next.links.length).toBeGreaterThan(first.links.length);
});
