/**
 * The approvals that a list has decided together. The list announces them in one sentence, so their cards don't
 * announce the decision again.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { ToolPart } from '../types/index.js';

const decidedTogether = new WeakMap<ToolGate, Set<string>>();

/** Notes approvals whose decision the list announces. */
export function announceTogether(gate: ToolGate, approvalIds: readonly string[]): void {
  const known = decidedTogether.get(gate) ?? new Set();
  decidedTogether.set(gate, known);
  for (const id of approvalIds) known.add(id);
}

/** Whether the list announces the decision about this call. The next change of the call is announced by its card. */
export function takeAnnounced(gate: ToolGate | undefined, part: ToolPart | undefined): boolean {
  const known = gate && decidedTogether.get(gate);
  return part?.approval !== undefined && known?.delete(part.approval.id) === true;
}
