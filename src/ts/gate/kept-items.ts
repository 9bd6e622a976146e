/**
 * Lists that keep what has not changed: a list with equal items is the same object as before, and a list that is made
 * of the messages of a transcript keeps the items of the messages before the first one that changed.
 */
import { equal } from '../json/safe-reading.js';

/** Returns `now` with equal items taken from `before`, or `before` itself if all items are equal. */
export function reuseEqual<LIST extends readonly unknown[]>(before: LIST | undefined, now: LIST): LIST;
export function reuseEqual<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  if (before?.length === 0 && now.length === 0) return before;
  if (!before?.[0]) return now;
  const list = now.map((item, i) => (equal(before[i], item) ? (before[i] as T) : item));
  return equal(before, list) ? before : list;
}

/** Whether two lists have the same items (`===`). */
export function sameItems(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before === now || (before.length === now.length && now.every((item, i) => item === before[i]));
}

/** Items made of the first messages of a transcript: none, one or more of each. */
export class MessageItems<T> {
  readonly #list: T[] = [];
  /** The end of the items of each message. */
  readonly #ends: number[] = [];

  /** Drops the items of the message at this index, and of all after it. */
  cut(from: number): void {
    if (this.#ends.length <= from) return;
    this.#ends.length = from;
    this.#list.length = from ? (this.#ends[from - 1] as number) : 0;
  }

  /** A copy of the list for the first `count` messages. `add` adds the items of the message at an index. */
  complete(count: number, add: (index: number, to: T[]) => void): T[] {
    const [list, ends] = [this.#list, this.#ends];
    for (let index = ends.length; index < count; index++) {
      add(index, list);
      ends.push(list.length);
    }
    return list.slice();
  }
}
