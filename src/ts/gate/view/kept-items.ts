/** Lists that keep what has not changed: a list with equal items is the same object as before. */
import { equal } from '../../json/safe-reading.js';

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
