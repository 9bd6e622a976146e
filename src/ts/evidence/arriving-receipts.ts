/**
 * The receipts in the messages of a chat. They come from a stream, so any of them may be bad: what is wrong is
 * reported, and nothing throws.
 */
import { quoted } from '../json/quoted.js';
import type { GateMessage } from '../types/index.js';
import type { Receipt, WebCryptoKey } from './evidence-types.js';
import { EvidenceError, type EvidenceErrorCode } from './evidence-error.js';
import { isReceipt } from './evidence-form.js';
import type { RecordedChain } from './recorded-chain.js';
import { isSigned, RECEIPT_PART, receiptStatement } from './signing.js';
import { say } from '../types/say.js';

/** What is wrong with a call that has a receipt. It is recorded all the same: the server says that it ran. */
const WRONG = {
  'not-witnessed': 'an approval that the chat does not have',
  'not-approved': 'a call that was not approved, or not with this input',
  'ran-twice': 'a call that has one already',
} as const satisfies { readonly [CODE in EvidenceErrorCode]?: string };

/** The most receipts in a chain that contradict the rules: forged ones must leave room for those of approved calls. */
const MOST_ODD = 100;

/** The dependencies. */
interface ArrivingReceiptsDeps {
  readonly chatId: string;
  readonly chain: RecordedChain;
  /** The server's public key, if the app has it. */
  readonly publicKey: WebCryptoKey | undefined;
  readonly now: () => number;
  readonly onError: (error: EvidenceError) => void;
}

/** The receipts of one chat. */
export class ArrivingReceipts {
  readonly #deps: ArrivingReceiptsDeps;
  /** The receipts that were read, in parts that may be read again when their message changes. */
  readonly #read = new WeakSet<object>();
  /** The places of malformed receipts without an identity, such as null. */
  readonly #malformed = new Set<string>();

  constructor(deps: ArrivingReceiptsDeps) {
    this.#deps = deps;
  }

  /** Adds the receipts of a message that the chain lacks. */
  addFrom({ id, parts }: GateMessage): void {
    const inMessage = new Set<string>();
    for (const [at, part] of parts.entries()) {
      if (part.type !== RECEIPT_PART) continue;
      const { data } = part as { readonly data?: unknown };
      const isRepeated = isReceipt(data) && inMessage.size === inMessage.add(JSON.stringify(data)).size;
      if (this.#isNew(part, `${id} ${at}`)) this.#add(data, isRepeated);
    }
  }

  #isNew(part: object, place: string): boolean {
    if (this.#read.has(part)) return false;
    this.#read.add(part);
    const { data } = part as { readonly data?: unknown };
    if (isReceipt(data)) return true;
    return this.#malformed.size < this.#malformed.add(place).size;
  }

  #add(data: unknown, isRepeated: boolean): void {
    const { chatId, chain, publicKey, now } = this.#deps;
    if (!isReceipt(data)) return this.#report('malformed-receipt', say`a receipt does not have the form of one.`);
    const receipt = data as Receipt;
    const call = `call ${quoted(receipt.toolCallId)}`;
    // The backend may be another one, or the history may have come from elsewhere.
    if (receipt.chatId !== chatId)
      return this.#report('other-chat', say`the receipt of ${call} is about chat ${quoted(receipt.chatId)}.`);
    if (chain.hasReceipt(receipt)) {
      if (isRepeated) this.#report('repeated-receipt', say`a message has the receipt of ${call} twice.`);
      return;
    }
    const story = chain.stories.of(receipt);
    if (chain.odd >= MOST_ODD && (story?.ran || !story?.decision?.approved))
      return this.#report('too-large', say`the receipt of ${call} is one too many that contradicts the rules.`);
    const before = new Set(story?.problems);
    chain.add({ at: now(), type: 'ran', receipt });
    const { problems = [] } = chain.stories.of(receipt) ?? {};
    const news = [...problems].find((problem): problem is keyof typeof WRONG => !before.has(problem));
    if (news) this.#report(news, say`the receipt of ${call} is about ${WRONG[news]}.`);
    if (publicKey) void this.#verify(receipt, publicKey, call);
  }

  /** The server checks signatures again, and a receipt that is not valid does not count there. */
  async #verify(receipt: Receipt, publicKey: WebCryptoKey, call: string): Promise<void> {
    const isValid = await isSigned(receiptStatement(receipt), receipt.signature, publicKey).catch(() => false);
    if (!isValid) this.#report('bad-signature', say`the receipt of ${call} is not signed by this key.`);
  }

  #report(code: EvidenceErrorCode, message: string): void {
    this.#deps.onError(new EvidenceError(code, message));
  }
}
