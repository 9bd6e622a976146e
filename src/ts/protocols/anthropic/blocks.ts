/**
 * The content blocks of Anthropic's Messages API, in a stream and in a history: for `anthropic`, and for
 * `claude-agent-sdk`, whose messages contain those of the API.
 */
import type { Calls } from '../shared/calls.js';
import type { Call, CallResult, Context, Data, Part } from '../shared/codec.js';
import type { ReplyWriter } from '../shared/reply-writer.js';
import { fileOf, objectInput } from '../shared/history.js';
import { shortId } from '../shared/call-ids.js';
import type { CallAnswer, HistoryFormat, Writing } from '../shared/history-format.js';

/** Blocks that have a neutral form. */
const KNOWN = /^(text|(redacted_)?thinking|.*tool_use|.*tool_result)$/;

/** Reads the blocks of streamed messages, by their index in the message. */
export interface BlockReader {
  start(index: number, block: Data): void;
  grow(index: number, delta: Data): void;
  stop(index: number): void;
}

/** Creates the reader of a stream's blocks. */
export function blockReader(writer: ReplyWriter): BlockReader {
  const blocks = new Map<number, Data>();
  const start = (index: number, block: Data): void => {
    const { type, text, thinking, id, name, input } = block;
    if (typeof type !== 'string') throw new TypeError('expected a block with a type');
    blocks.set(index, { ...block });
    if (type === 'text') writer.textDelta(String(index), text);
    else if (/^(redacted_)?thinking$/.test(type)) writer.textDelta(String(index), thinking, 'reasoning');
    // The input of the first event counts if no other follows: proxies send it whole, and `{}` means no arguments.
    else if (isUse(block)) writer.lane(index).start(id, name, hosting(block), input);
  };
  const grow = (index: number, { type, text, thinking, signature, partial_json: piece }: Data): void => {
    if (type === 'text_delta') writer.textDelta(String(index), text);
    else if (type === 'thinking_delta') writer.textDelta(String(index), thinking, 'reasoning');
    else if (type === 'signature_delta') blocks.get(index).signature = signature;
    else if (type === 'input_json_delta') writer.lane(index).delta(piece);
  };
  const stop = (index: number): void => {
    const block = blocks.get(index);
    blocks.delete(index);
    // A block whose start could not be read may still have text.
    if (!block) writer.endText(String(index));
    else if (isUse(block)) writer.lane(index).end();
    else if (block.tool_use_id)
      writer.result(block.tool_use_id, block.content, isError(block), {
        providerExecuted: true,
        providerMetadata: { anthropic: { type: block.type } },
      });
    else if (KNOWN.test(block.type)) writer.endText(String(index), signed(block));
    else
      writer.content({ type: 'custom', kind: `anthropic.${block.type}`, providerMetadata: { anthropic: { block } } });
  };
  return { start, grow, stop };
}

/** Whether a block is a call. */
export const isUse = (block: Data): boolean => /tool_use$/.test(block.type);

/** Whether a result is an error. */
export const isError = ({ is_error: failed, content }: Data): boolean =>
  typeof failed === 'boolean' ? failed : /_error$/.test(content?.type);

/** Returns the metadata that must be sent back with a reasoning block. */
function signed({ signature, data }: Data): Data {
  if (typeof signature === 'string' && signature) return { anthropic: { signature } };
  return typeof data === 'string' ? { anthropic: { redactedData: data } } : undefined;
}

/**
 * Returns the additional fields of a call that runs at Anthropic; its metadata has the fields of the block that must be
 * sent back. Returns undefined for other calls.
 */
function hosting({ id: _, name: __, input: ___, ...rest }: Data): Data {
  return rest.type === 'tool_use'
    ? undefined
    : { providerExecuted: true, dynamic: true, providerMetadata: { anthropic: rest } };
}

/** The API's messages. */
export const MESSAGES: HistoryFormat = {
  message: (role, content) => ({ role: role === 'tool' ? 'user' : role, content }),
  call: writeCall,
  part: writePart,
  hasContent: true,
  id: shortId,
  // The API answers 400 if `tool_use` ids are not unique.
  isUnique: true,
};

function writeCall(
  call: Call,
  { kind, text, value, failed, content }: CallResult,
  id: string,
  { context }: Writing,
): [Data[], Data[]] {
  const use = { type: 'tool_use', id, name: call.toolName, input: objectInput(call, context) };
  const own = call.providerOptions?.['anthropic'];
  const type = call.result?.providerOptions?.['anthropic']?.type;
  if (type && isUse(own))
    return [
      [
        { ...use, ...own },
        { type, tool_use_id: id, content: value },
      ],
      [],
    ];
  return [
    [use],
    [
      {
        type: 'tool_result',
        tool_use_id: id,
        content: content ? blocksOf(content, call, context) : text,
        ...((failed || kind !== 'executed') && { is_error: true }),
      },
    ],
  ];
}

/** Writes the parts of a result as blocks. */
function blocksOf(parts: readonly Part[], { toolCallId }: Call, { reportLoss }: Context): Data[] {
  return parts.flatMap((part) => {
    const block = writePart(part);
    if (!block && (part.type !== 'text' || part['text'])) reportLoss('content', toolCallId);
    return block ?? [];
  });
}

/** Writes a part as a block; returns undefined if the API has none for it. */
export function writePart(part: Part): Data {
  const { type, text } = part as Data;
  const own = part.providerOptions?.['anthropic'];
  if (type === 'text') return text ? { type, text } : undefined;
  if (type === 'custom') return typeof own?.block?.type === 'string' ? own.block : undefined;
  if (own?.redactedData) return { type: 'redacted_thinking', data: own.redactedData };
  if (type === 'reasoning') return own?.signature && { type: 'thinking', thinking: text, signature: own.signature };
  if (type !== 'file') return undefined;
  const { url, base64, mediaType } = fileOf(part);
  const uploaded = part['data']?.reference?.anthropic;
  const as = /^image/.test(mediaType) ? 'image' : 'document';
  if (uploaded) return { type: as, source: { type: 'file', file_id: uploaded } };
  // Uploaded to another provider.
  if (!url) return undefined;
  const source = base64 === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data: base64 };
  return /^(image(\/(\*|jpeg|png|gif|webp))?|application\/pdf)$/.test(mediaType) ? { type: as, source } : undefined;
}

/** Whether a block may be part of a result. */
const isContent = (block: Data): boolean => block?.type === 'text' || (block?.type && !KNOWN.test(block.type));

/** Reads a block of a history. */
export function parseBlock(block: Data, calls: Calls): Part | CallAnswer {
  const { type, source, content, tool_use_id: answers } = block;
  if (typeof type !== 'string') throw new TypeError('expected a block with a type');
  if (isUse(block)) {
    const { providerMetadata: providerOptions, ...hosted } = hosting(block) ?? {};
    return {
      type: 'tool-call',
      toolCallId: block.id,
      toolName: block.name,
      input: block.input,
      ...hosted,
      providerOptions,
    };
  }
  if (answers) {
    const hosted = calls.get(answers)?.providerExecuted;
    const isList = !hosted && Array.isArray(content) && content.every(isContent);
    const parts = isList ? content.map((part) => parseBlock(part, calls) as Part) : undefined;
    const meta = hosted && { anthropic: { type } };
    return { answers, value: content ?? '', ...(parts && { content: parts }), failed: isError(block), meta };
  }
  if (type === 'text') return { type, text: block.text };
  if (KNOWN.test(type)) return { type: 'reasoning', text: block.thinking ?? '', providerOptions: signed(block) };
  if (!source?.url && !source?.data)
    return { type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic: { block } } };
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  return { type: 'file', mediaType, data: source.url ?? `data:${mediaType};base64,${source.data}` };
}
