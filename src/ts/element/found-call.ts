/** Finds a call in a gate, with what its view says about it. */
import { callIn } from '../approval/call-in.js';
import type { FactsOfView } from '../describe/call-facts.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { isToolPart } from '../types/tool-part.js';
import type { ToolPart } from '../types/index.js';

/** A call in the current view. */
export interface FoundCall extends FactsOfView {
  readonly part: ToolPart;
}

/** The newest call with this id, or the one in this message; undefined if there is none. */
export function findCall(gate: ToolGate, toolCallId: string, messageId?: string): FoundCall | undefined {
  const view = gate.getSnapshot();
  const part =
    messageId === undefined
      ? gate.part(toolCallId)
      : view.messages
          .findLast(({ id }) => id === messageId)
          ?.parts.filter(isToolPart)
          .findLast((one) => one.toolCallId === toolCallId);
  return part && { part, ...callIn(gate, part) };
}

/** The id of the call that an approval belongs to; undefined if there is none. */
export function callOf(gate: ToolGate, approvalId: string): string | undefined {
  const { pending, messages } = gate.getSnapshot();
  const asked = pending.find((entry) => entry.approvalId === approvalId);
  const parts = asked ? [] : messages.flatMap((message) => message.parts.filter(isToolPart));
  return (asked ?? parts.findLast(({ approval }) => approval?.id === approvalId))?.toolCallId;
}
