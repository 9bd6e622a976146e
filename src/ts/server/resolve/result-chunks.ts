/** The chunks of the AI SDK's UI message stream for settled calls. */
import type { Decided } from './checks.js';
import { fieldsOf } from './fields.js';
import type { ReadCall, ReadHistory } from './read-history.js';
import type { CallResult, ResolveChunk, ResolveOptions } from './resolve-types.js';
import { agreeing, shownResult } from './written.js';
import { RECEIPT_PART } from '../../evidence/signing.js';
import { DENIED } from '../../tools/error-results.js';

/**
 * Returns the calls that a page can find in its last message. The AI SDK refuses a chunk about another call, and would
 * take a chunk about an id that comes again for the last call with it.
 */
export function shownCalls(messages: readonly unknown[], { calls }: ReadHistory): Set<ReadCall> {
  const user = messages.findLastIndex((message) => fieldsOf(message).role === 'user');
  const last = new Map<unknown, ReadCall>();
  for (const call of calls)
    if (call.form === 'ui' ? call.at === messages.length - 1 : call.at > user) last.set(call.toolCallId, call);
  return new Set(last.values());
}

/**
 * Returns the chunks for a result. If the page has another decision than the record, they begin with the recorded one.
 * `ai` 6 has no chunk for that, and its page cannot show an output beside a denial or a denial beside an approval: a
 * denial becomes an error there, and other results are not sent.
 */
export function chunksOf(
  { approvalId, toolCallId, answer }: Decided,
  result: CallResult,
  options: ResolveOptions,
): ResolveChunk[] {
  const decision = agreeing(answer, result, options);
  const chunks: ResolveChunk[] = [];
  if (options.aiSdk !== 6) {
    // An empty reason replaces the page's.
    const more = { ...(answer.reason && { reason: '' }), ...decision };
    if (decision !== answer) chunks.push({ type: 'tool-approval-response', approvalId, ...more });
  } else if (decision.approved !== answer.approved)
    return decision.approved ? [] : [{ type: 'tool-output-error', toolCallId, errorText: result.reason ?? DENIED }];
  if (result.receipt) chunks.push({ type: RECEIPT_PART, id: toolCallId, data: result.receipt });
  const { state, ...rest } = shownResult(result);
  return [...chunks, { type: `tool-${state}`, toolCallId, ...rest } as ResolveChunk];
}
