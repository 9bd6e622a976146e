/** The events of opencode's server about one session. */
import type { Encoder } from '../encoder.js';
import type { ScriptedCall } from '../script.js';

export const opencode: Encoder = {
  protocol: 'opencode',
  features: { requests: ['plain', 'twice'], results: true, steps: true, reasoning: true },
  wire(_, random) {
    const isV2 = random.chance(0.5);
    let parts = 0;
    const ids = new Map<string, string>();
    const updated = (part: object): object => ({
      type: 'message.part.updated',
      properties: { part: { sessionID: 'chat', messageID: 'm1', ...part } },
    });
    const tool = ({ id: callID, name }: ScriptedCall, state: object): object => {
      const id = ids.get(callID) ?? `part-${parts++}`;
      ids.set(callID, id);
      return updated({ id, type: 'tool', callID, tool: name, state });
    };
    return {
      open: () => [
        { type: 'message.updated', properties: { info: { id: 'm0', role: 'user', sessionID: 'chat' } } },
        updated({ id: 'part-u', messageID: 'm0', type: 'text', text: 'Go.' }),
      ],
      openStep: () => [updated({ id: `part-${parts++}`, type: 'step-start' })],
      closeStep: () => [updated({ id: `part-${parts++}`, type: 'step-finish', reason: 'tool-calls' })],
      text({ kind: type, pieces }) {
        const id = `part-${parts++}`;
        const ended = updated({ id, type, text: pieces.join(''), time: { start: 1, end: 2 } });
        const delta = { sessionID: 'chat', messageID: 'm1', partID: id, field: 'text' };
        if (random.chance(0.5))
          return [
            updated({ id, type, text: '' }),
            ...pieces.map((piece) => ({ type: 'message.part.delta', properties: { ...delta, delta: piece } })),
            ended,
          ];
        return [...pieces.map((_piece, at) => updated({ id, type, text: pieces.slice(0, at + 1).join('') })), ended];
      },
      call: (call: ScriptedCall) => [
        tool(call, { status: 'pending', input: {} }),
        tool(call, { status: 'running', input: call.input }),
      ],
      request({ id: callID, request }) {
        const [of, about] = [
          { id: request!.approvalId, sessionID: 'chat' },
          { messageID: 'm1', callID },
        ];
        const first = { ...of, permission: 'edit', patterns: ['*'], metadata: {}, tool: about };
        const second = { ...of, action: 'edit', resources: ['*'], source: { type: 'tool', ...about } };
        return [{ type: `permission.${isV2 ? 'v2.' : ''}asked`, properties: isV2 ? second : first }];
      },
      result: (call) => [
        tool(
          call,
          call.result!.failed
            ? { status: 'error', input: call.input, error: call.result!.value }
            : { status: 'completed', input: call.input, output: call.result!.value },
        ),
      ],
      close: () => [{ type: 'session.idle', properties: { sessionID: 'chat' } }],
      fail: () => [
        {
          type: 'session.error',
          properties: { sessionID: 'chat', error: { name: 'ApiError', data: { message: 'overloaded' } } },
        },
      ],
    };
  },
  noise: [
    { type: 'message.updated', properties: { info: { id: 'm1', role: 'assistant', sessionID: 'chat' } } },
    // What a subagent writes.
    {
      type: 'message.part.updated',
      properties: { part: { id: 'x', sessionID: 'child', messageID: 'm9', type: 'text', text: 'Inner.' } },
    },
  ],
};
