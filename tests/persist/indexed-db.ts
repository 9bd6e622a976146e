/**
 * IndexedDB in memory, for tests in Node: the part that `toolgate/persist` uses. Values are stored as JSON,
 * transactions run one after the other, and each request is answered in a task of its own.
 */
import { onTestFinished } from 'vitest';

type Key = string | number | readonly Key[];

interface Request {
  result: unknown;
  onsuccess: (() => void) | null;
  run: () => unknown;
}

interface Range {
  readonly from: Key;
  readonly to: Key;
}

/** Compares keys as IndexedDB does: numbers, then strings, then arrays. */
function compare(one: Key, other: Key): number {
  const rank = (key: Key): number => (typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (!Array.isArray(one) || !Array.isArray(other)) return one < other ? -1 : one > other ? 1 : 0;
  for (const [at, item] of one.entries()) {
    if (at >= other.length) return 1;
    const order = compare(item as Key, other[at] as Key);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** A database in memory, which replaces `indexedDB` until the test is over. */
export class MemoryDatabase {
  /** The stored values, by their keys as JSON. */
  readonly values = new Map<string, string>();
  /** If set, called before each write; it may throw, and then the transaction fails. */
  onWrite: ((key: string, text: string) => void) | undefined;
  /** If set, called with each transaction; it returns true for one that must never be answered. */
  hangs: (() => boolean) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #connections: { onversionchange: (() => void) | null }[] = [];

  constructor() {
    // Not `vi.stubGlobal`: undoing it would also undo the locks of memory-storage.ts.
    const IDBKeyRange = { bound: (from: Key, to: Key): Range => ({ from, to }) };
    Object.assign(globalThis, { indexedDB: { open: () => this.#open() }, IDBKeyRange });
    onTestFinished(() => void Object.assign(globalThis, { indexedDB: undefined, IDBKeyRange: undefined }));
  }

  /** Deletes the database: the browser closes its connections first. */
  delete(): void {
    for (const connection of this.#connections.splice(0)) connection.onversionchange?.();
    this.values.clear();
  }

  /** The keys, in their order. */
  keys(): Key[] {
    return [...this.values.keys()].map((key) => JSON.parse(key) as Key).sort(compare);
  }

  /** The stored value of a key. */
  get(...key: Key[]): unknown {
    const text = this.values.get(JSON.stringify(key));
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  /** The keys of one chat that belong to this kind of record. */
  keysOf(name: string, kind: string): string[] {
    return this.keys()
      .filter((key) => Array.isArray(key) && key[0] === name && key[1] === kind)
      .map((key) => JSON.stringify(key));
  }

  #open(): unknown {
    const connection = {
      onclose: null,
      onversionchange: null as (() => void) | null,
      close: () => {},
      transaction: () => this.#transaction(connection),
    };
    this.#connections.push(connection);
    const request = { result: connection, onsuccess: null as (() => void) | null };
    setImmediate(() => request.onsuccess?.());
    return request;
  }

  #transaction(db: unknown): unknown {
    const requests: Request[] = [];
    const transaction = {
      db,
      error: null as unknown,
      oncomplete: null as (() => void) | null,
      onabort: null as (() => void) | null,
      commit: () => {},
      abort: () => {
        requests.length = 0;
        transaction.onabort?.();
      },
      objectStore: () => this.#store(requests),
    };
    const run = async (): Promise<void> => {
      if (this.hangs?.()) return;
      const before = new Map(this.values);
      try {
        for (let request = requests.shift(); request; request = requests.shift()) {
          request.result = request.run();
          await new Promise((resolve) => setImmediate(resolve));
          request.onsuccess?.();
        }
      } catch (error) {
        this.values.clear();
        for (const [key, value] of before) this.values.set(key, value);
        transaction.error = error;
        return transaction.onabort?.();
      }
      transaction.oncomplete?.();
    };
    this.#last = this.#last.then(run);
    return transaction;
  }

  #store(requests: Request[]): unknown {
    const request = (run: () => unknown): Request => {
      const made = { result: undefined as unknown, onsuccess: null, run };
      requests.push(made);
      return made;
    };
    const matching = (range?: Key | Range): Key[] =>
      this.keys().filter((key) => {
        if (range === undefined) return true;
        if (typeof range !== 'object' || Array.isArray(range)) return compare(key, range as Key) === 0;
        const { from, to } = range as Range;
        return compare(key, from) >= 0 && compare(key, to) <= 0;
      });
    const read = (key: Key): unknown => JSON.parse(this.values.get(JSON.stringify(key))!) as unknown;
    return {
      get: (key: Key) => request(() => matching(key).map(read)[0]),
      getAll: (range: Range) => request(() => matching(range).map(read)),
      getAllKeys: (range?: Range) => request(() => matching(range)),
      put: (value: unknown, key: Key) => {
        const text = JSON.stringify(value);
        return request(() => {
          this.onWrite?.(JSON.stringify(key), text);
          this.values.set(JSON.stringify(key), text);
        });
      },
      add: (value: unknown, key: Key) =>
        request(() => {
          if (this.values.has(JSON.stringify(key))) throw new DOMException('', 'ConstraintError');
          this.values.set(JSON.stringify(key), JSON.stringify(value));
        }),
      delete: (range: Key | Range) =>
        request(() => {
          for (const key of matching(range)) this.values.delete(JSON.stringify(key));
        }),
    };
  }
}
