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

const readCalls = (messages: readonly UIMessage[]): ReadCall[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part): ReadCall[] =>
      'toolCallId' in part ? [{ name: part.type.slice('tool-'.length), input: part.input as Json }] : [],
    ),
  );

/** The encoder of a protocol that carries the AI SDK's chunks. `frame`: puts a chunk into a frame. */
function carrying(protocol: ProtocolName, frame: (chunk: object) => unknown, more?: Partial<Encoder>): Encoder {
  return {
    protocol,
    features: FEATURES,
    wire() {
      let texts = 0;
      const frames = (...chunks: readonly object[]): unknown[] => chunks.map(frame);
      return {
        open: () => frames({ type: 'start', messageId: 'm1' }),
        openStep: () => frames({ type: 'start-step' }),
        closeStep: () => frames({ type: 'finish-step' }),
        text({ kind, pieces }) {
          const id = `text-${texts++}`;
          return frames(
            { type: `${kind}-start`, id },
            ...pieces.map((delta) => ({ type: `${kind}-delta`, id, delta })),
            { type: `${kind}-end`, id },
          );
        },
        call: ({ id: toolCallId, name: toolName, input, how }: ScriptedCall) =>
          frames(
            { type: 'tool-input-start', toolCallId, toolName },
            ...how.pieces.map((inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta })),
            { type: 'tool-input-available', toolCallId, toolName, input },
          ),
        request: ({ id: toolCallId, request }) =>
          frames({ type: 'tool-approval-request', approvalId: request!.approvalId, toolCallId }),
        result: ({ id: toolCallId, result }) =>
          frames(
            result!.failed
              ? { type: 'tool-output-error', toolCallId, errorText: result!.value }
              : { type: 'tool-output-available', toolCallId, output: result!.value },
          ),
        close: () => frames({ type: 'finish' }),
        fail: () => frames({ type: 'error', errorText: 'overloaded' }),
      };
    },
    ...more,
  };
}

const sentCalls = (body: unknown): ReadCall[] => readCalls((body as { messages: UIMessage[] }).messages);

export const aiSdk = carrying('ai-sdk', (chunk) => chunk, {
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

export const aiSdkWs = carrying('ai-sdk-ws', (chunk) => JSON.stringify(chunk));

export const pydanticAi = carrying('pydantic-ai', (chunk) => chunk, { sentCalls });

export const cloudflare = carrying('cloudflare', (chunk) => ({
  type: 'cf_agent_use_chat_response',
  id: 'r1',
  body: JSON.stringify(chunk),
  done: false,
}));
