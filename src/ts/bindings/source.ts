/**
 * What every binding is over, and what the user does there: a gate, or a guarded chat, which has one.
 *
 * Nothing of the core is imported here, only types: a server renders a page with bindings without WebAssembly, and an app
 * that loads the core later does not load it with them.
 */
import type { GuardableChat } from '../ai-sdk/types.js';
import type { ToolGate } from '../store.js';
import type { PendingApproval, ResponseInput, ResponseToAll } from '../types.js';

export type { GuardableChat };

/** Where `guard` keeps the gate of a chat: see ai-sdk/guard.ts. */
const GATE = Symbol.for('toolgate.gate');

/** A gate, or a chat that `guard` returned. */
export type GateSource = ToolGate | GuardableChat;

/** A gate or guarded chat, or nothing as long as there is none: on the server, and until `init()` is done. */
export type MaybeGate = GateSource | null | undefined;

/** The user's answer to one approval. The digest of the input that was shown is added to it. */
export type Answer = Omit<ResponseInput, 'inputDigest'>;

/** One answer for several approvals. */
export type AnswerToAll = Omit<ResponseToAll, 'where'>;

/** What the user does. Each throws a plain `Error` as long as there is no gate, and `ToolGateError` as the gate does. */
export interface GateActions {
  /**
   * Answers an approval: pass it as it was shown. The answer counts for that input only; if the call has another one by
   * now, it throws `stale-input`. The same answer again is `'duplicate'`, the opposite one throws `already-decided`.
   */
  readonly respond: (approval: PendingApproval, answer: Answer) => 'accepted' | 'duplicate';
  /**
   * Answers these approvals at once: pass the list that was shown. What was answered meanwhile, or has another input, is
   * left out, and so is what arrived since. Returns how many were answered.
   */
  readonly respondAll: (approvals: readonly PendingApproval[], answer: AnswerToAll) => number;
  /** Withdraws without answering: undecided calls and undelivered approvals are cancelled, and the chat goes on. */
  readonly cancel: (reason?: string) => void;
  /** Sends an item of the undelivered ones again. */
  readonly retry: (id: string) => void;
}

/** The gate in a source; undefined for none. Throws a `TypeError` for anything else, such as a chat that is not guarded. */
export function gateIn(source: MaybeGate): ToolGate | undefined {
  if (source === null || source === undefined) return undefined;
  // Vue's `ref(gate)` holds a proxy, through which private fields cannot be read.
  const bare = (source as { __v_raw?: GateSource }).__v_raw ?? source;
  const gate = (bare as { [GATE]?: ToolGate })[GATE] ?? (bare as Partial<ToolGate>);
  if (typeof gate.getSnapshot === 'function' && typeof gate.subscribe === 'function') return gate as ToolGate;
  throw new TypeError('toolgate: this is neither a ToolGate nor a chat that guard() returned; as long as there is none, pass null');
}

/** The actions on the gate that there is when they are called. */
export function createActions(current: () => ToolGate | null | undefined): GateActions {
  const gate = (): ToolGate => {
    const found = current();
    if (found) return found;
    throw new Error('toolgate: there is no gate yet, so nothing can be answered: wait for init(), then hand in the gate');
  };
  return {
    respond: (approval, answer) => gate().respond(approval.approvalId, { ...answer, inputDigest: approval.inputDigest }),
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
