/**
 * Deep-freezes inputs, so that the input which is sent is the input which the user saw.
 *
 * An input is frozen when its call is first shown. Only plain objects and arrays of data can be frozen. An input that
 * contains anything else (class instances, Map, binary data, properties with getters, reactive proxies) counts as
 * changeable.
 */
import { setOwn } from './own-property.js';

/** The outermost objects of values that are completely frozen. */
const frozen = new WeakSet<object>();

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Whether an object is a plain object or an array, and not a Vue proxy: freezing the target of a proxy would break it.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isData = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  return isData && (value as { __v_raw?: unknown }).__v_raw === undefined;
}

/** Whether the value cannot change any more: a primitive, or an object that `freeze` has frozen completely. */
export function isFixed(value: unknown): boolean {
  return !isObject(value) || frozen.has(value);
}

/** Deep-freezes a value as far as it is plain data. Returns whether all of it is frozen. Never throws. */
export function freeze(value: unknown): boolean {
  if (isFixed(value)) return true;
  let isWhole = true;
  const open = [value as object];
  /** Objects that were already frozen when they were visited. The app may have frozen only their top level. */
  let met: Set<object> | undefined;
  for (let next = open.pop(); next; next = open.pop()) {
    try {
      if (!isPlain(next)) {
        isWhole = false;
        continue;
      }
      if (Object.isFrozen(next)) {
        if (met?.has(next)) continue;
        (met ??= new Set()).add(next);
      }
      Object.freeze(next);
      for (const key of Reflect.ownKeys(next)) {
        const { value: inner, get } = Object.getOwnPropertyDescriptor(next, key) as PropertyDescriptor;
        if (get) isWhole = false;
        else if (isObject(inner)) open.push(inner);
      }
    } catch {
      // A proxy refused the operation.
      isWhole = false;
    }
  }
  if (isWhole) frozen.add(value as object);
  return isWhole;
}

/**
 * Returns a copy of plain data for a gate to freeze, so that the app's own objects stay unfrozen. Values that are not
 * plain data are not copied; a value that cannot be read is returned unchanged. Never throws.
 */
export function copyData(value: unknown): unknown {
  try {
    return copied(value);
  } catch {
    return value;
  }
}

function copied(value: unknown): unknown {
  const copies = new Map<unknown, unknown>();
  const open: [from: object, to: object][] = [];
  const copyOf = (from: unknown): unknown => {
    if (!isObject(from) || isFixed(from)) return from;
    let to = copies.get(from);
    if (to === undefined) {
      // The target of a Vue proxy can change at any time; the copy is plain data.
      const prototype: unknown = Object.getPrototypeOf(from);
      if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return from;
      copies.set(from, (to = Array.isArray(from) ? [] : Object.create(prototype as object | null)));
      open.push([from, to as object]);
    }
    return to;
  };
  const copy = copyOf(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    for (const key of Object.keys(from)) setOwn(to, key, copyOf((from as Record<string, unknown>)[key]));
    if (Array.isArray(from)) (to as unknown[]).length = from.length;
  }
  return copy;
}
