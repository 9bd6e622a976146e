/**
 * `tanstack`: TanStack AI. Source: `interrupt-resume.ts`, `utilities/ag-ui-wire.ts` and `activities/chat` of
 * `@tanstack/ai` 0.58, and the requests of `@tanstack/ai-client`.
 *
 * A dialect of AG-UI: a denial's reason is in a payload, requests name the interrupted run, a browser tool's result
 * answers an interrupt, and an interrupt that the app defined is sent back with its payload. Its apps store messages
 * with parts; these can be loaded too.
 */
import { answerText } from './shared/result-texts.js';
import { answerTo, askedOf } from './ag-ui/answers.js';
import { CODEC } from './ag-ui/codec.js';
import { readMessages, runInput } from './ag-ui/messages.js';
import { AG_UI } from './ag-ui/names.js';
import { createReader } from './ag-ui/stream.js';
import type { Content, Message, Schema } from './ag-ui/types.js';
import type { ItemDecision, Entry, RequestContext } from './shared/codec.js';
import type { Fields } from './shared/lane.js';
import type { Merged } from './shared/wire.js';
import type { MessagePart } from '@tanstack/ai';
import type { ResumeEntry } from '@ag-ui/core';
import { asList, isToolCall } from './shared/history.js';
import { makeProtocol } from './shared/make-protocol.js';
import { unanswered } from './shared/stand-ins.js';
import type { Protocol } from '../types/index.js';
import type { AgUiBody, AnyMessage, Typed } from '../types/backends.js';

function resumeOf(decision: ItemDecision, texts: RequestContext['texts']): ResumeEntry[] {
  const { outcome, toolCallId, output, reason } = decision;
  const asked = askedOf(decision);
  if (!asked?.action?.form && (outcome === 'executed' || outcome === 'failed')) {
    return [
      {
        interruptId: `client_tool_${toolCallId}`,
        status: 'resolved',
        payload: outcome === 'failed' ? { error: reason } : output,
      },
    ];
  }
  return answerTo(decision).map((entry) => {
    const payload = entry.payload as { readonly approved?: boolean } | undefined;
    const { metadata, reason: why, message = '', responseSchema } = asked;
    if (payload?.approved === false)
      entry.payload = {
        approved: false,
        ...rejection(responseSchema, reason, answerText(outcome, undefined, texts)),
      };
    const { 'tanstack:interruptBinding': binding, 'tanstack:interruptPayload': given } = metadata ?? {};
    if (!binding?.definitionId) return entry;
    const continuation = { ...binding, reason: why, message, ...(given !== undefined && { payload: given }) };
    return { ...entry, metadata: { 'tanstack:interruptContinuation': continuation } };
  });
}

/**
 * Returns the payload of a rejection. If the tool requires one, a rejection without it would make the server reject all
 * answers of the request.
 */
function rejection(schema: Schema | undefined, reason: string | undefined, text: string) {
  const branch = asList(schema?.oneOf).find((one) => one?.properties?.approved?.const === false);
  const demanded = branch?.properties?.payload;
  if (demanded) return { payload: valueFor(demanded, reason ?? text) };
  // The model reads this in place of the server's own text, so it has to say that the call was denied.
  return reason && { payload: { error: `${text} ${reason}` } };
}

/** Returns a value that matches a schema; strings are the given text. */
function valueFor(schema: Schema | null | undefined, text: string): unknown {
  const { type, properties, required, enum: choices, minimum = 0 }: Schema = schema ?? {};
  if (schema?.const !== undefined) return schema.const;
  if (Array.isArray(choices)) return choices.includes(text) ? text : choices[0];
  const [first] = asList(schema?.oneOf ?? schema?.anyOf);
  if (first) return valueFor(first, text);
  const kind = asList(type)[0] ?? (properties ? 'object' : 'string');
  if (kind === 'object') {
    const wanted = asList(required);
    // An optional reason is included if the schema has a field for it.
    const names = properties?.reason && !wanted.includes('reason') ? [...wanted, 'reason'] : wanted;
    return Object.fromEntries(names.map((name) => [name, valueFor(properties?.[name], text)]));
  }
  const values: Fields = { array: [], boolean: false, null: null, number: minimum, integer: Math.ceil(minimum) };
  return Object.hasOwn(values, kind) ? values[kind] : text;
}

function body(entries: readonly Entry[], context: RequestContext): AgUiBody {
  const resume = [...context.decisions, ...unanswered(entries)].flatMap((decision) =>
    resumeOf(decision, context.texts),
  );
  const parentRunId = (context.metadata?.[AG_UI]?.['runId'] as string | undefined) ?? context.chatId;
  return runInput(entries, context, resume.length ? { resume, parentRunId } : {});
}

/** A message with parts, one of AG-UI, and one that is made of parts, with the results that follow it. */
interface Stored extends Message {
  readonly parts?: readonly (Merged<MessagePart> | null)[];
}
interface Step extends Message {
  readonly content: Content[];
  readonly toolCalls: object[];
  readonly results: Message[];
}

/**
 * Converts a message with parts to AG-UI messages. It may contain several steps, each of which ends with its results.
 */
function toAgUiMessages(message: Stored): Message[] {
  const { id, role, parts } = message ?? {};
  if (!Array.isArray(parts)) return [message];
  const list: (Message & Partial<Step>)[] = [];
  let step: Step | undefined;
  const open = (): Step => {
    if (!step) list.push((step = { id: list.length ? undefined : id, role, content: [], toolCalls: [], results: [] }));
    return step;
  };
  /** Whether the output of a call is in a separate part, after it and before another call with its id. */
  const hasResultPart = (place: number, id: unknown): boolean =>
    parts.slice(place + 1).find((part) => part?.toolCallId === id || (part?.type === 'tool-call' && part.id === id))
      ?.toolCallId !== undefined;
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
      if (output !== undefined && !hasResultPart(place, part.id)) {
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
export const tanstack: Protocol<AgUiBody, Typed, AnyMessage> = makeProtocol({
  ...CODEC,
  name: 'tanstack',
  // The payload of a rejection always has a place for the reason.
  capabilities: { ...CODEC.capabilities, lost: CODEC.capabilities.lost?.filter((loss) => loss !== 'reason') ?? [] },
  createReader: (stream) => createReader(stream),
  read(history: readonly Stored[], context) {
    const entries = readMessages(history.flatMap(toAgUiMessages), context);
    const step = entries.at(-1)?.content.filter(isToolCall) ?? [];
    // If the step waits for approvals, the backend runs its calls that need none.
    if (step.some(({ request, result }) => request && !result))
      for (const call of step) call.providerExecuted ||= !call.request && !call.result;
    return entries;
  },
  body,
});
