/** The Messages API as Anthropic streams it, read by Anthropic's own client too. */
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import type { MessageParam, RawMessageStreamEvent, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import { linesOf, type Encoder, type ReadCall, type Wire } from '../encoder.js';
import type { Json } from '../script.js';

/** The events of content blocks, numbered from 0. */
export function blocks(): (start: object, deltas: readonly object[]) => object[] {
  let count = 0;
  return (start, deltas) => {
    const index = count++;
    return [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  };
}

/** The calls in the content of a message, as the client reads it and as a request contains it. */
const readCalls = (content: string | readonly { readonly type: string }[]): ReadCall[] =>
  typeof content === 'string'
    ? []
    : (content as readonly ToolUseBlock[]).flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, input: block.input as Json }] : [],
      );

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {},
};

/** A reply that does not stream: one event with all content. */
function wholeOf(message: (content: readonly object[]) => object): Wire {
  const content: object[] = [];
  const add = (block: object): unknown[] => (content.push(block), []);
  return {
    text: ({ kind, pieces }) =>
      add(
        kind === 'text'
          ? { type: 'text', text: pieces.join('') }
          : { type: 'thinking', thinking: pieces.join(''), signature: 'signed' },
      ),
    call: ({ id, name, input }) => add({ type: 'tool_use', id, name, input }),
    close: () => [message(content)],
    fail: () => [OVERLOADED],
  };
}

const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } };

export const anthropic: Encoder = {
  protocol: 'anthropic',
  features: {
    interleaves: true,
    streams: true,
    startsWhole: true,
    repeatedIds: true,
    clientAsks: true,
    reasoning: true,
  },
  wire({ steps }, random) {
    const block = blocks();
    const stop_reason = steps[0]!.calls.length ? 'tool_use' : 'end_turn';
    if (random.chance(0.2)) return wholeOf((content) => ({ ...MESSAGE, content, stop_reason }));
    return {
      open: () => [
        {
          type: 'message_start',
          message: MESSAGE,
        },
      ],
      text: ({ kind, pieces }) =>
        kind === 'text'
          ? block(
              { type: 'text', text: '' },
              pieces.map((text) => ({ type: 'text_delta', text })),
            )
          : block({ type: 'thinking', thinking: '', signature: '' }, [
              ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
              { type: 'signature_delta', signature: 'signed' },
            ]),
      call: ({ id, name, input, how }) =>
        how.isWhole
          ? block({ type: 'tool_use', id, name, input }, [{ type: 'input_json_delta', partial_json: '' }])
          : block(
              { type: 'tool_use', id, name, input: {} },
              how.pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
            ),
      close: () => [
        {
          type: 'message_delta',
          delta: { stop_reason },
          usage: { output_tokens: 9 },
        },
        { type: 'message_stop' },
      ],
      fail: () => [OVERLOADED],
    };
  },
  noise: [{ type: 'ping' }],
  async vendor(events, { steps }) {
    // Anthropic sends no input in the first event of a block: only proxies do, and the client then reads `{}`.
    if (steps[0]!.calls.some(({ how }) => how.isWhole)) return undefined;
    // It streams, so it does not read whole messages.
    if (events.some((event) => (event as { type: string }).type === 'message')) return undefined;
    // The client's stream of events has no pings.
    const stream = MessageStream.fromReadableStream(
      linesOf(events.filter((event) => (event as RawMessageStreamEvent | { type: 'ping' }).type !== 'ping')),
    );
    const { content } = await stream.finalMessage();
    return {
      calls: readCalls(content),
      text: content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''),
    };
  },
  sentCalls: (body) => (body as { messages: MessageParam[] }).messages.flatMap(({ content }) => readCalls(content)),
};
