/** A gate whose backend requests approval of calls of tools with inputs. */
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import type { ApprovalRule, Limits } from 'toolgate/rules';

export { init };

/** The events of a call that needs approval. `more`: other fields of the request. */
export const asks = (
  call: string,
  input: unknown,
  { toolName = 'edit', ...more }: Record<string, unknown> = {},
): object[] => [
  { type: 'tool-input-available', toolCallId: call, toolName, input },
  { type: 'tool-approval-request', approvalId: `ask-${call}`, toolCallId: call, ...more },
];

/** A gate that has sent its first message, and whose reply has begun. */
export function begun(options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', ...options });
  gate.sendUserMessage({ text: 'tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  return gate;
}

/** Passes events to a gate. */
export const receive = (gate: ToolGate, ...events: readonly object[]): void =>
  events.forEach((one) => gate.receive(one));

/** Ends the reply. */
export function finish(gate: ToolGate): void {
  receive(gate, { type: 'finish-step' }, { type: 'finish' });
  gate.streamEnded({ status: 'finished' });
}

/** A rule that approves edits inside of src. */
export const inSrc = (more: Partial<ApprovalRule> = {}): ApprovalRule => ({
  ...{ id: 'src', toolName: 'edit', approved: true },
  limits: { path: { kind: 'within', path: 'src' } } satisfies Limits,
  ...more,
});

/** The decision of each call, such as `c1 approved`; `c1 asked` without one. */
export const decisions = (gate: ToolGate): string[] =>
  gate.getSnapshot().messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (!('toolCallId' in part)) return [];
      const { approved } = part.approval ?? {};
      return `${part.toolCallId} ${approved === undefined ? 'asked' : approved ? 'approved' : 'denied'}`;
    }),
  );
