/**
 * The chain: each link has the hash of the link before it and of its entry. A change of any entry changes all later
 * hashes.
 */
import { digest } from '../json/digest.js';
import type { Evidence, EvidenceEntry, EvidenceLink } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { checkForm } from './evidence-form.js';

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
  checkForm(evidence);
  let previous = first(evidence.chatId);
  for (const [at, { entry, hash }] of evidence.links.entries()) {
    if (hash !== linkOf(previous, entry).hash)
      throw new EvidenceError('broken-chain', 'its hash does not follow from the link before it.', at);
    previous = hash;
  }
}
