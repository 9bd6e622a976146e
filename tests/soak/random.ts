/**
 * Random numbers that depend on a seed only.
 */

/** A source of random choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number of at least 0 and less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least 0 and less than `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** Returns `true` with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Picks one of these. Throws a `RangeError` if the list is empty. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('the list is empty; pick needs at least one element');
    return list[this.below(list.length)]!;
  }

  /** Picks one of these, by weight. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of list) if ((at -= weight) < 0) return value;
    return list.at(-1)![1];
  }

  /** Returns an independent source: drawing from it does not affect this one. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
