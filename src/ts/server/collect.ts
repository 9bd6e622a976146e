/**
 * `collectApprovals`: which approvals of a history are answered, and how. It runs nothing.
 */
import { readHistory, type ReadApproval } from './read-history.js';
import type { Approval, CollectedApprovals, CollectOptions } from './resolve-types.js';

/**
 * The answered approvals of a history, in call order: the AI SDK's `ModelMessage[]` or `UIMessage[]`, or the messages of an
 * Effect prompt. Answers without a request are ignored; of several answers to one request the first counts, of several
 * requests for one call the last. Throws `malformed-messages` for an answer that is neither `true` nor `false`.
 */
export function collectApprovals(
  messages: readonly unknown[],
  { excludeResolved = false }: CollectOptions = {},
): CollectedApprovals {
  const collected: CollectedApprovals = { approved: [], denied: [] };
  for (const asked of readHistory(messages).approvals) {
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
  const toolCall = call && {
    toolCallId,
    toolName: call.toolName,
    input: call.input,
    ...(call.providerExecuted && { providerExecuted: true }),
  };
  return { approvalId, toolCallId, ...answer, ...(toolCall && { toolCall }) };
}
