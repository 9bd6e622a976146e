/** The events of a session of Claude's Managed Agents. */
import type { Encoder } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

/** An error of the session; with `retrying` it continues. */
const errorOf = (type: 'exhausted' | 'retrying'): object => ({
  type: 'session.error',
  id: 'e',
  error: { type: 'model_overloaded_error', message: 'overloaded', retry_status: { type } },
});

export const claudeManagedAgents: Encoder = {
  protocol: 'claude-managed-agents',
  features: { requests: ['plain', 'twice'], results: true, steps: true },
  wire(script: Script, random) {
    let messages = 0;
    // The approval's id is the event id of the call.
    const asked = script.steps.flatMap(({ calls }) => calls).filter(({ request }) => request);
    const idle = (stop_reason: object): object => ({ type: 'session.status_idle', id: 'idle', stop_reason });
    return {
      openStep: () => [{ type: 'span.model_request_start', id: `span-${messages++}` }],
      text({ pieces }) {
        const id = `message-${messages++}`;
        const preview = random.chance(0.5) ? pieces : [];
        return [
          ...(preview.length ? [{ type: 'event_start', event: { id, type: 'agent.message' } }] : []),
          ...preview.map((text) => ({
            type: 'event_delta',
            event_id: id,
            delta: { type: 'content_delta', content: { type: 'text', text } },
          })),
          { type: 'agent.message', id, content: [{ type: 'text', text: pieces.join('') }] },
        ];
      },
      call: ({ id, name, input, request }: ScriptedCall) => [
        { type: 'agent.tool_use', id, name, input, evaluated_permission: request ? 'ask' : 'allow' },
      ],
      result: ({ id, result }) => [
        {
          type: 'agent.tool_result',
          id: `result-${id}`,
          tool_use_id: id,
          is_error: result!.failed,
          content: [{ type: 'text', text: result!.value }],
        },
      ],
      close() {
        if (!asked.length) return [idle({ type: 'end_turn' })];
        const waits = idle({ type: 'requires_action', event_ids: asked.map(({ id }) => id) });
        return asked.some(({ request }) => request!.how === 'twice') ? [waits, waits] : [waits];
      },
      fail: () => [random.pick([errorOf('exhausted'), { type: 'session.status_terminated', id: 't' }])],
    };
  },
  noise: [{ type: 'agent.thinking', id: 'thinking' }, errorOf('retrying')],
};
