/** `sealEvidence`: a server checks a chain that a page has sent, and seals it. */
import { checkHashes, checkReceipts, type CheckEvidenceOptions } from '../evidence/check-evidence.js';
import { EvidenceError } from '../evidence/evidence-error.js';
import { checkForm } from '../evidence/evidence-form.js';
import type { Evidence, EvidenceSeal, Receipt, WebCryptoKey } from '../evidence/evidence-types.js';
import { isSigned, receiptStatement, sealStatement, sign } from '../evidence/signing.js';
import { quoted } from '../json/quoted.js';

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
 * Checks a chain that a page has sent, and seals it: a server's endpoint. A chain whose entries contradict the rules is
 * sealed too, because a call that ran although it was denied is what evidence is for: see `problems`. So is a chain
 * with receipts that are not valid: otherwise one bad receipt in a stream would prevent every later seal. Returns the
 * evidence with the seal that `commit` has stored, for {@link checkEvidence}. A seal that the page sent is replaced.
 * Rejects with an {@link EvidenceError}.
 */
export async function sealEvidence(evidence: Evidence, options: SealEvidenceOptions): Promise<Evidence> {
  const { publicKey, privateKey, chatId, receipts = [], previous, commit, now = Date.now() } = options;
  checkForm(evidence);
  if (evidence.chatId !== chatId) throw new EvidenceError('other-chat', `it is about chat ${quoted(evidence.chatId)}.`);
  const { first, last } = await checkHashes(evidence);
  const { known } = await checkReceipts(evidence, publicKey);
  const missing = receipts.find((receipt) => !known.has(receiptStatement(receipt).text));
  if (missing)
    throw new EvidenceError('missing-receipt', `it lacks the receipt of call ${quoted(missing.toolCallId)}.`);
  const { version, links } = evidence;
  if (previous && (links[previous.count - 1]?.hash ?? first) !== previous.head)
    throw new EvidenceError('not-continued', `it does not continue the ${previous.count} links of the last seal.`);
  const sealed: Omit<EvidenceSeal, 'signature'> = { count: links.length, head: last, at: now };
  const statement = sealStatement(chatId, sealed);
  const signature = await sign(statement, privateKey);
  // If the keys are not a pair, no receipt is valid, and the seal cannot be checked.
  if (!(await isSigned(statement, signature, publicKey)))
    throw new EvidenceError('bad-signature', 'the keys are not a pair.');
  const seal = { ...sealed, signature };
  // A result of a database is not an answer.
  if ((await commit(seal, previous ?? undefined)) !== true)
    throw new EvidenceError('sealed-meanwhile', 'another seal was stored meanwhile.');
  return { version, chatId, links, seal };
}
