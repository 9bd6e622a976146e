/** `checkEvidence` and `sealEvidence`: anybody checks a sealed chain; a server checks a chain and seals it. */
import { checkLinks, headOf } from './chain.js';
import { EvidenceError } from './evidence-error.js';
import type { Evidence, EvidenceOfApproval, EvidenceSeal, Receipt, WebCryptoKey } from './evidence-types.js';
import { contentOf } from './receipt.js';
import { isSigned, receiptStatement, sealStatement, sign } from './signing.js';
import { readStory, type ReceiptProblem } from './story.js';

/** The options of {@link checkEvidence}. */
export interface CheckEvidenceOptions {
  /** The server's public key: ECDSA, P-256. */
  readonly publicKey: WebCryptoKey;
}

/** The options of {@link sealEvidence}. */
export interface SealEvidenceOptions extends CheckEvidenceOptions {
  /** The server's private key: ECDSA, P-256. */
  readonly privateKey: WebCryptoKey;
  /** The receipts that the server has issued for this chat, if it keeps them: the chain must have all of them. */
  readonly receipts?: readonly Receipt[];
  /**
   * The last seal of this chat that the server has stored: the chain must continue it. Without it, a page can have a
   * shorter or another chain sealed after this one.
   */
  readonly previous?: EvidenceSeal;
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
  const { refused } = await checkChain(evidence, publicKey);
  const { chatId, links, seal } = evidence;
  if (!seal) throw new EvidenceError('not-sealed', 'the evidence has no seal of a server.');
  if (!(await isSigned(sealStatement(chatId, seal), seal.signature, publicKey)))
    throw new EvidenceError('bad-signature', 'the seal is not signed by this key.');
  if (seal.count !== links.length || seal.head !== headOf(evidence))
    throw new EvidenceError('not-sealed', `the seal is about ${seal.count} links, and there are ${links.length}.`);
  return readStory(evidence, refused);
}

/**
 * Checks a chain that a page has sent, and seals it: a server's endpoint. A chain whose entries contradict the rules is
 * sealed too, because a call that ran although it was denied is what evidence is for: see `problems`. So is a chain
 * with receipts that are not valid: otherwise one bad receipt in a stream would prevent every later seal. Returns the
 * evidence with the seal, for {@link checkEvidence}. A seal that the page sent is replaced. Rejects with an
 * {@link EvidenceError}.
 */
export async function sealEvidence(evidence: Evidence, options: SealEvidenceOptions): Promise<Evidence> {
  const { publicKey, privateKey, receipts = [], previous, now = Date.now() } = options;
  const { known } = await checkChain(evidence, publicKey);
  const missing = receipts.find((receipt) => !known.has(contentOf(receipt)));
  if (missing)
    throw new EvidenceError(
      'missing-receipt',
      `the chain lacks the receipt of call ${JSON.stringify(missing.toolCallId)}.`,
    );
  const { version, chatId, links } = evidence;
  if (previous && headOf({ chatId, links: links.slice(0, previous.count) }) !== previous.head)
    throw new EvidenceError(
      'not-continued',
      `the chain does not continue the ${previous.count} links of the last seal.`,
    );
  const sealed: Omit<EvidenceSeal, 'signature'> = { count: links.length, head: headOf(evidence), at: now };
  const statement = sealStatement(chatId, sealed);
  const signature = await sign(statement, privateKey);
  // If the keys are not a pair, no receipt is valid, and the seal cannot be checked.
  if (!(await isSigned(statement, signature, publicKey)))
    throw new EvidenceError('bad-signature', 'the private key and the public key are not a pair.');
  return { version, chatId, links, seal: { ...sealed, signature } };
}

/** Which receipts of a chain count. */
interface CheckedReceipts {
  /** The contents of the valid ones. */
  readonly known: ReadonlySet<string>;
  /** Why the others do not, by the index of the link. */
  readonly refused: ReadonlyMap<number, ReceiptProblem>;
}

/** Checks the hashes and the receipts. */
async function checkChain(evidence: Evidence, publicKey: WebCryptoKey): Promise<CheckedReceipts> {
  checkLinks(evidence);
  const { chatId, links } = evidence;
  const known = new Set<string>();
  const refused = new Map<number, ReceiptProblem>();
  for (const [at, { entry }] of links.entries()) {
    if (entry.type !== 'ran') continue;
    const { receipt } = entry;
    // Not compared by the signature, which can be changed into another valid one.
    const content = contentOf(receipt);
    if (receipt.chatId !== chatId || !(await isSigned(receiptStatement(receipt), receipt.signature, publicKey)))
      refused.set(at, 'bad-receipt');
    else if (known.has(content)) refused.set(at, 'repeated-receipt');
    else known.add(content);
  }
  return { known, refused };
}
