/** The parts that Effect's `LanguageModel.streamText` emits. */
import type { Encoder, ReadCall } from '../encoder.js';
import type { Json, ScriptedCall } from '../script.js';

export const effect: Encoder = {
  protocol: 'effect',
  features: { interleaves: true, streams: true, requests: ['plain', 'early', 'twice'], results: true, reasoning: true },
  wire() {
    let texts = 0;
    return {
      text({ kind, pieces }) {
        const id = `text-${texts++}`;
        return [
          { type: `${kind}-start`, id },
          ...pieces.map((delta) => ({ type: `${kind}-delta`, id, delta })),
          { type: `${kind}-end`, id },
        ];
      },
      call: ({ id, name, input, how }: ScriptedCall) => [
        { type: 'tool-params-start', id, name, providerExecuted: false },
        ...how.pieces.map((delta) => ({ type: 'tool-params-delta', id, delta })),
        { type: 'tool-params-end', id },
        { type: 'tool-call', id, name, params: input, providerExecuted: false },
      ],
      request: ({ id: toolCallId, request }) => [
        { type: 'tool-approval-request', approvalId: request!.approvalId, toolCallId },
      ],
      result: ({ id, name, result }) => [
        { type: 'tool-result', id, name, result: result!.value, isFailure: result!.failed, providerExecuted: false },
      ],
      close: () => [{ type: 'finish', reason: 'tool-calls' }],
      fail: () => [{ type: 'error', error: { message: 'overloaded' } }],
    };
  },
  noise: [{ type: 'response-metadata', id: 'r1' }],
  sentCalls: (body) =>
    (body as { prompt: { content: { type: string; name: string; params: Json }[] }[] }).prompt.flatMap(({ content }) =>
      Array.isArray(content)
        ? content.flatMap(({ type, name, params }): ReadCall[] =>
            type === 'tool-call' ? [{ name, input: params }] : [],
          )
        : [],
    ),
};
