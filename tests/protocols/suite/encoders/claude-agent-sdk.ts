/** The messages of a session of the Claude Agent SDK, alone or beside the events of their streams. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';
import { blocks } from './anthropic.js';

export const claudeAgentSdk: Encoder = {
  protocol: 'claude-agent-sdk',
  features: {
    streams: true,
    requests: ['plain', 'early', 'other', 'unannounced'],
    results: true,
    steps: true,
    reasoning: true,
  },
  wire({ steps: scripted }, random) {
    // Without the events of the stream, the message of a call precedes its request.
    const isAnnounced = scripted.every(({ calls }) => calls.every(({ request }) => request?.how !== 'unannounced'));
    const form = random.pick(['events', 'both', ...(isAnnounced ? (['messages'] as const) : [])] as const);
    let steps = 0;
    let events: ReturnType<typeof blocks>;
    const event = (given: object): object[] =>
      form === 'messages' ? [] : [{ type: 'stream_event', event: given, parent_tool_use_id: null, session_id: 's' }];
    const block = (whole: object, empty: object, deltas: readonly object[]): object[] => {
      const streamed = events({ ...whole, ...empty }, deltas).flatMap(event);
      if (form === 'events') return streamed;
      const message = { id: `msg_${steps}`, role: 'assistant', content: [whole] };
      // The message arrives before its block ends.
      streamed.splice(-1, 0, { type: 'assistant', message, parent_tool_use_id: null, session_id: 's' });
      return streamed;
    };
    const result = (more: object): object => ({ type: 'result', session_id: 's', ...more });
    return {
      openStep() {
        events = blocks();
        return event({ type: 'message_start', message: { id: `msg_${++steps}`, content: [] } });
      },
      closeStep: () => event({ type: 'message_stop' }),
      text: ({ kind, pieces }) =>
        kind === 'text'
          ? block(
              { type: 'text', text: pieces.join('') },
              { text: '' },
              pieces.map((text) => ({ type: 'text_delta', text })),
            )
          : block(
              { type: 'thinking', thinking: pieces.join(''), signature: '' },
              { thinking: '' },
              pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
            ),
      call: ({ id, name, input, how }: ScriptedCall) =>
        block(
          { type: 'tool_use', id, name, input },
          { input: {} },
          how.pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
      request: ({ id, name, request }) => [
        {
          type: 'control_request',
          request_id: request!.approvalId,
          request: { subtype: 'can_use_tool', tool_name: name, input: request!.input, tool_use_id: id },
        },
      ],
      result: ({ id, result: given }) => [
        {
          type: 'user',
          session_id: 's',
          parent_tool_use_id: null,
          message: {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: id, content: given!.value, is_error: given!.failed }],
          },
        },
      ],
      close: () => [result({ subtype: 'success', is_error: false, result: 'done' })],
      fail: () => [result({ subtype: 'error_during_execution', is_error: true, errors: ['overloaded'] })],
    };
  },
  noise: [{ type: 'keep_alive' }],
};
