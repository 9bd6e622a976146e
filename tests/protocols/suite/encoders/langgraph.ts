/**
 * The events of a LangGraph run with the middleware for approvals, in the stream modes that the page of the docs asks
 * for.
 */
import type { Encoder } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

export const langgraph: Encoder = {
  protocol: 'langgraph',
  features: { interleaves: true, streams: true, requests: ['plain', 'unannounced'], reasoning: true },
  options: { browserTools: [] },
  wire(script: Script) {
    let calls = 0;
    const chunk = (more: object): object => ({
      event: 'messages',
      data: [{ type: 'AIMessageChunk', id: 'm1', content: '', ...more }, { langgraph_node: 'agent' }],
    });
    const asked = script.steps.flatMap((step) => step.calls).filter(({ request }) => request);
    return {
      open: () => [{ event: 'metadata', data: { run_id: 'r1' } }],
      text: ({ kind, pieces }) =>
        pieces.map((text) => chunk({ content: kind === 'text' ? text : [{ type: 'thinking', thinking: text }] })),
      call({ id, name, how }: ScriptedCall) {
        const index = calls++;
        return [
          chunk({ tool_call_chunks: [{ index, id, name, args: '' }] }),
          ...how.pieces.map((args) => chunk({ tool_call_chunks: [{ index, args }] })),
        ];
      },
      close: () =>
        asked.length
          ? [
              {
                event: 'updates',
                data: {
                  __interrupt__: [
                    {
                      id: '0'.repeat(32),
                      value: {
                        action_requests: asked.map(({ name, request }) => ({ name, args: request!.input })),
                        review_configs: [],
                      },
                    },
                  ],
                },
              },
            ]
          : [],
      fail: () => [{ event: 'error', data: { error: 'Error', message: 'overloaded' } }],
    };
  },
};
