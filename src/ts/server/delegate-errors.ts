/**
 * How a tool that waits for the browser ends without a result, and what the model reads then.
 */
import type { ToolErrorResult } from './delegate-types.js';
import { quote } from './resolve-errors.js';

/** The user denied the call: the waiting tool did not run, and must not. */
export class ToolRejectedError extends Error {
  override readonly name = 'ToolRejectedError';
  /** Always `rejected`: to test for, where `instanceof` cannot be used. */
  readonly code = 'rejected';
  readonly toolCallId: string;
  /** Why, in the user's words, where they gave any. */
  readonly reason: string | undefined;

  /** `reason`: in the user's words. */
  constructor(toolCallId: string, reason?: string) {
    super(`the user rejected the tool call ${quote(toolCallId)}${reason ? `: ${reason}` : ''}`);
    this.toolCallId = toolCallId;
    this.reason = reason;
  }
}

/** Nobody answered in time. */
export class ToolTimeoutError extends Error {
  override readonly name = 'ToolTimeoutError';
  /** Always `timed-out`: to test for, where `instanceof` cannot be used. */
  readonly code = 'timed-out';
  readonly toolCallId: string;
  /** How long the tool waited, in ms. */
  readonly timeoutMs: number;

  /** `timeoutMs`: how long the tool waited. */
  constructor(toolCallId: string, timeoutMs: number) {
    super(`nobody answered the tool call ${quote(toolCallId)} within ${timeoutMs} ms`);
    this.toolCallId = toolCallId;
    this.timeoutMs = timeoutMs;
  }
}

/**
 * What the waiting tool returns to the model when it was rejected or timed out. Anything else is thrown again: it is no
 * answer of the user.
 */
export function errorResult(error: unknown): ToolErrorResult {
  if (error instanceof ToolRejectedError) {
    return { success: false, error: error.reason || 'User denied permission', denied: true };
  }
  if (error instanceof ToolTimeoutError) return { success: false, error: error.message, timedOut: true };
  throw error;
}
