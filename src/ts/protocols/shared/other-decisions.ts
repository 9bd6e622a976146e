/** Decisions that another client or the backend made, and requests that were withdrawn without one. */
import type { ReplyWriter } from './reply-writer.js';

/**
 * Reports that a call was approved or denied by another client or by the backend. Without a request, the backend
 * decided by itself. Does nothing for a call that is decided. Returns whether this decision denies the call.
 */
export function reportDecision(writer: ReplyWriter, toolCallId: string, approved: boolean, reason?: unknown): boolean {
  const { approval, outcome } = writer.shown(toolCallId) ?? {};
  if (outcome !== undefined || approval?.approved !== undefined || (!approval && approved)) return false;
  const approvalId = approval?.id ?? toolCallId;
  if (!approval) writer.emit({ type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true });
  const more = typeof reason === 'string' && { reason };
  writer.emit({ type: 'tool-approval-response', approvalId, approved, ...more });
  if (!approved) writer.emit({ type: 'tool-output-denied', toolCallId });
  return !approved;
}

/** A call that waits for the user, or whose decision was not sent and did not fail. */
const UNSENT = /-requested | (ready|held)$/;

/**
 * Reports that the backend takes this request about a call back. A decision that was not sent is dropped. One that
 * failed stays: another request about the call would get it.
 */
export function takeBackRequest(writer: ReplyWriter, toolCallId: string, request: string): void {
  withdrawRequest(writer, toolCallId, UNSENT, request);
}

/**
 * Reports that the backend no longer asks about a call, and does not say what was decided. The call then waits for the
 * backend. Does nothing for a call that is decided, or in another of the states.
 */
export function withdrawRequest(
  writer: ReplyWriter,
  toolCallId: string,
  states = /-requested /,
  request?: string,
): void {
  const { state, delivery, approval } = writer.shown(toolCallId) ?? {};
  if (approval && states.test(`${state} ${delivery}`))
    writer.emit({ type: 'tool-approval-withdrawn', approvalId: request ?? approval.id });
}

/**
 * Withdraws the requests of other calls with the id of a new request. A connection counts its ids from 0, so these are
 * requests of an earlier one: an answer to them would answer the new request.
 */
export function withdrawEarlier<C extends { readonly toolCallId: string }>(
  writer: ReplyWriter,
  calls: readonly C[],
  toolCallId: string,
  hasId: (call: C) => boolean,
): void {
  for (const call of calls)
    if (call.toolCallId !== toolCallId && hasId(call)) withdrawRequest(writer, call.toolCallId, /^approval-/);
}
