/**
 * A JSON value under construction that can be read at any time. A read returns the value itself, not a copy, and that
 * value never changes afterwards: the first change after a read copies the containers that are still open, and shares
 * the closed ones. Without reads nothing is copied. Syntax is in partial-json.ts.
 */
import { setOwn } from './own-property.js';

type Container = Record<string, unknown> | unknown[];

/** The value so far, and the path to the position of the next value. */
export class GrowingTree {
  #root: unknown;
  /** The open containers, outermost first. */
  #open: Container[] = [];
  #keys: (string | number)[] = [];
  #read = false;

  /** The value so far; `undefined` before there is one. */
  get value(): unknown {
    this.#read = true;
    return this.#root;
  }

  /** The innermost open container; `undefined` outside of all. */
  get container(): Container | undefined {
    return this.#open.at(-1);
  }

  /** Sets the member of the innermost object that receives the next value. */
  setKey(key: string): void {
    this.#keys[this.#keys.length - 1] = key;
  }

  /** Moves to the position after the last item of the innermost array. */
  nextItem(): void {
    (this.#keys[this.#keys.length - 1] as number)++;
  }

  /** Puts a value at the current position, replacing the value that is there. */
  set(value: unknown): void {
    const open = this.#open;
    if (open.length === 0) {
      this.#root = value;
      return;
    }
    if (this.#read) {
      this.#read = false;
      for (let depth = 0; depth < open.length; depth++) {
        const container = open[depth] as Container;
        const copy = Array.isArray(container) ? container.slice() : { ...container };
        open[depth] = copy;
        if (depth) this.#put(depth - 1, copy);
        else this.#root = copy;
      }
    }
    this.#put(open.length - 1, value);
  }

  /** Puts an empty container at the current position, and opens it. */
  open(container: Container): void {
    this.set(container);
    this.#open.push(container);
    this.#keys.push(0);
  }

  /** Closes the innermost container. */
  close(): void {
    this.#open.pop();
    this.#keys.pop();
  }

  #put(depth: number, value: unknown): void {
    const container = this.#open[depth] as Container;
    const key = this.#keys[depth] as string | number;
    if (typeof key === 'number') (container as unknown[])[key] = value;
    else setOwn(container, key, value);
  }
}
