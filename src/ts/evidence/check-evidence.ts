/** `checkEvidence` and `sealEvidence`: anybody checks a sealed chain; a server checks a chain and seals it. */
import { sha256Hex } from '../json/web-digest.js';
import { checkLinks, firstText } from './chain.js';
import { EvidenceError } from './evidence-error.js';
import { checkForm } from './evidence-form.js';
import type { Evidence, EvidenceOfApproval, EvidenceSeal, Receipt, WebCryptoKey } from './evidence-types.js';
import { quoted } from '../json/quoted.js';
import { isSigned, receiptStatement, sealStatement, sign } from './signing.js';
import { readStory, type ReceiptProblem } from './story.js';
import { say } from '../types/say.js';

/** The options of {@link checkEvidence}. */
export interface CheckEvidenceOptions {
  /** The server's public key: ECDSA, P-256. */
  readonly publicKey: WebCryptoKey;
}

/** The options of {@link sealEvidence}. */
export interface SealEvidenceOptions extends CheckEvidenceOptions {
  /** The server's private key: ECDSA, P-256. */
  readonly privateKey: WebCryptoKey;
  /** The id of the chat. The server takes it from its own data: a chain of another chat is refused. */
  readonly chatId: string;
  /** The receipts that the server has issued for this chat, if it keeps them: the chain must have all of them. */
  readonly receipts?: readonly Receipt[];
  /**
   * The last seal of this chat that the server has stored: the chain must continue it. Undefined or null if there is
   * none.
   */
  readonly previous: EvidenceSeal | null | undefined;
  /**
   * Stores the new seal if the stored one is still `previous`, in one atomic step. Returns whether it did: of two
   * requests at the same time, one is refused with `sealed-meanwhile`. What it throws is thrown.
   */
  readonly commit: (seal: EvidenceSeal, previous: EvidenceSeal | undefined) => boolean | Promise<boolean>;
  /** The time in ms since 1970. Default `Date.now()`. */
  readonly now?: number;
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

/**
 * Checks a chain that a page has sent, and seals it: a server's endpoint. A chain whose entries contradict the rules is
 * sealed too, because a call that ran although it was denied is what evidence is for: see `problems`. So is a chain
 * with receipts that are not valid: otherwise one bad receipt in a stream would prevent every later seal. Returns the
 * evidence with the seal that `commit` has stored, for {@link checkEvidence}. A seal that the page sent is replaced.
 * Rejects with an {@link EvidenceError}.
 */
export async function sealEvidence(evidence: Evidence, options: SealEvidenceOptions): Promise<Evidence> {
  const { publicKey, privateKey, chatId, receipts = [], previous, commit, now = Date.now() } = options;
  checkForm(evidence);
  if (evidence.chatId !== chatId)
    throw new EvidenceError('other-chat', say`it is about chat ${quoted(evidence.chatId)}.`);
  const { first, last } = await checkHashes(evidence);
  const { known } = await checkReceipts(evidence, publicKey);
  const missing = receipts.find((receipt) => !known.has(receiptStatement(receipt).text));
  if (missing)
    throw new EvidenceError('missing-receipt', say`it lacks the receipt of call ${quoted(missing.toolCallId)}.`);
  const { version, links } = evidence;
  if (previous && (links[previous.count - 1]?.hash ?? first) !== previous.head)
    throw new EvidenceError('not-continued', say`it does not continue the ${previous.count} links of the last seal.`);
  const sealed: Omit<EvidenceSeal, 'signature'> = { count: links.length, head: last, at: now };
  const statement = sealStatement(chatId, sealed);
  const signature = await sign(statement, privateKey);
  // If the keys are not a pair, no receipt is valid, and the seal cannot be checked.
  if (!(await isSigned(statement, signature, publicKey)))
    throw new EvidenceError('bad-signature', say`the keys are not a pair.`);
  const seal = { ...sealed, signature };
  // A result of a database is not an answer.
  if ((await commit(seal, previous ?? undefined)) !== true)
    throw new EvidenceError('sealed-meanwhile', say`another seal was stored meanwhile.`);
  return { version, chatId, links, seal };
}

/** Checks the hashes. Returns the one before the first link, and the last one. */
async function checkHashes(evidence: Evidence): Promise<{ first: string; last: string }> {
  const first = await sha256Hex(firstText(evidence.chatId));
  let last = first;
  const checks = checkLinks(evidence, first);
  for (let { value } = checks.next(); value; { value } = checks.next(last)) last = await sha256Hex(value);
  return { first, last };
}

/** Which receipts of a chain count. */
interface CheckedReceipts {
  /** The contents of the valid ones. */
  readonly known: ReadonlySet<string>;
  /** Why the others do not, by the index of the link. */
  readonly refused: ReadonlyMap<number, ReceiptProblem>;
}

/** Checks the receipts. */
async function checkReceipts({ chatId, links }: Evidence, publicKey: WebCryptoKey): Promise<CheckedReceipts> {
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
