/** The parts that VS Code's language models stream to an extension. */
import type { Encoder, ReadCall } from '../encoder.js';
import type { Json, Script } from '../script.js';

export const vscode: Encoder = {
  protocol: 'vscode',
  features: { repeatedIds: true, clientAsks: true, breaksOff: true },
  options: { needsApproval: () => true },
  wire: (_: Script) => ({
    text: ({ pieces }) => pieces.map((value) => ({ value })),
    call: ({ id: callId, name, input }) => [{ callId, name, input }],
    close: () => [],
    fail: () => [],
  }),
  sentCalls: (body) =>
    (body as { messages: { content: { callId: string; name?: string; input: Json }[] }[] }).messages.flatMap(
      ({ content }) => content.flatMap(({ name, input }): ReadCall[] => (name === undefined ? [] : [{ name, input }])),
    ),
};
