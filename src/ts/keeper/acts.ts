/**
 * What the user did in a tab while another one leads: numbered, and kept until that one has stored it. Nothing is done or
 * told here.
 */
import { decode } from '../encode.js';
import type { Act } from '../commands.js';
import type { JSONValue } from '../types.js';
import type { SentAct } from './channel.js';
import { appliedOf, type KeptRecord } from './record.js';

/** The acts of one tab. */
export class Acts {
  readonly #tab: string;
  #last = 0;
  #waiting: SentAct[] = [];
  #waiters: (() => void)[] = [];

  constructor(tab: string) {
    this.#tab = tab;
  }

  /** Those that are not stored, oldest first. */
  get waiting(): readonly SentAct[] {
    return this.#waiting;
  }

  add(act: JSONValue): void {
    this.#waiting.push([++this.#last, act]);
  }

  /** Those that are not in a state, oldest first. */
  missingIn(record: KeptRecord): Act[] {
    const applied = appliedOf(record.applied, this.#tab);
    return this.#waiting.filter(([number]) => number > applied).map(([, act]) => decode(act) as Act);
  }

  /** What is in these states is stored. */
  stored(applied: KeptRecord['applied']): void {
    const last = appliedOf(applied, this.#tab);
    this.#waiting = this.#waiting.filter(([number]) => number > last);
    this.#settle();
  }

  /** They are done here: this tab leads. */
  clear(): void {
    this.#waiting = [];
    this.#settle();
  }

  /** Resolves when all of them are stored. */
  saved(): Promise<void> {
    return new Promise(resolve => {
      this.#waiters.push(resolve);
      this.#settle();
    });
  }

  #settle(): void {
    if (this.#waiting.length > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
