/** The events of the API server of Google's Agent Development Kit, with the names of JavaScript or of Python. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

/** The names of Python. */
const PYTHON: Record<string, string> = {
  functionCall: 'function_call',
  functionResponse: 'function_response',
  originalFunctionCall: 'original_function_call',
  toolConfirmation: 'tool_confirmation',
  requestedToolConfirmations: 'requested_tool_confirmations',
  invocationId: 'invocation_id',
};

/** The same value with the names of Python. The inputs of calls keep theirs. */
function inPython(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => inPython(item));
  if (typeof value !== 'object' || value === null) return value;
  const isInput = key === 'args' && !('originalFunctionCall' in value);
  return isInput
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, of]) => [PYTHON[name] ?? name, inPython(of, name)]));
}

export const adk: Encoder = {
  protocol: 'adk',
  features: {
    missingIds: true,
    requests: ['plain', 'twice', 'other', 'unannounced'],
    results: true,
    steps: true,
    reasoning: true,
  },
  wire(_, random) {
    const [isPython, streams] = [random.chance(0.5), random.chance(0.7)];
    const event = (parts: object[], more: object = {}): unknown => {
      const given = { author: 'agent', invocationId: 'e-1', content: { role: 'model', parts }, ...more };
      return isPython ? inPython(given) : given;
    };
    return {
      text: ({ kind, pieces }) => {
        const thought = kind === 'reasoning' && { thought: true };
        return [
          ...(streams ? pieces : []).map((text) => event([{ text, ...thought }], { partial: true })),
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
        // The call waits: this is not its result.
        event([{ functionResponse: { id, name, response: { error: 'wait' } } }], {
          actions: { requestedToolConfirmations: { [id]: {} } },
        }),
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
      fail: () => [
        random.pick([
          { error: 'RuntimeError: overloaded' },
          { author: 'agent', errorCode: 'SAFETY', errorMessage: 'blocked' },
        ]),
      ],
    };
  },
};
