/** Why evidence is refused, and what a recorder reports. */

/** The stable code of an {@link EvidenceError}. A code never changes its meaning; later releases may add codes. */
export type EvidenceErrorCode =
  /** The chain has more links, receipts or characters than one may have. In `onError`: the recording ended there. */
  | 'too-large'
  /** The value does not have the form of evidence. In `onError`: an entry could not be recorded, or `saved` threw. */
  | 'malformed-evidence'
  /** A link was changed, added, removed or moved: its hash does not follow from the link before it. */
  | 'broken-chain'
  /** A chain to be sealed, a saved chain, or a receipt in `onError`, is about another chat. */
  | 'other-chat'
  /** A seal, or a receipt in `onError`, is not signed by this key. */
  | 'bad-signature'
  /** The evidence has no seal, or the seal is about other links. */
  | 'not-sealed'
  /** The chain does not continue the links of the last seal. */
  | 'not-continued'
  /** Another seal of the chat was stored since `previous` was read: read it, and seal again. */
  | 'sealed-meanwhile'
  /** The chain lacks a receipt that the server has issued. */
  | 'missing-receipt'
  /** A receipt does not have the form of one. Only in `onError`. */
  | 'malformed-receipt'
  /** A message has the same receipt twice. Only in `onError`. */
  | 'repeated-receipt'
  /** A receipt is about an approval that the chat does not have. Only in `onError`. */
  | 'not-witnessed'
  /** A receipt is about a call that was not approved, or not with this input. Only in `onError`. */
  | 'not-approved'
  /** A receipt is about a call that has one already. Only in `onError`. */
  | 'ran-twice';

/** Evidence that is refused, or that a recorder reports. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
  /** The stable code. */
  readonly code: EvidenceErrorCode;
  /** The index of the link that is wrong, if one is. */
  readonly link: number | undefined;

  constructor(code: EvidenceErrorCode, message: string, link?: number) {
    super(link === undefined ? message : `Link ${link}: ${message}`);
    this.code = code;
    this.link = link;
  }
}
