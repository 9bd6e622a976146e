/**
 * The timer of one gate. It runs while somebody listens and something can expire, and calls the gate's `tick` when
 * the next deadline has come by the gate's own clock. It keeps no Node process alive.
 */

/** A timer waits a minute at most: by then the clock may have been set, or the machine may have slept. */
const LONGEST = 60_000;

/** What the timer needs of its gate. The methods are the gate's own, so that a recorder or a keeper sees the calls. */
export interface Timed {
  /** When the next approval expires; null for never. */
  nextDeadline(): number | null;
  /** Expires what is due. */
  tick(nowMs: number): void;
}

/** The timer of one gate. */
export class Clock {
  readonly #gate: Timed;
  readonly #now: () => number;
  readonly #isWatched: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #awaited: number | null = null;
  /** A deadline that the last `tick` did not end: another one at the same time would not either. */
  #passed: number | null = null;
  /**
   * When the present wait began, and how long one must be at least: a clock that stands still is not asked all the
   * time.
   */
  #since = 0;
  #atLeast = 0;

  /** `now` is the gate's clock. `isWatched` says whether somebody would be notified. */
  constructor(gate: Timed, now: () => number, isWatched: () => boolean) {
    this.#gate = gate;
    this.#now = now;
    this.#isWatched = isWatched;
  }

  /** Looks for the next deadline: to be called when it may be another one, or somebody began or ended to listen. */
  look(): void {
    const next = this.#isWatched() ? this.#gate.nextDeadline() : null;
    const due = next === this.#passed ? null : next;
    if (due === this.#awaited) return;
    this.#awaited = due;
    this.#atLeast = 0;
    this.#wait();
  }

  /**
   * An approval was asked for that expires then: 0 for never. A deadline after the awaited one is looked for when
   * that has come.
   */
  expect(expiresAt: number): void {
    if (expiresAt && (this.#awaited === null || expiresAt < this.#awaited)) this.look();
  }

  /** Ends the timer. */
  stop(): void {
    this.#awaited = null;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#awaited === null) return;
    this.#since = this.#now();
    const left = Math.max(this.#awaited - this.#since, this.#atLeast);
    this.#timer = setTimeout(() => this.#arrive(), Math.min(left, LONGEST));
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #arrive(): void {
    const now = this.#now();
    if (this.#awaited === null) return;
    if (now < this.#awaited) {
      this.#atLeast = now > this.#since ? 0 : Math.min(2 * this.#atLeast || 1, LONGEST);
      return this.#wait();
    }
    // What was awaited may have been decided meanwhile.
    const due = this.#gate.nextDeadline();
    this.#awaited = null;
    try {
      if (due !== null && due <= now) {
        this.#passed = due;
        this.#gate.tick(now);
      }
      this.look();
    } catch {
      // The gate failed or was freed: its listeners were notified of that.
    }
  }
}
