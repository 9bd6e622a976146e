/**
 * The chain: each link has the hash of the link before it and of its entry, so that a change of any entry changes all
 * later hashes. A hash is SHA-256 of canonical JSON (RFC 8785). A recorder computes it at once, a server by WebCrypto.
 */
import { canonicalText } from '../json/canonical-text.js';
import { say } from '../types/say.js';
import type { Evidence, EvidenceEntry } from './evidence-types.js';
import { EvidenceError } from './evidence-error.js';
import { checkLink } from './evidence-form.js';

/** The version of the format. */
export const VERSION = 1;

/** The text with the hash before the first link. It binds the chain to its chat. */
export const firstText = (chatId: string): string => canonicalText(['toolgate-evidence', VERSION, chatId]);

/** The text with the hash of a link, after the link with the hash `previous`. */
export const linkText = (previous: string, entry: EvidenceEntry): string => canonicalText([previous, entry]);

/** The size that a chain may have: of about 600 approvals that ran. A server has work with all that a page sends. */
export const MOST = 40_000;

/** The size of a link with this entry. A signature takes 40 times as long to check as a hash. */
export function sizeOf(entry: EvidenceEntry): number {
  // Each id in a list can be of an approval that no other link names.
  const { approvalIds = [], keys = [] } = entry as { readonly [NAME in 'approvalIds' | 'keys']?: readonly string[] };
  const checks = entry.type === 'ran' ? 40 : 1;
  return checks + approvalIds.length + keys.length + JSON.stringify(entry).length / 200;
}

/** A chain that is larger than {@link MOST}. */
export const tooLarge = (at?: number): EvidenceError =>
  new EvidenceError('too-large', say`the chain is too large.`, at);

/**
 * Compares the hash of each link with the one that follows from the link before it. Yields the texts, and takes their
 * hashes. The form of the evidence is checked before. `first`: the hash before the first link. Throws `broken-chain`,
 * `malformed-evidence` and `too-large`.
 */
export function* checkLinks(evidence: Evidence, first: string): Generator<string, void, string> {
  let previous = first;
  let size = 0;
  for (const [at, link] of evidence.links.entries()) {
    checkLink(link, at);
    size += sizeOf(link.entry);
    if (size > MOST) throw tooLarge(at);
    const hash = yield linkText(previous, link.entry);
    if (link.hash !== hash)
      throw new EvidenceError('broken-chain', say`its hash does not follow from the link before it.`, at);
    previous = hash;
  }
}
