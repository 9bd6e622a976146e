/** Why evidence is refused. */

/** The stable code of an {@link EvidenceError}. A code never changes its meaning; later releases may add codes. */
export type EvidenceErrorCode =
  /** The value does not have the form of evidence. */
  | 'malformed-evidence'
  /** A link was changed, added, removed or moved: its hash does not follow from the link before it. */
  | 'broken-chain'
  /** A receipt occurs twice. */
  | 'repeated-receipt'
  /** A receipt, or a saved chain, is about another chat. */
  | 'other-chat'
  /** A receipt or a seal is not signed by this key. */
  | 'bad-signature'
  /** The evidence has no seal, or the seal is about other links. */
  | 'not-sealed'
  /** The chain does not continue the links of the last seal. */
  | 'not-continued'
  /** The chain lacks a receipt that the server has issued. */
  | 'missing-receipt';

/** Evidence that is refused. */
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
