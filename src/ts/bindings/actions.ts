/**
 * What the user does in a page, the same in every binding. A decision is bound to the input that was shown.
 *
 * Of the core only types are imported: see gate-source.ts.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import type { ApprovalTarget, Decision, DecisionForAll, PendingApproval } from '../types/index.js';

/**
 * What the user does. Each throws what the gate throws; as long as there is none, an `Error` with the code `not-initialized`, which is
 * no `ToolGateError` because the bindings bring nothing of the core.
 */
export interface GateActions {
  /**
   * Decides an approval: pass the approval or the tool part as it was shown. The decision counts for that input only; if
   * the call has another one by now, it throws `stale-input`. The same decision again is `'duplicate'`, the opposite one
   * throws `already-decided`. With an approval's id, `inputDigest` binds it to an input.
   */
  readonly respond: (target: ApprovalTarget, decision: Decision) => 'accepted' | 'duplicate';
  /**
   * Decides these approvals at once: pass the list that was shown. Those that were decided meanwhile, or have another
   * input, are left out, and so are approvals that arrived since. Returns how many were decided.
   */
  readonly respondAll: (approvals: readonly PendingApproval[], decision: Omit<DecisionForAll, 'where'>) => number;
  /** Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. */
  readonly cancel: (reason?: string) => void;
  /** Sends an item of the undelivered ones again. */
  readonly retry: (id: string) => void;
}

/** The error of an act that came before there was anything to act on. @internal */
export function noneYet(message: string): Error {
  return Object.assign(new Error(message), { code: 'not-initialized' as const });
}

/** The actions on the gate that there is when they are called. */
export function createActions(current: () => ToolGate | null | undefined): GateActions {
  const gate = (): ToolGate => {
    const found = current();
    if (found) return found;
    throw noneYet('toolgate: there is no gate yet, so nothing can be answered: wait for init(), then hand in the gate');
  };
  return {
    respond: (target, decision) => gate().respond(target, decision),
    respondAll: (approvals, { approved, reason }) => {
      const shown = new Map(approvals.map((approval) => [approval.approvalId, approval]));
      const where = (now: PendingApproval): boolean => {
        const seen = shown.get(now.approvalId);
        // The same object has the same input: no digest has to be made.
        return seen === now || seen?.inputDigest === now.inputDigest;
      };
      return gate().respondAll({ approved, where, ...(reason !== undefined && { reason }) });
    },
    cancel: (reason) => gate().cancel(reason),
    retry: (id) => gate().retry(id),
  };
}
