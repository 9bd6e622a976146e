/**
 * The user's actions, shared by all bindings. A decision is bound to the input that was shown.
 *
 * This file imports only types of the core, for the reason in gate-source.ts.
 */
import { chatOf, gateIn, notInitialized, type GateSource } from '../gate/gate-source.js';
import { respondToShown } from '../gate/respond-shown.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type {
  ApprovalTarget,
  CancelOnly,
  Decision,
  DecisionForAll,
  InputOfTarget,
  PendingApproval,
} from '../types/index.js';
import { say } from '../types/say.js';

/**
 * The user's actions. Each throws the errors of the gate. While there is no gate, it throws an `Error` with the code
 * `not-initialized`, which is not a `ToolGateError` because the bindings do not import the core.
 */
export interface GateActions {
  /**
   * Decides an approval. Pass the approval or the tool part that was shown: the decision is bound to its input, and
   * `stale-input` is thrown if the call has a different input now. The same decision again returns `'duplicate'`, the
   * opposite one throws `already-decided`. If you pass an approval id, `inputDigest` binds the decision to an input.
   */
  readonly respond: <TARGET extends ApprovalTarget>(
    target: TARGET,
    decision: Decision<InputOfTarget<TARGET>>,
  ) => 'accepted' | 'duplicate';
  /**
   * Decides the approvals of the list that was shown. Skips approvals that were decided since or have a different input
   * now, and does not decide newer ones. Returns the number of decided approvals.
   */
  readonly respondAll: (approvals: readonly PendingApproval[], decision: Omit<DecisionForAll, 'where'>) => number;
  /**
   * Cancels undecided calls and undelivered approvals without deciding them, so that the chat can continue. `only`
   * limits it to one held approval (`{ approvalId }`: it will not run), or to one undelivered item (`{ id }`).
   */
  readonly cancel: (reason?: string, only?: CancelOnly) => void;
  /** Sends an undelivered item again. */
  readonly retry: (id: string) => void;
  /** Sends what is held after `stop()` or a reply that broke off, or continues a reply that reached a step limit. */
  readonly resume: () => void;
}

const actionsBySource = new WeakMap<object, GateActions>();
const withoutGate = createActions(() => undefined);

/** Returns the actions on a gate or guarded chat: the same object for all components that show it. */
export function actionsOf(source: GateSource): GateActions {
  if (!source) return withoutGate;
  const raw = chatOf(source);
  let actions = actionsBySource.get(raw);
  if (!actions) actionsBySource.set(raw, (actions = createActions(() => gateIn(source))));
  return actions;
}

/** Creates the actions. Each acts on the gate that `current` returns when it is called. */
export function createActions(current: () => ToolGate | null | undefined): GateActions {
  const gate = (): ToolGate => {
    const found = current();
    if (found) return found;
    throw notInitialized(
      say`toolgate: there is no gate yet. Pass a gate or a guarded chat; until its core is loaded, use its own
        methods.`,
    );
  };
  return {
    respond: (target, decision) => gate().respond(target, decision),
    respondAll: (approvals, decision) => respondToShown(gate(), approvals, decision),
    cancel: (reason, only) => gate().cancel(reason, only),
    retry: (id) => gate().retry(id),
    resume: () => gate().resume(),
  };
}
