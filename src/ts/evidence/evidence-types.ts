/** The types of evidence: what was shown, decided, sent and run, as a chain of hashes. */
import type { AuditEntry, DecidedBy } from '../types/view.js';

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
  /** The server's signature of the other fields: a detached JWS (ES256) of their canonical JSON (RFC 8785). */
  readonly signature: string;
}

/** A receipt in the chat. The recorder has not checked its signature. */
export interface RanEntry {
  /** When the recorder found it, in ms since 1970, by the page's clock. */
  readonly at: number;
  readonly type: 'ran';
  readonly receipt: Receipt;
}

/** Who made a decision of the user. The entries of other decisions lack these fields. */
export interface DecidedIn {
  /** The user, as the tab of the decision says; for a rule, its `by` if it has one. Absent: unknown. */
  readonly user?: string;
  /** The id of the rule of `toolgate/rules` that decided for the user. Absent: the user decided. */
  readonly rule?: string;
  /** The id of the tab that forwarded the decision to the tab of the recorder. Absent: the tab of the recorder. */
  readonly tab?: string;
  /** With `tab`: when the user decided, in ms since 1970, by the clock of that tab. Absent: unknown. */
  readonly decidedAt?: number;
}

/**
 * An approval whose request or decision the recorder did not witness: what the chat said about it when the recorder
 * began, or when the approval came with a loaded history.
 */
export interface FoundEntry {
  /** When the recorder found it, in ms since 1970, by the page's clock. */
  readonly at: number;
  readonly type: 'found';
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** SHA-256 of the input that the call had then, or that was decided about. */
  readonly inputDigest?: string;
  /** When it was requested, in ms since 1970, as the page says. Absent: unknown. */
  readonly requestedAt?: number;
  /** The decision. Absent if there was none. */
  readonly decision?: {
    readonly approved: boolean;
    readonly by: DecidedBy | 'unknown';
    readonly reason?: string;
    /** When it was decided, in ms since 1970, as the page says. Absent: unknown. */
    readonly at?: number;
    /** SHA-256 of the input that the user passed instead. */
    readonly editedInputDigest?: string;
  };
  /** The idempotency keys of the requests that carried the decision, as far as they are known. */
  readonly keys?: readonly string[];
}

/** An entry of the audit log, a receipt, or an approval that was found after the fact. */
export type EvidenceEntry = (AuditEntry & DecidedIn) | RanEntry | FoundEntry;

/** One link of the chain. */
export interface EvidenceLink {
  readonly entry: EvidenceEntry;
  /** SHA-256 of the canonical JSON of the previous link's hash and the entry. */
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
  /** The server's signature of the other fields and of the chat's id: like that of a receipt. */
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
  /** It was sent, or its call ran, but the chain does not have its request. */
  | 'not-witnessed'
  /** A receipt is not signed by this key, or is about another chat. It does not count. */
  | 'bad-receipt'
  /** A receipt occurs twice. The second one does not count. */
  | 'repeated-receipt';

/** A fact that the recorder did not witness: it was recorded when the recorder found it. */
export type EvidenceFact = 'requested' | 'decided' | 'sent';

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
    /** As in the audit log; `unknown` for a decision that was found in a chat that was loaded or restored. */
    readonly by: DecidedBy | 'unknown';
    /** As in {@link DecidedIn}. Absent: unknown, or not decided by a user. */
    readonly user?: string;
    /** The id of the rule that decided for the user. */
    readonly rule?: string;
    /** The id of the tab that forwarded it. Absent: the tab of the recorder, or unknown. */
    readonly tab?: string;
    readonly reason?: string;
    /** In ms since 1970, by the page's clock. Absent: unknown. */
    readonly at?: number;
    /** SHA-256 of the input that the user passed instead. */
    readonly editedInputDigest?: string;
  };
  /**
   * What was recorded after the fact: the recorder was not there when it happened, so it is what the chat said later.
   * This is not a contradiction. Empty if the recorder witnessed everything.
   */
  readonly afterTheFact: readonly EvidenceFact[];
  /** The idempotency keys of the requests that carried the decision. */
  readonly keys: readonly string[];
  /** The server's first receipt, if the call ran. */
  readonly receipt?: Receipt;
  /** What contradicts the rules, in the order of the chain. Empty if nothing does. */
  readonly problems: readonly EvidenceProblem[];
}
