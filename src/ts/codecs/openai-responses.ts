/**
 * `openai-responses`: the Responses API. Source: `resources/responses/responses.ts` of `openai` 6.49.
 *
 * Stateless by default: every request carries all items, reasoning with its encrypted content included. With
 * `history: 'server'` it goes on from the last complete response, and carries only what is new. Hosted MCP approvals are
 * the protocol's own; a call of another kind is asked about here. Items that have no neutral form are kept whole. Metadata
 * in the words of `@ai-sdk/openai`: `itemId`, `reasoningEncryptedContent`.
 */
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader, RequestContext } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, objectOf, settle, textOf, told, valueOf } from './history.js';
import { idFor } from './ids.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: ['approval', 'pending', 'failed', 'json', 'input', 'reasoning', 'custom', 'file', 'id'],
};

function reader(emit: (chunk: Data) => void): Reader {
  const flow = new Flow(emit);
  /** The call of each item whose arguments grow. */
  const calls = new Map<string, string>();
  let isAsking = false;
  const done = (item: Data): void => {
    const { type, id, call_id: callId } = item;
    if (type === 'message' || type === 'reasoning') {
      const texts: Data[] = (type === 'message' ? item.content : item.summary) ?? [];
      const kind = type === 'message' ? 'text' : 'reasoning';
      texts.forEach(({ text, refusal }, place) => flow.has(`${id}:${place}`) || flow.say(`${id}:${place}`, text ?? refusal, kind));
      if (kind === 'reasoning' && !texts.length && !flow.has(`${id}:0`)) flow.say(`${id}:0`, '', kind);
      flow.hush(undefined, { openai: { itemId: id, ...(item.encrypted_content && { reasoningEncryptedContent: item.encrypted_content }) } });
    } else if (type === 'mcp_approval_request') {
      isAsking = true;
      flow.whole(id, item.name, valueOf(item.arguments), hosted(item));
      flow.put({ type: 'tool-approval-request', approvalId: id, toolCallId: id });
    } else if (type === 'mcp_call') {
      const call = item.approval_request_id ?? id;
      if (call === id) flow.whole(id, item.name, valueOf(item.arguments), hosted(item));
      flow.result(call, item.error == null ? (item.output ?? '') : textOf(item.error), item.error != null, hosted(item));
    } else if (callId && type.endsWith('_call')) {
      if (!flow.has(callId)) flow.call(callId, item.name ?? type);
      flow.called(callId, inputOf(item), { providerMetadata: { openai: metaOf(item) } });
    } else {
      flow.put({ type: 'custom', kind: `openai.${type}`, providerMetadata: { openai: { item } } });
    }
  };
  const end = ({ id, output, status }: Data): void => {
    // Nothing stands in a history for an empty response, so nothing can say what is new since then.
    const responseId = status === 'completed' && output?.length ? id : null;
    if (isAsking || responseId) emit({ type: 'message-metadata', messageMetadata: { openai: { responseId } } });
    flow.end();
  };
  return (event) => {
    const { type, item, item_id: id, response, delta } = event;
    if (type === 'response.created' || event.object === 'response') flow.begin({ openai: { responseId: null } });
    if (event.object === 'response') {
      event.output.forEach(done);
      end(event);
    } else if (type === 'response.output_item.added') {
      if (item.type !== 'function_call') return true;
      calls.set(item.id, item.call_id);
      flow.call(item.call_id, item.name);
    } else if (type === 'response.function_call_arguments.delta') flow.grow(calls.get(id) ?? '', delta);
    else if (/^response\.(output_text|refusal)\.delta$/.test(type)) flow.say(`${id}:${event.content_index}`, delta);
    else if (/^response\.reasoning(_summary)?_text\.delta$/.test(type)) flow.say(`${id}:${event.summary_index ?? event.content_index}`, delta, 'reasoning');
    else if (type === 'response.output_item.done') done(item);
    else if (/^response\.(completed|incomplete)$/.test(type)) end(response);
    else if (type === 'response.failed') flow.fail(response.error?.message);
    else if (type === 'error') flow.fail(event.message);
    else return /^response\./.test(type);
    return true;
  };
}

const hosted = ({ id, type, server_label: serverLabel }: Data): Data => ({
  providerExecuted: true,
  dynamic: true,
  providerMetadata: { openai: { itemId: id, type, serverLabel } },
});

/** The input of a call: a function's arguments, a custom tool's text, or what else the item says is to be done. */
const inputOf = ({ arguments: text, input, action, operation }: Data): Data => (text === undefined ? (input ?? action ?? operation) : valueOf(text));

/** What is needed to write a call back: the whole item, unless it is a function's. */
const metaOf = (item: Data): Data => (item.type === 'function_call' ? { itemId: item.id } : { itemId: item.id, item });

function write(entries: Entry[], context: Context): Data[] {
  const items: Data[] = [];
  for (const { role, content } of entries) {
    const results: Data[] = [];
    const said: Data[] = [];
    for (const part of content) {
      if (isCall(part)) writeCall(part, items, results, context);
      else if (role === 'assistant') writeSaid(part, items, context);
      else said.push(...writePart(part, context));
    }
    if (said.length) items.push({ type: 'message', role, content: said });
    items.push(...results);
  }
  return items;
}

function writeCall(call: Call, items: Data[], results: Data[], context: Context): void {
  const result = told(call, context.texts);
  const own = call.providerOptions?.['openai'];
  const { toolName: name, response } = call;
  const id = idFor(call.toolCallId, 64, context);
  const args = textOf(own?.item ? undefined : objectOf(call, context));
  if (own?.type?.startsWith('mcp_')) {
    const isAsked = own.type === 'mcp_approval_request';
    const server = { server_label: own.serverLabel, name, arguments: args };
    if (isAsked && !response) return context.lose('pending', call.toolCallId);
    if (isAsked) items.push({ type: own.type, id, ...server });
    if (isAsked) results.push(approvalOf(id, response as Part));
    const itemId = call.result?.providerOptions?.['openai']?.itemId ?? id;
    if (result?.kind === 'executed' || result?.kind === 'failed') {
      const end = result.failed ? { error: result.text } : { output: result.text };
      (isAsked ? results : items).push({ type: 'mcp_call', id: itemId, ...server, ...end, ...(isAsked && { approval_request_id: id }) });
    }
    return;
  }
  if (!result) return context.lose('pending', call.toolCallId);
  if (response?.['approved']) context.lose('approval', call.toolCallId);
  if (result.kind === 'failed') context.lose('failed', call.toolCallId);
  if (typeof result.value !== 'string') context.lose('json', call.toolCallId);
  items.push(own?.item ?? { type: 'function_call', call_id: id, name, arguments: args, ...(own?.itemId && { id: own.itemId }) });
  results.push({ type: `${own?.item?.type ?? 'function_call'}_output`, call_id: id, output: result.text });
}

function approvalOf(id: string, { approved, reason }: Part): Data {
  return { type: 'mcp_approval_response', approval_request_id: id, approve: approved, ...(reason && !approved && { reason }) };
}

function writeSaid(part: Part, items: Data[], context: Context): void {
  const { itemId: id, item, reasoningEncryptedContent: encrypted } = part.providerOptions?.['openai'] ?? {};
  const { text } = part as Data;
  const last = items.at(-1);
  if (part.type === 'text') {
    if (!text) return;
    const content = { type: 'output_text', text, annotations: [] };
    if (!id) items.push({ type: 'message', role: 'assistant', content: text });
    else if (last?.id === id) last.content.push(content);
    else items.push({ type: 'message', role: 'assistant', id, status: 'completed', content: [content] });
  } else if (part.type === 'reasoning' && id) {
    const summary = text ? [{ type: 'summary_text', text }] : [];
    if (last?.id === id) last.summary.push(...summary);
    else items.push({ type: 'reasoning', id, summary, ...(encrypted && { encrypted_content: encrypted }) });
  } else if (item) items.push(item);
  else context.lose(part.type === 'reasoning' || part.type === 'custom' ? part.type : 'file');
}

function writePart(part: Part, context: Context): Data[] {
  if (part.type === 'text') return part['text'] ? [{ type: 'input_text', text: part['text'] }] : [];
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = part['data']?.reference?.openai;
  const isImage = /^image/.test(mediaType);
  if (part.type !== 'file' || (!url && !uploaded)) {
    context.lose('file');
    return [];
  }
  if (isImage) return [{ type: 'input_image', detail: 'auto', ...(uploaded ? { file_id: uploaded } : { image_url: url }) }];
  if (uploaded) return [{ type: 'input_file', file_id: uploaded }];
  if (base64 === undefined) return [{ type: 'input_file', file_url: url }];
  return [{ type: 'input_file', filename: part['filename'] ?? 'file', file_data: url }];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  const entries: Entry[] = [];
  const calls = new Map<string, Call>();
  let isAnswered = true;
  /** A step goes on until something answers it. */
  const step = (part: Part): void => {
    if (isAnswered) entries.push({ role: 'assistant', content: [] });
    isAnswered = false;
    entries.at(-1)?.content.push(part);
  };
  for (const item of history) {
    const { type = 'message', id, call_id: callId, role, content } = item;
    const call = calls.get(callId ?? item.approval_request_id);
    if (type === 'message') {
      const parts: Part[] = (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((part: Data) => readPart(part, id));
      if (role === 'assistant') parts.forEach(step);
      else entries.push({ role: role === 'developer' ? 'system' : role, content: parts });
      isAnswered ||= role !== 'assistant';
    } else if (type === 'reasoning') {
      const meta = { openai: { itemId: id, ...(item.encrypted_content && { reasoningEncryptedContent: item.encrypted_content }) } };
      const texts = item.summary.length ? item.summary : [{ text: '' }];
      texts.forEach(({ text }: Data) => step({ type, text, providerOptions: meta }));
    } else if (call) {
      isAnswered = true;
      if (type === 'mcp_approval_response') call.response = { type, approved: item.approve, reason: item.reason ?? undefined };
      else if (type === 'mcp_call') settle(call, item.error ?? item.output ?? '', item.error != null, texts, hosted(item).providerMetadata);
      else settle(call, item.output, false, texts);
      if (call.response?.['approved'] === false) call.result ??= { type, output: { type: 'execution-denied', reason: call.response['reason'] } };
    } else if (/^mcp_(call|approval_request)$/.test(type)) {
      const { providerMetadata, providerExecuted } = hosted(item);
      const made: Call = { type: 'tool-call', toolCallId: id, toolName: item.name, input: valueOf(item.arguments), providerExecuted, providerOptions: providerMetadata };
      calls.set(id, made);
      step(made);
      if (type === 'mcp_call') settle(made, item.error ?? item.output ?? '', item.error != null, texts, providerMetadata);
      else made.request = { type, approvalId: id };
    } else if (callId && type.endsWith('_call')) {
      const made: Call = { type: 'tool-call', toolCallId: callId, toolName: item.name ?? type, input: inputOf(item) };
      if (id || type !== 'function_call') made.providerOptions = { openai: metaOf(item) };
      calls.set(callId, made);
      step(made);
    } else if (!callId && !item.approval_request_id) {
      step({ type: 'custom', kind: `openai.${type}`, providerOptions: { openai: { item } } });
    }
  }
  return entries;
}

function readPart(part: Data, itemId: string | undefined): Part {
  const { text, refusal, image_url: image, file_id: uploaded, file_url: address, file_data: bytes, filename } = part;
  if (text !== undefined || refusal !== undefined) return { type: 'text', text: text ?? refusal, ...(itemId && { providerOptions: { openai: { itemId } } }) };
  const mediaType = part.type === 'input_image' ? 'image' : (/^data:([^;,]*)/.exec(bytes)?.[1] ?? 'application/pdf');
  const data = uploaded ? { type: 'reference', reference: { openai: uploaded } } : (image ?? address ?? bytes);
  return { type: 'file', mediaType, data, ...(filename && { filename }) };
}

function body(entries: Entry[], context: RequestContext): unknown {
  const previous: unknown = context.metadata?.openai?.responseId;
  const last = entries.findLastIndex(({ role }) => role === 'assistant');
  if (context.history !== 'server' || typeof previous !== 'string' || last < 0) return { input: write(entries, context) };
  // The server has what it said: only the answers to it are new.
  const items = write([entries[last] as Entry], context).filter(({ type }) => /_(output|approval_response)$/.test(type));
  return { previous_response_id: previous, input: [...items, ...write(entries.slice(last + 1), context)] };
}

/** OpenAI's Responses API. */
export const openaiResponses: Codec = { capabilities, runsHere: true, asks: true, reader, write, read, body };
