/**
 * `tanstack`: TanStack AI. Source: `interrupt-resume.ts`, `utilities/ag-ui-wire.ts` and `activities/chat` of `@tanstack/ai` 0.58, and what
 * `@tanstack/ai-client` sends.
 *
 * AG-UI on the wire, with words of its own: a denial's reason stands in a payload, the run that was interrupted is named, a
 * tool of the browser answers an interrupt, and what an app defined as an interrupt comes back with what it was asked for.
 * Its apps keep messages with parts; these are read too.
 */
import { AG_UI, codec as agUi, answerTo, readMessages, runInput } from './ag-ui.js';
import type { Codec, Data, Decision, Entry, RequestContext } from './codec.js';
import { isCall } from './history.js';

function resumeOf(decision: Decision): Data[] {
  const { outcome, toolCallId, output, reason, approval } = decision;
  if (outcome === 'executed' || outcome === 'failed') {
    return [{ interruptId: `client_tool_${toolCallId}`, status: 'resolved', payload: outcome === 'failed' ? { error: reason } : output }];
  }
  return answerTo(decision).map((entry) => {
    const { payload } = entry;
    if (payload?.approved === false && payload.reason) entry.payload = { approved: false, payload: { reason } };
    const { metadata, reason: why, message = '' } = approval[AG_UI];
    const binding = metadata?.['tanstack:interruptBinding'];
    if (!binding?.definitionId) return entry;
    const asked = metadata['tanstack:interruptPayload'];
    const continuation = { ...binding, reason: why, message, ...(asked !== undefined && { payload: asked }) };
    return { ...entry, metadata: { 'tanstack:interruptContinuation': continuation } };
  });
}

function body(entries: readonly Entry[], context: RequestContext): Data {
  const resume = context.decisions.flatMap(resumeOf);
  return runInput(entries, context, resume, resume.length && { parentRunId: context.metadata?.[AG_UI]?.runId ?? context.chatId });
}

/** A message with parts as AG-UI's messages: it may hold several steps, each of which ends with its results. */
function plain(message: Data): Data[] {
  const { id, role, parts } = message;
  if (!parts) return [message];
  const list: Data[] = [];
  let step: Data | undefined;
  const open = (): Data => {
    if (!step) list.push((step = { id: list.length ? undefined : id, role, content: [], toolCalls: [], results: [] }));
    return step;
  };
  for (const part of parts) {
    const { type, content, toolCallId, output } = part;
    if (type === 'tool-result') {
      list.push({ id: part.id, role: 'tool', toolCallId, content, ...(part.state === 'error' && { error: part.error ?? content }) });
      step = undefined;
    } else if (type === 'thinking') {
      step = undefined;
      list.push({ role: 'reasoning', content, encryptedValue: part.signature });
    } else if (type === 'tool-call') {
      open().toolCalls.push({ id: part.id, function: part, approval: part.approval });
      if (output !== undefined && !parts.some((other: Data) => other.toolCallId === part.id)) {
        open().results.push({ role: 'tool', toolCallId: part.id, content: output, ...(part.state === 'error' && { error: output?.error ?? output }) });
      }
    } else {
      open().content.push(type === 'text' ? { type, text: content } : part);
    }
  }
  return list.flatMap(({ results = [], ...rest }) => [rest, ...results]);
}

/** TanStack AI. */
export const codec: Codec = {
  ...agUi,
  read(history, context) {
    const entries = readMessages(history.flatMap(plain), context);
    const step = entries.at(-1)?.content.filter(isCall) ?? [];
    // What needs no answer waits with what does: it is the backend's to run.
    if (step.some(({ request, result }) => request && !result)) for (const call of step) call.providerExecuted ||= !call.request && !call.result;
    return entries;
  },
  body,
};
