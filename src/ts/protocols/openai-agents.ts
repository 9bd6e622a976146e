/**
 * `openai-agents`: an app's server with the OpenAI Agents SDK. Source: `events.ts`, `items.ts` and `types/protocol.ts`
 * of `@openai/agents-core` 0.20. The SDK runs on the server and defines no wire format; this protocol defines a minimal
 * one.
 *
 * The reply consists of the run's events, each written by `JSON.stringify`: `run_item_stream_event`, and
 * `raw_model_stream_event` for texts that stream. Plain run items, `{ interruptions }` of a run that does not stream,
 * `{ type: 'error', message }` for a failed run, and the names of the SDK in Python are accepted too. The server stores
 * the `RunState` of each chat and receives either `{ chatId, input }`, the user's new items, to be appended to its
 * history; or `{ chatId, decisions }`, one `{ callId, approve, message? }` per interruption, for `state.approve(item)`
 * or `state.reject(item, { message })`, and `run(agent, state)`.
 */
import { answerText } from './shared/result-texts.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type ItemDecision,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, fileOf, objectInput, textIn, textOf, valueOf } from './shared/history.js';
import {
  readHistory,
  writeEntries,
  writeHistory,
  type CallAnswer,
  type HistoryFormat,
} from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { itemOf, modelEventOf, type Item, type ApiItem, type ModelEvent } from './openai-agents/python.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Wire } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { OpenAiAgentsBody, ResponsesItem, Typed } from '../types/backends.js';

/** The SDK's text for the model about a call that was rejected without a message. */
const REJECTED = 'Tool execution was not approved.';

/** An item of a run. Reading one without the item of the model that it should have throws. */
interface RunItem {
  readonly type: string;
  readonly raw_item: ApiItem;
  readonly rawItem?: Item;
  readonly executionStatus?: string;
}

/** What the server may send. */
interface Event extends RunItem {
  readonly data: ModelEvent & Parameters<typeof modelEventOf>[0];
  readonly item?: RunItem;
  readonly interruptions?: readonly RunItem[];
  readonly message?: unknown;
  readonly error?: unknown;
}

function createReader(stream: StreamContext): Reader<Event> {
  const { calls } = stream;
  const writer = new ReplyWriter(stream, { stepEndsWithResults: true });
  /** The calls of this reply without a result. */
  const open = new Set<string>();
  /** Whether the text of this response arrived in deltas. */
  let hasDeltas = false;
  /** Whether the model sent content in this reply: before that, settled calls may be announced again. */
  let hasContent = false;
  const isKnown = (id: string, item: Item): boolean => {
    if (open.has(id)) return true;
    const shown = calls().findLast(({ toolCallId }) => toolCallId === id);
    if (!shown || !shown.outcome) return shown !== undefined;
    return !hasContent && shown.toolName === nameOf(item) && textOf(shown.input) === textOf(inputOf(item));
  };
  const call = (item: Item): string => {
    const id = idOf(item);
    if (typeof id !== 'string') throw new TypeError('expected a call with an id');
    if (isKnown(id, item)) return id;
    hasContent = true;
    writer.call(id, nameOf(item), inputOf(item), hosted(item));
    open.add(id);
    return id;
  };
  const answer = (id: string, item: Item, status?: string): void => {
    const value = outputOf(item);
    open.delete(id);
    if (status !== 'executed' && writer.confirmDecision(id)) return;
    if (status === undefined && value === REJECTED) writer.emit({ type: 'tool-output-denied', toolCallId: id });
    else writer.result(id, value, false, hosted(item));
  };
  const readItem = ({ type, raw_item: raw, rawItem: item = raw && itemOf(raw), executionStatus }: RunItem): boolean => {
    if (/^(message_output|reasoning)_item$/.test(type)) hasContent = true;
    if (type === 'message_output_item') {
      if (!hasDeltas)
        writer.each(item.content as readonly Item[], ({ text, refusal }) => writer.textDelta('text', text ?? refusal));
      writer.endText();
      hasDeltas = false;
    } else if (type === 'reasoning_item') {
      writer.textDelta('reasoning', thoughtOf(item), 'reasoning');
      writer.endText('reasoning', signed(item));
    } else if (type === 'tool_approval_item') {
      const toolCallId = call(item);
      writer.ask(toolCallId, { toolCallId });
    } else if (/^(tool|handoff)_call_item$/.test(type)) {
      if (item.name === 'mcp_approval_response') return true;
      const id = call(item);
      if (item.output !== undefined) answer(id, item, 'executed');
    } else if (/^(tool_call|handoff)_output_item$/.test(type)) answer(idOf(item) as string, item, executionStatus);
    else if (typeof item?.type === 'string')
      writer.content({ type: 'custom', kind: `openai-agents.${item.type}`, ...itemMetadata(item) });
    else return false;
    return true;
  };
  const readModelEvent = ({ type, delta, response }: ModelEvent): void => {
    if (type === 'response_started') {
      writer.endStep();
      hasDeltas = false;
      hasContent = true;
    } else if (type === 'output_text_delta') {
      hasDeltas = true;
      writer.textDelta('text', delta as string);
    } else if (type === 'response_done')
      writer.cutOff(finishReasonOf(response?.providerData?.incomplete_details?.reason));
  };
  return (event) => {
    const { type, data, item = event, interruptions } = event;
    if (type === 'raw_model_stream_event') readModelEvent(data);
    else if (type === 'raw_response_event') readModelEvent(modelEventOf(data));
    else if (type === 'error') {
      const message = event.message ?? event.error;
      writer.failReply(
        message,
        /MaxTurnsExceeded/.test(message instanceof Error ? String(message) : textOf(message))
          ? 'step-limit'
          : undefined,
      );
    } else if (interruptions) writer.each(interruptions, readItem);
    else return type === 'agent_updated_stream_event' || readItem(item);
    return true;
  };
}

/** Returns the id that the SDK uses to find a decision. */
const idOf = ({ callId, id, providerData: own }: Item): string | undefined =>
  own?.approval_request_id ?? callId ?? id ?? own?.itemId ?? own?.id;

const nameOf = ({ name, type, providerData: own }: Item): string | undefined =>
  name === 'mcp_approval_request' ? own?.name : (name ?? type);

/** Returns the input of a call: a function's arguments, or the action that the item describes. */
const inputOf = ({ arguments: text, action, operation, providerData: own }: Item): unknown =>
  valueOf((text ?? own?.arguments ?? action ?? operation ?? '') as string);

/** Returns the metadata that is needed to write an item back unchanged. */
const itemMetadata = (item: Item) => ({ providerMetadata: { 'openai-agents': { item } } });
const hosted = (item: Item) =>
  item.type === 'hosted_tool_call' ? { ...itemMetadata(item), providerExecuted: true } : undefined;

/** Returns the output of a call: its text, or its value. */
function outputOf({ output = '' }: Item): unknown {
  const parts = [output].flat() as readonly (Item | null)[];
  return parts.every((part) => typeof part?.text === 'string') ? parts.map((part) => part?.text).join('') : output;
}

const thoughtOf = ({ content }: Item): string => textIn(asList(content as readonly Item[]));

/** Returns the metadata that must be sent back with a reasoning item, with the names of `@ai-sdk/openai`. */
function signed({ id, providerData: own }: Item) {
  const sealed = own?.encrypted_content ?? own?.encryptedContent;
  return id ? { openai: { itemId: id, ...(sealed && { reasoningEncryptedContent: sealed }) } } : undefined;
}

/** Returns a context with the SDK's text for denials. */
const withSdkTexts = ({ chatId, texts, reportLoss, reportRepair, written }: Context): Context => ({
  chatId,
  reportLoss,
  reportRepair,
  ...(written && { written }),
  texts: { denied: REJECTED, ...texts },
});

const ITEMS: HistoryFormat<Item, Item> = {
  message: (role, parts) =>
    role === 'assistant' || role === 'tool'
      ? parts
      : { type: 'message', role, content: role === 'system' ? parts.map(({ text }) => text).join('') : parts },
  call: (call, result, toolCallId, { context }) => writeCall({ ...call, toolCallId }, result, context),
  part: (part, role) => (role === 'assistant' ? writeAssistantPart(part) : writePart(part)),
};

function writeCall(call: Call, { text }: CallResult, context: Context): [Item[], Item[]] {
  const { toolCallId: callId, toolName: name, result } = call;
  const item = result?.providerOptions?.['openai-agents']?.['item'] as Item | undefined;
  if (item) return [[item], []];
  return [
    [{ type: 'function_call', callId, name, status: 'completed', arguments: textOf(objectInput(call, context)) }],
    [{ type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text } }],
  ];
}

function writeAssistantPart({ type, text, providerOptions }: Exclude<Part, Call>): Item | undefined {
  const { itemId: id, reasoningEncryptedContent: sealed } = (providerOptions?.['openai'] ?? {}) as {
    readonly itemId?: string;
    readonly reasoningEncryptedContent?: string;
  };
  if (type === 'text')
    return text
      ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
      : undefined;
  if (type !== 'reasoning' || !id) return providerOptions?.['openai-agents']?.['item'] as Item | undefined;
  return {
    type,
    id,
    content: text ? [{ type: 'input_text', text }] : [],
    ...(sealed && { providerData: { encrypted_content: sealed } }),
  };
}

function writePart(part: Exclude<Part, Call>): Item | undefined {
  const { type, text, filename } = part;
  if (type === 'text') return text ? { type: 'input_text', text } : undefined;
  const { url, base64, mediaType } = fileOf(part);
  if (type !== 'file' || !url) return undefined;
  if (/^image/.test(mediaType)) return { type: 'input_image', image: url };
  return { type: 'input_file', file: base64 === undefined ? { url } : url, ...(filename && { filename }) };
}

function partsOf(given: ApiItem): [Entry['role'], readonly Item[]] {
  const item = itemOf(given);
  const { type = 'message', role = 'assistant', content } = item;
  if (typeof type !== 'string') throw new TypeError('expected an item with a type');
  return type === 'message' ? [role, asParts(content)] : ['assistant', [item]];
}

function parse(item: Item): Wire<Part> | CallAnswer {
  const { type, text, refusal = text, image, file } = item;
  if (typeof type !== 'string') throw new TypeError('expected an item with a type');
  if (type === 'reasoning') return { type, text: thoughtOf(item), providerOptions: signed(item) };
  if (refusal !== undefined) return { type: 'text', text: refusal };
  if (image || file) {
    const data = ((file as { readonly url?: string } | undefined)?.url ?? file ?? image) as string;
    const mediaType = image ? 'image' : (/^data:([^;,]*)/.exec(data)?.[1] ?? 'application/pdf');
    return { type: 'file', mediaType, data, filename: item.filename ?? undefined };
  }
  const { providerMetadata: meta, ...more } = hosted(item) ?? {};
  if (/_(result|output)$/.test(type)) return { answers: item.callId as string, value: outputOf(item) };
  if (!/_call$/.test(type))
    return { type: 'custom', kind: `openai-agents.${type}`, providerOptions: itemMetadata(item).providerMetadata };
  const ids = { toolCallId: idOf(item) as string, toolName: nameOf(item) as string };
  const call: Call = { type: 'tool-call', ...ids, input: inputOf(item), providerOptions: meta, ...more };
  if (item.output !== undefined)
    call.result = { type: '', output: { type: 'text', value: item.output }, providerOptions: meta };
  return call;
}

/** Returns one decision as `state.approve` and `state.reject` expect it. */
function decide({ toolCallId: callId, outcome, reason }: ItemDecision, texts: Context['texts']) {
  if (outcome === 'approved') return { callId, approve: true };
  const message = outcome === 'denied' ? reason : answerText(outcome, reason, texts);
  return { callId, approve: false, ...(message !== undefined && { message }) };
}

function body(entries: readonly Entry[], context: RequestContext): OpenAiAgentsBody {
  const { chatId, decisions, newMessages, texts, history } = context;
  // A server that resumes its run ignores input next to decisions.
  if (decisions.length) return { chatId, decisions: decisions.map((decision) => decide(decision, texts)) };
  const own = withSdkTexts(context);
  return {
    chatId,
    input: history === 'client' ? writeHistory(entries, own, ITEMS) : writeEntries(newMessages, own, ITEMS),
  };
}

/** The OpenAI Agents SDK. */
export const openaiAgents: Protocol<OpenAiAgentsBody, Typed, ResponsesItem> = makeProtocol({
  name: 'openai-agents',
  // `remember` is not supported: the SDK remembers the whole tool, the gate remembers one input.
  capabilities: {
    ...lossyCapabilities('approval pending failed json input reasoning custom file content'),
    history: 'server',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  createReader,
  write: (entries, context) => writeHistory(entries, withSdkTexts(context), ITEMS),
  read: (history: readonly ApiItem[], context) => readHistory(history, withSdkTexts(context), partsOf, parse, true),
  body,
});
