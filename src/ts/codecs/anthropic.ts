/**
 * `anthropic`: the Messages API. Source: `resources/messages/messages.ts` of `@anthropic-ai/sdk` 1.12.
 *
 * Every `tool_use` has its `tool_result` in the next message. Blocks of tools that run at Anthropic are hosted calls; blocks
 * that have no neutral form are kept whole as custom parts and written back as they came. Metadata in the words of
 * `@ai-sdk/anthropic`: `signature`, `redactedData`.
 */
import type { Capabilities } from '../types.js';
import type { Call, Codec, Context, Data, Entry, Part, Reader } from './codec.js';
import { Flow } from './flow.js';
import { fileOf, isCall, objectOf, settle, split, told } from './history.js';
import { idFor } from './ids.js';

const capabilities: Capabilities = {
  kind: 'resubmitting',
  reason: true,
  editedInput: false,
  cancel: false,
  remember: false,
  history: 'client',
  denialVisible: true,
  lost: ['approval', 'pending', 'json', 'input', 'system', 'reasoning', 'custom', 'file', 'id'],
};

/** Blocks that the neutral form has words for. */
const KNOWN = /^(text|(redacted_)?thinking|.*tool_use|.*tool_result)$/;

function reader(emit: (chunk: Data) => void): Reader {
  const flow = new Flow(emit);
  const blocks = new Map<number, Data>();
  const read = (event: Data): boolean => {
    const { type, index, delta, content_block: block } = event;
    const id = String(index);
    const open = blocks.get(index);
    if (type === 'message_start') {
      flow.begin();
    } else if (type === 'content_block_start') {
      blocks.set(index, { ...block });
      if (block.type === 'text') flow.say(id, block.text);
      else if (block.type === 'thinking' || block.type === 'redacted_thinking') flow.say(id, block.thinking, 'reasoning');
      else if (isUse(block)) flow.call(block.id, block.name, hosting(block));
    } else if (type === 'content_block_delta') {
      if (delta.type === 'text_delta') flow.say(id, delta.text);
      else if (delta.type === 'thinking_delta') flow.say(id, delta.thinking, 'reasoning');
      else if (delta.type === 'signature_delta') open.signature = delta.signature;
      else if (delta.type === 'input_json_delta') {
        open.grown = true;
        flow.grow(open.id, delta.partial_json);
      }
    } else if (type === 'content_block_stop') {
      blocks.delete(index);
      if (isUse(open)) flow.called(open.id, open.grown ? undefined : open.input);
      else if (open.tool_use_id) flow.result(open.tool_use_id, open.content, isError(open), { providerExecuted: true, providerMetadata: { anthropic: { type: open.type } } });
      else if (KNOWN.test(open.type)) flow.hush(id, signed(open));
      else flow.put({ type: 'custom', kind: `anthropic.${open.type}`, providerMetadata: { anthropic: { block: open } } });
    } else if (type === 'message_stop') {
      flow.end();
    } else if (type === 'error') {
      flow.fail(event.error.message);
    } else if (type === 'message') {
      read({ type: 'message_start' });
      event.content.forEach((whole: Data, place: number) => {
        read({ type: 'content_block_start', index: place, content_block: whole });
        read({ type: 'content_block_stop', index: place });
      });
      flow.end();
    } else {
      return type === 'ping' || type === 'message_delta';
    }
    return true;
  };
  return read;
}

const isUse = (block: Data): boolean => /tool_use$/.test(block.type);

const isError = ({ is_error: failed, content }: Data): boolean => failed ?? /_error$/.test(content?.type);

/** What a reasoning block has to be given back with. */
function signed({ signature, data }: Data): Data {
  if (signature) return { anthropic: { signature } };
  return data === undefined ? undefined : { anthropic: { redactedData: data } };
}

/** What a hosted call keeps of its block. */
function hosting({ id: _, name: __, input: ___, ...rest }: Data): Data {
  return rest.type === 'tool_use' ? undefined : { providerExecuted: true, dynamic: true, providerMetadata: { anthropic: rest } };
}

/** Without what the system says first: that has its own place in a request. */
function write(entries: Entry[], context: Context): Data[] {
  const [system, conversation] = split(entries);
  if (system.length) context.lose('system');
  return conversation.flatMap(({ role, content }) => {
    const results: Data[] = [];
    const said = content.flatMap((part) => (isCall(part) ? writeCall(part, results, context) : writePart(part, context)));
    const messages: Data[] = said.length ? [{ role, content: said }] : [];
    if (results.length) messages.push({ role: 'user', content: results });
    return messages;
  });
}

function writeCall(call: Call, results: Data[], context: Context): Data[] {
  const result = told(call, context.texts);
  if (!result) {
    context.lose('pending', call.toolCallId);
    return [];
  }
  const { kind, text, value, failed } = result;
  if (call.response?.['approved']) context.lose('approval', call.toolCallId);
  const id = idFor(call.toolCallId, 64, context);
  const { toolName: name } = call;
  const use = { type: 'tool_use', id, name, input: objectOf(call, context) };
  const own = call.providerOptions?.['anthropic'];
  const block = call.result?.providerOptions?.['anthropic']?.type;
  if (isUse(own ?? { type: '' }) && block) return [{ ...use, ...own }, { type: block, tool_use_id: id, content: value }];
  if (typeof value !== 'string') context.lose('json', call.toolCallId);
  const isBad = failed || kind !== 'executed';
  results.push({ type: 'tool_result', tool_use_id: id, content: text, ...(isBad && { is_error: true }) });
  return [use];
}

function writePart(part: Part, context: Context): Data[] {
  const own = part.providerOptions?.['anthropic'];
  switch (part.type) {
    case 'text':
      return part['text'] ? [{ type: 'text', text: part['text'] }] : [];
    case 'reasoning':
      if (own?.redactedData) return [{ type: 'redacted_thinking', data: own.redactedData }];
      if (own?.signature) return [{ type: 'thinking', thinking: part['text'], signature: own.signature }];
      context.lose('reasoning');
      return [];
    case 'custom':
      if (own?.block) return [own.block];
      context.lose('custom');
      return [];
    default:
      return writeFile(part, context);
  }
}

function writeFile(part: Part, context: Context): Data[] {
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = part['data']?.reference?.anthropic;
  const type = /^image/.test(mediaType) ? 'image' : 'document';
  if (uploaded) return [{ type, source: { type: 'file', file_id: uploaded } }];
  const source = base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data: base64 };
  if (part.type === 'file' && /^(image(\/(\*|jpeg|png|gif|webp))?|application\/pdf)$/.test(mediaType)) return [{ type, source }];
  context.lose('file');
  return [];
}

function read(history: readonly Data[], { texts }: Context): Entry[] {
  const calls = new Map<string, Call>();
  return history.flatMap(({ role, content }) => {
    const parts: Part[] = [];
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      const call = calls.get(block.tool_use_id);
      if (isUse(block)) {
        const { providerMetadata: providerOptions, ...hosted } = hosting(block) ?? {};
        const made: Call = { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input, ...hosted, ...(providerOptions && { providerOptions }) };
        calls.set(block.id, made);
        parts.push(made);
      } else if (call) {
        const hosted = call.providerExecuted;
        const { content: value } = block;
        const isText = Array.isArray(value) && !hosted && value.every(({ type }) => type === 'text');
        const output = isText ? value.map(({ text }) => text).join('') : (value ?? '');
        settle(call, output, isError(block), texts, hosted && { anthropic: { type: block.type } });
      } else if (!block.tool_use_id) {
        parts.push(readPart(block));
      }
    }
    return parts.length ? [{ role, content: parts }] : [];
  });
}

function readPart(block: Data): Part {
  const { type, source } = block;
  if (type === 'text') return { type, text: block.text };
  if (KNOWN.test(type)) return { type: 'reasoning', text: block.thinking ?? '', providerOptions: signed(block) };
  if (!source?.url && !source?.data) return { type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic: { block } } };
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  return { type: 'file', mediaType, data: source.url ?? `data:${mediaType};base64,${source.data}` };
}

/** Anthropic's Messages API. */
export const anthropic: Codec = {
  capabilities,
  runsHere: true,
  asks: true,
  reader,
  write,
  read,
  body(entries, context) {
    const [system, conversation] = split(entries);
    const blocks = system.flatMap((part) => writePart(part, context));
    return { ...(blocks.length && { system: blocks }), messages: write(conversation, context) };
  },
};
