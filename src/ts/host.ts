/**
 * What the core does with JavaScript values: the JavaScript half of `src/wasm/host.rs`.
 *
 * Each function reads or builds a value and returns. None can reach a gate, so the core, while it runs, is never called
 * back into. Names arrive as numbers: places in the list that the core gives once. Reading never throws, whatever the
 * value: an event may come from anywhere.
 */
import { setOwn } from './own-property.js';
import { PartialJson } from './partial-json.js';

type Bag = Record<string, unknown>;

let names: readonly string[] = [];
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

function same(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b) || depth > 200) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  const inA = keys(a);
  return inA.length === keys(b).length && inA.every((key) => Object.hasOwn(b, key) && same(own(a, key), own(b, key), depth + 1));
}

/** The functions, as the core knows them. */
export const host = {
  names(joined: string): void {
    names = joined.split(' ');
    places = new Map(names.map((name, place) => [name, place]));
  },
  get: (of: unknown, name: number): unknown => own(of, named(name)),
  has: (of: unknown, name: number): boolean => isObject(of) && Object.hasOwn(of, named(name)),
  name(of: unknown, name: number): number {
    const value = own(of, named(name));
    return typeof value === 'string' ? (places.get(value) ?? -1) : -1;
  },
  text(of: unknown, name: number): string | undefined {
    const value = own(of, named(name));
    return typeof value === 'string' ? value : undefined;
  },
  flag(of: unknown, name: number): number {
    const value = own(of, named(name));
    return typeof value === 'boolean' ? Number(value) : 2;
  },
  same,
  set(of: Bag, name: number, value: unknown): void {
    if (value !== undefined) of[named(name)] = value;
  },
  setName(of: Bag, name: number, value: number): void {
    of[named(name)] = named(value);
  },
  extend(of: Bag, from: unknown): void {
    for (const key of keys(from)) {
      const value = own(from, key);
      if (value !== undefined) setOwn(of, key, value);
    }
  },
  rest(of: unknown, without: Uint8Array): Bag {
    const drop = new Set(Array.from(without, named));
    const result: Bag = {};
    for (const key of keys(of)) {
      const value = drop.has(key) ? undefined : own(of, key);
      if (value !== undefined) setOwn(result, key, value);
    }
    return result;
  },
  merge,
  append: (of: { text: string }, delta: string): object => ({ ...of, text: of.text + delta }),
  json(value: unknown): unknown {
    if (isPlain(value, 0)) return value;
    try {
      const text = JSON.stringify(value) as string | undefined;
      return text === undefined ? null : (JSON.parse(text) as unknown);
    } catch {
      return String(value);
    }
  },
  url(value: unknown): unknown {
    try {
      return new URL(value as string);
    } catch {
      return value;
    }
  },
  urlText: (value: unknown): unknown => (value instanceof URL ? value.href : value),
  partial: (plainText: boolean): PartialJson => new PartialJson({ inputEncoding: plainText ? 'text' : 'json' }),
  feed(partial: unknown, delta: string): void {
    if (partial instanceof PartialJson) partial.push(delta);
  },
  partialValue: (partial: unknown): unknown => (partial instanceof PartialJson ? partial.value : partial),
  partialText: (partial: unknown): unknown => (partial instanceof PartialJson ? partial.text : undefined),
};
