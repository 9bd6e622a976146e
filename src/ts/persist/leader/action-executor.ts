/** Executes the actions of other tabs in the leader's gate, each once. */
import type { CommandOf } from '../../gate/commands.js';
import type { GateInternals } from '../../gate/internals.js';
import { ToolGateError } from '../../types/errors.js';
import type { AppliedActions } from './applied-actions.js';
import type { SentAction } from '../storage/chat-record.js';
import type { TabMessage } from '../tabs/tab-messages.js';
import { readAction } from '../tabs/unconfirmed-actions.js';

/** The dependencies. */
interface ActionExecutorDeps {
  readonly internals: GateInternals;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  /** Called when another tab has stopped the chat. */
  readonly onStop: () => void;
}

/** Executes actions in one gate. */
export class ActionExecutor {
  readonly #deps: ActionExecutorDeps;
  #isExecuting = false;

  constructor(deps: ActionExecutorDeps) {
    this.#deps = deps;
  }

  /** Whether an action of another tab is being executed. */
  get isExecuting(): boolean {
    return this.#isExecuting;
  }

  /**
   * Executes those of the given actions that are not applied yet. Returns whether there was one. Errors of the gate are
   * sent to the other tabs, and reported here as well if `isReported`, since those tabs may be gone.
   */
  execute(actions: readonly SentAction[], done: AppliedActions, isReported: boolean): boolean {
    const missing = done.missing(actions);
    for (const action of missing) {
      done.add(action[0], action[1]);
      if (!this.#do(action, isReported)) done.refused(action);
    }
    return missing.length > 0;
  }

  /** Executes one action. Returns whether the gate accepted it. */
  #do(sent: SentAction, isReported: boolean): boolean {
    const { internals, post, onError, onStop } = this.#deps;
    const [tab, number] = sent;
    this.#isExecuting = true;
    try {
      const action = readAction(sent);
      internals.commands.dispatch({ ...action, isForwarded: true, tab } as CommandOf<'stop'>);
      if (action.name === 'stop') onStop();
      return true;
    } catch (error) {
      if (!(error instanceof ToolGateError)) {
        onError(error);
        return false;
      }
      const { code, message, toolCallId, approvalId } = error;
      if (isCrash(error)) return false;
      if (isReported) onError(error);
      post({ type: 'refused', tab, number, code, message, toolCallId, approvalId });
      return false;
    } finally {
      this.#isExecuting = false;
    }
  }
}

/** Whether the gate has crashed or was freed. The gate reports that itself. */
export function isCrash(error: unknown): boolean {
  return error instanceof ToolGateError && error.code === 'crashed';
}
