/** A chat whose approvals are resolved by `toolgate/server` with receipts, and the evidence of it. */
import { ToolGate, type AiSdkBody, type Outgoing } from 'toolgate';
import { recordEvidence, type Evidence, type RecordEvidenceOptions } from 'toolgate/evidence';
import { resolveApprovalsStream, sealEvidence, type Receipt, type SealEvidenceOptions } from 'toolgate/server';

import { ask, reply } from '../gate/support.js';

/** A pair of keys, as a server has it. */
export const newKeys = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);

/** Seals evidence as a server that stores no seals. */
export const seal = (evidence: Evidence, options: CryptoKeyPair & Partial<SealEvidenceOptions>): Promise<Evidence> =>
  sealEvidence(evidence, { chatId: evidence.chatId, previous: undefined, commit: () => true, ...options });

/** A gate whose backend requests approval of these calls. `before` runs before the requests arrive. */
export function asking(calls: readonly string[], before: (gate: ToolGate) => void = () => {}): ToolGate {
  let now = 1_000;
  const gate = new ToolGate({ chatId: 'chat', now: () => now++ });
  before(gate);
  gate.sendUserMessage({ text: 'tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
    { type: 'finish-step' },
    { type: 'finish' },
  ]);
  return gate;
}

/** Answers the only ready request as a server: runs the approved calls, and signs receipts. Returns the receipts. */
export async function answer(gate: ToolGate, key: CryptoKey, fails = false): Promise<readonly Receipt[]> {
  const [item] = gate.outgoing() as [Outgoing];
  gate.claim(item.id);
  const run = (): string => {
    if (fails) throw new Error('the disk is full');
    return 'done';
  };
  const { messages } = item.body as AiSdkBody;
  const { stream, resolved } = resolveApprovalsStream(messages, {
    toolkit: { edit: run },
    receipts: { key, chatId: 'chat' },
  });
  gate.markSent(item.id);
  gate.receive({ type: 'start' });
  for await (const chunk of stream) gate.receive(chunk);
  gate.receive({ type: 'finish' });
  gate.streamEnded({ status: 'finished' });
  return (await resolved).results.flatMap(({ receipt }) => receipt ?? []);
}

/** The evidence of a chat with an approved and a denied call, and the receipts of the server. */
export async function evidenceOfChat(
  keys: CryptoKeyPair,
  options: Partial<RecordEvidenceOptions> = {},
): Promise<{ evidence: Evidence; receipts: readonly Receipt[]; gate: ToolGate }> {
  let recorder: ReturnType<typeof recordEvidence> | undefined;
  const gate = asking(['c1', 'c2'], (made) => {
    recorder = recordEvidence(made, { chatId: 'chat', user: () => 'ada', ...options });
  });
  const [first, second] = gate.pending();
  gate.respond(first!.approvalId, { approved: true, inputDigest: first!.inputDigest });
  gate.respond(second!.approvalId, { approved: false, reason: 'keep it' });
  const receipts = await answer(gate, keys.privateKey);
  return { evidence: JSON.parse(JSON.stringify(recorder)) as Evidence, receipts, gate };
}

/** The same receipt with its other valid signature: (r, n - s) instead of (r, s). */
export function twinOf({ signature, ...receipt }: Receipt): Receipt {
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [header, , last] = signature.split('.') as [string, string, string];
  const bytes = Buffer.from(last, 'base64url').toString('hex');
  const s = (n - BigInt(`0x${bytes.slice(64)}`)).toString(16).padStart(64, '0');
  return { ...receipt, signature: `${header}..${Buffer.from(bytes.slice(0, 64) + s, 'hex').toString('base64url')}` };
}
