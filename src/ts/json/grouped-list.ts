/**
 * A list that is made group by group: each message of a chat, for example, adds any number of items. When the last
 * groups are made again, items that are equal to earlier ones stay the same objects.
 */
import { equal } from './safe-reading.js';

/** Such a list. */
export class GroupedList<T> {
  readonly #items: T[] = [];
  /** The end of each group. */
  readonly #ends: number[] = [];
  /** The items after those of the list, before they were dropped. */
  #dropped: readonly T[] = [];

  /** The number of groups. */
  get groups(): number {
    return this.#ends.length;
  }

  /** The place of the first item of a group. */
  startOf(group: number): number {
    return group ? (this.#ends[group - 1] as number) : 0;
  }

  /** Drops all groups but the first `count`. */
  cut(count: number): void {
    if (this.#ends.length <= count) return;
    this.#ends.length = count;
    this.#dropped = [...this.#items.splice(this.startOf(count)), ...this.#dropped];
  }

  /** Returns a copy of the list with `count` groups. `make` makes those that are missing. */
  complete(count: number, make: (group: number) => readonly T[]): T[] {
    const [items, ends] = [this.#items, this.#ends];
    const first = items.length;
    while (ends.length < count) {
      for (const item of make(ends.length)) {
        const before = this.#dropped[items.length - first];
        items.push(before !== undefined && equal(before, item) ? before : item);
      }
      ends.push(items.length);
    }
    this.#dropped = [];
    return items.slice();
  }
}
