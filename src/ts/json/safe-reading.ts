/**
 * Reads values of unknown origin. Functions that read one property never throw, even for getters and proxies that
 * throw. Functions that walk a whole value (`isPlain`, `deepMerge`, `equal`) may throw for a proxy; their callers catch
 * that.
 */
import { setOwn } from './own-property.js';

/** An object with string keys. */
export type Bag = Record<string, unknown>;

const isObject = (value: unknown): value is Bag => typeof value === 'object' && value !== null;

/** Returns the own property, or undefined if it is missing or its getter throws. */
export function own(of: unknown, name: string): unknown {
  try {
    return isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value has an own property of this name; false if a proxy throws. */
export function hasOwn(of: unknown, name: string): boolean {
  try {
    return isObject(of) && Object.hasOwn(of, name);
  } catch {
    return false;
  }
}

/** Whether the value is an array; false for a revoked proxy. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns the own enumerable keys; none for values that are not objects, and for proxies that throw. */
function keys(of: unknown): string[] {
  try {
    return isObject(of) ? Object.keys(of) : [];
  } catch {
    return [];
  }
}

/** Whether a JSON round trip returns the same value. Returns false if in doubt. */
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
    // Like the AI SDK, omits names that could reach a prototype when they are merged elsewhere.
    if (value === undefined || key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
    result[key] = deepMerge(own(base, key), value);
  }
  return result;
}

/** Whether an object is plain data: its keys hold its whole content. Objects of other realms count too. */
function isData(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Array.isArray(value) || Object.getPrototypeOf(prototype) === null;
}

/** Whether two values are equal: as data, as dates or as URLs. Any other object is only equal to itself. */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b) || depth > 200) return false;
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof URL && b instanceof URL) return a.href === b.href;
  // The content of a Map, a Blob or a class instance is not in its keys.
  if (!isData(a) || !isData(b)) return false;
  const inA = keys(a);
  return (
    inA.length === keys(b).length &&
    inA.every((key) => Object.hasOwn(b, key) && equal(own(a, key), own(b, key), depth + 1))
  );
}

/** `instanceof`, for values that may be proxies which throw. */
export function isA<T>(value: unknown, of: new (...args: never[]) => T): value is T {
  try {
    return value instanceof of;
  } catch {
    return false;
  }
}

/** Copies the own properties that are neither undefined nor in `drop` to `target`, and returns `target`. */
export function copyAll(source: unknown, target: Bag, drop?: ReadonlySet<string>): Bag {
  for (const key of keys(source)) {
    const value = drop?.has(key) ? undefined : own(source, key);
    if (value !== undefined) setOwn(target, key, value);
  }
  return target;
}
