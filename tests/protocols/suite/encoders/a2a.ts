/** The events of an agent that speaks A2A, with the convention for approvals. */
import type { Encoder } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

export const a2a: Encoder = {
  protocol: 'a2a',
  features: { requests: ['plain', 'twice', 'unannounced'], results: true },
  wire(script: Script) {
    let messages = 0;
    const ids = { taskId: 'task', contextId: 'chat' };
    const part = (data: object): object => ({ data, mediaType: 'application/json' });
    const status = (state: string, parts: readonly object[]): object => ({
      statusUpdate: {
        ...ids,
        status: {
          state: `TASK_STATE_${state}`,
          ...(parts.length && { message: { messageId: `message-${messages++}`, role: 'ROLE_AGENT', ...ids, parts } }),
        },
      },
    });
    const named = ({ id: toolCallId, name: toolName, input }: ScriptedCall): object => ({
      toolCallId,
      toolName,
      input,
    });
    const requests = script.steps
      .flatMap(({ calls }) => calls)
      .flatMap((call) => {
        if (!call.request) return [];
        const asked = part({ type: 'tool-approval-request', approvalId: call.request.approvalId, ...named(call) });
        return call.request.how === 'twice' ? [asked, asked] : [asked];
      });
    return {
      text: ({ pieces }) => [
        status(
          'WORKING',
          pieces.map((text) => ({ text })),
        ),
      ],
      call: (call: ScriptedCall) => [status('WORKING', [part({ type: 'tool-call', ...named(call) })])],
      result: ({ id: toolCallId, result }) => [
        status('WORKING', [
          part({
            type: 'tool-result',
            toolCallId,
            ...(result!.failed ? { error: result!.value } : { output: result!.value }),
          }),
        ]),
      ],
      close: () => [requests.length ? status('INPUT_REQUIRED', requests) : status('COMPLETED', [])],
      fail: () => [status('FAILED', [])],
    };
  },
};
