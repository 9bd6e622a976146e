/**
 * `anthropic`: the Messages API. Source: `resources/messages/messages.ts` of `@anthropic-ai/sdk` 1.12.
 *
 * Every `tool_use` has its `tool_result` in the next message. Blocks of tools that run at Anthropic are hosted calls; blocks
 * that have no neutral form are kept whole as custom parts and written back as they came. Metadata in the words of
 * `@ai-sdk/anthropic`: `signature`, `redactedData`.
 */
import { wordsOnly, type Call, type Codec, type Context, type Data, type Entry, type Part, type Reader } from './codec.js';
import { Flow } from './flow.js';
import { asParts, fileOf, leading, objectOf, split, type Told } from './history.js';
import { shortId } from './ids.js';
import { read, write, type Answer } from './phrase.js';

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

function messages(entries: readonly Entry[], context: Context): Data[] {
  return write(entries, context, {
    message: (role, content) => ({ role: role === 'tool' ? 'user' : role, content }),
    call: (call, result, id) => wordCall(call, result, id, context),
    part: wordPart,
    id: shortId,
  });
}

function wordCall(call: Call, { kind, text, value, failed }: Told, id: string, context: Context): [Data[], Data[]] {
  const use = { type: 'tool_use', id, name: call.toolName, input: objectOf(call, context) };
  const own = call.providerOptions?.['anthropic'];
  const type = call.result?.providerOptions?.['anthropic']?.type;
  if (type && isUse(own)) return [[{ ...use, ...own }, { type, tool_use_id: id, content: value }], []];
  return [[use], [{ type: 'tool_result', tool_use_id: id, content: text, ...((failed || kind !== 'executed') && { is_error: true }) }]];
}

function wordPart(part: Part): Data {
  const { type, text } = part as Data;
  const own = part.providerOptions?.['anthropic'];
  if (type === 'text') return text ? { type, text } : undefined;
  if (type === 'custom') return own?.block;
  if (own?.redactedData) return { type: 'redacted_thinking', data: own.redactedData };
  if (type === 'reasoning') return own?.signature && { type: 'thinking', thinking: text, signature: own.signature };
  if (type !== 'file') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = part['data']?.reference?.anthropic;
  const as = /^image/.test(mediaType) ? 'image' : 'document';
  if (uploaded) return { type: as, source: { type: 'file', file_id: uploaded } };
  const source = base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data: base64 };
  return /^(image(\/(\*|jpeg|png|gif|webp))?|application\/pdf)$/.test(mediaType) ? { type: as, source } : undefined;
}

function parse(block: Data, calls: ReadonlyMap<string, Call>): Part | Answer {
  const { type, source, content, tool_use_id: answers } = block;
  if (isUse(block)) {
    const { providerMetadata: providerOptions, ...hosted } = hosting(block) ?? {};
    return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input, ...hosted, providerOptions };
  }
  if (answers) {
    const hosted = calls.get(answers)?.providerExecuted;
    const isText = !hosted && Array.isArray(content) && content.every((part) => part.type === 'text');
    const value = isText ? content.map(({ text }) => text).join('') : (content ?? '');
    return { answers, value, failed: isError(block), meta: hosted && { anthropic: { type } } };
  }
  if (type === 'text') return { type, text: block.text };
  if (KNOWN.test(type)) return { type: 'reasoning', text: block.thinking ?? '', providerOptions: signed(block) };
  if (!source?.url && !source?.data) return { type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic: { block } } };
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  return { type: 'file', mediaType, data: source.url ?? `data:${mediaType};base64,${source.data}` };
}

/** Anthropic's Messages API. */
export const codec: Codec = {
  capabilities: wordsOnly('approval pending json input system reasoning custom file id'),
  runsHere: true,
  asks: true,
  reader,
  write: (entries, context) => messages(split(entries, context), context),
  read: (history, context) => read(history, context, ({ role, content }) => [role, asParts(content)], parse),
  body(entries, context) {
    const [conversation, system] = [split(entries), leading(entries)];
    return { ...(system.length && { system: system.map(wordPart) }), messages: messages(conversation, context) };
  },
};
