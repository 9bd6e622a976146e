/**
 * The timer of one gate. It runs while the gate has listeners and a deadline, and calls the gate's `tick` when the next
 * deadline has passed by the gate's clock. It does not keep a Node process alive.
 */

/** The maximum delay of a timer: the system clock may be changed, or the computer may sleep. */
const MAX_DELAY = 60_000;

/** The methods of a gate that the timer calls. They dispatch commands, which a recorder or persister intercepts. */
export interface DeadlineTarget {
  /** When the next deadline is; null for never. */
  nextDeadline(): number | null;
  /** Expires approvals and decisions whose deadline has passed. */
  tick(nowMs: number): void;
}

/** The timer of one gate. */
export class Clock {
  readonly #gate: DeadlineTarget;
  readonly #now: () => number;
  readonly #isWatched: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #awaited: number | null = null;
  /** The deadline that the last `tick` was for. If it is still the next one, another `tick` would not change that. */
  #passed: number | null = null;
  /**
   * The start and the minimum length of the present wait. The minimum grows while the gate's clock does not advance.
   */
  #waitStart = 0;
  #minDelay = 0;

  /** `now` is the gate's clock. `isWatched` returns whether the gate has listeners. */
  constructor(gate: DeadlineTarget, now: () => number, isWatched: () => boolean) {
    this.#gate = gate;
    this.#now = now;
    this.#isWatched = isWatched;
  }

  /** Looks for the next deadline. Call it after a change of deadlines or listeners. */
  update(): void {
    const next = this.#isWatched() ? this.#gate.nextDeadline() : null;
    const due = next === this.#passed ? null : next;
    if (due === this.#awaited) return;
    this.#awaited = due;
    this.#minDelay = 0;
    this.#wait();
  }

  /**
   * Looks for the next deadline if a new approval expires before the awaited one. 0 means that it never expires. Later
   * deadlines are looked for after the awaited one has passed.
   */
  expect(expiresAt: number): void {
    if (expiresAt && (this.#awaited === null || expiresAt < this.#awaited)) this.update();
  }

  /** Ends the timer. */
  stop(): void {
    this.#awaited = null;
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#awaited === null) return;
    this.#waitStart = this.#now();
    const left = Math.max(this.#awaited - this.#waitStart, this.#minDelay);
    this.#timer = setTimeout(() => this.#arrive(), Math.min(left, MAX_DELAY));
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #arrive(): void {
    const now = this.#now();
    if (this.#awaited === null) return;
    if (now < this.#awaited) {
      this.#minDelay = now > this.#waitStart ? 0 : Math.min(2 * this.#minDelay || 1, MAX_DELAY);
      return this.#wait();
    }
    // The awaited approval may have been decided since.
    const due = this.#gate.nextDeadline();
    this.#awaited = null;
    try {
      if (due !== null && due <= now) {
        this.#passed = due;
        this.#gate.tick(now);
      }
      this.update();
    } catch {
      // The gate crashed or was freed, and has notified its listeners.
    }
  }
}
