/** The types of evidence: what was shown, decided, sent and run, as a chain of hashes. */
import type { AuditEntry } from '../types/view.js';

/**
 * A `CryptoKey` of WebCrypto. Its own type, because TypeScript has the global one only with the DOM's library, which
 * servers do not use.
 */
export interface WebCryptoKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: readonly string[];
}

/** A server's signed statement that it ran a call. `resolveApprovals` makes it with the option `receipts`. */
export interface Receipt {
  /** The chat in which it ran. */
  readonly chatId: string;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** SHA-256 of the input that ran. */
  readonly inputDigest: string;
  /** Whether the tool returned or threw. */
  readonly outcome: 'executed' | 'failed';
  /** SHA-256 of the output. Absent for a failed call, and for an output that JSON cannot express. */
  readonly outputDigest?: string;
  /** When the call ended, in ms since 1970, by the server's clock. */
  readonly at: number;
  /** The server's signature of the other fields. */
  readonly signature: string;
}

/** A receipt that arrived in the chat. */
export interface RanEntry {
  /** When it arrived, in ms since 1970, by the page's clock. */
  readonly at: number;
  readonly type: 'ran';
  readonly receipt: Receipt;
}

/** An entry of the audit log, or a receipt. A decision of the user also has the user's name. */
export type EvidenceEntry = (AuditEntry & { readonly user?: string }) | RanEntry;

/** One link of the chain. */
export interface EvidenceLink {
  readonly entry: EvidenceEntry;
  /** SHA-256 of the previous link's hash and of the entry. */
  readonly hash: string;
}

/** A server's signed statement that it has checked a chain. */
export interface EvidenceSeal {
  /** The number of links. */
  readonly count: number;
  /** The hash of the last link. */
  readonly head: string;
  /** When it was sealed, in ms since 1970, by the server's clock. */
  readonly at: number;
  /** The server's signature of the other fields and of the chat's id. */
  readonly signature: string;
}

/** The evidence of one chat, as plain JSON. */
export interface Evidence {
  /** The version of the format. */
  readonly version: 1;
  readonly chatId: string;
  readonly links: readonly EvidenceLink[];
  /** Absent until a server has sealed the chain. */
  readonly seal?: EvidenceSeal;
}

/** What contradicts the rules in the story of an approval. Later releases may add problems. */
export type EvidenceProblem =
  /** It was decided, but not requested before, or for another call, tool or input than the one that was shown. */
  | 'not-shown'
  /** It was decided again. The first decision counts. */
  | 'decided-twice'
  /** A request carried it before it was decided. */
  | 'sent-undecided'
  /** The call ran, but was denied or not decided before, or with another input than the approved one. */
  | 'not-approved'
  /** The call ran again. */
  | 'ran-twice'
  /** It was sent, or its call ran, but the chain does not have its request: the recorder was not there. */
  | 'not-witnessed';

/** What a checked chain says about one approval. */
export interface EvidenceOfApproval {
  readonly approvalId: string;
  /** Empty, like `toolName`, if the chain has only the request that carried the decision. */
  readonly toolCallId: string;
  readonly toolName: string;
  /** SHA-256 of the input that was shown. */
  readonly inputDigest: string | undefined;
  /** The decision. Absent while the approval is pending. */
  readonly decision?: {
    readonly approved: boolean;
    readonly by: string;
    readonly user?: string;
    readonly reason?: string;
    /** In ms since 1970, by the page's clock. */
    readonly at: number;
    /** SHA-256 of the input that the user passed instead. */
    readonly editedInputDigest?: string;
  };
  /** The idempotency keys of the requests that carried the decision. */
  readonly keys: readonly string[];
  /** The server's first receipt, if the call ran. */
  readonly receipt?: Receipt;
  /** What contradicts the rules, in the order of the chain. Empty if nothing does. */
  readonly problems: readonly EvidenceProblem[];
}
