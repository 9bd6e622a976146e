/** Finds the approval responses in the messages of a request. Used by the backend's record and by the page's log. */
import { getToolName, isToolUIPart, type UIMessage } from 'ai';
import type { ReceivedDecision } from './record';

/**
 * The decisions that a request delivers: those in its last message. Later requests repeat older decisions as history.
 * Returns an empty list for a body that is not a list of messages.
 */
export function decisionsOf(messages: unknown): ReceivedDecision[] {
  const last = Array.isArray(messages) ? (messages.at(-1) as UIMessage | undefined) : undefined;
  if (!Array.isArray(last?.parts)) return [];
  const decisions: ReceivedDecision[] = [];
  for (const part of last.parts) {
    if (!isToolUIPart(part) || part.state !== 'approval-responded') continue;
    const { id, approved, reason } = part.approval;
    decisions.push({
      approvalId: id,
      toolCallId: part.toolCallId,
      toolName: getToolName(part),
      approved,
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return decisions;
}
