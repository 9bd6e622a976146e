/**
 * A JSON value under construction that can be read at any time: readers get the value itself, not a copy, and it never
 * changes under them. After a read, the next change first copies the containers that are still open; everything closed
 * is shared between the old value and the new. While nobody reads, nothing is copied. No syntax here: see
 * partial-json.ts.
 */
import { setOwn } from './own-property.js';

type Container = Record<string, unknown> | unknown[];

/** The value so far, and the path to where the next value goes. */
export class GrowingTree {
  #root: unknown;
  /** The open containers, outermost first, and in each the key or index where the next value goes. */
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

  /** The next value goes to this member of the innermost object. */
  setKey(key: string): void {
    this.#keys[this.#keys.length - 1] = key;
  }

  /** The next value goes behind the last item of the innermost array. */
  nextItem(): void {
    (this.#keys[this.#keys.length - 1] as number)++;
  }

  /** Puts a value where the next one goes, replacing what was put there before. */
  set(value: unknown): void {
    const open = this.#open;
    if (open.length === 0) {
      this.#root = value;
      return;
    }
    if (this.#read) {
      this.#read = false;
      open.forEach((container, depth) => {
        const copy = Array.isArray(container) ? container.slice() : { ...container };
        open[depth] = copy;
        if (depth) this.#put(depth - 1, copy);
        else this.#root = copy;
      });
    }
    this.#put(open.length - 1, value);
  }

  /** Puts an empty container there, and opens it. */
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
    setOwn(this.#open[depth] as Container, this.#keys[depth] as string | number, value);
  }
}
