/** `collectApprovals`: lists the decided approvals of a history without running any tool. */
import { readHistory, type ReadApproval } from './read-history.js';
import type { Approval, CollectedApprovals, CollectOptions } from './resolve-types.js';

/**
 * Returns the decided approvals of a history in call order. The history is the AI SDK's `ModelMessage[]` or
 * `UIMessage[]`, or the messages of an Effect prompt. Decisions without a request are ignored. The first decision for a
 * request counts, and the last request for a call. Throws `malformed-messages` for a decision that is neither `true`
 * nor `false`.
 */
export function collectApprovals(
  messages: readonly unknown[],
  { excludeResolved = false }: CollectOptions = {},
): CollectedApprovals {
  const collected: CollectedApprovals = { approved: [], denied: [] };
  const { approvals, noDecision } = readHistory(messages);
  if (noDecision) throw noDecision;
  for (const asked of approvals) {
    const { answer, call } = asked;
    if (!answer || (excludeResolved && call?.resolved)) continue;
    collected[answer.approved ? 'approved' : 'denied'].push(toApproval(asked, answer));
  }
  return collected;
}

function toApproval(
  { approvalId, toolCallId, call }: ReadApproval,
  answer: NonNullable<ReadApproval['answer']>,
): Approval {
  if (!call) return { approvalId, toolCallId, ...answer };
  const { toolName, input, providerExecuted } = call;
  const toolCall = { toolCallId, toolName, input, ...(providerExecuted && { providerExecuted }) };
  return { approvalId, toolCallId, ...answer, toolCall };
}
