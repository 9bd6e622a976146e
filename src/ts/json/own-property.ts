/**
 * Sets and reads properties whose names come from outside. A plain assignment would call the setter of `__proto__`, and
 * would throw for any inherited name if `Object.prototype` is frozen. All names are allowed: they are data.
 */

/** Sets an own, enumerable, writable property, whatever its name. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key in Object.prototype) {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as Record<string | number, unknown>)[key] = value;
  }
}

/** Returns the value of an own property. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
