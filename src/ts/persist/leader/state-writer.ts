/**
 * Writes the latest state to storage: after every change, one write at a time, and always the last state in the end. A
 * caller can wait until the present state is stored.
 */
import { say } from '../../types/say.js';
import { Deferred, type Platform } from '../tabs/platform.js';
import { Throttle } from './throttle.js';

/** The shortest interval between writes of a reply, in ms. */
const PAUSE = 250;

interface StateWriterDeps<T> {
  readonly platform: Platform;
  /** Captures the present state. Throws if it cannot be stored. */
  readonly capture: () => T;
  readonly write: (state: T) => Promise<void>;
  readonly onSaved: (state: T) => void;
  readonly onError: (error: unknown) => void;
}

export class StateWriter<T> {
  readonly #deps: StateWriterDeps<T>;
  readonly #pace: Throttle;
  #waiters: (Deferred & { readonly change: number })[] = [];
  /** Count changes: all, those up to the last write that began, and up to the last one that succeeded. */
  #change = 0;
  #begun = 0;
  #stored = 0;
  /** How many writes are under way. */
  #writing = 0;
  #isUrgent = false;
  /** Why nothing is written any more. */
  #stopped: Error | undefined;

  constructor(ports: StateWriterDeps<T>) {
    this.#deps = ports;
    this.#pace = new Throttle(ports.platform, () => this.#next(), PAUSE);
  }

  changed(isUrgent: boolean): void {
    this.#change++;
    this.#isUrgent ||= isUrgent;
    if (!this.#stopped) this.#pace.request(isUrgent);
  }

  /** Resolves when the present state is stored. Rejects if it cannot be. */
  saved(): Promise<void> {
    if (this.#stored >= this.#change) return Promise.resolve();
    const waiter = { change: this.#change, ...new Deferred() };
    this.#waiters.push(waiter);
    this.#pace.run();
    return waiter.promise;
  }

  /** Starts to write the latest state at once, even beside another write, because the page may be about to unload. */
  flush(): void {
    this.#pace.cancel();
    if (this.#begun < this.#change && !this.#stopped) void this.#write();
  }

  /** Discards unwritten changes. The next change is written again. */
  drop(): void {
    this.#pace.cancel();
    this.#begun = this.#stored = this.#change;
  }

  /** Stops writing. Waiting callers get the reason, unless a write that is under way can still resolve them. */
  stop(reason: Error = new Error(say`persist: closed`)): void {
    this.#stopped = reason;
    this.#pace.cancel();
    if (this.#writing === 0) this.#settle(this.#change, reason);
  }

  #next(): void {
    if (this.#stopped) this.#settle(this.#change, this.#stopped);
    else if (this.#writing === 0 && this.#begun < this.#change) void this.#write();
  }

  async #write(): Promise<void> {
    const change = (this.#begun = this.#change);
    this.#isUrgent = false;
    let state: T;
    try {
      state = this.#deps.capture();
      this.#writing++;
      await this.#deps.write(state).finally(() => this.#writing--);
    } catch (error) {
      return this.#failed(change, error);
    }
    this.#over(change, state);
  }

  #over(change: number, state: T): void {
    this.#stored = Math.max(this.#stored, change);
    this.#deps.onSaved(state);
    this.#settle(this.#stored);
    if (this.#begun >= this.#change) return;
    if (this.#isUrgent || this.#waiters.length > 0) this.#next();
    else if (!this.#stopped) this.#pace.request(false);
  }

  #failed(change: number, error: unknown): void {
    // The next change or the next caller that waits tries again.
    if (this.#stored < change) this.#begun = Math.min(this.#begun, change - 1);
    this.#deps.onError(error);
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
