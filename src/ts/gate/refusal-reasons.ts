/**
 * Enums of the crate that a refusal contains as numbers. The variants have Rust's names and order, which
 * tests/gate/refusal-reasons.test.ts compares with the crate's. A new variant does not compile until error-messages.ts
 * has a text for it.
 */

/** The Rust enum `RefusalReason` (src/machine/error.rs). */
export const enum RefusalReason {
  /** No approval has this id. */
  NoApproval,
  /** The id given for an approval is a call's id. */
  CallForApproval,
  /** Newer content superseded the approval. */
  Closed,
  /** The approval already has the opposite decision. */
  Decided,
  /** The call settled before it was decided. */
  Withdrawn,
  /** The backend decides this approval itself. */
  Automatic,
  /** The digests of the shown input and the current input differ. */
  Stale,
  /** No call has this id. */
  NoCall,
  /** An output for a call that waits for the user's decision. */
  OutputUnasked,
  /** An output for a call that does not accept one yet. */
  OutputEarly,
  /** An output for a call that has a result or is denied. */
  OutputLate,
  /** A message while approvals are pending. */
  Blocked,
  /** A change to earlier messages while a request to the server is under way. */
  UnderWay,
  /** No message has this id. */
  NoMessage,
  /** No outgoing item has this id. */
  NoItem,
  /** A retry of an item that was delivered or is under way. */
  NotUndelivered,
  /** The backend referred to an unknown call. */
  Unnamed,
  /** The backend used an approval id that another open call has. */
  ForeignApproval,
  /** The backend repeated an approval request that is closed. */
  ClosedApproval,
  /** The backend decided an approval that it never requested. */
  NeverAsked,
  /** The backend sent an event that the call's phase does not allow. */
  Contradiction,
  /** The backend requested approval of a call that a later step or message follows. */
  PastStep,
  /** An event lacks a property that its type requires. */
  Malformed,
  /** The approval's id is reused, and the decision does not name the input that was shown. */
  ReusedApproval,
  /** Content arrived that no request to the server asked for, while a request is about to be sent. */
  Unasked,
  /** Content arrived with no open reply and no message to add it to. */
  NoReply,
  /** A retry of an answer that the backend could take for a decision on a newer approval request. */
  UnsafeRetry,
  /** A user message with the id of another message. */
  KnownMessage,
}

/** The variants of the Rust enum `Input` (src/machine/call/input.rs) that come from the backend: the first ones. */
export const enum BackendInput {
  /** The backend starts the input, or starts it again. */
  InputStart,
  /** The backend adds to the input. */
  InputDelta,
  /** The backend gives the complete input. */
  InputAvailable,
  /** The backend reports that the input is invalid. */
  InputError,
  /** The backend requests approval, with an approval id that is new for this call. */
  Request,
  /** The backend repeats an approval request with the same approval id. */
  RequestAgain,
  /** The backend announces an approval request that it will decide itself. */
  AutomaticRequest,
  /** The backend approves the call itself, or reports an approval made elsewhere. */
  BackendApproved,
  /** The backend denies the call itself, or reports a denial made elsewhere. */
  BackendDenied,
  /** The backend gives a preliminary output: more will follow. */
  Preliminary,
  /** The backend gives the final output. */
  Output,
  /** The backend reports that the call failed. */
  Error,
  /** The backend reports that the call was denied. */
  OutputDenied,
}
