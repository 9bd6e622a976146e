/**
 * What a backend asks besides "may it run": its prompt, its options, and a text. The answer is the `reason` of the
 * approval, because that is the only field that protocols have for it.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { descriptorOf, type ApprovalDescriptor, type ApprovalOption } from '../types/approval-descriptor.js';
import type { PendingApproval } from '../types/index.js';

/** What a form asks the user for, besides the decision. */
export interface Asked {
  readonly prompt: string;
  readonly options: readonly ApprovalOption[];
  readonly acceptsText: boolean;
  /** Without an answer, the call cannot be approved. */
  readonly isRequired: boolean;
}

/** Whether the gate's protocol can send a text with an approval. */
const canCarryText = (gate: ToolGate | undefined): boolean => gate?.protocol.capabilities.reason !== false;

/**
 * What the descriptor asks for. If the protocol can send no reason, and has no options itself, only the prompt is
 * shown: an answer would be lost.
 */
export function askedBy(descriptor: ApprovalDescriptor, gate: ToolGate | undefined): Asked {
  const canSend = canCarryText(gate);
  const once = descriptor.options.filter(({ kind }) => kind === 'allow-once');
  const choices = descriptor.options.filter(
    ({ kind }) => kind === 'choice' || (kind === 'allow-once' && once.length > 1),
  );
  const options = canSend || descriptor.isOfProtocol ? choices : [];
  return {
    prompt: descriptor.prompt ?? '',
    options,
    acceptsText: canSend && descriptor.acceptsText,
    isRequired: options.length > 0 || (canSend && descriptor.requiresText),
  };
}

/** Whether a request can be approved by a bare yes. An unknown call cannot. */
export function isBareYes(gate: ToolGate, { approvalId, toolCallId }: PendingApproval): boolean {
  const approval = gate.part(toolCallId)?.approval;
  return approval?.id === approvalId && !askedBy(descriptorOf(approval), gate).isRequired;
}
