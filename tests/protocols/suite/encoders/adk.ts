/** The events of the API server of Google's Agent Development Kit. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const adk: Encoder = {
  protocol: 'adk',
  features: {
    missingIds: true,
    requests: ['plain', 'twice', 'other', 'unannounced'],
    results: true,
    steps: true,
    reasoning: true,
  },
  wire() {
    const event = (parts: object[], more: object = {}): object => ({
      author: 'agent',
      invocationId: 'e-1',
      content: { role: 'model', parts },
      ...more,
    });
    return {
      text: ({ kind, pieces }) => {
        const thought = kind === 'reasoning' && { thought: true };
        return [
          ...pieces.map((text) => event([{ text, ...thought }], { partial: true })),
          event([{ text: pieces.join(''), ...thought }]),
        ];
      },
      call: ({ id, name, input, how, request, result }: ScriptedCall) => [
        // A call without an id has neither a request nor a result that could name it.
        event([{ functionCall: { ...((how.ids === 'given' || request || result) && { id }), name, args: input } }]),
      ],
      request: ({ id, name, request }) => [
        event([
          {
            functionCall: {
              id: request!.approvalId,
              name: 'adk_request_confirmation',
              args: {
                originalFunctionCall: { id, name, args: request!.input },
                toolConfirmation: { confirmed: false },
              },
            },
          },
        ]),
      ],
      result: ({ id, name, result }) => [
        event([
          {
            functionResponse: {
              id,
              name,
              response: result!.failed ? { error: result!.value } : { result: result!.value },
            },
          },
        ]),
      ],
      close: () => [],
      fail: () => [{ error: 'overloaded' }],
    };
  },
};
