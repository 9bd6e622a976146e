/** The chunks and the final response of a Genkit flow. */
import type { Encoder, ReadCall } from '../encoder.js';
import type { Json, Script, ScriptedCall } from '../script.js';

export const genkit: Encoder = {
  protocol: 'genkit',
  features: { missingIds: true, requests: ['plain'], reasoning: true },
  wire(script: Script) {
    const chunk = (content: readonly object[]): object => ({ message: { role: 'model', content } });
    const callOf = ({ id, name, input, how }: ScriptedCall): object => ({
      toolRequest: { name, ...(how.ids === 'given' && { ref: id }), input },
    });
    const calls = script.steps.flatMap((step) => step.calls);
    return {
      text: ({ kind, pieces }) => pieces.map((text) => chunk([kind === 'text' ? { text } : { reasoning: text }])),
      call: (call: ScriptedCall) => [chunk([callOf(call)])],
      close: () => [
        {
          result: {
            finishReason: calls.some(({ request }) => request) ? 'interrupted' : 'stop',
            message: {
              role: 'model',
              content: calls.map((call) => ({
                ...callOf(call),
                ...(call.request && { metadata: { interrupt: true } }),
              })),
            },
          },
        },
      ],
      fail: () => [{ error: { message: 'overloaded' } }],
    };
  },
  sentCalls: (body) =>
    (body as { messages: { content: { toolRequest?: { name: string; input: Json } }[] }[] }).messages.flatMap(
      ({ content }) =>
        content.flatMap(({ toolRequest: call }): ReadCall[] => (call ? [{ name: call.name, input: call.input }] : [])),
    ),
};
