/**
 * When to do what has to be done after a change: at once for what counts, otherwise every now and then, and never more than
 * a tenth of the time: a long chat takes longer to write down.
 */

/** Runs one task. */
export class Pace {
  readonly #task: () => void;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSoon = false;
  #cost = 0;

  /** `pauseMs`: how long a change that is not urgent waits at least. */
  constructor(task: () => void, pauseMs: number) {
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
      this.#timer ??= setTimeout(() => this.run(), Math.max(this.#pauseMs, 10 * this.#cost));
    }
  }

  /** Runs now, in place of what was asked for. */
  run(): void {
    this.cancel();
    const began = performance.now();
    this.#task();
    this.#cost = performance.now() - began;
  }

  /** Drops what was asked for. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isSoon = false;
  }
}
