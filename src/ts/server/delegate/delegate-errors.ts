/** The errors of `ToolDelegate` and of its tools, and the results that the model reads for them. */
import type { ToolErrorResult } from './delegate-types.js';
import { quoted } from '../../json/quoted.js';

/** The error codes of `ToolDelegate`. The meaning of a code does not change; later versions may add codes. */
export type DelegateErrorCode =
  /** An answer has no call id. */
  | 'missing-call-id'
  /** An answer has the id of a call that is neither awaited nor announced. */
  | 'unknown-call'
  /** An answer approves without a result. */
  | 'missing-result'
  /** An answer is not valid, or ambiguous. */
  | 'malformed-answer'
  /** The call is answered already. */
  | 'already-answered'
  /** The call timed out or was aborted before the answer arrived. */
  | 'too-late'
  /** The call is awaited already. */
  | 'already-waiting'
  /** The delegate is closed and accepts no answers. */
  | 'closed';

/** An error of `ToolDelegate`. */
export class DelegateError extends Error {
  override readonly name = 'DelegateError';
  /** The stable error code. */
  readonly code: DelegateErrorCode;
  /** The id of the tool call, if the error refers to one. */
  readonly toolCallId: string | undefined;

  /** `toolCallId`: the call that the error refers to. */
  constructor(code: DelegateErrorCode, message: string, toolCallId?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.toolCallId = toolCallId;
  }
}

/** The user denied the call. The tool did not run, and must not run. */
export class ToolRejectedError extends Error {
  override readonly name = 'ToolRejectedError';
  /** Always `rejected`. Use it where `instanceof` does not work. */
  readonly code = 'rejected';
  readonly toolCallId: string;
  /** The user's reason, if there is one. */
  readonly reason: string | undefined;

  /** `reason`: the user's reason. */
  constructor(toolCallId: string, reason?: string) {
    super(`The user rejected tool call ${quoted(toolCallId)}${reason ? `: ${reason}` : ''}`);
    this.toolCallId = toolCallId;
    this.reason = reason;
  }
}

/** The call was not answered in time. */
export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';
  /** Always `timed-out`. Use it where `instanceof` does not work. */
  readonly code = 'timed-out';
  readonly toolCallId: string;
  /** The timeout in ms. */
  readonly timeoutMs: number;

  /** `timeoutMs`: the timeout in ms. */
  constructor(toolCallId: string, timeoutMs: number) {
    super(`No answer to tool call ${quoted(toolCallId)} within ${timeoutMs} ms`);
    this.toolCallId = toolCallId;
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Returns the result that the model reads for a rejected or timed-out call. Throws any other error again, because it
 * means neither.
 */
export function errorResult(error: unknown): ToolErrorResult {
  if (error instanceof ToolRejectedError) {
    return { success: false, error: error.reason || 'User denied permission', denied: true };
  }
  if (error instanceof ToolTimeoutError) return { success: false, error: error.message, timedOut: true };
  throw error;
}
