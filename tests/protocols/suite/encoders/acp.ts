/** The updates and requests of an agent that speaks the first or the second version of the Agent Client Protocol. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const acp: Encoder = {
  protocol: 'acp',
  features: { requests: ['plain', 'early', 'twice', 'other', 'unannounced'], results: true, reasoning: true },
  wire(_, random) {
    const isV2 = random.chance(0.5);
    let requests = 0;
    const update = (sessionUpdate: string, more: object): object => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate, ...more } },
    });
    return {
      text: ({ kind, pieces }) =>
        pieces.map((text) =>
          update(kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk', { content: { type: 'text', text } }),
        ),
      call({ id: toolCallId, name: title, input: rawInput }: ScriptedCall) {
        const head = { toolCallId, title, name: title, kind: 'edit' };
        if (isV2) return [update('tool_call_update', { ...head, rawInput })];
        // Some agents announce a call first, and its input with an update.
        return random.chance(0.5)
          ? [update('tool_call', { ...head, status: 'pending', rawInput })]
          : [
              update('tool_call', { ...head, status: 'pending' }),
              update('tool_call_update', { toolCallId, status: 'in_progress', rawInput }),
            ];
      },
      request: ({ id: toolCallId, name: title, request }) => [
        {
          jsonrpc: '2.0',
          id: request!.how === 'twice' ? Number(request!.approvalId.slice('approval-'.length)) : 100 + requests++,
          method: 'session/request_permission',
          params: {
            sessionId: 's',
            ...(isV2
              ? {
                  title,
                  subject: {
                    type: 'tool_call',
                    toolCall: { toolCallId, title, name: title, rawInput: request!.input },
                  },
                }
              : { toolCall: { toolCallId, title, name: title, rawInput: request!.input } }),
            options: [
              { optionId: 'yes', kind: 'allow_once', name: 'Allow' },
              { optionId: 'no', kind: 'reject_once', name: 'Reject' },
            ],
          },
        },
      ],
      result: ({ id: toolCallId, result }) => [
        update('tool_call_update', {
          toolCallId,
          status: result!.failed ? 'failed' : 'completed',
          rawOutput: result!.value,
        }),
      ],
      open: () => (isV2 ? [{ jsonrpc: '2.0', id: 'out-1', result: { messageId: 'user-1' } }] : []),
      close: () => [
        isV2
          ? update('state_update', { state: 'idle', stopReason: 'end_turn' })
          : { jsonrpc: '2.0', id: 'out-1', result: { stopReason: 'end_turn' } },
      ],
      fail: () => [
        isV2
          ? update('state_update', { state: 'idle', stopReason: 'error', error: { code: 1, message: 'overloaded' } })
          : { jsonrpc: '2.0', id: 'out-1', error: { code: -32603, message: 'overloaded' } },
      ],
    };
  },
  noise: [
    {
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'available_commands_update', availableCommands: [] } },
    },
  ],
};
