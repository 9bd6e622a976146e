/**
 * `openai-agents`: an app's server around the OpenAI Agents SDK. Source: `events.ts`, `items.ts` and `types/protocol.ts` of
 * `@openai/agents-core` 0.20. The SDK runs in the server and has no wire of its own; this is the plainest one.
 *
 * The reply is the run's events, each as `JSON.stringify` writes it: `run_item_stream_event`, and `raw_model_stream_event` if
 * texts are to grow. Run items by themselves and `{ interruptions }` of a run that does not stream are taken too, and
 * `{ type: 'error', message }` where a run fails. The server keeps the `RunState` of each chat and is sent either
 * `{ chatId, input }`, the user's new items, to be appended to its history; or `{ chatId, decisions }`, one
 * `{ callId, approve, message? }` for each interruption: `state.approve(item)` or `state.reject(item, { message })`, and
 * `run(agent, state)`.
 */
import { resultText } from './shared/result-texts.js';
import {
  wordsOnly,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type ItemDecision,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
  type RequestContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asList, asParts, fileOf, objectOf, textIn, textOf, valueOf } from './shared/history.js';
import { read, write, type CallAnswer } from './shared/phrase.js';
import { reasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** What the SDK tells the model of a call that was rejected without a message. */
const REJECTED = 'Tool execution was not approved.';

function createReader({ emit, calls }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit, calls });
  /** The calls of this reply that have no result yet. */
  const open = new Set<string>();
  /** The text of this response has come in deltas. */
  let isSaid = false;
  /** A call of this step has its result: what the model says next belongs to another. */
  let isAnswered = false;
  /** The model has said something in this reply: until then, a call that is settled here may be announced again. */
  let isNew = false;
  const step = (): void => {
    if (isAnswered) writer.endStep();
    isAnswered = false;
    isNew = true;
  };
  const isKnown = (id: string, item: Data): boolean => {
    if (open.has(id)) return true;
    const shown = calls().findLast(({ toolCallId }) => toolCallId === id);
    if (!shown || !shown.outcome) return shown !== undefined;
    return !isNew && shown.toolName === nameOf(item) && textOf(shown.input) === textOf(inputOf(item));
  };
  const call = (item: Data): string => {
    const id = idOf(item);
    if (typeof id !== 'string') throw new TypeError('a call without an id');
    if (isKnown(id, item)) return id;
    step();
    writer.toolCall(id, nameOf(item), inputOf(item), hosted(item));
    open.add(id);
    return id;
  };
  const answer = (id: string, item: Data, status?: string): void => {
    const value = outputOf(item);
    isAnswered = true;
    open.delete(id);
    if (status !== 'executed' && writer.confirmDecision(id)) return;
    if (status === undefined && value === REJECTED) writer.emit({ type: 'tool-output-denied', toolCallId: id });
    else writer.toolResult(id, value, false, hosted(item));
  };
  const take = ({ type, rawItem: item, executionStatus }: Data): boolean => {
    if (type === 'message_output_item') {
      step();
      if (!isSaid) writer.each<Data>(item.content, ({ text, refusal }) => writer.textDelta('text', text ?? refusal));
      writer.endText();
      isSaid = false;
    } else if (type === 'reasoning_item') {
      step();
      writer.textDelta('reasoning', thoughtOf(item), 'reasoning');
      writer.endText('reasoning', signed(item));
    } else if (type === 'tool_approval_item') {
      const toolCallId = call(item);
      writer.emit({ type: 'tool-approval-request', approvalId: toolCallId, toolCallId });
    } else if (/^(tool|handoff)_call_item$/.test(type)) {
      if (item.name === 'mcp_approval_response') return true;
      const id = call(item);
      if (item.output !== undefined) answer(id, item, 'executed');
    } else if (/^(tool_call|handoff)_output_item$/.test(type)) answer(idOf(item), item, executionStatus);
    else if (typeof item?.type === 'string')
      writer.content({ type: 'custom', kind: `openai-agents.${item.type}`, ...keep(item) });
    else return false;
    return true;
  };
  const read = ({ type, delta, response }: Data): void => {
    if (type === 'response_started') {
      writer.endStep();
      isSaid = isAnswered = false;
      isNew = true;
    } else if (type === 'output_text_delta') {
      isSaid = true;
      writer.textDelta('text', delta);
    } else if (type === 'response_done') writer.cutOff(reasonOf(response?.providerData?.incomplete_details?.reason));
  };
  return (event) => {
    const { type, data, item = event, interruptions } = event;
    if (type === 'raw_model_stream_event') read(data);
    else if (type === 'error') {
      const message: Data = event.message ?? event.error;
      writer.failReply(message, /MaxTurnsExceeded/.test(message) ? 'step-limit' : undefined);
    } else if (interruptions) writer.each(interruptions, take);
    else return type === 'agent_updated_stream_event' || take(item);
    return true;
  };
}

/** The id under which the SDK looks for a decision. */
const idOf = ({ callId, id, providerData: own }: Data): string =>
  own?.approval_request_id ?? callId ?? id ?? own?.itemId ?? own?.id;

const nameOf = ({ name, type, providerData: own }: Data): string =>
  name === 'mcp_approval_request' ? own.name : (name ?? type);

/** The input of a call: a function's arguments, or what else the item says is to be done. */
const inputOf = ({ arguments: text, action, operation, providerData: own }: Data): Data =>
  valueOf(text ?? own?.arguments ?? action ?? operation ?? '');

/** What is needed to write back an item that stands for itself. */
const keep = (item: Data): Data => ({ providerMetadata: { 'openai-agents': { item } } });
const hosted = (item: Data): Data => item.type === 'hosted_tool_call' && { ...keep(item), providerExecuted: true };

/** The output of a call: its text, or what it is. */
function outputOf({ output = '' }: Data): Data {
  const parts: Data[] = [output].flat();
  return parts.every((part) => typeof part?.text === 'string') ? parts.map(({ text }) => text).join('') : output;
}

const thoughtOf = ({ content }: Data): string => textIn(asList(content));

/** What a reasoning item has to be given back with, in the words of `@ai-sdk/openai`. */
function signed({ id, providerData: own }: Data): Data {
  const sealed = own?.encrypted_content ?? own?.encryptedContent;
  return id && { openai: { itemId: id, ...(sealed && { reasoningEncryptedContent: sealed }) } };
}

/** A context with the SDK's words for a denial. */
const inWords = <C extends Context>(context: C): C => ({ ...context, texts: { denied: REJECTED, ...context.texts } });

function items(entries: readonly Entry[], context: Context): Data[] {
  return write(entries, inWords(context), {
    message: (role, parts) =>
      role === 'assistant' || role === 'tool'
        ? parts
        : { type: 'message', role, content: role === 'system' ? parts.map(({ text }) => text).join('') : parts },
    call: (call, result, toolCallId) => wordCall({ ...call, toolCallId }, result, context),
    part: (part, role) => (role === 'assistant' ? wordSaid(part) : wordPart(part)),
  });
}

function wordCall(call: Call, { text }: CallResult, context: Context): [Data[], Data[]] {
  const { toolCallId: callId, toolName: name, result } = call;
  const item = result?.providerOptions?.['openai-agents']?.item;
  if (item) return [[item], []];
  return [
    [{ type: 'function_call', callId, name, status: 'completed', arguments: textOf(objectOf(call, context)) }],
    [{ type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text } }],
  ];
}

function wordSaid(part: Part): Data {
  const { type, text, providerOptions } = part as Data;
  const { itemId: id, reasoningEncryptedContent: sealed } = providerOptions?.openai ?? {};
  if (type === 'text')
    return text
      ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }
      : undefined;
  if (type !== 'reasoning' || !id) return providerOptions?.['openai-agents']?.item;
  return {
    type,
    id,
    content: text ? [{ type: 'input_text', text }] : [],
    ...(sealed && { providerData: { encrypted_content: sealed } }),
  };
}

function wordPart(part: Part): Data {
  const { type, text, filename } = part as Data;
  if (type === 'text') return text ? { type: 'input_text', text } : undefined;
  const { url, base64, mediaType } = fileOf(part);
  if (type !== 'file' || !url) return undefined;
  if (/^image/.test(mediaType)) return { type: 'input_image', image: url };
  return { type: 'input_file', file: base64 === undefined ? { url } : url, ...(filename && { filename }) };
}

function partsOf(item: Data): [Entry['role'], readonly Data[]] {
  const { type = 'message', role = 'assistant', content } = item;
  if (typeof type !== 'string') throw new TypeError('an item without a type');
  return type === 'message' ? [role, asParts(content)] : ['assistant', [item]];
}

function parse(item: Data): Part | CallAnswer {
  const { type, text, refusal = text, image, file } = item;
  if (typeof type !== 'string') throw new TypeError('an item without a type');
  if (type === 'reasoning') return { type, text: thoughtOf(item), providerOptions: signed(item) };
  if (refusal !== undefined) return { type: 'text', text: refusal };
  if (image || file) {
    const data = file?.url ?? file ?? image;
    const mediaType = image ? 'image' : (/^data:([^;,]*)/.exec(data)?.[1] ?? 'application/pdf');
    return { type: 'file', mediaType, data, filename: item.filename };
  }
  const { providerMetadata: meta, ...more } = hosted(item) || {};
  if (/_(result|output)$/.test(type)) return { answers: item.callId, value: outputOf(item) };
  if (!/_call$/.test(type))
    return { type: 'custom', kind: `openai-agents.${type}`, providerOptions: keep(item).providerMetadata };
  const call: Call = {
    type: 'tool-call',
    toolCallId: idOf(item),
    toolName: nameOf(item),
    input: inputOf(item),
    providerOptions: meta,
    ...more,
  };
  if (item.output !== undefined)
    call.result = { type: '', output: { type: 'text', value: item.output }, providerOptions: meta };
  return call;
}

/** One decision, as `state.approve` and `state.reject` take it. */
function decide({ toolCallId: callId, outcome, reason }: ItemDecision, texts: Context['texts']): Data {
  if (outcome === 'approved') return { callId, approve: true };
  const message = reason ?? (outcome === 'denied' ? undefined : resultText({ kind: outcome }, texts));
  return { callId, approve: false, ...(message !== undefined && { message }) };
}

function body(entries: readonly Entry[], context: RequestContext): Data {
  const { chatId, decisions, newMessages, texts, history } = context;
  // A server that goes on with its run reads no input beside decisions.
  if (decisions.length) return { chatId, decisions: decisions.map((decision) => decide(decision, texts)) };
  return { chatId, input: items(history === 'client' ? entries : newMessages, context) };
}

/** The OpenAI Agents SDK. */
export const openaiAgents: Protocol = makeProtocol({
  name: 'openai-agents',
  // To be asked to remember is not among them: its own memory is of the whole tool, and the gate's is of the input.
  capabilities: {
    ...wordsOnly('approval pending failed json input reasoning custom file'),
    history: 'server',
    historyChoices: ['client', 'server'],
  },
  answersBeforeMessages: true,
  createReader,
  write: items,
  read: (history, context) => read(history, inWords(context), partsOf, parse, true),
  body,
});
