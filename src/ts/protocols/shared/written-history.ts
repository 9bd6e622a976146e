/**
 * What was written of a history, entry by entry. An entry that is the same object as in the previous request is not
 * written again, so the next request of a long chat costs what has changed in it.
 */
import { GroupedList } from '../../json/grouped-list.js';

/** The written entries of one history in one format. */
export class WrittenHistory {
  /** Ids in the entries so far, in order. */
  readonly ids = new Set<string>();
  /** A number that the format counts up, for ids by position. */
  count = 0;
  #entries: readonly object[] = [];
  readonly #list = new GroupedList<unknown>();
  /** The number of ids, and `count`, after each entry. */
  readonly #marks: number[] = [];
  /** The first entry that depends on what follows it. */
  #unsettled = Infinity;

  /** Notes that the entry which is being written depends on what follows it: it is written again next time. */
  unsettle(): void {
    this.#unsettled = Math.min(this.#unsettled, this.#list.groups);
  }

  /**
   * Returns the written form of a history. `write` writes an entry that is not the same object as before, and those
   * from the index `from` on.
   */
  of<ENTRY extends object, T>(
    entries: readonly ENTRY[],
    write: (entry: ENTRY, at: number) => readonly T[],
    from = entries.length,
  ): T[] {
    const last = Math.min(this.#list.groups, this.#unsettled, from);
    let kept = 0;
    while (kept < last && entries[kept] === this.#entries[kept]) kept++;
    this.#cut(kept);
    this.#entries = entries;
    return this.#list.complete(entries.length, (at) => {
      const items = write(entries[at] as ENTRY, at);
      this.#marks.push(this.ids.size, this.count);
      return items;
    }) as T[];
  }

  #cut(kept: number): void {
    this.#list.cut(kept);
    this.#marks.length = 2 * kept;
    const [ids = 0, count = 0] = this.#marks.slice(-2);
    if (this.ids.size > ids) [...this.ids].slice(ids).forEach((id) => this.ids.delete(id));
    this.count = count;
    this.#unsettled = Infinity;
  }
}

/** The written histories of one gate, by format. */
export type WrittenHistories = Map<object, WrittenHistory>;

/** Returns the history as it was written in a format, or a new one. */
export function writtenIn(histories: WrittenHistories | undefined, format: object): WrittenHistory {
  let written = histories?.get(format);
  if (!written) histories?.set(format, (written = new WrittenHistory()));
  return written ?? new WrittenHistory();
}
