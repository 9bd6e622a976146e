/**
 * Which acts are part of the state of a tab that leads, so that each is done once; and which of its own may not be stored yet.
 */
import type { JSONValue } from '../types/index.js';
import { appliedOf, type KeptRecord, type SentAct } from './kept-record.js';

/** The acts that are done, as one lead knows them. */
export class Done {
  readonly #tab: string;
  readonly #applied: Map<string, number>;
  #unsaved: readonly SentAct[];

  /** `applied`: those that are part of the state which this tab goes on with. `own`: those of this tab that may not be stored. */
  constructor(tab: string, applied: KeptRecord['applied'] = [], own: readonly SentAct[] = []) {
    this.#tab = tab;
    this.#applied = new Map(applied);
    this.#unsaved = own;
  }

  /** By tab, the number of the last act. The tabs that did something last come last. */
  get applied(): ReadonlyMap<string, number> {
    return this.#applied;
  }

  /** What the user did here and is not stored, if it can be done in another tab. */
  get unsaved(): readonly SentAct[] {
    return this.#unsaved;
  }

  /** Those that are not done. */
  missing(acts: readonly SentAct[]): readonly SentAct[] {
    return acts.filter(([tab, number]) => number > (this.#applied.get(tab) ?? 0));
  }

  /** An act is done from now on. */
  add(tab: string, number: number): void {
    this.#applied.delete(tab);
    this.#applied.set(tab, number);
  }

  /** As `add`, for an act of this tab. Returns a function for one that was refused. */
  addOwn(number: number, act: JSONValue | undefined): () => void {
    this.add(this.#tab, number);
    if (act !== undefined) this.#unsaved = [...this.#unsaved, [this.#tab, number, act]];
    return () => this.refused([this.#tab, number, act ?? null]);
  }

  /** The gate refused an act: no other tab needs to do it. */
  refused([tab, number]: SentAct): void {
    if (tab === this.#tab) this.#unsaved = this.#unsaved.filter(([, other]) => other !== number);
  }

  /** A state is stored. */
  saved(applied: KeptRecord['applied']): void {
    const last = appliedOf(applied, this.#tab);
    this.#unsaved = this.#unsaved.filter(([, number]) => number > last);
  }
}
