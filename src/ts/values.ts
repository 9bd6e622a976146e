/**
 * What the core does with JavaScript values: the JavaScript half of `src/wasm/host.rs`.
 *
 * The core sees values as numbers, their places in the tables of host.ts. Each function reads or builds a value and
 * returns; none can reach a gate, so the core, while it runs, is never called back into. Reading never throws, whatever
 * the value: an event may come from anywhere. The functions are bound to the core as they stand here, so they take and
 * return nothing but numbers (a boolean that they return arrives as 0 or 1).
 */
import { digestOf } from './digest.js';
import { host, nameOf, numberOf, without as setOf } from './host.js';
import { randomId } from './options.js';
import { setOwn } from './own-property.js';
import { PartialJson } from './partial-json.js';

type Bag = Record<string, unknown>;

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
function deepMerge(base: unknown, over: unknown): unknown {
  const mergeable = (value: unknown): value is Bag =>
    isObject(value) && !Array.isArray(value) && !(value instanceof Date) && !(value instanceof RegExp);
  if (!mergeable(base) || !mergeable(over)) return over;
  const result: Bag = { ...base };
  for (const key of keys(over)) {
    const value = own(over, key);
    // Names that reach a prototype when merged elsewhere are left out here too, as the AI SDK does.
    if (value === undefined || key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
    result[key] = deepMerge(own(base, key), value);
  }
  return result;
}

/** Whether two values say the same. */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b) || depth > 200) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  const inA = keys(a);
  return inA.length === keys(b).length && inA.every((key) => Object.hasOwn(b, key) && equal(own(a, key), own(b, key), depth + 1));
}

/** `instanceof`, for a value that may throw when it is asked: a proxy. */
function isA<T>(value: unknown, of: new (...args: never[]) => T): value is T {
  try {
    return value instanceof of;
  } catch {
    return false;
  }
}

const isReader = (value: unknown): value is PartialJson => isA(value, PartialJson);

/** What the type of a known tool's part begins with. */
const TOOL = 'tool-';

const isText = (value: unknown): value is string => typeof value === 'string';

const take = (place: number): unknown => host.take(place);
const give = (value: unknown): number => host.give(value);
const bag = (place: number): Bag => host.take(place) as Bag;
const list = (place: number): unknown[] => host.take(place) as unknown[];

const property = (of: number, name: number): unknown => own(host.take(of), nameOf(name));

/** The id of a value as it crosses: counted from 1, and 0 for a value that is no text. */
const optional = (value: unknown): number => (isText(value) ? host.idOf(value) + 1 : 0);
const textOf = (id: number): string => host.texts[id - 1] as string;

/** Copies the own properties that are neither undefined nor in `drop`. */
function copyAll(source: unknown, target: Bag, drop?: ReadonlySet<string>): Bag {
  for (const key of keys(source)) {
    const value = drop?.has(key) ? undefined : own(source, key);
    if (value !== undefined) setOwn(target, key, value);
  }
  return target;
}

function sort(place: number): number {
  const value = take(place);
  if (value === undefined || value === null) return 0;
  if (isText(value)) return 1;
  if (typeof value !== 'object') return 4;
  return isArray(value) ? 3 : 2;
}

function same(a: number, b: number): boolean {
  try {
    return equal(take(a), take(b));
  } catch {
    return false;
  }
}

function get(of: number, name: number): number {
  return give(property(of, name));
}

function has(of: number, name: number): boolean {
  return hasOwn(take(of), nameOf(name));
}

function name(of: number, name: number): number {
  const value = property(of, name);
  return isText(value) ? numberOf(value) : -1;
}

function id(of: number, name: number): number {
  return optional(property(of, name));
}

function isData(of: number): boolean {
  const type = own(take(of), 'type');
  return isText(type) && type.startsWith('data-');
}

function tool(part: number): number {
  const value = take(part);
  const type = own(value, 'type');
  if (type === 'dynamic-tool') return optional(own(value, 'toolName'));
  return isText(type) && type.startsWith(TOOL) ? optional(type.slice(TOOL.length)) : 0;
}

function fresh(): number {
  return optional(randomId());
}

function flag(of: number, name: number): number {
  const value = property(of, name);
  return typeof value === 'boolean' ? Number(value) : 2;
}

function length(of: number): number {
  const value = take(of);
  return isArray(value) ? value.length : 0;
}

function at(of: number, index: number): number {
  const value = take(of);
  return give(isArray(value) ? own(value, String(index)) : undefined);
}

function asId(place: number): number {
  return optional(take(place));
}

function asNumber(place: number): number {
  const value = take(place);
  return typeof value === 'number' ? value : NaN;
}

function pushName(to: number, name: number): void {
  list(to).push(nameOf(name));
}

function pushId(to: number, id: number): void {
  list(to).push(textOf(id));
}

function pushNumber(to: number, value: number): void {
  list(to).push(value);
}

function object(): number {
  return give({});
}

function array(): number {
  return give([]);
}

function set(of: number, name: number, value: number): void {
  if (value !== 0) bag(of)[nameOf(name)] = take(value);
}

function copy(from: number, name: number, to: number, toName: number): void {
  const value = property(from, name);
  if (value !== undefined && value !== null) bag(to)[nameOf(toName)] = value;
}

function setId(of: number, name: number, id: number): void {
  bag(of)[nameOf(name)] = textOf(id);
}

function setTool(of: number, tool: number): void {
  bag(of)['type'] = TOOL + textOf(tool);
}

function setName(of: number, name: number, value: number): void {
  bag(of)[nameOf(name)] = nameOf(value);
}

function setFlag(of: number, name: number, value: number): void {
  bag(of)[nameOf(name)] = value === 1;
}

function setNumber(of: number, name: number, value: number): void {
  bag(of)[nameOf(name)] = value;
}

function push(to: number, value: number): void {
  list(to).push(take(value));
}

function extend(of: number, from: number): void {
  copyAll(take(from), bag(of));
}

function rest(of: number, without: number): number {
  return give(copyAll(take(of), {}, setOf(without)));
}

function merge(base: number, over: number): number {
  try {
    return give(deepMerge(take(base), take(over)));
  } catch {
    return over;
  }
}

function append(of: number, delta: number): number {
  const part = take(of) as { text: string };
  return give({ ...part, text: part.text + (take(delta) as string) });
}

function concat(a: number, b: number): number {
  const text = (value: unknown): string => (isText(value) ? value : '');
  return give(text(take(a)) + text(take(b)));
}

function join(a: number, b: number): number {
  const second = take(b);
  return isText(second) ? give(`${take(a) as string} ${second}`) : a;
}

function digest(place: number): number {
  return optional(digestOf(take(place)) || undefined);
}

function json(place: number): number {
  const value = take(place);
  try {
    if (isPlain(value, 0)) return place;
    const text = JSON.stringify(value) as string | undefined;
    return give(text === undefined ? null : (JSON.parse(text) as unknown));
  } catch {
    // A cycle, a BigInt, a getter that throws: a provider's request could not hold it either.
    return give(null);
  }
}

function url(place: number): number {
  try {
    return give(new URL(take(place) as string));
  } catch {
    return place;
  }
}

function urlText(place: number): number {
  const value = take(place);
  return isA(value, URL) ? give(value.href) : place;
}

function partial(plainText: number): number {
  return give(new PartialJson({ inputEncoding: plainText ? 'text' : 'json' }));
}

function feed(partial: number, delta: number): void {
  const reader = take(partial);
  if (isReader(reader)) reader.push(take(delta) as string);
}

function partialValue(partial: number): number {
  const reader = take(partial);
  return isReader(reader) ? give(reader.value) : partial;
}

function partialText(partial: number): number {
  const reader = take(partial);
  return give(isReader(reader) && reader.fed ? reader.text : undefined);
}

function keep(place: number): number {
  return host.keep(place);
}

function put(kept: number, value: number): void {
  host.put(kept, take(value));
}

/** The functions, by the names that `src/wasm/host.rs` calls them. What each does stands at `Values` in `src/wire`. */
export {
  append,
  array,
  asId,
  asNumber,
  at,
  concat,
  copy,
  digest,
  extend,
  feed,
  flag,
  fresh,
  get,
  has,
  id,
  isData,
  join,
  json,
  keep,
  length,
  merge,
  name,
  object,
  partial,
  partialText,
  partialValue,
  push,
  pushId,
  pushName,
  pushNumber,
  put,
  rest,
  same,
  set,
  setFlag,
  setId,
  setName,
  setNumber,
  setTool,
  sort,
  tool,
  url,
  urlText,
};
