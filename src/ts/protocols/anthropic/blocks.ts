/**
 * Reads the content blocks of Anthropic's Messages API, in a stream and in a history: for `anthropic`, and for
 * `claude-agent-sdk`, whose messages contain those of the API.
 *
 * What is kept beside a part, under the name `anthropic`: `own`, the fields of the block that Toolgate has no use for;
 * `answer`, those of a call's result; `type`, the block's type, for the server's own calls and their results; `block`,
 * a whole block without a neutral form.
 */
import type {
  ContentBlock,
  ContentBlockParam,
  ImageBlockParam,
  RawContentBlockDelta,
} from '@anthropic-ai/sdk/resources/messages';
import type { ReplyChunk } from '../../types/protocol-definition.js';
import type { Calls } from '../shared/calls.js';
import type { CustomPart, Kept, Part } from '../shared/codec.js';
import { hasMoreThanText } from '../shared/content.js';
import { setResult, textOf } from '../shared/history.js';
import type { Parsed } from '../shared/history-format.js';
import type { Fields } from '../shared/lane.js';
import { present } from '../shared/native.js';
import type { ReplyWriter } from '../shared/reply-writer.js';
import type { Merged, Wire } from '../shared/wire.js';

/** A block of a message, in a stream or in a history. */
export type Block = Merged<ContentBlock | ContentBlockParam>;

/** A block that arrives. */
type OpenBlock = { -readonly [NAME in keyof Block]: Block[NAME] };

/** What is kept beside a part. */
export interface AnthropicKept {
  readonly type?: string;
  readonly own?: Fields;
  readonly answer?: Fields;
  readonly block?: Block;
  readonly isLater?: boolean;
  readonly content?: unknown;
  readonly signature?: string;
  readonly redactedData?: string;
}

/** Blocks that have a neutral form. */
const KNOWN = /^(text|(redacted_)?thinking|.*tool_use|.*tool_result)$/;

/** Reads the blocks of streamed messages, by their index in the message. */
export interface BlockReader {
  start(index: number | undefined, block: Block): void;
  grow(index: number | undefined, delta: Merged<RawContentBlockDelta>): void;
  stop(index: number | undefined): void;
}

/** Creates the reader of a stream's blocks. */
export function blockReader(writer: ReplyWriter): BlockReader {
  const blocks = new Map<number | undefined, OpenBlock>();
  const calls = new Set<string | undefined>();
  const start: BlockReader['start'] = (index, block) => {
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
  const grow: BlockReader['grow'] = (index, { type, text, thinking, signature, citation, partial_json: piece }) => {
    if (type === 'text_delta') writer.textDelta(String(index), text);
    else if (type === 'thinking_delta') writer.textDelta(String(index), thinking, 'reasoning');
    else if (type === 'input_json_delta') writer.lane(index).delta(piece);
    else {
      const block = blocks.get(index) as OpenBlock;
      if (type === 'signature_delta') block.signature = signature;
      else if (type === 'citations_delta')
        block.citations = [...((block.citations ?? []) as object[]), citation] as Block['citations'];
    }
  };
  const stop: BlockReader['stop'] = (index) => {
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
export const isUse = (block: { readonly type?: string | undefined } | undefined): boolean =>
  /tool_use$/.test(block?.type as string);

/** Whether a result is an error. */
export const isError = ({ is_error: failed, content }: Pick<Block, 'is_error' | 'content'>): boolean =>
  typeof failed === 'boolean' ? failed : /_error$/.test((content as Block | undefined)?.type as string);

const metadata = (fields: Wire<AnthropicKept>): Kept | undefined => {
  const anthropic = present(fields);
  return anthropic && { anthropic };
};

/** A block without a neutral form. `as`: the name of metadata in a stream or in a history. */
const wholeBlock = (block: Block, as: 'providerMetadata' | 'providerOptions'): CustomPart & ReplyChunk => ({
  type: 'custom',
  kind: `anthropic.${block.type}`,
  [as]: { anthropic: { block } },
});

/** Returns the metadata that must be sent back with a text or with reasoning. */
function keptOf({ type: _, text: __, thinking: ___, signature, data, ...own }: Block): Kept | undefined {
  const isSealed = typeof data === 'string';
  return metadata({ signature: signature || undefined, redactedData: isSealed ? data : undefined, own: present(own) });
}

/** Returns the additional fields of a call. */
function headOf({ type, id: _, name: __, input: ___, ...own }: Block) {
  const isHosted = type !== 'tool_use';
  const providerMetadata = metadata({ type: isHosted ? type : undefined, own: present(own) });
  return { ...(isHosted && { providerExecuted: true, dynamic: true }), ...(providerMetadata && { providerMetadata }) };
}

/**
 * Returns the metadata of a result of the server. `isLater`: it comes in a later message than its call. The gate has an
 * error as a text, so its content is kept too.
 */
function hostedResult(block: Block, isLater: boolean): Kept | undefined {
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
const isContent = (block: Block | null): unknown => block?.type === 'text' || (block?.type && !KNOWN.test(block.type));

/** Reads a block of a history. */
export function parseBlock(block: Block, calls: Calls): Parsed {
  const { type, content, tool_use_id: answers } = block;
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
  const source = block.source as Merged<ImageBlockParam['source']>;
  if (content !== undefined || !/^(url|base64)$/.test(source?.type)) return wholeBlock(block, 'providerOptions');
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  const data = source.url ?? `data:${mediaType};base64,${source.data}`;
  return { type: 'file', mediaType, data, providerOptions: metadata({ own: present(own) }) };
}

function parseResult(block: Block, calls: Calls): Parsed {
  const { type: _, content, tool_use_id: answers, is_error: __, ...own } = block;
  const failed = isError(block);
  const call = calls.get(answers as string);
  if (call?.providerExecuted) {
    const isLater = !calls.isInStep(answers as string);
    const meta = hostedResult(block, isLater);
    if (!isLater || call.result) return { answers, value: content ?? '', failed, meta };
    setResult(call, content ?? '', failed, undefined, meta);
    return wholeBlock(block, 'providerOptions');
  }
  const blocks = content as readonly Block[] | undefined;
  const isList = Array.isArray(blocks) && blocks.every(isContent);
  const parts = isList ? blocks.map((part) => parseBlock(part, calls) as Part) : undefined;
  // An error of the gate's is a text: its other parts are kept beside it.
  const more = failed && parts && hasMoreThanText(parts) ? { content } : {};
  const meta = metadata({ answer: present({ ...own, ...more }) });
  return { answers, value: content ?? '', ...(parts && { content: parts }), failed, meta };
}
