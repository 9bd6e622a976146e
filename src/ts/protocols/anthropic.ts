/**
 * `anthropic`: the Messages API. Source: `resources/messages/messages.ts` of `@anthropic-ai/sdk` 1.12.
 *
 * Every `tool_use` has its `tool_result` in the next message, and a unique id. Blocks of tools that run at Anthropic
 * are hosted calls. Blocks without a neutral form are stored unchanged as custom parts, and written back unchanged.
 * Metadata uses the names of `@ai-sdk/anthropic`: `signature`, `redactedData`.
 */
import type { Calls } from './shared/calls.js';
import {
  lossyCapabilities,
  type Call,
  type CallResult,
  type Context,
  type Data,
  type Entry,
  type Part,
  type Reader,
  type StreamContext,
} from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asParts, fileOf, leadingSystemParts, objectInput, conversationOf, textIn } from './shared/history.js';
import { shortId, unusedId } from './shared/call-ids.js';
import { readHistory, writeHistory, type CallAnswer } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Protocol } from '../types/index.js';

/** Blocks that have a neutral form. */
const KNOWN = /^(text|(redacted_)?thinking|.*tool_use|.*tool_result)$/;

function createReader({ emit }: StreamContext): Reader {
  const writer = new ReplyWriter({ emit });
  const blocks = new Map<number, Data>();
  /** The ids of this reply's calls: a repeated id is replaced. */
  const used = new Set<string>();
  let reason: Data;

  const start = (index: number, block: Data): void => {
    const { type, text, thinking, id, name } = block;
    if (typeof type !== 'string') throw new TypeError('expected a block with a type');
    const own = isUse(block) ? { ...block, id: unusedId(id, used) } : { ...block };
    blocks.set(index, own);
    if (type === 'text') writer.textDelta(String(index), text);
    else if (/^(redacted_)?thinking$/.test(type)) writer.textDelta(String(index), thinking, 'reasoning');
    else if (isUse(block)) writer.startCall(own.id, name, hosting(own));
  };
  const grow = (index: number, { type, text, thinking, signature, partial_json: piece }: Data): void => {
    const block = blocks.get(index);
    if (type === 'text_delta') writer.textDelta(String(index), text);
    else if (type === 'thinking_delta') writer.textDelta(String(index), thinking, 'reasoning');
    else if (type === 'signature_delta') block.signature = signature;
    else if (type === 'input_json_delta') {
      block.grown = true;
      writer.inputDelta(block.id, piece);
    }
  };
  const stop = (index: number): void => {
    const block = blocks.get(index);
    blocks.delete(index);
    // A block whose start could not be read may still have text.
    if (!block) writer.endText(String(index));
    else if (isUse(block)) writer.endInput(block.id, block.grown ? undefined : block.input);
    else if (block.tool_use_id)
      writer.toolResult(block.tool_use_id, block.content, isError(block), {
        providerExecuted: true,
        providerMetadata: { anthropic: { type: block.type } },
      });
    else if (KNOWN.test(block.type)) writer.endText(String(index), signed(block));
    else
      writer.content({ type: 'custom', kind: `anthropic.${block.type}`, providerMetadata: { anthropic: { block } } });
  };
  const end = (): void => {
    writer.endReply(finishReasonOf(reason));
    used.clear();
    reason = undefined;
  };

  return (event) => {
    const { type, index, delta, content_block: block, error } = event;
    if (type === 'message_start') writer.startReply();
    else if (type === 'content_block_start') start(index, block);
    else if (type === 'content_block_delta') grow(index, delta);
    else if (type === 'content_block_stop') stop(index);
    else if (type === 'message_delta') reason = delta?.stop_reason ?? reason;
    else if (type === 'message_stop') end();
    else if (type === 'error') writer.failReply(error?.message ?? error);
    else if (type === 'message') {
      writer.startReply();
      writer.each(event.content, (whole, place) => {
        start(place, whole);
        stop(place);
      });
      reason = event.stop_reason;
      end();
    } else return type === 'ping';
    return true;
  };
}

const isUse = (block: Data): boolean => /tool_use$/.test(block.type);

const isError = ({ is_error: failed, content }: Data): boolean =>
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

function messages(entries: readonly Entry[], context: Context): Data[] {
  return writeHistory(entries, context, {
    message: (role, content) => ({ role: role === 'tool' ? 'user' : role, content }),
    call: (call, result, id) => writeCall(call, result, id, context),
    part: writePart,
    id: shortId,
    // The API answers 400 if `tool_use` ids are not unique.
    isUnique: true,
  });
}

function writeCall(
  call: Call,
  { kind, text, value, failed }: CallResult,
  id: string,
  context: Context,
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
        content: text,
        ...((failed || kind !== 'executed') && { is_error: true }),
      },
    ],
  ];
}

function writePart(part: Part): Data {
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

function parse(block: Data, calls: Calls): Part | CallAnswer {
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
    const isText = !hosted && Array.isArray(content) && content.every((part) => part.type === 'text');
    const value = isText ? textIn(content) : (content ?? '');
    return { answers, value, failed: isError(block), meta: hosted && { anthropic: { type } } };
  }
  if (type === 'text') return { type, text: block.text };
  if (KNOWN.test(type)) return { type: 'reasoning', text: block.thinking ?? '', providerOptions: signed(block) };
  if (!source?.url && !source?.data)
    return { type: 'custom', kind: `anthropic.${type}`, providerOptions: { anthropic: { block } } };
  const mediaType = source.media_type ?? (type === 'image' ? 'image' : 'application/pdf');
  return { type: 'file', mediaType, data: source.url ?? `data:${mediaType};base64,${source.data}` };
}

/** Anthropic's Messages API. */
export const anthropic: Protocol = makeProtocol({
  name: 'anthropic',
  capabilities: lossyCapabilities('approval pending json input system reasoning custom file id'),
  clientRunsTools: true,
  clientAsks: true,
  createReader,
  write: (entries, context) => messages(conversationOf(entries, context), context),
  read: (history, context) => readHistory(history, context, ({ role, content }) => [role, asParts(content)], parse),
  body(entries, context) {
    const [conversation, system] = [
      conversationOf(entries),
      leadingSystemParts(entries).flatMap((part) => writePart(part) ?? []),
    ];
    return { ...(system.length && { system }), messages: messages(conversation, context) };
  },
});
