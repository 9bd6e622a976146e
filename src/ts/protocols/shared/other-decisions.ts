/** Decisions that another client or the backend made, and requests that were withdrawn without one. */
import type { GateMessage, ToolPart } from '../../types/index.js';
import type { ReplyChunk } from '../../types/protocol-definition.js';
import type { Connection } from './codec.js';
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

/**
 * Reports that the backend no longer asks about a call, and does not say what was decided. The call then waits for the
 * backend. Does nothing for a call that is decided. With the id of the request that is taken back, a decision that was
 * not sent is dropped; one that failed stays, because another request about the call would get it.
 */
export function withdrawRequest(
  writer: ReplyWriter,
  toolCallId: string,
  request?: string,
  states = request === undefined ? /-requested / : /-requested | (ready|held)$/,
): void {
  const { state, delivery, approval } = writer.shown(toolCallId) ?? {};
  if (approval && states.test(`${state} ${delivery}`))
    writer.emit({ type: 'tool-approval-withdrawn', approvalId: request ?? approval.id });
}

/** The number of the connection at the end of an approval id. */
const NUMBER = /@(\d+)$/;

/** Returns the approval id of a request, which differs for each connection. */
export const approvalIdIn = ({ number }: Connection, request: string): string =>
  number ? `${request}@${number}` : request;

/**
 * Returns the chunks that withdraw what an ended connection asked (`Codec.leaveConnection`). A decision that was not
 * sent is dropped: if its request is listed again, the user is asked again.
 */
export function withdrawAll(messages: readonly GateMessage[], connection: Connection): readonly ReplyChunk[] {
  const calls = messages.flatMap(({ parts }) => parts as readonly Partial<ToolPart>[]);
  const numbers = calls.map(({ approval }) => Number(NUMBER.exec(`${approval?.id}`)?.[1] ?? 0));
  connection.number = Math.max(connection.number, ...numbers) + 1;
  return calls.flatMap(({ approval, delivery, state }) => {
    const isOpen = state === 'approval-requested' || (delivery !== undefined && delivery !== 'acknowledged');
    // The page's own requests are not the connection's.
    const isAsked = approval && !approval.isLocal && isOpen;
    return isAsked ? { type: 'tool-approval-withdrawn', approvalId: approval.id } : [];
  });
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
    if (call.toolCallId !== toolCallId && hasId(call))
      withdrawRequest(writer, call.toolCallId, undefined, /^approval-/);
}
