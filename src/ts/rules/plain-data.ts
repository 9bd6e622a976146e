/**
 * Reads values that may be hostile: only plain data is read, each property once and without calling a getter. What JSON
 * could not have written (a class, a getter, a hidden property, a symbol, a hole) is not plain data.
 */
import type { LimitValue } from './rule-types.js';

/** The fields of an object, or the items of a list. */
type Parts = ReadonlyMap<string, unknown>;

/** How deep a value may be nested. */
const DEEPEST = 50;

function partsOf(value: object, isList: boolean): Parts | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== (isList ? Array : Object).prototype && (isList || prototype !== null)) return undefined;
  const parts = new Map<string, unknown>();
  for (const key of Reflect.ownKeys(value)) {
    if (isList && key === 'length') continue;
    const part = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === 'symbol' || !part?.enumerable || !('value' in part)) return undefined;
    // The keys of a list come in order: another one follows a hole, or is not an index.
    if (isList && key !== String(parts.size)) return undefined;
    parts.set(key, part.value);
  }
  return isList && parts.size !== (value as readonly unknown[]).length ? undefined : parts;
}

/** The fields of a plain object; undefined for any other value. */
export const fieldsOf = (value: unknown): Parts | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? partsOf(value, false) : undefined;

/** The items of a plain list; undefined for any other value. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  const items = Array.isArray(value) ? partsOf(value, true) : undefined;
  return items && [...items.values()];
}

/** Whether a value is a string, a finite number, a boolean or null. */
export const isScalar = (value: unknown): value is LimitValue =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Whether a value is JSON: plain data all the way down. */
export function isJson(value: unknown, depth = 0): boolean {
  if (isScalar(value)) return true;
  const items = itemsOf(value) ?? fieldsOf(value)?.values();
  return items !== undefined && depth < DEEPEST && [...items].every((item) => isJson(item, depth + 1));
}
