/**
 * The one error class of the package, and its codes.
 *
 * Whatever Toolgate refuses is a `ToolGateError` with a stable `code` to test for and a message for people that says
 * what would have been right. The sentences stand in refusals.ts. Nothing here decides when to refuse.
 */

/** The reasons for which Toolgate refuses something. A code keeps its meaning; new ones may be added. */
export type ToolGateErrorCode =
  /** A gate was made before `await init()`. */
  | 'not-initialized'
  /** The WebAssembly file could not be read, or is no WebAssembly. */
  | 'load-failed'
  /** No approval request has this id. A tool call id is not an approval id. */
  | 'unknown-approval'
  /** No tool call has this id. */
  | 'unknown-call'
  /** No outgoing item has this id. */
  | 'unknown-outgoing'
  /** The approval has its one decision, and it is the opposite one. */
  | 'already-decided'
  /** The call has its result, or was denied; nothing may change it. */
  | 'already-settled'
  /** The call still waits for the user's answer. */
  | 'approval-pending'
  /** A later message, step or edit closed the approval. */
  | 'superseded'
  /** The call's input is not the one that the user was shown. */
  | 'stale-input'
  /** The backend has no way to receive an edited input. */
  | 'edit-unsupported'
  /** Approvals are pending and `onUserMessage` is `'block'`. */
  | 'message-blocked'
  /** A request is on its way, and this has to wait for its end. Or the gate is reading a value whose getter uses it. */
  | 'busy'
  /**
   * A value has no exact form in a snapshot; the message names its path. In `anomaly` events: a request could not be
   * written in the protocol's form; the item is `failed`.
   */
  | 'repeat-unsafe'
  | 'unserializable'
  /** A snapshot is damaged, or of another version. */
  | 'bad-snapshot'
  /** The backend sent an event that its protocol does not allow: in `anomaly` events. Thrown for a message id that is not there. */
  | 'malformed-event'
  /**
   * The state machine failed, or the gate was freed: it sends nothing more. The last saved snapshot can be restored.
   */
  | 'crashed';

/** What Toolgate throws, and what `anomaly` and `crashed` events carry. */
export class ToolGateError extends Error {
  override readonly name = 'ToolGateError';
  /** What was refused, to test for. */
  readonly code: ToolGateErrorCode;
  /** The tool call in question, if there is one. */
  declare readonly toolCallId?: string;
  /** The approval in question, if there is one. */
  declare readonly approvalId?: string;

  /** `about` names the call and the approval in question, and the `cause`, where there is one. */
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

/** What a getter, proxy or `toJSON` gets that uses the gate which reads it. @internal */
export function atWork(): ToolGateError {
  return new ToolGateError(
    'busy',
    'the gate is reading a value: a getter, a proxy or a toJSON of that value must not use the same gate',
  );
}
