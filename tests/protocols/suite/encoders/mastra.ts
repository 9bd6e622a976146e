/** The chunks of Mastra's agents, as its server streams them. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const mastra: Encoder = {
  protocol: 'mastra',
  features: {
    interleaves: true,
    streams: true,
    requests: ['plain', 'early', 'twice', 'other', 'unannounced'],
    results: true,
    steps: true,
    reasoning: true,
  },
  wire(_, random) {
    let texts = 0;
    const chunk = (type: string, payload: object): object => ({ type, runId: 'run-1', from: 'AGENT', payload });
    return {
      open: () => [chunk('start', {})],
      openStep: () => [chunk('step-start', {})],
      closeStep: () => [chunk('step-finish', { stepResult: { reason: 'tool-calls' } })],
      text({ kind, pieces }) {
        const id = `text-${texts++}`;
        return [
          chunk(`${kind}-start`, { id }),
          ...pieces.map((text) => chunk(`${kind}-delta`, { id, text })),
          chunk(`${kind}-end`, { id }),
        ];
      },
      call: ({ id: toolCallId, name: toolName, input, how }: ScriptedCall) => [
        chunk('tool-call-input-streaming-start', { toolCallId, toolName }),
        ...how.pieces.map((argsTextDelta) => chunk('tool-call-delta', { toolCallId, toolName, argsTextDelta })),
        chunk('tool-call-input-streaming-end', { toolCallId }),
        chunk('tool-call', { toolCallId, toolName, args: input }),
      ],
      request: ({ id: toolCallId, name: toolName, request }) => [
        chunk('tool-call-approval', { toolCallId, toolName, args: request!.input }),
      ],
      result: ({ id: toolCallId, name: toolName, result }) => [
        result!.failed
          ? chunk('tool-error', { toolCallId, toolName, error: { message: result!.value } })
          : chunk('tool-result', { toolCallId, toolName, result: result!.value }),
      ],
      close: () => [chunk('finish', { stepResult: { reason: 'tool-calls' } })],
      fail: () =>
        random.chance(0.5)
          ? [chunk('error', { error: { message: 'overloaded' } })]
          : [chunk('tripwire', { reason: 'Not allowed.' }), chunk('finish', { stepResult: { reason: 'tripwire' } })],
    };
  },
};
