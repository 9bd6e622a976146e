/** Decisions that another client or the backend made, and requests that were withdrawn without one. */
import type { ReplyChunk } from '../../types/protocol-definition.js';
import type { Data } from './codec.js';
import type { ReplyWriter } from './reply-writer.js';

/**
 * Reports that a call was approved or denied elsewhere. `call`: the call as it is shown. Without a request, the backend
 * decided by itself. Does nothing for a call that is decided. Returns whether this decision denies the call.
 */
export function reportDecision(
  writer: ReplyWriter,
  call: Data,
  toolCallId: string,
  approved: boolean,
  reason?: Data,
): boolean {
  const { approval, outcome } = call ?? {};
  const isDecided = outcome !== undefined || approval?.approved !== undefined;
  if (isDecided || (!approval && approved)) return false;
  const approvalId = approval?.id ?? toolCallId;
  if (!approval) writer.emit({ type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true });
  const more = typeof reason === 'string' && { reason };
  writer.emit({ type: 'tool-approval-response', approvalId, approved, ...more });
  if (!approved) writer.emit({ type: 'tool-output-denied', toolCallId });
  return !approved;
}

/**
 * Emits a request, and with it the update of its call's input, if there is one. The input of a decision that was sent
 * stays, so the update then follows the request, which replaces that decision. `call`: the call as it is shown.
 */
export function emitRequest(writer: ReplyWriter, call: Data, request: ReplyChunk, update?: ReplyChunk): void {
  const isSent = call?.approval?.approved !== undefined && !/^(held|ready)$/.test(call.delivery);
  const chunks = isSent ? [request, update] : [update, request];
  for (const chunk of chunks) if (chunk) writer.emit(chunk);
}

/**
 * Reports that the backend no longer asks about a call, and does not say what was decided. The call then waits for the
 * backend. Does nothing for a call that is decided. Returns whether the request was withdrawn.
 */
export function withdrawRequest(writer: ReplyWriter, call: Data): boolean {
  if (call?.state !== 'approval-requested') return false;
  writer.emit({ type: 'tool-approval-withdrawn', approvalId: call.approval.id });
  return true;
}
