/**
 * Throttles a task: what is urgent is done in the next microtask, everything else every now and then, and it takes at most a
 * tenth of the time, because a long chat takes longer to write down.
 */
import type { Platform } from './platform.js';

/** Runs one task. */
export class Pace {
  readonly #platform: Platform;
  readonly #task: () => void;
  readonly #pauseMs: number;
  #cancel: (() => void) | undefined;
  #isSoon = false;
  #cost = 0;

  /** `pauseMs`: how long a change that is not urgent waits at least. */
  constructor(platform: Platform, task: () => void, pauseMs: number) {
    this.#platform = platform;
    this.#task = task;
    this.#pauseMs = pauseMs;
  }

  /** Something changed. What changes in one go is one run. */
  request(isUrgent: boolean): void {
    if (isUrgent) {
      if (this.#isSoon) return;
      this.#isSoon = true;
      queueMicrotask(() => this.#isSoon && this.run());
    } else {
      this.#cancel ??= this.#platform.after(Math.max(this.#pauseMs, 10 * this.#cost), () => this.run());
    }
  }

  /** Runs now, in place of what was requested. */
  run(): void {
    this.cancel();
    const began = this.#platform.elapsed();
    this.#task();
    this.#cost = this.#platform.elapsed() - began;
  }

  /** Drops what was requested. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSoon = false;
  }
}
