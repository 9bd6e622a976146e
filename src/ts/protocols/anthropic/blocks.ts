/**
 * Reads the content blocks of Anthropic's Messages API, in a stream and in a history: for `anthropic`, and for
 * `claude-agent-sdk`, whose messages contain those of the API.
 *
 * What is kept beside a part, under the name `anthropic`: `own`, the fields of the block that Toolgate has no use for;
 * `answer`, those of a call's result; `type`, the block's type, for the server's own calls and their results; `block`,
 * a whole block without a neutral form.
 */
import type { Calls } from '../shared/calls.js';
import type { Data, Part } from '../shared/codec.js';
import { hasMoreThanText } from '../shared/content.js';
import { setResult, textOf } from '../shared/history.js';
import type { CallAnswer } from '../shared/history-format.js';
import { present } from '../shared/native.js';
import type { ReplyWriter } from '../shared/reply-writer.js';

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
  const calls = new Set<string>();
  const start = (index: number, block: Data): void => {
    const { type, text, thinking, id, name, input } = block;
    if (typeof type !== 'string') throw new TypeError('expected a block with a type');
    blocks.set(index, { ...block });
    if (type === 'text') writer.textDelta(String(index), text);
    else if (/^(redacted_)?thinking$/.test(type)) writer.textDelta(String(index), thinking, 'reasoning');
    // The input of the first event counts if no other follows: proxies send it whole, and `{}` means no arguments.
    else if (isUse(block)) {
      calls.add(id);
      writer.lane(index).start(id, name, headOf(block), input);
    }
  };
  const grow = (index: number, { type, text, thinking, signature, citation, partial_json: piece }: Data): void => {
    if (type === 'text_delta') writer.textDelta(String(index), text);
    else if (type === 'thinking_delta') writer.textDelta(String(index), thinking, 'reasoning');
    else if (type === 'input_json_delta') writer.lane(index).delta(piece);
    else {
      const block = blocks.get(index);
      if (type === 'signature_delta') block.signature = signature;
      else if (type === 'citations_delta') block.citations = [...(block.citations ?? []), citation];
    }
  };
  const stop = (index: number): void => {
    const block = blocks.get(index);
    blocks.delete(index);
    // A block whose start could not be read may still have text.
    if (!block) writer.endText(String(index));
    else if (isUse(block)) writer.lane(index).end();
    else if (block.tool_use_id) {
      const isLater = !calls.has(block.tool_use_id);
      // The place of a result that comes in a later message than its call.
      if (isLater) writer.content(wholeBlock(block, 'providerMetadata'));
      const providerMetadata = hostedResult(block, isLater);
      const failed = isError(block);
      const value = failed ? textOf(block.content) : block.content;
      writer.result(block.tool_use_id, value, failed, { providerExecuted: true, providerMetadata });
    } else if (KNOWN.test(block.type)) writer.endText(String(index), keptOf(block));
    else writer.content(wholeBlock(block, 'providerMetadata'));
  };
  return { start, grow, stop };
}

/** Whether a block is a call. */
export const isUse = (block: Data): boolean => /tool_use$/.test(block?.type);

/** Whether a result is an error. */
export const isError = ({ is_error: failed, content }: Data): boolean =>
  typeof failed === 'boolean' ? failed : /_error$/.test(content?.type);

const metadata = (fields: Data): Data => {
  const anthropic = present(fields);
  return anthropic && { anthropic };
};

/** A block without a neutral form. `as`: the name of metadata in a stream or in a history. */
const wholeBlock = (block: Data, as: string): Data => ({
  type: 'custom',
  kind: `anthropic.${block.type}`,
  [as]: { anthropic: { block } },
});

/** Returns the metadata that must be sent back with a text or with reasoning. */
function keptOf({ type: _, text: __, thinking: ___, signature, data, ...own }: Data): Data {
  const isSealed = typeof data === 'string';
  return metadata({ signature: signature || undefined, redactedData: isSealed ? data : undefined, own: present(own) });
}

/** Returns the additional fields of a call. */
function headOf({ type, id: _, name: __, input: ___, ...own }: Data): Data {
  const isHosted = type !== 'tool_use';
  const providerMetadata = metadata({ type: isHosted ? type : undefined, own: present(own) });
  return { ...(isHosted && { providerExecuted: true, dynamic: true }), ...(providerMetadata && { providerMetadata }) };
}

/**
 * Returns the metadata of a result of the server. `isLater`: it comes in a later message than its call. The gate has an
 * error as a text, so its content is kept too.
 */
function hostedResult(block: Data, isLater: boolean): Data {
  const { type, tool_use_id: _, content, is_error: __, ...own } = block;
  const isObject = isError(block) && typeof content !== 'string';
  return metadata({
    type,
    own: present(own),
    isLater: isLater || undefined,
    content: isObject ? content : undefined,
  });
}

/** Whether a block may be part of a result. */
const isContent = (block: Data): boolean => block?.type === 'text' || (block?.type && !KNOWN.test(block.type));

/** Reads a block of a history. */
export function parseBlock(block: Data, calls: Calls): Part | CallAnswer {
  const { type, source, content, tool_use_id: answers } = block;
  if (typeof type !== 'string') throw new TypeError('expected a block with a type');
  if (isUse(block)) {
    const { providerMetadata: providerOptions, ...hosted } = headOf(block);
    return {
      type: 'tool-call',
      toolCallId: block.id,
      toolName: block.name,
      input: block.input,
      ...hosted,
      providerOptions,
    };
  }
  if (answers) return parseResult(block, calls);
  if (type === 'text') return { type, text: block.text, providerOptions: keptOf(block) };
  if (KNOWN.test(type)) return { type: 'reasoning', text: block.thinking ?? '', providerOptions: keptOf(block) };
  const { type: _, source: __, ...own } = block;
  if (content !== undefined || !/^(url|base64)$/.test(source?.type)) return wholeBlock(block, 'providerOptions');
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  const data = source.url ?? `data:${mediaType};base64,${source.data}`;
  return { type: 'file', mediaType, data, providerOptions: metadata({ own: present(own) }) };
}

function parseResult(block: Data, calls: Calls): Part | CallAnswer {
  const { type: _, content, tool_use_id: answers, is_error: __, ...own } = block;
  const failed = isError(block);
  const call = calls.get(answers);
  if (call?.providerExecuted) {
    const isLater = !calls.isInStep(answers);
    const meta = hostedResult(block, isLater);
    if (!isLater || call.result) return { answers, value: content ?? '', failed, meta };
    setResult(call, content ?? '', failed, undefined, meta);
    return wholeBlock(block, 'providerOptions');
  }
  const isList = Array.isArray(content) && content.every(isContent);
  const parts = isList ? content.map((part) => parseBlock(part, calls) as Part) : undefined;
  // An error of the gate's is a text: its other parts are kept beside it.
  const more = failed && parts && hasMoreThanText(parts) ? { content } : {};
  const meta = metadata({ answer: present({ ...own, ...more }) });
  return { answers, value: content ?? '', ...(parts && { content: parts }), failed, meta };
}
