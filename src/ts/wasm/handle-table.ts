/**
 * The JavaScript values of a gate. The core only sees numbers, which are indices into these tables. Property names are
 * numbers too: indices into a list that the core provides. The operations on the values are in host-functions.ts.
 */
import { atWork } from '../types/at-work.js';

let names: readonly string[] = [];
let withouts: readonly ReadonlySet<string>[] = [];
let places: ReadonlyMap<string, number> = new Map();

/** Indices from here on are values that exist during one call only. */
const TRANSIENT = 0x4000_0000;
/** Number of transient slots that are kept allocated between calls. */
const TRANSIENT_CAPACITY = 256;
/** Below this number of values, sweeping unused ones is not worthwhile. */
const MIN_SWEEP_SIZE = 1024;

/** The values of one gate. Index 0 is `undefined`. */
export class HandleTable {
  /** Whether a call into the core is in progress. No other call may start then, and the transient values must stay. */
  isAtWork = false;
  readonly #permanent: unknown[] = [undefined];
  /** The texts of all ids, with holes for released ones. An id is the index of its text. */
  readonly #texts: (string | undefined)[] = [];
  readonly #ids = new Map<string, number>();
  readonly #freeIds: number[] = [];
  #sweepIdsAt = MIN_SWEEP_SIZE;
  readonly #freePlaces: number[] = [];
  readonly #transient: unknown[] = [];
  #transientCount = 0;
  #sweepAt = MIN_SWEEP_SIZE;

  /** The text of an id. */
  textOf(id: number): string {
    return this.#texts[id] as string;
  }

  /** The id of a text. */
  idOf(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const free = this.#freeIds.pop();
    const id = free ?? this.#texts.length;
    this.#texts[id] = text;
    this.#ids.set(text, id);
    return id;
  }

  /** Whether it is time to ask the core which ids it still uses. */
  get hasManyIds(): boolean {
    return this.#ids.size > this.#sweepIdsAt;
  }

  /** Whether there are so few values and ids that unused ones do not matter. */
  get isSmall(): boolean {
    return this.#permanent.length <= MIN_SWEEP_SIZE && this.#ids.size <= MIN_SWEEP_SIZE;
  }

  /** Counts all present values and ids as used. */
  countAsUsed(): void {
    this.#sweepAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#permanent.length);
    this.#sweepIdsAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#ids.size);
  }

  /** Releases the text of every id whose index is not in `list`. */
  sweepIds(list: readonly number[]): void {
    const used = new Uint8Array(this.#texts.length);
    for (const id of list) used[id] = 1;
    for (const [text, id] of this.#ids) {
      if (used[id]) continue;
      this.#ids.delete(text);
      this.#texts[id] = undefined;
      this.#freeIds.push(id);
    }
    this.#sweepIdsAt = Math.max(MIN_SWEEP_SIZE, 2 * this.#ids.size);
  }

  /** Returns the id of a text if there is one. Does not create an id, so unknown texts from the app are not stored. */
  find(text: string): number | undefined {
    return this.#ids.get(text);
  }

  /** Returns the id of an optional text, counted from 1; 0 if there is none. */
  idOrNone(text: string | undefined): number {
    return text === undefined ? 0 : this.idOf(text) + 1;
  }

  /** Makes a value available to the core for the duration of one call, and returns its index. */
  give(value: unknown): number {
    if (value === undefined) return 0;
    this.#transient[this.#transientCount] = value;
    return TRANSIENT + this.#transientCount++;
  }

  /** Returns the value at an index that the core returned. */
  take(place: number): unknown {
    return place < TRANSIENT ? this.#permanent[place] : this.#transient[place - TRANSIENT];
  }

  /** Ends the call, and releases its transient values. */
  end(): void {
    // `length = 0` would free the memory and allocate it again at the next call.
    if (this.#transientCount > TRANSIENT_CAPACITY) this.#transient.length = this.#transientCount = TRANSIENT_CAPACITY;
    while (this.#transientCount > 0) this.#transient[--this.#transientCount] = undefined;
  }

  /** Whether it is time to ask the core which values it still uses. */
  get isFull(): boolean {
    return this.#permanent.length - this.#freePlaces.length > this.#sweepAt;
  }

  /** Releases every value whose index is not in `list`. */
  sweep(list: readonly number[]): void {
    const used = new Uint8Array(this.#permanent.length);
    used[0] = 1;
    for (const place of list) used[place] = 1;
    this.#freePlaces.length = 0;
    for (let place = 0; place < used.length; place++) {
      if (used[place]) continue;
      this.#permanent[place] = undefined;
      this.#freePlaces.push(place);
    }
    this.#sweepAt = Math.max(MIN_SWEEP_SIZE, 2 * (this.#permanent.length - this.#freePlaces.length));
  }

  /** Keeps a value after this call, and returns its permanent index. */
  keep(place: number): number {
    return place < TRANSIENT ? place : this.hold(this.take(place));
  }

  /** Keeps a value after this call, and returns its index. */
  hold(value: unknown): number {
    const free = this.#freePlaces.pop();
    if (free === undefined) return this.#permanent.push(value) - 1;
    this.#permanent[free] = value;
    return free;
  }

  /** Keeps values at consecutive indices, and returns the first one. */
  holdAll(values: readonly unknown[]): number {
    const first = this.#permanent.length;
    for (const value of values) this.#permanent.push(value);
    return first;
  }

  /** Replaces a permanent value. */
  put(kept: number, value: unknown): void {
    if (kept !== 0) this.#permanent[kept] = value;
  }
}

/** The tables of the gate whose core is running. */
export let handles: HandleTable;

/**
 * Begins a call into a core: until `leave`, the core's imports use the tables of `of`. target/bindgen/toolgate.js does
 * this around each call. A value that the core reads may have a getter that uses another gate; that gate's call is
 * nested in this one. Throws `busy` if the getter uses the same gate. Returns the argument for `leave`.
 */
export function enter(of: HandleTable): HandleTable {
  if (of.isAtWork) throw atWork();
  of.isAtWork = true;
  const outer = handles;
  handles = of;
  return outer;
}

/** Ends the current call into a core, and makes the tables of the enclosing call current again. */
export function leave(outer: HandleTable): void {
  handles.isAtWork = false;
  handles = outer;
}

/** Returns the name for one of the core's numbers. */
export const nameOf = (number: number): string => names[number] as string;

/** Returns the number of a name; -1 for a text that is not one of the core's names. */
export const numberOf = (name: string): number => places.get(name) ?? -1;

/** Returns a set of names that copies omit. */
export const without = (set: number): ReadonlySet<string> => withouts[set] as ReadonlySet<string>;

/**
 * Sets the names that the core's numbers refer to: one line per name, then a NUL character, then one line of numbers
 * per set.
 */
export function setNames(joined: string): void {
  if (names.length > 0) return;
  const [listed = '', sets = ''] = joined.split('\0');
  names = listed.split('\n');
  withouts = sets.split('\n').map((set) => new Set(set.match(/\d+/g)?.map((place) => nameOf(Number(place)))));
  places = new Map(names.map((name, place) => [name, place]));
}
