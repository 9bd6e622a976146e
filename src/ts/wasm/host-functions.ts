/**
 * The core's operations on JavaScript values: the JavaScript half of `src/wasm/host.rs`.
 *
 * The core sees values as numbers, which are indices into the tables of handle-table.ts. Each function reads or builds
 * a value. A getter that it reads can use another gate, but not this one: `enter` of handle-table.ts refuses that.
 * Reading never throws, because events can contain anything. The core imports these functions directly, so they take
 * and return numbers only (a returned boolean arrives as 0 or 1).
 */
import { digestOf } from '../json/digest.js';
import { handles, nameOf, numberOf, without as setOf } from './handle-table.js';
import { PartialJson } from '../json/partial-json.js';
import { randomId } from '../json/random-id.js';
import { copyAll, deepMerge, equal, hasOwn, isA, isArray, isPlain, own, type Bag } from '../json/safe-reading.js';

const isReader = (value: unknown): value is PartialJson => isA(value, PartialJson);

/** The prefix of the part type of a static tool. */
const TOOL = 'tool-';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the value at an index. Where a type is given, the core guarantees it. */
const take = <T = unknown>(place: number): T => handles.take(place) as T;
const give = (value: unknown): number => handles.give(value);

const property = (of: number, name: number): unknown => own(take(of), nameOf(name));

/** Returns the id of a value for the core, counted from 1; 0 for a value that is not a string. */
const optional = (value: unknown): number => (isText(value) ? handles.idOf(value) + 1 : 0);
const textOf = (id: number): string => handles.textOf(id - 1);

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
  take<unknown[]>(to).push(nameOf(name));
}

function pushId(to: number, id: number): void {
  take<unknown[]>(to).push(textOf(id));
}

function pushNumber(to: number, value: number): void {
  take<unknown[]>(to).push(value);
}

function object(): number {
  return give({});
}

function array(): number {
  return give([]);
}

function set(of: number, name: number, value: number): void {
  if (value !== 0) take<Bag>(of)[nameOf(name)] = take(value);
}

function copy(from: number, name: number, to: number, toName: number): void {
  const value = property(from, name);
  if (value !== undefined && value !== null) take<Bag>(to)[nameOf(toName)] = value;
}

function setId(of: number, name: number, id: number): void {
  take<Bag>(of)[nameOf(name)] = textOf(id);
}

function setTool(of: number, tool: number): void {
  take<Bag>(of)['type'] = TOOL + textOf(tool);
}

function setName(of: number, name: number, value: number): void {
  take<Bag>(of)[nameOf(name)] = nameOf(value);
}

function setFlag(of: number, name: number, value: number): void {
  take<Bag>(of)[nameOf(name)] = value === 1;
}

function setNumber(of: number, name: number, value: number): void {
  take<Bag>(of)[nameOf(name)] = value;
}

function push(to: number, value: number): void {
  take<unknown[]>(to).push(take(value));
}

function extend(of: number, from: number): void {
  copyAll(take(from), take<Bag>(of));
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
  const part = take<{ text: string }>(of);
  return give({ ...part, text: part.text + take<string>(delta) });
}

function join(a: number, b: number): number {
  const second = take(b);
  return isText(second) ? give(`${take<string>(a)} ${second}`) : a;
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
    // A cycle, a BigInt or a throwing getter. A provider's request could not contain it either.
    return give(null);
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
  if (isReader(reader)) reader.push(take<string>(delta));
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
  return handles.keep(place);
}

function put(kept: number, value: number): void {
  handles.put(kept, take(value));
}

/**
 * The functions, under the names that `src/wasm/host.rs` uses. The trait `Values` in `src/wire` documents each of them.
 */
export {
  append,
  array,
  asId,
  asNumber,
  at,
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
  urlText,
};
