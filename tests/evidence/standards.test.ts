/** Evidence is verified with libraries that others wrote: `jose` for JWS, `canonicalize` for RFC 8785. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { base64url, compactVerify, CompactSign, flattenedVerify, type FlattenedJWS } from 'jose';
import { init, ToolGate } from 'toolgate';
import { recordEvidence, type Evidence, type EvidenceRecorder } from 'toolgate/evidence';
import { checkEvidence, type Receipt } from 'toolgate/server';
import { beforeAll, expect, it } from 'vitest';

import { headOf, linkOf } from '../../src/ts/evidence/recorded-chain.js';
import { answer, asking, evidenceOfChat, newKeys, seal } from './support';

let keys: CryptoKeyPair;
let sealed: Evidence;
let receipts: readonly Receipt[];
beforeAll(async () => {
  await init();
  keys = await newKeys();
  const chat = await evidenceOfChat(keys);
  receipts = chat.receipts;
  sealed = await seal(chat.evidence, { ...keys, receipts });
});

const ES256 = { algorithms: ['ES256'] };
const sha256 = (value: unknown): string => createHash('sha256').update(canonicalize(value)!).digest('hex');
const payloadOf = (fields: object): string => base64url.encode(canonicalize(fields)!);
function partsOf(signature: string): { header: string; last: string } {
  const [header = '', middle, last = '', ...others] = signature.split('.');
  expect([middle, others]).toEqual(['', []]);
  return { header, last };
}
type Signed = { readonly signature: string };
const jwsOf = ({ signature, ...fields }: Signed): FlattenedJWS => {
  const { header, last } = partsOf(signature);
  return { protected: header, payload: payloadOf(fields), signature: last };
};

it('`jose` verifies a receipt and a seal, as a flattened and as a compact JWS', async () => {
  const [receipt] = receipts;
  const { seal: sealOf, chatId } = sealed;
  for (const [typ, signed] of [
    ['toolgate-receipt', receipt!],
    ['toolgate-seal', { chatId, ...sealOf! }],
  ] as const) {
    const { payload, protectedHeader } = await flattenedVerify(jwsOf(signed as Signed), keys.publicKey, ES256);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ });
    const { signature, ...fields } = signed;
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(fields);
    const compact = signature.replace('..', `.${payloadOf(fields)}.`);
    await expect(compactVerify(compact, keys.publicKey, ES256)).resolves.toBeDefined();
    await expect(compactVerify(compact, (await newKeys()).publicKey, ES256)).rejects.toThrow(/verification failed/);
  }
});

it('a library computes the same hashes', () => {
  let head = sha256(['toolgate-evidence', 1, 'chat']);
  for (const { entry, hash } of sealed.links) expect(hash).toBe((head = sha256([head, entry])));
  expect(sealed.seal).toMatchObject({ count: sealed.links.length, head });
});

it('what `jose` signs in this form is checked like our own', async () => {
  const sign = async (typ: string, fields: object, alg = 'ES256'): Promise<string> => {
    const signer = new CompactSign(new TextEncoder().encode(canonicalize(fields)));
    const jws = await signer.setProtectedHeader({ alg, typ }).sign(keys.privateKey);
    return jws.replace(/\..*\./, '..');
  };
  const { signature: _, ...fields } = { chatId: 'chat', ...sealed.seal! };
  const resealed = async (typ: string): Promise<Evidence> => ({
    ...sealed,
    seal: { ...sealed.seal!, signature: await sign(typ, fields) },
  });
  expect(await checkEvidence(await resealed('toolgate-seal'), keys)).toHaveLength(2);
  // What is signed as something else is not a seal.
  for (const typ of ['toolgate-receipt', 'JWT', ''])
    await expect(checkEvidence(await resealed(typ), keys)).rejects.toMatchObject({ code: 'bad-signature' });
});

it.each([
  ['none', '{"alg":"none","typ":"toolgate-seal"}'],
  ['HS256', '{"alg":"HS256","typ":"toolgate-seal"}'],
  ['a key of its own', '{"alg":"ES256","typ":"toolgate-seal","jwk":{}}'],
  ['a criticism', '{"alg":"ES256","typ":"toolgate-seal","crit":["b64"],"b64":false}'],
  ['another order', '{"typ":"toolgate-seal","alg":"ES256"}'],
])('a header with %s is refused', async (_name, header) => {
  const { last } = partsOf(sealed.seal!.signature);
  const signature = `${base64url.encode(header)}..${last}`;
  const evidence = { ...sealed, seal: { ...sealed.seal!, signature } };
  const code = /^[\w-]{9,99}$/.test(base64url.encode(header)) ? 'bad-signature' : 'malformed-evidence';
  await expect(checkEvidence(evidence, keys)).rejects.toMatchObject({ code });
});

it('a receipt is not a seal, and a seal is not a receipt, whatever its fields are', async () => {
  const fields = { chatId: 'chat', count: 0, head: headOf({ chatId: 'chat', links: [] }), at: 1 };
  const { signature } = (await seal({ version: 1, chatId: 'chat', links: [] }, { ...keys, now: 1 })).seal!;
  await expect(
    flattenedVerify(jwsOf({ ...fields, signature } as Signed), keys.publicKey, ES256),
  ).resolves.toBeDefined();
  const asReceipt = { ...receipts[0]!, signature };
  const links = [linkOf(fields.head, { at: 1, type: 'ran', receipt: asReceipt })];
  const [story] = await checkEvidence(await seal({ version: 1, chatId: 'chat', links }, keys), keys);
  expect(story!.problems).toContain('bad-receipt');
});

it('lone surrogates become U+FFFD, so that every library can read evidence', async () => {
  const errors: unknown[] = [];
  let recorder: EvidenceRecorder | undefined;
  const gate = asking(['c\udc00'], (made) => {
    const onError = (error: unknown): unknown => errors.push(error);
    recorder = recordEvidence(made, { chatId: 'chat', user: () => 'ann\ud800', onError });
  });
  gate.respond(gate.pending()[0]!.approvalId, { approved: true, reason: 'yes\udbff' });
  const [receipt] = await answer(gate, keys.privateKey);
  expect(receipt!.toolCallId).toBe('c\ufffd');
  const evidence = JSON.parse(JSON.stringify(recorder)) as Evidence;
  for (const { entry } of evidence.links) expect(() => canonicalize(entry)).not.toThrow();
  const checked = await seal(evidence, { ...keys, receipts: [receipt!] });
  await expect(flattenedVerify(jwsOf(receipt!), keys.publicKey, ES256)).resolves.toBeDefined();
  const [story, ...others] = await checkEvidence(checked, keys);
  expect(story).toMatchObject({ toolCallId: 'c\ufffd', problems: [], afterTheFact: [], receipt });
  expect(story!.decision).toMatchObject({ user: 'ann\ufffd', reason: 'yes\ufffd' });
  expect([others, errors]).toEqual([[], []]);
});

it('an approval with a lone surrogate in its ids is found again, when it was decided while nobody recorded', async () => {
  let recorder: EvidenceRecorder | undefined;
  const gate = asking(['c\udc00'], (made) => (recorder = recordEvidence(made, { chatId: 'chat' })));
  recorder!.stop();
  gate.respond(gate.pending()[0]!.approvalId, { approved: false });
  const again = recordEvidence(gate, { chatId: 'chat', saved: recorder!.toJSON() });
  const story = await checkEvidence(await seal(again.toJSON(), keys), keys);
  expect(story).toMatchObject([{ toolCallId: 'c\ufffd', decision: { approved: false }, afterTheFact: ['decided'] }]);
});

it.each(['chat\ud800', 7])('the id %j of a chat is refused by a recorder', (chatId) => {
  expect(() => recordEvidence(new ToolGate(), { chatId: chatId as string })).toThrow(/must be a well-formed string/);
});
