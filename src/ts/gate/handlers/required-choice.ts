/**
 * Requests that a bare "yes" does not answer: a question, or a list of options none of which simply allows the call.
 * Approving such a call without an answer would tell the model that the user has answered nothing.
 */
import { ToolGateError } from '../../types/errors.js';
import { toolNameOf } from '../../types/tool-part.js';
import type { Decision, ToolPart } from '../../types/index.js';
import type { GateCore } from '../gate-core.js';
import { say } from '../../types/say.js';

/** What can carry a choice: an answer to a question as an edited input, or an option as the reason. */
type Choice = Pick<Decision, 'reason' | 'input'>;

/** Whether an approval of this call lacks the choice that its request requires. */
export function lacksChoice(gate: GateCore, part: ToolPart, choice: Choice): boolean {
  try {
    const { approval = {}, input } = part;
    const ofProtocol = gate.translator?.codec.lacksChoice;
    return ofProtocol?.({ toolName: toolNameOf(part), input, approval }, choice) || lacksOption(approval, choice);
  } catch {
    // The backend's metadata may be damaged: then it does not say what it requires.
    return false;
  }
}

/** Whether the options of an `approvalDescriptor` need a choice. Its form is that of types/approval-descriptor.ts. */
function lacksOption({ descriptor }: { readonly descriptor?: unknown }, { reason }: Choice): boolean {
  const { display, options } = Object(descriptor) as { readonly display?: unknown; readonly options?: unknown };
  const offered: readonly { readonly kind?: unknown }[] = Array.isArray(options) ? options : [];
  const isBare = offered.length > 0 && !offered.some(({ kind }) => /^allow/.test(String(kind)));
  return !reason && (display === 'text' || isBare);
}

/** The error of an approval without the choice that its request requires. */
export function choiceRequired(approvalId: string, toolCallId: string): ToolGateError {
  const message = say`A yes does not answer this request. Approve it with an option or a text as \`reason\`, or answers in
    \`input\`, or deny it.`;
  return new ToolGateError('choice-required', message, { approvalId, toolCallId });
}
