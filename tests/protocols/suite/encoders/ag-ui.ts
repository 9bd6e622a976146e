/** AG-UI's events, and those of TanStack AI. */
import type { ProtocolName } from '../../all.js';
import type { Encoder } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

function encoderOf(protocol: ProtocolName): Encoder {
  return {
    protocol,
    features: {
      interleaves: true,
      replays: true,
      streams: true,
      requests: protocol === 'ag-ui' ? ['plain', 'twice', 'unannounced'] : ['plain', 'twice'],
      results: true,
      reasoning: true,
      subAgents: protocol === 'ag-ui',
    },
    wire(script: Script, random) {
      let messages = 0;
      const run = { threadId: 't', runId: 'r' };
      const of = (agent: string | undefined): object => (agent === undefined ? {} : { subagentRunId: agent });
      const interrupts = script.steps
        .flatMap(({ calls }) => calls)
        .flatMap(({ id, name, agent, request }) => {
          const interrupt = request && {
            id: request.approvalId,
            reason: 'tool_call',
            toolCallId: id,
            ...of(agent),
            ...(request.how === 'unannounced' && { metadata: { mastra: { toolName: name, args: request.input } } }),
          };
          return interrupt ? (request.how === 'twice' ? [interrupt, interrupt] : [interrupt]) : [];
        });
      return {
        open: () => [{ type: 'RUN_STARTED', ...run }],
        text({ kind, pieces }) {
          const messageId = `message-${messages++}`;
          const [start, content, end] =
            kind === 'text'
              ? ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']
              : ['REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END'];
          // The short form, as for calls.
          if (random.chance(0.3))
            return pieces.map((delta, at) => ({
              type: kind === 'text' ? 'TEXT_MESSAGE_CHUNK' : 'REASONING_MESSAGE_CHUNK',
              ...(at === 0 && { messageId, ...(kind === 'text' && { role: 'assistant' }) }),
              delta,
            }));
          const events = [
            { type: start, messageId, role: kind === 'text' ? 'assistant' : 'reasoning' },
            ...pieces.map((delta) => ({ type: content, messageId, delta })),
            { type: end, messageId },
          ];
          return kind === 'text'
            ? events
            : [{ type: 'REASONING_START', messageId }, ...events, { type: 'REASONING_END', messageId }];
        },
        call({ id: toolCallId, name: toolCallName, agent, how }: ScriptedCall) {
          const head = { toolCallId, toolCallName, ...of(agent) };
          // The short form: one kind of event, the first of which has the name.
          if (random.chance(0.3))
            return how.pieces.map((delta, at) => ({
              type: 'TOOL_CALL_CHUNK',
              ...(at ? { toolCallId, ...of(agent) } : head),
              delta,
            }));
          return [
            { type: 'TOOL_CALL_START', ...head },
            ...how.pieces.map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId, ...of(agent), delta })),
            { type: 'TOOL_CALL_END', toolCallId, ...of(agent) },
          ];
        },
        result: ({ id: toolCallId, result }) => [
          { type: 'TOOL_CALL_RESULT', messageId: `result-${messages++}`, toolCallId, content: result!.value },
        ],
        close: () => [
          { type: 'RUN_FINISHED', ...run, ...(interrupts.length && { outcome: { type: 'interrupt', interrupts } }) },
        ],
        fail: () => [{ type: 'RUN_ERROR', message: 'overloaded' }],
      };
    },
    noise: [
      { type: 'STATE_SNAPSHOT', snapshot: {} },
      { type: 'CUSTOM', name: 'progress', value: 1 },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'activity', activityType: 'x', content: {} },
      { type: 'RAW', event: {} },
    ],
  };
}

export const agUi = encoderOf('ag-ui');
export const tanstack = encoderOf('tanstack');
