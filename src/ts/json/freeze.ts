/**
 * Inputs that cannot be changed: what the user was shown is what is sent.
 *
 * An input is frozen in depth when its call is first shown. Plain objects and arrays of data can be; what is left as
 * it is (class instances, Map, binary data, properties with getters, reactive proxies) makes the input one that may
 * still change.
 */
import { setOwn } from './own-property.js';

/** Values that are frozen in depth, by their outermost object. */
const frozen = new WeakSet<object>();

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether an object is a plain one or an array, and no proxy of Vue: to freeze what is behind one would break it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isData = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  return isData && (value as { __v_raw?: unknown }).__v_raw === undefined;
}

/** Whether the value cannot change any more: a text or number, or what `freeze` has frozen as a whole. */
export function isFixed(value: unknown): boolean {
  return !isObject(value) || frozen.has(value);
}

/** Freezes a value in depth, as far as it is plain data. Returns whether all of it is. Never throws. */
export function freeze(value: unknown): boolean {
  if (isFixed(value)) return true;
  let isWhole = true;
  const open = [value as object];
  /** Objects that were frozen when they were met: by the app, which may have left what is in them, or here. */
  const met = new Set<object>();
  for (let next = open.pop(); next; next = open.pop()) {
    try {
      if (!isPlain(next)) {
        isWhole = false;
        continue;
      }
      if (Object.isFrozen(next)) {
        if (met.has(next)) continue;
        met.add(next);
      }
      Object.freeze(next);
      for (const key of Reflect.ownKeys(next)) {
        const { value: inner, get } = Object.getOwnPropertyDescriptor(next, key) as PropertyDescriptor;
        if (get) isWhole = false;
        else if (isObject(inner)) open.push(inner);
      }
    } catch {
      // A proxy that refuses.
      isWhole = false;
    }
  }
  if (isWhole) frozen.add(value as object);
  return isWhole;
}

/**
 * A copy of plain data, for a gate to freeze: what an app keeps stays the app's. What is not plain is in it as it is;
 * a value that cannot be read is returned itself. Never throws.
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
      // Behind a proxy of Vue is what an app may change at any time; read here, it is data.
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
