/**
 * What the core does with JavaScript values: the JavaScript half of `src/wasm/host.rs`.
 *
 * The core sees values as numbers, their places in the tables here. Each function reads or builds a value and returns;
 * none can reach a gate, so the core, while it runs, is never called back into. Names are numbers too: places in the
 * list that the core gives once. Reading never throws, whatever the value: an event may come from anywhere.
 */
import { digestOf } from './digest.js';
import { randomId } from './options.js';
import { setOwn } from './own-property.js';
import { PartialJson } from './partial-json.js';

type Bag = Record<string, unknown>;

let names: readonly string[] = [];
let withouts: readonly ReadonlySet<string>[] = [];
let places: ReadonlyMap<string, number> = new Map();

const isObject = (value: unknown): value is Bag => typeof value === 'object' && value !== null;

/** The own property, or undefined; a getter that throws counts as nothing there. */
function own(of: unknown, name: string): unknown {
  try {
    return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value has such an own property; a proxy that refuses to say has none. */
function hasOwn(of: unknown, name: string): boolean {
  try {
    return isObject(of) && Object.hasOwn(of, name);
  } catch {
    return false;
  }
}

/** Whether the value is an array; a revoked proxy is none. */
function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function keys(of: unknown): string[] {
  try {
    return isObject(of) ? Object.keys(of) : [];
  } catch {
    return [];
  }
}

const named = (number: number): string => names[number] as string;

/** Whether JSON would bring the value back as it is; anything in doubt is said not to be. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (!isObject(value) || depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || typeof value['toJSON'] === 'function') return false;
  return Object.values(value).every((item) => isPlain(item, depth + 1));
}

/** A deep merge as the AI SDK merges metadata: plain objects are merged, everything else is replaced. */
function merge(base: unknown, over: unknown): unknown {
  const mergeable = (value: unknown): value is Bag =>
    isObject(value) && !Array.isArray(value) && !(value instanceof Date) && !(value instanceof RegExp);
  if (!mergeable(base) || !mergeable(over)) return over;
  const result: Bag = { ...base };
  for (const key of keys(over)) {
    const value = own(over, key);
    // Names that reach a prototype when merged elsewhere are left out here too, as the AI SDK does.
    if (value === undefined || key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
    result[key] = merge(own(base, key), value);
  }
  return result;
}

/** Whether two values say the same. */
export function same(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b) || depth > 200) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  const inA = keys(a);
  return inA.length === keys(b).length && inA.every((key) => Object.hasOwn(b, key) && same(own(a, key), own(b, key), depth + 1));
}

/** The places from here on are those of values that are used during one call only. */
const FLEETING = 0x4000_0000;
/** What the type of a known tool's part begins with. */
const TOOL = 'tool-';
/** How many places for fleeting values are kept from call to call. */
const ROOM = 256;
/** Below this many values looking for unused ones is not worth the while. */
const FEW = 1024;

/** The values of one gate, and what the core does with them. Place 0 is `undefined`. */
export class Host {
  readonly #kept: unknown[] = [undefined];
  /** The texts of all ids; an id is the place of its text. */
  readonly #texts: string[];
  readonly #ids: Map<string, number>;
  readonly #free: number[] = [];
  readonly #fleeting: unknown[] = [];
  #used = 0;
  #sweepAt = FEW;

  /** `texts`: those of the ids that a snapshot knows. */
  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    this.#ids = new Map(texts.map((text, place) => [text, place]));
  }

  /** The texts of all ids. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The id of a text. */
  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) this.#ids.set(text, (id = this.#texts.push(text) - 1));
    return id;
  }

  /** The id of a value, and 1; 0 for a value that is no text. */
  #optional(value: unknown): number {
    return typeof value === 'string' ? this.idOf(value) + 1 : 0;
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

  /** Lets go every value that is not at one of these places. */
  sweep(live: Uint32Array): void {
    const used = new Uint8Array(this.#kept.length);
    used[0] = 1;
    for (const place of live) used[place] = 1;
    this.#free.length = 0;
    for (let place = 0; place < used.length; place++) {
      if (used[place]) continue;
      this.#kept[place] = undefined;
      this.#free.push(place);
    }
    this.#sweepAt = Math.max(FEW, 2 * (this.#kept.length - this.#free.length));
  }

  sort(place: number): number {
    const value = this.take(place);
    if (value === undefined || value === null) return 0;
    if (typeof value === 'string') return 1;
    if (typeof value !== 'object') return 4;
    return isArray(value) ? 3 : 2;
  }
  same(a: number, b: number): boolean {
    try {
      return same(this.take(a), this.take(b));
    } catch {
      return false;
    }
  }
  get(of: number, name: number): number {
    return this.give(own(this.take(of), named(name)));
  }
  has(of: number, name: number): boolean {
    return hasOwn(this.take(of), named(name));
  }
  name(of: number, name: number): number {
    const value = own(this.take(of), named(name));
    return typeof value === 'string' ? (places.get(value) ?? -1) : -1;
  }
  id(of: number, name: number): number {
    return this.#optional(own(this.take(of), named(name)));
  }
  isData(of: number): boolean {
    const type = own(this.take(of), 'type');
    return typeof type === 'string' && type.startsWith('data-');
  }
  tool(part: number): number {
    const value = this.take(part);
    const type = own(value, 'type');
    if (type === 'dynamic-tool') return this.#optional(own(value, 'toolName'));
    return typeof type === 'string' && type.startsWith(TOOL) ? this.idOf(type.slice(TOOL.length)) + 1 : 0;
  }
  fresh(): number {
    return this.idOf(randomId());
  }
  flag(of: number, name: number): number {
    const value = own(this.take(of), named(name));
    return typeof value === 'boolean' ? Number(value) : 2;
  }
  length(of: number): number {
    const value = this.take(of);
    return isArray(value) ? value.length : 0;
  }
  at(of: number, index: number): number {
    const value = this.take(of);
    return this.give(isArray(value) ? own(value, String(index)) : undefined);
  }
  asId(place: number): number {
    return this.#optional(this.take(place));
  }
  asNumber(place: number): number {
    const value = this.take(place);
    return typeof value === 'number' ? value : NaN;
  }
  pushName(to: number, name: number): void {
    (this.take(to) as unknown[]).push(named(name));
  }
  pushId(to: number, id: number): void {
    (this.take(to) as unknown[]).push(this.#texts[id]);
  }
  pushNumber(to: number, value: number): void {
    (this.take(to) as unknown[]).push(value);
  }
  object(): number {
    return this.give({});
  }
  array(): number {
    return this.give([]);
  }
  set(of: number, name: number, value: number): void {
    if (value !== 0) (this.take(of) as Bag)[named(name)] = this.take(value);
  }
  setId(of: number, name: number, id: number): void {
    (this.take(of) as Bag)[named(name)] = this.#texts[id];
  }
  setTool(of: number, tool: number): void {
    (this.take(of) as Bag)['type'] = TOOL + (this.#texts[tool] as string);
  }
  setName(of: number, name: number, value: number): void {
    (this.take(of) as Bag)[named(name)] = named(value);
  }
  setFlag(of: number, name: number, value: boolean): void {
    (this.take(of) as Bag)[named(name)] = value;
  }
  setNumber(of: number, name: number, value: number): void {
    (this.take(of) as Bag)[named(name)] = value;
  }
  push(to: number, value: number): void {
    (this.take(to) as unknown[]).push(this.take(value));
  }
  extend(of: number, from: number): void {
    const target = this.take(of) as Bag;
    const source = this.take(from);
    for (const key of keys(source)) {
      const value = own(source, key);
      if (value !== undefined) setOwn(target, key, value);
    }
  }
  rest(of: number, without: number): number {
    const source = this.take(of);
    const drop = withouts[without] as ReadonlySet<string>;
    const result: Bag = {};
    for (const key of keys(source)) {
      const value = drop.has(key) ? undefined : own(source, key);
      if (value !== undefined) setOwn(result, key, value);
    }
    return this.give(result);
  }
  merge(base: number, over: number): number {
    try {
      return this.give(merge(this.take(base), this.take(over)));
    } catch {
      return over;
    }
  }
  append(of: number, delta: number): number {
    const part = this.take(of) as { text: string };
    return this.give({ ...part, text: part.text + (this.take(delta) as string) });
  }
  concat(a: number, b: number): number {
    const text = (place: number): string => (typeof this.take(place) === 'string' ? (this.take(place) as string) : '');
    return this.give(text(a) + text(b));
  }
  join(a: number, b: number): number {
    const second = this.take(b);
    return typeof second === 'string' ? this.give(`${this.take(a) as string} ${second}`) : a;
  }
  digest(place: number): number {
    return this.#optional(digestOf(this.take(place)) || undefined);
  }
  json(place: number): number {
    const value = this.take(place);
    try {
      if (isPlain(value, 0)) return place;
      const text = JSON.stringify(value) as string | undefined;
      return this.give(text === undefined ? null : (JSON.parse(text) as unknown));
    } catch {
      // A cycle, a BigInt, a getter that throws: a provider's request could not hold it either.
      return this.give(null);
    }
  }
  url(place: number): number {
    try {
      return this.give(new URL(this.take(place) as string));
    } catch {
      return place;
    }
  }
  urlText(place: number): number {
    const value = this.take(place);
    return value instanceof URL ? this.give(value.href) : place;
  }
  partial(plainText: boolean): number {
    return this.give(new PartialJson({ inputEncoding: plainText ? 'text' : 'json' }));
  }
  feed(partial: number, delta: number): void {
    const reader = this.take(partial);
    if (reader instanceof PartialJson) reader.push(this.take(delta) as string);
  }
  partialValue(partial: number): number {
    const reader = this.take(partial);
    return reader instanceof PartialJson ? this.give(reader.value) : partial;
  }
  partialText(partial: number): number {
    const reader = this.take(partial);
    return this.give(reader instanceof PartialJson && reader.fed ? reader.text : undefined);
  }
  keep(place: number): number {
    if (place < FLEETING) return place;
    const value = this.take(place);
    const free = this.#free.pop();
    if (free === undefined) return this.#kept.push(value) - 1;
    this.#kept[free] = value;
    return free;
  }
  put(kept: number, value: number): void {
    if (kept !== 0) this.#kept[kept] = this.take(value);
  }
}

/** The name behind a number of the core. */
export const nameOf = named;

/** Takes the list of names that the core's numbers stand for. */
export function setNames(joined: string): void {
  if (names.length > 0) return;
  const [listed = '', sets = ''] = joined.split('\0');
  names = listed.split('\n').slice(0, -1);
  withouts = sets.split('\n').map((set) => new Set(set.split('\t').filter((name) => name !== '')));
  places = new Map(names.map((name, place) => [name, place]));
}
