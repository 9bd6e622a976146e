/**
 * Setting a property whose name comes from outside. An assignment would call the setter behind `__proto__`, and would
 * throw on any inherited name where `Object.prototype` is frozen. No policy about names: they are data.
 */

/** Sets an own, ordinary property, whatever its name. */
export function setOwn(target: object, key: string | number, value: unknown): void {
  if (key in Object.prototype) {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (target as Record<string | number, unknown>)[key] = value;
  }
}

/** The value under an own key. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
