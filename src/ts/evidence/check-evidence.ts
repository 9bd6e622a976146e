/** `checkEvidence`: anybody checks a sealed chain. A server seals it: server/seal-evidence.ts. */
import { sha256Hex } from '../json/web-digest.js';
import { checkLinks, firstText } from './chain.js';
import { EvidenceError } from './evidence-error.js';
import { checkForm } from './evidence-form.js';
import type { Evidence, EvidenceOfApproval, WebCryptoKey } from './evidence-types.js';
import { isSigned, receiptStatement, sealStatement } from './signing.js';
import { readStory, type ReceiptProblem } from './story.js';
import { say } from '../types/say.js';

/** The options of {@link checkEvidence}. */
export interface CheckEvidenceOptions {
  /** The server's public key: ECDSA, P-256. */
  readonly publicKey: WebCryptoKey;
}

/**
 * Checks evidence that a server has sealed: each hash, each receipt, and the seal, which shows that nothing is missing
 * up to the time of the seal. An older seal of the same chat stays valid. Returns what the evidence says about each
 * approval, in the order of the requests. A receipt that is not valid is among the `problems` and is not returned.
 * Rejects with an {@link EvidenceError}.
 */
export async function checkEvidence(
  evidence: Evidence,
  { publicKey }: CheckEvidenceOptions,
): Promise<EvidenceOfApproval[]> {
  // The seal first: only what a server has sealed is worth the work of checking all of it.
  checkForm(evidence);
  const { chatId, links, seal } = evidence;
  if (!seal) throw new EvidenceError('not-sealed', say`it has no seal.`);
  if (!(await isSigned(sealStatement(chatId, seal), seal.signature, publicKey)))
    throw new EvidenceError('bad-signature', say`its seal is not signed by this key.`);
  const { last } = await checkHashes(evidence);
  if (seal.count !== links.length || seal.head !== last)
    throw new EvidenceError('not-sealed', say`its seal is about other links.`);
  return readStory(evidence, (await checkReceipts(evidence, publicKey)).refused);
}

/** Checks the hashes. Returns the one before the first link, and the last one. */
export async function checkHashes(evidence: Evidence): Promise<{ first: string; last: string }> {
  const first = await sha256Hex(firstText(evidence.chatId));
  let last = first;
  const checks = checkLinks(evidence, first);
  for (let { value } = checks.next(); value; { value } = checks.next(last)) last = await sha256Hex(value);
  return { first, last };
}

/** Checks the receipts. Returns the texts of those that count, and by the index of the link why others do not. */
export async function checkReceipts(
  { chatId, links }: Evidence,
  publicKey: WebCryptoKey,
): Promise<{ known: ReadonlySet<string>; refused: ReadonlyMap<number, ReceiptProblem> }> {
  const known = new Set<string>();
  const refused = new Map<number, ReceiptProblem>();
  for (const [at, { entry }] of links.entries()) {
    if (entry.type !== 'ran') continue;
    const { receipt } = entry;
    // Not compared by the signature, which can be changed into another valid one.
    const statement = receiptStatement(receipt);
    if (receipt.chatId !== chatId || !(await isSigned(statement, receipt.signature, publicKey)))
      refused.set(at, 'bad-receipt');
    else if (known.has(statement.text)) refused.set(at, 'repeated-receipt');
    else known.add(statement.text);
  }
  return { known, refused };
}
