/** The chain of a recorder: adds links, and knows what they say about each approval. */
import { digest } from '../json/digest.js';
import { checkLinks, headOf, linkOf, VERSION } from './chain.js';
import type { Evidence, EvidenceEntry, EvidenceLink, Receipt } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { isEntry, timeOf } from './evidence-form.js';
import { Stories } from './story.js';

/** The chain of one chat. */
export class RecordedChain {
  readonly #chatId: string;
  #links: EvidenceLink[] = [];
  #stories = new Stories();
  /** The receipts in the chain, with their signatures: a forged one must not displace the real one. */
  #receipts = new Set<string>();

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
    checkLinks(saved);
    const { chatId, links } = saved;
    if (chatId !== this.#chatId)
      throw new EvidenceError('other-chat', `the saved chain is about chat ${JSON.stringify(chatId)}.`);
    if (headOf({ chatId, links: this.#links.slice(0, links.length) }) === headOf(saved)) return;
    this.#reset(links);
  }

  /** Drops all links after this many. */
  cut(length: number): void {
    if (length < this.#links.length) this.#reset(this.#links.slice(0, length));
  }

  /** Adds an entry. Throws `malformed-evidence` for one that no server would seal. */
  add(entry: EvidenceEntry): void {
    const sound = { ...entry, at: timeOf(entry.at) };
    if (!isEntry(sound))
      throw new EvidenceError('malformed-evidence', `an entry of type ${entry.type} has a field of another type.`);
    this.#push(linkOf(headOf({ chatId: this.#chatId, links: this.#links }), sound));
  }

  /** Whether the chain has exactly this receipt. */
  hasReceipt(receipt: Receipt): boolean {
    return this.#receipts.has(digest(receipt));
  }

  #reset(links: readonly EvidenceLink[]): void {
    this.#links = [];
    this.#stories = new Stories();
    this.#receipts = new Set();
    for (const link of links) this.#push(link);
  }

  #push(link: EvidenceLink): void {
    const { entry } = link;
    this.#links.push(link);
    this.#stories.read(entry);
    if (entry.type === 'ran') this.#receipts.add(digest(entry.receipt));
  }
}
