/**
 * The AI SDK's UI message stream, read by the AI SDK too; and the protocols whose frames contain its chunks.
 */
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { ProtocolName } from '../../all.js';
import type { Encoder, ReadCall } from '../encoder.js';
import type { Features, Json, ScriptedCall } from '../script.js';

const FEATURES: Features = {
  interleaves: true,
  streams: true,
  requests: ['plain', 'early', 'twice'],
  results: true,
  steps: true,
  reasoning: true,
};

const REPLAYED: Features = { ...FEATURES, replays: true };

const readCalls = (messages: readonly UIMessage[]): ReadCall[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part): ReadCall[] =>
      'toolCallId' in part ? [{ name: part.type.slice('tool-'.length), input: part.input as Json }] : [],
    ),
  );

/** The encoder of a protocol that carries the AI SDK's chunks. */
function carrying(protocol: ProtocolName, more?: Partial<Encoder>): Encoder {
  return {
    protocol,
    features: FEATURES,
    wire() {
      let texts = 0;
      const chunks = (...given: unknown[]): unknown[] => given;
      return {
        open: () => chunks({ type: 'start', messageId: 'm1' }),
        openStep: () => chunks({ type: 'start-step' }),
        closeStep: () => chunks({ type: 'finish-step' }),
        text({ kind, pieces }) {
          const id = `text-${texts++}`;
          return chunks(
            { type: `${kind}-start`, id },
            ...pieces.map((delta) => ({ type: `${kind}-delta`, id, delta })),
            { type: `${kind}-end`, id },
          );
        },
        call: ({ id: toolCallId, name: toolName, input, how }: ScriptedCall) =>
          chunks(
            { type: 'tool-input-start', toolCallId, toolName },
            ...how.pieces.map((inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta })),
            { type: 'tool-input-available', toolCallId, toolName, input },
          ),
        request: ({ id: toolCallId, request }) =>
          chunks({ type: 'tool-approval-request', approvalId: request!.approvalId, toolCallId }),
        result: ({ id: toolCallId, result }) =>
          chunks(
            result!.failed
              ? { type: 'tool-output-error', toolCallId, errorText: result!.value }
              : { type: 'tool-output-available', toolCallId, output: result!.value },
          ),
        close: () => chunks({ type: 'finish' }),
        fail: () => chunks({ type: 'error', errorText: 'overloaded' }),
      };
    },
    ...more,
  };
}

const sentCalls = (body: unknown): ReadCall[] => readCalls((body as { messages: UIMessage[] }).messages);

export const aiSdk = carrying('ai-sdk', {
  features: REPLAYED,
  sentCalls,
  noise: [{ type: 'data-progress', data: 1, transient: true }],
  async vendor(events) {
    const chunks = new ReadableStream<UIMessageChunk>({
      start(controller) {
        for (const event of events) controller.enqueue(event as UIMessageChunk);
        controller.close();
      },
    });
    let last: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: chunks })) last = message;
    const parts = last?.parts ?? [];
    return {
      calls: readCalls(last ? [last] : []),
      text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
    };
  },
});

export const aiSdkWs = carrying('ai-sdk-ws', {
  /** A server sends objects, their JSON, or the events of a stream, some of them together. */
  transport(chunks, random) {
    const data = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`);
    return random.pick([
      () => chunks,
      () => chunks.map((chunk) => JSON.stringify(chunk)),
      () => [...data.map((line) => `${line}\n\n`), 'data: [DONE]\n\n'],
      () => [data.slice(0, 3).join('\r\n\r\n') + '\n', data.slice(3).join('\r\n\r\n'), '[DONE]'],
    ])();
  },
});

export const pydanticAi = carrying('pydantic-ai', { features: REPLAYED, sentCalls });

export const cloudflare = carrying('cloudflare', {
  features: REPLAYED,
  /** The frames are numbered. After a reconnection, those of the reply come again. */
  transport(chunks, random) {
    const frames = (chunks as readonly UIMessageChunk[]).map((chunk, seq) => {
      const frame = { type: 'cf_agent_use_chat_response', id: 'r1', done: false, seq };
      return chunk.type === 'error'
        ? { ...frame, body: chunk.errorText, error: true }
        : { ...frame, body: JSON.stringify(chunk) };
    });
    const again = random.below(frames.length);
    if (random.chance(0.7) || !again) return frames;
    return [
      ...frames.slice(0, again),
      ...frames.slice(0, again).map((frame) => ({ ...frame, replay: true })),
      ...frames.slice(again),
    ];
  },
});
