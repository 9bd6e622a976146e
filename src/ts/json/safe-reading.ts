/**
 * Reading values that may come from anywhere. What reads one property never throws, whatever a getter or a proxy does; what
 * goes deep (`isPlain`, `deepMerge`, `equal`) may throw on a proxy, and its callers expect that.
 */
import { setOwn } from './own-property.js';

/** An object, by its keys. */
export type Bag = Record<string, unknown>;

const isObject = (value: unknown): value is Bag => typeof value === 'object' && value !== null;

/** The own property, or undefined; a getter that throws counts as nothing there. */
export function own(of: unknown, name: string): unknown {
  try {
    return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value has such an own property; a proxy that refuses to say has none. */
export function hasOwn(of: unknown, name: string): boolean {
  try {
    return isObject(of) && Object.hasOwn(of, name);
  } catch {
    return false;
  }
}

/** Whether the value is an array; a revoked proxy is none. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The own enumerable keys; none for what is no object, or refuses to say. */
function keys(of: unknown): string[] {
  try {
    return isObject(of) ? Object.keys(of) : [];
  } catch {
    return [];
  }
}

/** Whether JSON would bring the value back as it is; anything in doubt is said not to be. */
export function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (!isObject(value) || depth > 100) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || typeof value['toJSON'] === 'function') return false;
  return Object.values(value).every((item) => isPlain(item, depth + 1));
}

/** A deep merge as the AI SDK merges metadata: plain objects are merged, everything else is replaced. */
export function deepMerge(base: unknown, over: unknown): unknown {
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

/** Whether an object is plain data: what is in its keys is all there is to it. Those of another realm are too. */
function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Array.isArray(value) || Object.getPrototypeOf(prototype) === null;
}

/** Whether two values say the same: as data, as dates and as URLs. Of anything else only the very same object does. */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b) || depth > 200) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  // Two Maps, Blobs or objects of a class have what is in them elsewhere.
  if (!isData(a) || !isData(b)) return false;
  const inA = keys(a);
  return (
    inA.length === keys(b).length &&
    inA.every((key) => Object.hasOwn(b, key) && equal(own(a, key), own(b, key), depth + 1))
  );
}

/** `instanceof`, for a value that may throw when it is asked: a proxy. */
export function isA<T>(value: unknown, of: new (...args: never[]) => T): value is T {
  try {
    return value instanceof of;
  } catch {
    return false;
  }
}

/** Copies the own properties that are neither undefined nor in `drop`. */
export function copyAll(source: unknown, target: Bag, drop?: ReadonlySet<string>): Bag {
  for (const key of keys(source)) {
    const value = drop?.has(key) ? undefined : own(source, key);
    if (value !== undefined) setOwn(target, key, value);
  }
  return target;
}
