/** The chain of a recorder: adds links, and knows what they say about each approval. */
import { canonicalText } from '../json/canonical-text.js';
import { checkLinks, firstText, linkText, MOST, sizeOf, tooLarge, VERSION } from './chain.js';
import { hexDigest } from '../json/sha256.js';
import { quoted } from '../json/quoted.js';
import type { Evidence, EvidenceEntry, EvidenceLink, Receipt } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { checkForm, isEntry, timeOf, wellFormed } from './evidence-form.js';
import { Stories } from './story.js';
import { say } from '../types/say.js';

/** The hash of the last link of a chain. */
export const headOf = ({ chatId, links }: Pick<Evidence, 'chatId' | 'links'>): string =>
  links.at(-1)?.hash ?? hexDigest(firstText(chatId));

/** The link with this entry, after the link with the hash `previous`. */
export const linkOf = (previous: string, entry: EvidenceEntry): EvidenceLink => ({
  entry,
  hash: hexDigest(linkText(previous, entry)),
});

/** The chain of one chat. */
export class RecordedChain {
  readonly #chatId: string;
  #links: EvidenceLink[] = [];
  #stories = new Stories();
  /** The receipts in the chain, with their signatures: a forged one must not displace the real one. */
  #receipts = new Set<string>();
  #size = 0;
  #isFull = false;
  #odd = 0;

  constructor(chatId: string) {
    this.#chatId = chatId;
  }

  /** What the chain says about each approval. */
  get stories(): Pick<Stories, 'latest' | 'of'> {
    return this.#stories;
  }

  /** The number of links. */
  get length(): number {
    return this.#links.length;
  }

  /** The chain, or its first `length` links, without a seal. */
  toJSON(length?: number): Evidence {
    return { version: VERSION, chatId: this.#chatId, links: this.#links.slice(0, length) };
  }

  /**
   * Continues a stored chain, unless this chain continues it already. Throws an `EvidenceError` for a chain that was
   * changed, or that is about another chat.
   */
  continue(saved: Evidence): void {
    checkForm(saved);
    const { chatId, links } = saved;
    if (chatId !== this.#chatId)
      throw new EvidenceError('other-chat', say`the saved chain is about chat ${quoted(chatId)}.`);
    const checks = checkLinks(saved, headOf({ chatId, links: [] }));
    for (let { done, value } = checks.next(); !done;) ({ done, value } = checks.next(hexDigest(value as string)));
    if (headOf({ chatId, links: this.#links.slice(0, links.length) }) === headOf(saved)) return;
    this.#reset(links);
  }

  /** Drops all links after this many. */
  cut(length: number): void {
    if (length < this.#links.length) this.#reset(this.#links.slice(0, length));
  }

  /** The number of receipts that contradict the rules. */
  get odd(): number {
    return this.#odd;
  }

  /**
   * Adds an entry. Throws `malformed-evidence` for one that no server would seal, and `too-large` when the chain is
   * full: it ends there, because later entries would contradict what is missing.
   */
  add(entry: EvidenceEntry): void {
    if (this.#isFull) return;
    const sound = wellFormed({ ...entry, at: timeOf(entry.at) });
    if (!isEntry(sound))
      throw new EvidenceError('malformed-evidence', say`an entry of type ${entry.type} has a field of another type.`);
    this.#isFull = this.#size + sizeOf(sound) > MOST;
    if (this.#isFull) throw tooLarge();
    this.#push(linkOf(headOf({ chatId: this.#chatId, links: this.#links }), sound));
  }

  /** Whether the chain has exactly this receipt. */
  hasReceipt(receipt: Receipt): boolean {
    return this.#receipts.has(canonicalText(receipt));
  }

  #reset(links: readonly EvidenceLink[]): void {
    this.#links = [];
    this.#stories = new Stories();
    this.#receipts = new Set();
    this.#size = 0;
    this.#isFull = false;
    this.#odd = 0;
    for (const link of links) this.#push(link);
  }

  #push(link: EvidenceLink): void {
    const { entry } = link;
    this.#size += sizeOf(entry);
    this.#links.push(link);
    this.#stories.read(entry);
    if (entry.type !== 'ran') return;
    this.#receipts.add(canonicalText(entry.receipt));
    if (this.#stories.of(entry.receipt)?.problems.size) this.#odd++;
  }
}
