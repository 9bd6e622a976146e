/**
 * The actions that the leader's state contains, so that each is applied once, and those actions of the leader's own tab
 * that may not be stored yet.
 */
import type { JSONValue } from '../../types/index.js';
import { appliedOf, type ChatRecord, type SentAction } from '../storage/chat-record.js';

/** The actions that one leader has applied. */
export class AppliedActions {
  readonly #tab: string;
  readonly #applied: Map<string, number>;
  #unsaved: readonly SentAction[];

  /**
   * `applied`: those that are part of the state that this tab continues from. `own`: those of this tab that may not be
   * stored.
   */
  constructor(tab: string, applied: ChatRecord['applied'] = [], own: readonly SentAction[] = []) {
    this.#tab = tab;
    this.#applied = new Map(applied);
    this.#unsaved = own;
  }

  /** The number of the last applied action, by tab. The most recent tabs are last. */
  get applied(): ReadonlyMap<string, number> {
    return this.#applied;
  }

  /** The actions of this tab that are not stored and that another tab could execute. */
  get unsaved(): readonly SentAction[] {
    return this.#unsaved;
  }

  /** Those of the given actions that are not applied. */
  missing(actions: readonly SentAction[]): readonly SentAction[] {
    return actions.filter(([tab, number]) => number > (this.#applied.get(tab) ?? 0));
  }

  /** Adds an action. */
  add(tab: string, number: number): void {
    this.#applied.delete(tab);
    this.#applied.set(tab, number);
  }

  /** Like `add`, for an action of this tab. Returns a function to call if the gate refuses the action. */
  addOwn(number: number, action: JSONValue | undefined): () => void {
    this.add(this.#tab, number);
    if (action !== undefined) this.#unsaved = [...this.#unsaved, [this.#tab, number, action]];
    return () => this.refused([this.#tab, number, action ?? null]);
  }

  /** The gate refused an action, so another tab does not need to apply it. */
  refused([tab, number]: SentAction): void {
    if (tab === this.#tab) this.#unsaved = this.#unsaved.filter(([, other]) => other !== number);
  }

  /** A record was stored. */
  saved(applied: ChatRecord['applied']): void {
    const last = appliedOf(applied, this.#tab);
    this.#unsaved = this.#unsaved.filter(([, number]) => number > last);
  }
}
