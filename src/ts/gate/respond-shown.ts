/** Decides the approvals of a list that was shown. Imports only types of the core, for the reason in gate-source.ts. */
import type { DecisionForAll, PendingApproval } from '../types/index.js';
import type { ToolGate } from './tool-gate.js';

/**
 * Decides the approvals that were shown, all before anything is sent. Skips approvals that were decided since or have a
 * different input or other options now, and does not decide newer ones. Returns the number of decided approvals.
 */
export function respondToShown(
  gate: ToolGate,
  approvals: readonly PendingApproval[],
  { approved, reason }: Omit<DecisionForAll, 'where'>,
): number {
  const shown = new Map(approvals.map((approval) => [approval.approvalId, approval]));
  const where = (now: PendingApproval): boolean => {
    const seen = shown.get(now.approvalId);
    // The same object has the same input, so its digest need not be computed. An input without a digest has none to
    // compare.
    const isSame = seen?.inputDigest === now.inputDigest && seen.shownRevision === now.shownRevision;
    return seen === now || (now.inputDigest !== '' && isSame);
  };
  return gate.respondAll({ approved, where, ...(reason !== undefined && { reason }) });
}
