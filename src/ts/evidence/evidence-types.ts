/** The types of evidence: what was shown, decided, sent and run, as a chain of hashes. */
import type { AuditEntry } from '../types/view.js';

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

/** What a checked chain says about one approval. */
export interface EvidenceOfApproval {
  readonly approvalId: string;
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
  /** The server's receipt, if the call ran. */
  readonly receipt?: Receipt;
}
