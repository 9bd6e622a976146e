/** Stores the approval requests of a model's step in a record. */
import { logError } from '../report.js';
import { fieldsOf } from '../resolve/fields.js';
import type { ApprovalRecord, RequestedCall } from '../resolve/resolve-types.js';

/**
 * Returns an `onStepFinish` for the AI SDK's `streamText` and `generateText`, which stores each approval request of the
 * step in the record. `turn`: see {@link RequestedCall}. The reply ends after it, so the record has each request before
 * the page can answer it. Errors of the record are written to the console, because the AI SDK ignores them.
 */
export function recordRequests(
  record: Pick<ApprovalRecord, 'request'>,
  turn?: string,
): (step: { readonly content: readonly object[] }) => Promise<void> {
  return async ({ content }) => {
    for (const part of content) {
      const { type, approvalId, toolCall } = fieldsOf(part);
      if (type !== 'tool-approval-request') continue;
      const { toolCallId, toolName, input } = fieldsOf(toolCall);
      const call = { approvalId, toolCallId, toolName, input, ...(turn !== undefined && { turn }) };
      try {
        await record.request(call as RequestedCall);
      } catch (error) {
        logError(error);
        throw error;
      }
    }
  };
}
