/**
 * Functions in the place of an object's own, and their removal. What others put there later is left alone: then the
 * functions stay behind theirs, and only pass on.
 */
type Method = (...args: unknown[]) => unknown;

/** Functions that were taken away while another one stood before them, with what stood there before. */
const left = new WeakMap<Method, PropertyDescriptor | undefined>();

/** The functions put before those of one object. */
export class Wrapping {
  readonly #target: object;
  readonly #put = new Map<string, { readonly now: Method; readonly original: Method | undefined; readonly before: PropertyDescriptor | undefined }>();

  constructor(target: object) {
    this.#target = target;
  }

  /** Whether what was put was taken away since; it does not count that somebody put something before it. */
  get isGone(): boolean {
    return [...this.#put.keys()].some((name) => !Object.hasOwn(this.#target, name));
  }

  /** Whether nothing was put. */
  get isEmpty(): boolean {
    return this.#put.size === 0;
  }

  /** What stood there before. */
  original(name: string): Method | undefined {
    return this.#put.get(name)?.original;
  }

  /** Puts `make(original)` in the place of the function called `name`. */
  put(name: string, make: (original: Method) => Method): void {
    const original = (this.#target as Record<string, Method | undefined>)[name];
    const before = Object.getOwnPropertyDescriptor(this.#target, name);
    const now = make(original as Method);
    this.#put.set(name, { now, original, before });
    Object.defineProperty(this.#target, name, { value: now, configurable: true, writable: true, enumerable: before?.enumerable ?? false });
  }

  /** Puts back what was there. What another one stands before is taken away with that. */
  restore(): void {
    for (const [name, { now, before }] of this.#put) {
      left.set(now, before);
      const standing = Object.getOwnPropertyDescriptor(this.#target, name);
      let place = standing;
      while (place && left.has(place.value as Method)) place = left.get(place.value as Method);
      if (place === standing) continue;
      if (place) Object.defineProperty(this.#target, name, place);
      else Reflect.deleteProperty(this.#target, name);
    }
    this.#put.clear();
  }
}
