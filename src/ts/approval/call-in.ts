/** What a gate's view says about one call. */
import { factsOf, type FactsOfView } from '../describe/call-facts.js';
import type { AnyToolPart } from '../describe/call-status.js';
import type { ToolGate } from '../gate/tool-gate.js';

/** Reads the gate's view about a call. Finds its request in the gate's index. */
export function callIn(gate: ToolGate, part: AnyToolPart): FactsOfView {
  const { messages, undelivered, turn } = gate.getSnapshot();
  const pending = gate.approval(part as Parameters<ToolGate['approval']>[0]);
  return factsOf(part, { messages, undelivered, turn, pending: pending ? [pending] : [] });
}
