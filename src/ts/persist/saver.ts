/**
 * Stores the latest state: after every change, one write at a time, and always the last state in the end. Somebody can wait
 * until what is known now is stored. Where, and what a state is, is not decided here.
 */
import { Pace } from './pace.js';
import type { Platform } from './platform.js';

/** How long a change of a reply that comes in may wait, in ms. */
const PAUSE = 250;

/** What a saver works with. */
interface SaverPorts<T> {
  readonly platform: Platform;
  /** The state as it is now. What it throws is why it cannot be stored. */
  readonly capture: () => T;
  readonly write: (state: T) => void | PromiseLike<void>;
  /** It is stored. */
  readonly onSaved: (state: T) => void;
  /** It is not. */
  readonly onError: (error: unknown) => void;
}

interface Waiter {
  readonly change: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Stores one chat. */
export class Saver<T> {
  readonly #ports: SaverPorts<T>;
  readonly #pace: Pace;
  #waiters: Waiter[] = [];
  /** Counts changes; the last one that a write was begun for, and the last one that is stored. */
  #change = 0;
  #begun = 0;
  #stored = 0;
  /** How many writes are under way. */
  #writing = 0;
  #isUrgent = false;
  #isStopped = false;
  #stopReason: Error | undefined;

  constructor(ports: SaverPorts<T>) {
    this.#ports = ports;
    this.#pace = new Pace(ports.platform, () => this.#next(), PAUSE);
  }

  /** Something changed. */
  changed(isUrgent: boolean): void {
    this.#change++;
    this.#isUrgent ||= isUrgent;
    if (!this.#isStopped) this.#pace.request(isUrgent);
  }

  /** Resolves when what is known now is stored; rejects if it cannot be. */
  saved(): Promise<void> {
    if (this.#stored >= this.#change) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ change: this.#change, resolve, reject });
      this.#pace.run();
    });
  }

  /** Begins to write what has changed, now, even if another write is under way: the page may be about to go. */
  flush(): void {
    this.#pace.cancel();
    if (this.#begun < this.#change && !this.#isStopped) this.#write();
  }

  /** Writes nothing until the next change. */
  drop(): void {
    this.#pace.cancel();
    this.#begun = this.#stored = this.#change;
  }

  /** Writes nothing more. Those who wait are told why, unless they can wait for a write that is under way. */
  stop(reason: Error = new Error('the keeper was closed')): void {
    this.#isStopped = true;
    this.#stopReason = reason;
    this.#pace.cancel();
    if (this.#writing === 0) this.#settle(this.#change, reason);
  }

  #next(): void {
    if (this.#isStopped) this.#settle(this.#change, this.#stopReason);
    else if (this.#writing === 0 && this.#begun < this.#change) this.#write();
  }

  #write(): void {
    const change = (this.#begun = this.#change);
    this.#isUrgent = false;
    try {
      const state = this.#ports.capture();
      const writing = this.#ports.write(state);
      if (!writing) return this.#over(change, state);
      this.#writing++;
      writing.then(
        () => {
          this.#writing--;
          this.#over(change, state);
        },
        (error: unknown) => {
          this.#writing--;
          this.#failed(change, error);
        },
      );
    } catch (error) {
      this.#failed(change, error);
    }
  }

  #over(change: number, state: T): void {
    this.#stored = Math.max(this.#stored, change);
    this.#ports.onSaved(state);
    this.#settle(this.#stored);
    if (this.#begun >= this.#change) return;
    if (this.#isUrgent || this.#waiters.length > 0) this.#next();
    else if (!this.#isStopped) this.#pace.request(false);
  }

  #failed(change: number, error: unknown): void {
    // The next change, or the next who waits, tries again.
    if (this.#stored < change) this.#begun = Math.min(this.#begun, change - 1);
    this.#ports.onError(error);
    this.#settle(change, error);
    if (this.#isUrgent || this.#waiters.length > 0) this.#next();
  }

  #settle(change: number, error?: unknown): void {
    const due = this.#waiters.filter((waiter) => waiter.change <= change);
    this.#waiters = this.#waiters.filter((waiter) => waiter.change > change);
    for (const { resolve, reject } of due) {
      if (error === undefined) resolve();
      else reject(error);
    }
  }
}
