/**
 * `anthropic`: the Messages API. Source: `resources/messages/messages.ts` of `@anthropic-ai/sdk` 1.14.
 *
 * Every `tool_use` has its `tool_result` in the next message, and a unique id. Blocks of tools that run at Anthropic
 * are hosted calls. Blocks without a neutral form are stored unchanged as custom parts, and written back unchanged.
 * Metadata uses the names of `@ai-sdk/anthropic`: `signature`, `redactedData`.
 */
import type { ErrorResponse } from '@anthropic-ai/sdk/resources/shared';
import type {
  Message,
  MessageParam,
  RawContentBlockDelta,
  RawMessageDeltaEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { blockReader, parseBlock, type Block } from './anthropic/blocks.js';
import { MESSAGES, writePart } from './anthropic/write.js';
import { lossyCapabilities, type Reader, type StreamContext } from './shared/codec.js';
import { ReplyWriter } from './shared/reply-writer.js';
import { asParts, conversationOf, leadingSystemParts } from './shared/history.js';
import { readHistory, writeHistory } from './shared/history-format.js';
import { finishReasonOf } from './shared/finish-reasons.js';
import { makeProtocol } from './shared/make-protocol.js';
import type { Merged, Wire } from './shared/wire.js';
import type { Protocol } from '../types/index.js';
import type { AnthropicBody, AnthropicMessage, Typed } from '../types/backends.js';

/** The events of a stream; a whole message, from a request without `stream`; and what the SDKs handle themselves. */
type AnthropicEvent = Merged<RawMessageStreamEvent | Message | ErrorResponse | { type: 'ping' }>;

function createReader(stream: StreamContext): Reader<AnthropicEvent> {
  const writer = new ReplyWriter(stream);
  const { start, grow, stop } = blockReader(writer);
  let reason: string | null | undefined;

  const end = (): void => {
    writer.endReply(finishReasonOf(reason));
    reason = undefined;
  };

  return (event) => {
    const { type, index, delta, content_block: block, error } = event;
    if (type === 'message_start') writer.startReply();
    else if (type === 'content_block_start') start(index, block as Block);
    else if (type === 'content_block_delta') grow(index, delta as Merged<RawContentBlockDelta>);
    else if (type === 'content_block_stop') stop(index);
    else if (type === 'message_delta')
      reason = (delta as Wire<RawMessageDeltaEvent['delta']> | undefined)?.stop_reason ?? reason;
    else if (type === 'message_stop') end();
    else if (type === 'error') writer.failReply(error?.message ?? error);
    else if (type === 'message') {
      writer.startReply();
      writer.each(event.content as readonly Block[], (whole, place) => {
        start(place, whole);
        stop(place);
      });
      reason = event.stop_reason;
      end();
    } else return type === 'ping';
    return true;
  };
}

/** Anthropic's Messages API. */
export const anthropic: Protocol<AnthropicBody, Typed, AnthropicMessage> = makeProtocol({
  name: 'anthropic',
  capabilities: lossyCapabilities('approval pending json input system reasoning custom file content id', 'raw-model'),
  createReader,
  write: (entries, context) => writeHistory(conversationOf(entries, context), context, MESSAGES),
  read: (history: readonly Wire<MessageParam>[], context) =>
    readHistory(history, context, ({ role, content }) => [role, asParts(content as Block[])], parseBlock),
  body(entries, context) {
    const [conversation, system] = [
      conversationOf(entries),
      leadingSystemParts(entries).flatMap((part) => writePart(part) ?? []),
    ];
    return { ...(system.length && { system }), messages: writeHistory(conversation, context, MESSAGES) };
  },
});
