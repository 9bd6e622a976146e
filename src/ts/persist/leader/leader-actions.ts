/** The users' actions as the leader applies them: each once, those of its own tab and those of the others. */
import type { CommandOf } from '../../gate/commands.js';
import { ToolGateError } from '../../types/errors.js';
import type { JSONValue } from '../../types/index.js';
import { isCrash } from '../persist-error.js';
import type { Applied, SentAction } from '../storage/chat-record.js';
import { readAction } from '../tabs/action.js';
import type { Tab } from '../tabs/tab.js';

/** The tab whose actions these are. The leader creates them, so this file must not import it. */
interface Leader {
  readonly epoch: number;
  readonly isActive: boolean;
  readonly term: object;
  markChanged(isUrgent: boolean): void;
  saved(): Promise<void>;
  cancelClaims(): void;
}

/** Only this class sets its fields. */
export class LeaderActions {
  readonly #tab: Tab;
  readonly #leader: Leader;
  /** The number of the last applied action, by tab. The most recent tabs are last. */
  applied = new Map<string, number>();
  /** Whether an action of another tab is being applied. */
  isApplying = false;
  /** Whether actions that are already part of the stored state must be deleted from storage. */
  #isCleanUpDue = false;
  /** Whether storage must be searched for actions that no tab forwarded. Set by every urgent change. */
  #isApplyStoredDue = false;

  constructor(tab: Tab, leader: Leader) {
    this.#tab = tab;
    this.#leader = leader;
  }

  /**
   * Records an action of the user in this tab, before it is executed: a request can follow from it at once, and the
   * stored state must then contain the action. `action` is undefined if no other tab could execute it. Returns a
   * function that undoes this, for an action that the gate refuses.
   */
  addOwn(action: JSONValue | undefined): () => void {
    const { id, actions } = this.#tab;
    const sent: SentAction = [id, actions.next(), action ?? null];
    this.#add(sent);
    if (action !== undefined) actions.add(sent);
    this.#leader.markChanged(true);
    return () => actions.remove(sent);
  }

  /**
   * Applies actions of other tabs that are not applied yet. Ignored while the page is hidden, because nothing would be
   * stored. Errors of the gate are sent to the other tabs, and reported here as well if `isReported`, since those tabs
   * may be gone.
   */
  apply(actions: readonly SentAction[], isReported = false): void {
    if (!this.#leader.isActive || actions.length === 0) return;
    const missing = this.#missing(actions);
    for (const action of missing) {
      this.#add(action);
      if (!this.#execute(action, isReported)) this.#tab.actions.remove(action);
    }
    this.scheduleCleanUp();
    if (missing.length > 0) return this.#leader.markChanged(true);
    // The follower sent its actions again, so it missed that they are stored.
    const [epoch, applied] = [this.#leader.epoch, [...this.applied]];
    this.#leader.saved().then(
      () => this.#tab.channel.post({ type: 'saved', epoch, applied }),
      () => {},
    );
  }

  changed(isUrgent: boolean): void {
    this.#isApplyStoredDue ||= isUrgent;
  }

  /** Applies stored actions whose tab was gone before it could forward them. Called after every urgent write. */
  async applyStored(): Promise<void> {
    const { term } = this.#leader;
    this.#isApplyStoredDue = false;
    // If the read fails, the next urgent write tries again.
    const stored = await this.#tab.chatStore.actions().catch(() => []);
    if (term === this.#leader.term && this.#missing(stored).length > 0) this.apply(stored, true);
  }

  /** Deletes applied actions from storage with the next write. */
  scheduleCleanUp(): void {
    this.#isCleanUpDue = true;
  }

  saved(applied: Applied): void {
    const { actions, role } = this.#tab;
    // Another leader may not have read what a former one has stored.
    if (role.isLeader) actions.confirm(applied);
    if (this.#isApplyStoredDue) void this.applyStored();
    if (!this.#isCleanUpDue) return;
    this.#isCleanUpDue = false;
    this.#tab.chatStore.clearActions(applied).catch(() => this.scheduleCleanUp());
  }

  #missing(actions: readonly SentAction[]): readonly SentAction[] {
    return actions.filter(([tab, number]) => number > (this.applied.get(tab) ?? 0));
  }

  #add([tab, number]: SentAction): void {
    this.applied.delete(tab);
    this.applied.set(tab, number);
  }

  /** Executes one action. Returns whether the gate accepted it. */
  #execute(sent: SentAction, isReported: boolean): boolean {
    const { internals, channel, onError, onStop } = this.#tab;
    const [tab, number] = sent;
    this.isApplying = true;
    try {
      const action = readAction(sent);
      internals.commands.dispatch({ ...action, isForwarded: true, tab } as CommandOf<'stop'>);
      if (action.name === 'stop') {
        this.#leader.cancelClaims();
        onStop?.();
      }
      return true;
    } catch (error) {
      const isOfGate = error instanceof ToolGateError;
      if (!isOfGate || (isReported && !isCrash(error))) onError(error);
      if (!isOfGate || isCrash(error)) return false;
      const { code, message, toolCallId, approvalId } = error;
      channel.post({ type: 'refused', tab, number, code, message, toolCallId, approvalId });
      return false;
    } finally {
      this.isApplying = false;
    }
  }
}
