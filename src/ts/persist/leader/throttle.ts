/**
 * Throttles a task. Urgent requests run it in the next microtask, others after a pause. The pause is at least ten times
 * as long as the last run, because serializing a long chat takes long.
 */
import type { Platform } from '../tabs/platform.js';

export class Throttle {
  readonly #platform: Platform;
  readonly #task: () => void;
  readonly #pauseMs: number;
  #cancel: (() => void) | undefined;
  #isSoon = false;
  #cost = 0;

  /** `pauseMs`: the shortest pause before a request that is not urgent. */
  constructor(platform: Platform, task: () => void, pauseMs: number) {
    this.#platform = platform;
    this.#task = task;
    this.#pauseMs = pauseMs;
  }

  /** Requests a run. Several requests share one. */
  request(isUrgent: boolean): void {
    if (isUrgent) {
      if (this.#isSoon) return;
      this.#isSoon = true;
      queueMicrotask(() => this.#isSoon && this.run());
    } else {
      this.#cancel ??= this.#platform.after(Math.max(this.#pauseMs, 10 * this.#cost), () => this.run());
    }
  }

  run(): void {
    this.cancel();
    const began = this.#platform.elapsed();
    this.#task();
    this.#cost = this.#platform.elapsed() - began;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isSoon = false;
  }
}
