/**
 * `tanstack`: TanStack AI. Source: `interrupt-resume.ts`, `utilities/ag-ui-wire.ts` and `activities/chat` of `@tanstack/ai` 0.58, and what
 * `@tanstack/ai-client` sends.
 *
 * AG-UI on the wire, with words of its own: a denial's reason stands in a payload, the run that was interrupted is named, a
 * tool of the browser answers an interrupt, and what an app defined as an interrupt comes back with what it was asked for.
 * Its apps keep messages with parts; these are read too.
 */
import { resultText } from './shared/result-texts.js';
import { agUi } from './ag-ui.js';
import { answerTo, readMessages, runInput } from './ag-ui-messages.js';
import { AG_UI } from './ag-ui-stream.js';
import type { Data, ItemDecision, Entry, RequestContext } from './shared/codec.js';
import { asList, isToolCall } from './shared/history.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';
import { partsOf, type ProtocolParts } from './shared/protocol-value.js';

function resumeOf(decision: ItemDecision, texts: RequestContext['texts']): Data[] {
  const { outcome, toolCallId, output, reason, approval } = decision;
  if (outcome === 'executed' || outcome === 'failed') {
    return [
      {
        interruptId: `client_tool_${toolCallId}`,
        status: 'resolved',
        payload: outcome === 'failed' ? { error: reason } : output,
      },
    ];
  }
  return answerTo(decision).map((entry) => {
    const { payload } = entry;
    const { metadata, reason: why, message = '', responseSchema } = approval[AG_UI];
    if (payload?.approved === false)
      entry.payload = {
        approved: false,
        ...rejection(responseSchema, reason, resultText({ kind: outcome as 'denied' }, texts)),
      };
    const binding = metadata?.['tanstack:interruptBinding'];
    if (!binding?.definitionId) return entry;
    const asked = metadata['tanstack:interruptPayload'];
    const continuation = { ...binding, reason: why, message, ...(asked !== undefined && { payload: asked }) };
    return { ...entry, metadata: { 'tanstack:interruptContinuation': continuation } };
  });
}

/** The payload of a rejection. Where the tool demands one, a rejection without it would have all answers of the request refused. */
function rejection(schema: Data, reason: string | undefined, text: string): Data {
  const branch = asList(schema?.oneOf).find((one) => one?.properties?.approved?.const === false);
  const demanded = branch?.properties?.payload;
  if (demanded) return { payload: fill(demanded, reason ?? text) };
  return reason && { payload: { reason } };
}

/** A value that a schema allows, with the text where it wants one. */
function fill(schema: Data, text: string): Data {
  const { type, properties, required, enum: choices, minimum = 0 } = schema ?? {};
  if (schema?.const !== undefined) return schema.const;
  if (Array.isArray(choices)) return choices.includes(text) ? text : choices[0];
  const [first] = asList(schema?.oneOf ?? schema?.anyOf);
  if (first) return fill(first, text);
  const kind: unknown = asList(type)[0] ?? (properties ? 'object' : 'string');
  if (kind === 'object') {
    const wanted = asList(required);
    // A reason that is not demanded is said all the same, where there is a place for it.
    const names = properties?.reason && !wanted.includes('reason') ? [...wanted, 'reason'] : wanted;
    return Object.fromEntries(names.map((name) => [name, fill(properties?.[name], text)]));
  }
  const values: Data = { array: [], boolean: false, null: null, number: minimum, integer: Math.ceil(minimum) };
  return Object.hasOwn(values, kind as string) ? values[kind as string] : text;
}

function body(entries: readonly Entry[], context: RequestContext): Data {
  const resume = context.decisions.flatMap((decision) => resumeOf(decision, context.texts));
  return runInput(
    entries,
    context,
    resume,
    resume.length && { parentRunId: context.metadata?.[AG_UI]?.runId ?? context.chatId },
  );
}

/** A message with parts as AG-UI's messages: it may hold several steps, each of which ends with its results. */
function plain(message: Data): Data[] {
  const { id, role, parts } = message ?? {};
  if (!Array.isArray(parts)) return [message];
  const list: Data[] = [];
  let step: Data | undefined;
  const open = (): Data => {
    if (!step) list.push((step = { id: list.length ? undefined : id, role, content: [], toolCalls: [], results: [] }));
    return step;
  };
  /** Whether the output of a call comes in a part of its own: behind it, and ahead of another call with its id. */
  const isTold = (place: number, id: unknown): boolean =>
    parts
      .slice(place + 1)
      .find((part: Data) => part?.toolCallId === id || (part?.type === 'tool-call' && part.id === id))?.toolCallId !==
    undefined;
  for (const [place, part] of parts.entries()) {
    const { type, content, toolCallId, output } = part ?? {};
    if (type === 'tool-result') {
      list.push({
        id: part.id,
        role: 'tool',
        toolCallId,
        content,
        ...(part.state === 'error' && { error: part.error ?? content }),
      });
      step = undefined;
    } else if (type === 'thinking') {
      step = undefined;
      list.push({ role: 'reasoning', content, encryptedValue: part.signature });
    } else if (type === 'tool-call') {
      open().toolCalls.push({ id: part.id, function: part, approval: part.approval });
      if (output !== undefined && !isTold(place, part.id)) {
        open().results.push({
          role: 'tool',
          toolCallId: part.id,
          content: output,
          ...(part.state === 'error' && { error: output?.error ?? output }),
        });
      }
    } else {
      open().content.push(type === 'text' ? { type, text: content } : part);
    }
  }
  return list.flatMap(({ results = [], ...rest }) => [rest, ...results]);
}

/** TanStack AI. */
export const tanstack: Protocol = makeProtocol({
  ...(partsOf(agUi) as ProtocolParts).codec,
  name: 'tanstack',
  read(history, context) {
    const entries = readMessages(history.flatMap(plain), context);
    const step = entries.at(-1)?.content.filter(isToolCall) ?? [];
    // What needs no answer waits with what does: it is the backend's to run.
    if (step.some(({ request, result }) => request && !result))
      for (const call of step) call.providerExecuted ||= !call.request && !call.result;
    return entries;
  },
  body,
});
