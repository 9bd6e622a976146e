/**
 * The events of a run of the OpenAI Agents SDK: as its `run` emits them in JavaScript, as the SDK in Python does, or
 * the items of a run that does not stream. Only the first have an event for a request; the others list the
 * interruptions.
 */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const openaiAgents: Encoder = {
  protocol: 'openai-agents',
  features: { requests: ['plain', 'twice', 'unannounced'], results: true, steps: true, reasoning: true },
  wire(_, random) {
    const form = random.pick(['JavaScript', 'Python', 'items'] as const);
    const isPython = form === 'Python';
    const interruptions: object[] = [];
    const raw = (type: string, rawItem: object): object => ({ type, [isPython ? 'raw_item' : 'rawItem']: rawItem });
    const item = (name: string, type: string, rawItem: object): object =>
      form === 'items' ? raw(type, rawItem) : { type: 'run_item_stream_event', name, item: raw(type, rawItem) };
    const idOf = ({ id }: ScriptedCall): object => ({ [isPython ? 'call_id' : 'callId']: id });
    const callOf = (call: ScriptedCall): object => ({
      type: 'function_call',
      ...idOf(call),
      name: call.name,
      arguments: call.json,
      status: 'completed',
    });
    /** An event of the model. */
    const model = (type: string, more?: object): object[] =>
      form === 'items'
        ? []
        : isPython
          ? [{ type: 'raw_response_event', data: { type: `response.${type}`, ...more } }]
          : [{ type: 'raw_model_stream_event', data: { type, ...more } }];
    return {
      openStep: () => model(isPython ? 'created' : 'response_started'),
      text: ({ kind, pieces }) =>
        kind === 'reasoning'
          ? [
              item('reasoning_item_created', 'reasoning_item', {
                type: 'reasoning',
                id: 'rs_1',
                ...(isPython
                  ? { summary: [{ type: 'summary_text', text: pieces.join('') }] }
                  : { content: [{ type: 'input_text', text: pieces.join('') }] }),
              }),
            ]
          : [
              ...pieces.flatMap((delta) => model(isPython ? 'output_text.delta' : 'output_text_delta', { delta })),
              item('message_output_created', 'message_output_item', {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: pieces.join('') }],
              }),
            ],
      call: (call: ScriptedCall) => [item('tool_called', 'tool_call_item', callOf(call))],
      request(call) {
        if (form === 'JavaScript') return [item('tool_approval_requested', 'tool_approval_item', callOf(call))];
        interruptions.push(raw('tool_approval_item', callOf(call)));
        // Every call that is interrupted is an item, too.
        return call.request!.how === 'unannounced' ? [item('tool_called', 'tool_call_item', callOf(call))] : [];
      },
      result: (call) => [
        item('tool_output', 'tool_call_output_item', {
          type: isPython ? 'function_call_output' : 'function_call_result',
          ...idOf(call),
          ...(!isPython && { name: call.name, status: 'completed' }),
          output: isPython ? call.result!.value : { type: 'text', text: call.result!.value },
        }),
      ],
      close: () => (interruptions.length ? [{ interruptions }] : []),
      fail: () => [{ type: 'error', message: 'overloaded' }],
    };
  },
};
