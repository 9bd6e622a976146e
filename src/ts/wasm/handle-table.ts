/**
 * The JavaScript values of a gate, for a core that sees numbers: their places in the tables here. Names are numbers too:
 * places in the list that comes with the core. What the core does with the values is in host-functions.ts.
 */
import { atWork } from '../types/errors.js';

let names: readonly string[] = [];
let withouts: readonly ReadonlySet<string>[] = [];
let places: ReadonlyMap<string, number> = new Map();

/** The places from here on are those of values that are used during one call only. */
const FLEETING = 0x4000_0000;
/** How many places for fleeting values are kept from call to call. */
const ROOM = 256;
/** Below this many values looking for unused ones is not worth the while. */
const FEW = 1024;

/** The values of one gate. Place 0 is `undefined`. */
export class Host {
  /** A call into the core is in progress: nothing may be asked of the core, and the values of that call must stay. */
  isAtWork = false;
  readonly #kept: unknown[] = [undefined];
  /** The texts of all ids, with holes where one was let go; an id is the place of its text. */
  readonly #texts: (string | undefined)[] = [];
  readonly #ids = new Map<string, number>();
  readonly #freeIds: number[] = [];
  #sweepIdsAt = FEW;
  readonly #free: number[] = [];
  readonly #fleeting: unknown[] = [];
  #used = 0;
  #sweepAt = FEW;

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

  /** Lets go the text of every id that is not in this list, which the core made. */
  sweepIds(list: number): void {
    const used = new Set(this.take(list) as number[]);
    this.end();
    for (const [text, id] of this.#ids) {
      if (used.has(id)) continue;
      this.#ids.delete(text);
      this.#texts[id] = undefined;
      this.#freeIds.push(id);
    }
    this.#sweepIdsAt = Math.max(FEW, 2 * this.#ids.size);
  }

  /** The id of a text, if there is one: a text that comes from the app and that nothing knows leaves no trace. */
  find(text: string): number | undefined {
    return this.#ids.get(text);
  }

  /** The id of a text that may be missing: counted from 1, 0 for none. */
  idOrNone(text: string | undefined): number {
    return text === undefined ? 0 : this.idOf(text) + 1;
  }

  /** Gives a value to the core, for the length of one call. */
  give(value: unknown): number {
    if (value === undefined) return 0;
    this.#fleeting[this.#used] = value;
    return FLEETING + this.#used++;
  }

  /** The value at a place that the core returned. */
  take(place: number): unknown {
    return place < FLEETING ? this.#kept[place] : this.#fleeting[place - FLEETING];
  }

  /** Ends the call: the values that were used in it only are let go. */
  end(): void {
    // Not `length = 0`: that would give the memory back, to ask for it again at the next call.
    if (this.#used > ROOM) this.#fleeting.length = ROOM;
    this.#fleeting.fill(undefined, 0, this.#used);
    this.#used = 0;
  }

  /** Whether it is time to ask the core which values it still uses. */
  get isFull(): boolean {
    return this.#kept.length - this.#free.length > this.#sweepAt;
  }

  /** Lets go every value that is not at one of these places: a list that the core made. */
  sweep(list: number): void {
    const used = new Uint8Array(this.#kept.length);
    used[0] = 1;
    for (const place of this.take(list) as number[]) used[place] = 1;
    this.end();
    this.#free.length = 0;
    for (let place = 0; place < used.length; place++) {
      if (used[place]) continue;
      this.#kept[place] = undefined;
      this.#free.push(place);
    }
    this.#sweepAt = Math.max(FEW, 2 * (this.#kept.length - this.#free.length));
  }

  /** Keeps a value beyond this call. */
  keep(place: number): number {
    if (place < FLEETING) return place;
    const value = this.take(place);
    const free = this.#free.pop();
    if (free === undefined) return this.#kept.push(value) - 1;
    this.#kept[free] = value;
    return free;
  }

  /** Replaces a value that is kept. */
  put(kept: number, value: unknown): void {
    if (kept !== 0) this.#kept[kept] = value;
  }
}

/** The tables of the gate whose core runs. */
export let host: Host;

/**
 * Begins a call into a core: its tables are the ones that the core's imports reach until `leave`. The bindings do
 * this around each call. A value that the core reads may have a getter, and that may use another gate: that gate's
 * call begins and ends within this one. Throws `busy` where it uses the gate whose core is at work. Returns what
 * `leave` takes.
 */
export function enter(of: Host): Host {
  if (of.isAtWork) throw atWork();
  of.isAtWork = true;
  const outer = host;
  host = of;
  return outer;
}

/** Ends the call into the present core: from here on the tables of the call around it are reached. */
export function leave(outer: Host): void {
  host.isAtWork = false;
  host = outer;
}

/** The name behind a number of the core. */
export const nameOf = (number: number): string => names[number] as string;

/** The number of a name; -1 for a text that is none. */
export const numberOf = (name: string): number => places.get(name) ?? -1;

/** The names of a set that copies leave out. */
export const without = (set: number): ReadonlySet<string> => withouts[set] as ReadonlySet<string>;

/**
 * Takes the names that the core's numbers stand for, a line for each, and behind a zero the sets: a line of numbers for each.
 */
export function setNames(joined: string): void {
  if (names.length > 0) return;
  const [listed = '', sets = ''] = joined.split('\0');
  names = listed.split('\n');
  withouts = sets.split('\n').map((set) => new Set(set.match(/\d+/g)?.map((place) => nameOf(Number(place)))));
  places = new Map(names.map((name, place) => [name, place]));
}
