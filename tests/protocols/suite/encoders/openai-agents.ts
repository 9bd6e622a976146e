/** The events of a run of the OpenAI Agents SDK, as its `run` emits them. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const openaiAgents: Encoder = {
  protocol: 'openai-agents',
  features: { requests: ['plain', 'twice', 'unannounced'], results: true, steps: true, reasoning: true },
  wire() {
    const item = (name: string, type: string, rawItem: object): object => ({
      type: 'run_item_stream_event',
      name,
      item: { type, rawItem },
    });
    const callOf = ({ id: callId, name, json }: ScriptedCall): object => ({
      type: 'function_call',
      callId,
      name,
      arguments: json,
      status: 'completed',
    });
    return {
      openStep: () => [{ type: 'raw_model_stream_event', data: { type: 'response_started' } }],
      text: ({ kind, pieces }) =>
        kind === 'reasoning'
          ? [
              item('reasoning_item_created', 'reasoning_item', {
                type: 'reasoning',
                id: 'rs_1',
                content: [{ type: 'input_text', text: pieces.join('') }],
              }),
            ]
          : [
              ...pieces.map((delta) => ({
                type: 'raw_model_stream_event',
                data: { type: 'output_text_delta', delta },
              })),
              item('message_output_created', 'message_output_item', {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: pieces.join('') }],
              }),
            ],
      call: (call: ScriptedCall) => [item('tool_called', 'tool_call_item', callOf(call))],
      request: (call) => [item('tool_approval_requested', 'tool_approval_item', callOf(call))],
      result: ({ id: callId, name, result }) => [
        item('tool_output', 'tool_call_output_item', {
          type: 'function_call_result',
          callId,
          name,
          status: 'completed',
          output: { type: 'text', text: result!.value },
        }),
      ],
      close: () => [],
      fail: () => [{ type: 'error', message: 'overloaded' }],
    };
  },
};
