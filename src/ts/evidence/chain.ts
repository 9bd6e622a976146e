/**
 * The chain: each link has the hash of the link before it and of its entry. A change of any entry changes all later
 * hashes.
 */
import { digest } from '../json/digest.js';
import type { Evidence, EvidenceEntry, EvidenceLink } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';

/** The version of the format. */
export const VERSION = 1;

/** The hash before the first link. It binds the chain to its chat. */
const first = (chatId: string): string => digest(['toolgate-evidence', VERSION, chatId]);

/** The hash of the last link of a chain. */
export function headOf({ chatId, links }: Pick<Evidence, 'chatId' | 'links'>): string {
  return links.at(-1)?.hash ?? first(chatId);
}

/** The link with this entry, after the link with the hash `previous`. */
export function linkOf(previous: string, entry: EvidenceEntry): EvidenceLink {
  return { entry, hash: digest([previous, entry]) };
}

/**
 * Checks that the hash of each link follows from the link before it. Throws `broken-chain` and `malformed-evidence`.
 */
export function checkLinks(evidence: Evidence): void {
  const { version, chatId, links } = Object(evidence) as Partial<Evidence>;
  if (version !== VERSION || typeof chatId !== 'string' || !Array.isArray(links))
    throw new EvidenceError('malformed-evidence', `expected { version: ${VERSION}, chatId, links }.`);
  let previous = first(chatId);
  for (const [at, link] of (links as readonly unknown[]).entries()) {
    const { entry, hash } = Object(link) as Partial<EvidenceLink>;
    if (typeof Object(entry).type !== 'string') throw new EvidenceError('malformed-evidence', 'it has no entry.', at);
    if (hash !== linkOf(previous, entry as EvidenceEntry).hash)
      throw new EvidenceError('broken-chain', 'its hash does not follow from the link before it.', at);
    previous = hash;
  }
}
