/**
 * `adk`: the API server of Google's Agent Development Kit: `/run_sse`, and the events of its sessions. Source:
 * `cli/api_server.py`, `events/event.py` and `flows/llm_flows/tools/_confirmation.py` of `google-adk` 2.13.
 *
 * The server stores the history. It requests an approval with a call of `adk_request_confirmation`, whose id is the
 * approval's, and sends a placeholder result for the call itself, before or after the request. All decisions of a step
 * are sent in one message, which contains nothing else; each is a boolean, and the payload that the tool asked for. The
 * app must add `app_name` and `user_id` to each request.
 */
import { resultText } from './shared/result-texts.js';
import type { Calls } from './shared/calls.js';
import { lossyCapabilities, type Call, type CallRequest, type CallResult, type Context } from './shared/codec.js';
import type { Entry, ItemDecision, Part, Reader, RequestContext, StreamContext } from './shared/codec.js';
import type { Fields } from './shared/lane.js';
import { ReplyWriter, STAND_IN } from './shared/reply-writer.js';
import { customPart, parse as parsePart, signatureFields, writePart, type WirePart } from './gemini/parts.js';
import { asList, objectInput, conversationOf, textOf } from './shared/history.js';
import { readHistory, writeHistory, type HistoryFormat } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Wire } from './shared/wire.js';
import type { FunctionCall, FunctionResponse } from '@google/genai';
import type { Protocol } from '../types/index.js';
import type { AdkBody, AdkEvent } from '../types/backends.js';

/** A part of Gemini's, with the author of its event while a history is read. */
type AdkPart = WirePart & { readonly author?: unknown };

/** `Event` of `events/event.py`, or `{ error }`, which the API server sends when a run fails. */
interface WireEvent {
  readonly error?: unknown;
  readonly author?: unknown;
  readonly content?: { readonly parts?: readonly AdkPart[] };
  readonly partial?: boolean;
  readonly finishReason?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly actions?: { readonly requestedToolConfirmations?: Readonly<Record<string, unknown>> };
}

/** The arguments of a call that requests a confirmation: `tools/tool_confirmation.py`. */
interface Request {
  readonly originalFunctionCall: Wire<FunctionCall>;
  readonly toolConfirmation?: { readonly hint?: string; readonly payload?: unknown };
}
type Decision = ItemDecision<{ readonly adk?: Request['toolConfirmation'] } | undefined>;

const CONFIRM = 'adk_request_confirmation';

/** The text that ADK writes for a denied call. */
const REJECTED = 'This tool call is rejected.';

/** The beginning of the text that ADK writes for a call that waits for its confirmation. */
const WAITING = /^This tool call requires confirmation/;

function createReader(stream: StreamContext): Reader<WireEvent> {
  const writer = new ReplyWriter(stream, { isDenialAnOutput: true, stepEndsWithResults: true });
  /** Whether the message arrived in chunks; if so, the complete message follows, and its texts are ignored. */
  let hasChunks = false;
  let texts = 0;
  const readPart = (part: AdkPart, event: WireEvent): void => {
    const {
      text,
      thought,
      functionCall: call,
      functionResponse: answer,
      inlineData: inline,
      fileData: file = inline,
    } = part;
    const providerMetadata = { adk: { author: event.author } };
    // A confirmation request belongs to an existing call, possibly of an earlier reply, so it opens no step.
    if (call?.name === CONFIRM) {
      const { originalFunctionCall: about, toolConfirmation: adk } = requestIn(call);
      const more = adk?.hint && { requestReason: adk.hint };
      const asked = { toolName: about.name, input: about.args };
      if (!hasForm(adk)) return void writer.ask(call.id, { toolCallId: about.id, ...asked }, { ...more, adk });
      // The tool expects a payload from the user, who fills in the one that it sent: it is shown as an input of its
      // own.
      writer.update(about.id, { ...asked, more: { providerExecuted: true } });
      const form = { toolCallId: call.id, toolName: about.name, input: adk?.payload, more: STAND_IN };
      return void writer.ask(call.id, form, { ...more, adk: { ...adk, isForm: true } });
    }
    if (answer) {
      if (!isPlaceholder(answer, event)) readResult(answer);
      return undefined;
    }
    if (text !== undefined && typeof text !== 'string') throw new TypeError('`text` must be a string');
    if (call !== undefined && typeof call?.name !== 'string') throw new TypeError('expected a call with a name');
    if (text !== undefined) {
      if (!text || (hasChunks && !event.partial)) return undefined;
      const id = `${thought ? 'thought' : 'text'}-${texts}`;
      if (!writer.isOpen(id)) writer.endText(undefined, providerMetadata);
      writer.textDelta(id, text, thought ? 'reasoning' : 'text');
    } else if (event.partial) return undefined;
    else if (call) writer.call(call.id || stream.newId(), call.name, call.args ?? {}, { providerMetadata });
    else if (file)
      writer.content({
        type: 'file',
        mediaType: file.mimeType,
        url: file.fileUri ?? `data:${file.mimeType};base64,${file.data}`,
      });
    else writer.content(customPart(part));
  };
  const readResult = ({ id, response }: Wire<FunctionResponse>): void => {
    const { value, failed } = valueOrError(response);
    if (failed && WAITING.test(value as string)) return;
    // The result of a denied call only confirms that: a tool with its own approval logic may not use ADK's text.
    if (!failed || value !== REJECTED) writer.result(id, value, failed);
    else if (!writer.confirmDecision(id)) writer.emit({ type: 'tool-output-denied', toolCallId: id });
  };
  return (given) => {
    const event = eventOf(given);
    const { content, author, partial, finishReason, error = event.errorMessage ?? event.errorCode } = event;
    if (!error && !author) return false;
    writer.each(content?.parts, (part) => readPart(part, event));
    if (content && !partial) {
      writer.endText(undefined, { adk: { author } });
      texts++;
    }
    if (content) hasChunks = Boolean(partial);
    if (error) writer.failReply(error);
    else writer.cutOff(finishReasonOf(finishReason));
    return true;
  };
}

/** Whether a confirmation has a payload for the user to fill in. */
const hasForm = (confirmation: Request['toolConfirmation']): boolean =>
  typeof confirmation?.payload === 'object' && confirmation.payload !== null;

/** Returns an object with the names of its fields as the API server writes them, and any other value unchanged. */
function renamed<T>(given: T): T {
  if (typeof given !== 'object' || given === null) return given;
  const nameOf = (name: string): string => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [nameOf(name), value])) as T;
}

/** Reads an event that a server wrote with the names of Python. */
function eventOf(given: WireEvent): WireEvent {
  const event = renamed(given);
  const { content, actions } = event;
  const partOf = (given: AdkPart): AdkPart => {
    const part = renamed(given);
    const call = part?.functionCall;
    return call?.name === CONFIRM ? { ...part, functionCall: { ...call, args: renamed(call.args) } } : part;
  };
  return {
    ...event,
    ...(Array.isArray(content?.parts) && { content: { ...content, parts: content.parts.map(partOf) } }),
    ...(actions && { actions: renamed(actions) }),
  };
}

/** Returns the approval request for a call of `adk_request_confirmation`. */
function requestOf(call: Wire<FunctionCall>): CallRequest {
  const { originalFunctionCall: about, toolConfirmation: adk } = requestIn(call);
  const more = { ...(adk?.hint && { requestReason: adk.hint }), adk };
  return { type: 'tool-approval-request', approvalId: call.id as string, toolCallId: about.id, ...more };
}

const requestIn = ({ args }: Wire<FunctionCall>): Request => args as unknown as Request;

/** Whether a response only says that the call waits for the user. */
const isPlaceholder = ({ id }: Wire<FunctionResponse>, { actions }: WireEvent): boolean =>
  actions?.requestedToolConfirmations?.[textOf(id)] !== undefined;

/** Returns the value of a response and whether it is an error. */
function valueOrError(response: Wire<FunctionResponse>['response']): { value: unknown; failed: boolean } {
  const [key, ...more] = Object.keys(response ?? {});
  const failed = key === 'error' && typeof response?.['error'] === 'string' && !more.length;
  const isWrapped = failed || (key === 'result' && !more.length);
  return { value: isWrapped ? response?.[key as string] : (response ?? null), failed };
}

/** The events of a new session. ADK rejects its own confirmation calls there, so waiting calls are omitted. */
const EVENTS: HistoryFormat<object, object> = {
  message: (role, parts, { entry }) => ({
    author: entry.role === 'assistant' ? authorOf(entry) : 'user',
    content: { role: role === 'assistant' ? 'model' : 'user', parts },
  }),
  call(call, result, id, { context }) {
    const head = { id, name: call.toolName };
    return [
      [{ functionCall: { ...head, args: objectInput(call, context) }, ...signatureFields(call) }],
      [{ functionResponse: { ...head, response: responseOf(call, result) } }],
    ];
  },
  part: writePart,
};

function events(entries: readonly Entry[], context: Context): object[] {
  if (entries.some(({ role }) => role === 'system')) context.reportLoss('system');
  return writeHistory(entries, context, EVENTS);
}

/** Returns the agent that wrote the message. ADK presents an agent's messages to other agents as quotations. */
const authorOf = ({ content }: Entry): string =>
  content.map(({ providerOptions }) => providerOptions?.['adk']?.author).find((author) => typeof author === 'string') ??
  'model';

function responseOf({ response, result }: Call, { kind, text, value, failed }: CallResult) {
  if (kind === 'denied' && !result?.providerOptions?.['toolgate'])
    return { error: [REJECTED, response?.reason].filter(Boolean).join(' ') };
  return failed || kind !== 'executed' ? { error: text } : wrap(value);
}

/** Returns an output as ADK stores it: values that are not objects are wrapped in one. */
const wrap = (output: unknown) =>
  (typeof output === 'object' && output && !Array.isArray(output) ? output : { result: output ?? null }) as Fields;

/** Returns the role of an event, and its parts that belong to the conversation. */
function partsOf(given: WireEvent): [Entry['role'], readonly AdkPart[]] {
  const { author, content, partial, ...event } = eventOf(given);
  if (typeof author !== 'string' || typeof (content ?? {}) !== 'object')
    throw new TypeError('expected an event with an author');
  const parts = partial ? [] : asList(content?.parts);
  const said = parts.filter((part) => !part?.functionResponse || !isPlaceholder(part.functionResponse, event));
  // A user event without content counts as the assistant's: an empty user message would be reported as a repair.
  return [author === 'user' && said.length ? 'user' : 'assistant', said.map((part) => ({ ...part, author }))];
}

function parse({ author, ...part }: AdkPart, calls: Calls, texts: Context['texts']) {
  const { functionCall: call, functionResponse: answer } = part;
  if (call?.name === CONFIRM) {
    const request = requestOf(call);
    const asked = calls.withoutRequest(request['toolCallId'] as string);
    if (asked) asked.request = request;
    return asked ? undefined : null;
  }
  if (answer?.name === CONFIRM) {
    const asked = calls.firstWithout('response', ({ request }) => request?.approvalId === answer.id);
    if (asked) asked.response = { type: '', approved: confirmed(answer.response ?? {}) };
    return asked ? undefined : null;
  }
  if (answer) {
    const { value, failed } = valueOrError(answer.response);
    const isDenial = failed && `${value} `.startsWith(`${REJECTED} `);
    if (failed && WAITING.test(value as string)) return undefined;
    return {
      answers: answer.id,
      name: answer.name,
      value: isDenial
        ? resultText({ kind: 'denied', reason: (value as string).slice(REJECTED.length + 1) }, texts)
        : value,
      failed,
    };
  }
  const { providerOptions, ...read } = parsePart(part, calls.size) as Part;
  return {
    ...read,
    providerOptions: author === 'user' ? providerOptions : { ...providerOptions, adk: { author } },
  } as Part;
}

/** Returns the decision of a confirmation; some clients wrap it in JSON text. Throws if it is not a boolean. */
function confirmed(answer: Record<string, unknown>): boolean {
  const { response, confirmed: given } = answer;
  const isConfirmed = response === undefined ? given : (JSON.parse(response as string) as typeof answer)['confirmed'];
  if (typeof isConfirmed !== 'boolean') throw new TypeError('a confirmation must be true or false');
  return isConfirmed;
}

function body(_entries: readonly Entry[], context: RequestContext): AdkBody {
  const { newMessages, decisions, chatId: session_id } = context;
  // ADK rejects text in a message with function responses.
  const answers = decisions.map((decision) => ({ functionResponse: answerTo(decision as Decision, context) }));
  const said = newMessages.flatMap(({ content }) => content.flatMap((part) => writePart(part) ?? []));
  return { session_id, new_message: { role: 'user', parts: answers.length ? answers : said }, streaming: true };
}

function answerTo(
  { approvalId, approval, toolCallId, toolName: name, outcome, reason, output, editedInput }: Decision,
  context: Context,
): FunctionResponse {
  if (outcome === 'executed') return { id: toolCallId, name, response: wrap(output) };
  if (outcome === 'failed') return { id: toolCallId, name, response: { error: reason } };
  if (reason !== undefined) context.reportLoss('reason', toolCallId);
  const isConfirmed = outcome === 'approved';
  const payload = isConfirmed && hasForm(approval?.adk) ? (editedInput ?? approval?.adk?.payload) : undefined;
  return {
    id: approvalId,
    name: CONFIRM,
    response: { confirmed: isConfirmed, ...(payload !== undefined && { payload }) },
  };
}

/** Google's Agent Development Kit. */
export const adk: Protocol<AdkBody, AdkEvent, AdkEvent> = makeProtocol({
  name: 'adk',
  capabilities: {
    ...lossyCapabilities('approval pending input system custom file content reason'),
    reason: false,
    editedInput: true,
    history: 'server',
    // A run that ends with its connection stores no result of its step: the answers run the tools again.
    repeat: 'unknown',
  },
  acceptsEdit: ({ adk: asked }) => asked?.isForm === true,
  answersBeforeMessages: true,
  createReader,
  write: (entries, context) => events(conversationOf(entries, context), context),
  read: (history: readonly WireEvent[], context) =>
    readHistory(history, context, partsOf, (part, calls) => parse(part, calls, context.texts)),
  body,
});
