/**
 * The state that a follower shows: the leader's, with the unconfirmed actions on top. Changes of the leader are applied
 * to the gate as they come. While actions are on top, the leader's state is read again instead.
 */
import type { CommandOf, UserCommand } from '../../gate/commands.js';
import { attempt, isCrash } from '../persist-error.js';
import { continues, headOf, savedChanges, type ChangeRecord, type ChatState } from '../storage/change-record.js';
import { isNewer, readRecord, type Counters } from '../storage/chat-record.js';
import { readAction, sentMessageId } from '../tabs/action.js';
import type { Tab } from '../tabs/tab.js';
import { ForwardedView } from './forwarded-view.js';

export class FollowerView {
  /** The view of unconfirmed actions. */
  readonly forwarded = new ForwardedView();
  readonly #tab: Tab;
  /** The newest known state. Only this class sets it. */
  latest: ChatState | undefined;
  /** Whether the gate has exactly this state, without actions on top. */
  #isExact = false;
  /** The epoch in which this tab was the leader. States of earlier epochs are outdated. */
  #minimum = 0;
  /** The state in which this tab stopped being the leader. */
  #own: ChatState | undefined;
  /** The epoch whose state cannot be read, so that this is reported once. */
  unreadableEpoch = -1;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** The newest state that this tab can continue from. */
  get known(): ChatState | undefined {
    return this.latest ?? this.#own;
  }

  /** The epoch of the newest known state; 0 if there is none. */
  get epoch(): number {
    return this.latest ? headOf(this.latest).epoch : 0;
  }

  /** Whether confirmations of this epoch are about the shown state or a newer one. */
  isCurrent(epoch: number): boolean {
    return epoch >= (this.latest ? this.epoch : this.#minimum);
  }

  /** Begins after this tab was the leader. `epoch`: the epoch of this tab; `own`: its last state. */
  begin(epoch: number, own: ChatState | undefined): void {
    this.#minimum = epoch;
    this.#own = own;
  }

  /** Shows the gate itself again. */
  end(): void {
    this.forwarded.end();
    this.latest = this.#own = undefined;
    this.#isExact = false;
  }

  /** Whether a state or a change is newer than the newest known state. */
  isNew(head: Counters): boolean {
    return head.epoch >= this.#minimum && isNewer(head, this.latest && headOf(this.latest));
  }

  /** The newest known state, if it is newer than this one. */
  newerThan(head: Counters): ChatState | undefined {
    const { known } = this;
    return known && isNewer(headOf(known), head) ? known : undefined;
  }

  /** Shows a state. Returns false and reports an error if it cannot be read. */
  adopt(state: ChatState): boolean {
    const { internals, name, onError } = this.#tab;
    const { epoch } = headOf(state);
    try {
      readRecord(state.record, name, internals.env.options.chatId);
      this.#show(state);
    } catch (error) {
      if (epoch !== this.unreadableEpoch && !isCrash(error)) onError(error);
      this.unreadableEpoch = epoch;
      return false;
    }
    this.latest = state;
    return true;
  }

  /** Shows a change of the leader. Returns false if the state that it follows is not known, or if it cannot be read. */
  follow(change: ChangeRecord): boolean {
    const { changeLog, actions } = this.#tab;
    const { latest } = this;
    if (!latest || !continues(change, latest)) return false;
    const state = { record: latest.record, changes: [...latest.changes, change] };
    if (!this.#isExact || actions.missingIn(change).length > 0) return this.adopt(state);
    try {
      for (const saved of savedChanges([change])) changeLog.follow(saved);
    } catch {
      // The gate may have read a part of the change.
      attempt(() => this.#show(latest));
      return false;
    }
    this.latest = state;
    return true;
  }

  /** Shows an action that is going to be executed as forwarded. Returns a function that undoes this. */
  add(action: UserCommand): () => void {
    this.#isExact = false;
    return this.forwarded.add(this.#tab.gate.getSnapshot().messages, sentMessageId(action));
  }

  /** Shows the newest state again because the unconfirmed actions have changed. */
  reshow(): void {
    const { latest } = this;
    if (latest) attempt(() => this.#show(latest));
    this.#tab.internals.notifyChanged();
  }

  /** Shows a state, with the actions on top that it does not contain. Throws `bad-snapshot` for an invalid one. */
  #show(state: ChatState): void {
    const { internals, changeLog } = this.#tab;
    const missing = this.#tab.actions.missingIn(headOf(state));
    const actions = missing.flatMap((sent) => attempt(() => readAction(sent)) ?? []);
    const top = (): void => {
      this.forwarded.end();
      this.#isExact = true;
      for (const action of actions) {
        this.add(action);
        // If the gate refuses an action that it accepted before, the leader has decided differently since.
        attempt(() => internals.commands.dispatch(action as CommandOf<'stop'>, 'persister'));
      }
    };
    const { record, changes } = state;
    const continued = changeLog.continued(savedChanges(changes), true);
    internals.commands.dispatch({ name: 'adopt', args: [record.snapshot, true, top, continued] });
  }
}
