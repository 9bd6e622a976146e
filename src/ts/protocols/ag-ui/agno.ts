/**
 * The requests to an agent of Agno behind the AG-UI interface of its AgentOS. Source: `os/interfaces/agui` of `agno`
 * 3.1.
 *
 * A run that pauses ends without an interrupt, with calls that have no result. The next request answers them with tool
 * messages, whose content is `{ accepted, note }`. The server stores the history, and reads only the last user message,
 * or the tool messages at the end.
 */
import { runInput, type RunInput, type Written } from './messages.js';
import type { Entry, ItemDecision, RequestContext } from '../shared/codec.js';
import { textOf } from '../shared/history.js';
import { answerText } from '../shared/result-texts.js';

/** Returns the tool message that answers a call. */
function answer(decision: ItemDecision, texts: RequestContext['texts']): Written {
  const { toolCallId, outcome, output, reason } = decision;
  const head: Written = { id: `answer-${toolCallId}`, role: 'tool', toolCallId };
  const message = (content: string, more: Partial<Written> = {}): Written => ({ ...head, content, ...more });
  if (outcome === 'executed') return message(textOf(output));
  if (outcome === 'failed') return message(reason ?? '', { error: reason ?? 'failed' });
  const accepted = outcome === 'approved';
  const note = accepted ? undefined : outcome === 'denied' ? reason : answerText(outcome, reason, texts);
  return message(JSON.stringify({ accepted, ...(note && { note }) }));
}

/** Returns a `RunAgentInput` for Agno. */
export function agnoInput(entries: readonly Entry[], context: RequestContext): RunInput {
  const input = runInput(entries, context, {});
  const { decisions, texts } = context;
  const ids: unknown[] = decisions.map(({ toolCallId }) => toolCallId);
  const others = input.messages.filter(({ toolCallId }) => !ids.includes(toolCallId));
  return { ...input, messages: [...others, ...decisions.map((decision) => answer(decision, texts))] };
}
