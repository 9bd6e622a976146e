/**
 * The package's error class and its codes.
 *
 * The errors of a gate are `ToolGateError`s. Programs can compare the `code`, which stays the same in later releases;
 * the message tells a developer what is wrong, and what would be right.
 * The messages of the core's refusals are in gate/error-messages.ts.
 */

/** Why Toolgate refused something. A code never changes its meaning; later releases may add codes. */
export type ToolGateErrorCode =
  /** A gate was created before `await init()`. */
  | 'not-initialized'
  /** The WebAssembly file could not be loaded, or is not valid WebAssembly. */
  | 'load-failed'
  /** No approval request has this id. A tool call id is not an approval id. */
  | 'unknown-approval'
  /** No tool call has this id. */
  | 'unknown-call'
  /** No item of `outgoing()` or `undelivered()` has this id. */
  | 'unknown-outgoing'
  /**
   * The approval was already decided the other way. In `anomaly` events: the backend contradicted a decision, or
   * continued an approved call before the approval was sent.
   */
  | 'already-decided'
  /** The call already has a result, or was denied. */
  | 'already-settled'
  /** The call still waits for the user's decision. */
  | 'approval-pending'
  /**
   * A later message, step, request or edit superseded the approval. In `anomaly` events also: a reply arrived while the
   * next request was ready, but not sent yet.
   */
  | 'superseded'
  /** The call's input is not the input that the user saw. */
  | 'stale-input'
  /** The title, the options or other fields of the request are not those that the user saw. */
  | 'stale-shown'
  /** The backend cannot receive an edited input for this approval. */
  | 'edit-unsupported'
  /** The request requires a choice, such as an answer to a question, and the approval has none. */
  | 'choice-required'
  /** Approvals are pending and `onUserMessage` is `'block'`. */
  | 'message-blocked'
  /**
   * Not possible now: a request is in flight, the call's input or output is still arriving, or the item to retry is not
   * in `undelivered()`. Also thrown if a getter uses the gate while the gate reads its value.
   */
  | 'busy'
  /** The answer may already have arrived, and sending it again could answer a newer request: `cancel()` instead. */
  | 'repeat-unsafe'
  /**
   * A value cannot be saved exactly in a snapshot; the message names its path. In `anomaly` events: the protocol cannot
   * express a request, and the item is `failed`.
   */
  | 'unserializable'
  /** A snapshot is damaged, or has another version. */
  | 'bad-snapshot'
  /** In `anomaly` events: the backend sent an event that its protocol forbids. Thrown: no message has this id. */
  | 'malformed-event'
  /**
   * In `anomaly` events: the backend waits for an answer to a request that Toolgate does not know. The app has to
   * answer it.
   */
  | 'unanswerable-request'
  /** The state machine failed, or the gate was freed. Nothing more is sent. Restore the last saved snapshot. */
  | 'crashed';

/** What Toolgate throws, and what `anomaly` and `crashed` events carry. */
export class ToolGateError extends Error {
  override readonly name = 'ToolGateError';
  /** The reason, for programs. */
  readonly code: ToolGateErrorCode;
  /** The tool call concerned, if there is one. */
  declare readonly toolCallId?: string;
  /** The approval concerned, if there is one. */
  declare readonly approvalId?: string;

  /** `about` names the call and the approval concerned, and the `cause`, if there are any. */
  constructor(
    code: ToolGateErrorCode,
    message: string,
    about?: { toolCallId?: string | undefined; approvalId?: string | undefined; cause?: unknown },
  ) {
    super(message, about && 'cause' in about ? { cause: about.cause } : undefined);
    this.code = code;
    if (about?.toolCallId !== undefined) this.toolCallId = about.toolCallId;
    if (about?.approvalId !== undefined) this.approvalId = about.approvalId;
  }
}
