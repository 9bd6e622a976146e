/** A storage in memory, and locks, for tabs in one process. Needs no gate, so that tests with a document can use it. */
import type { PersistStorage } from 'toolgate/persist';
import type { SavedGate } from 'toolgate';
import { vi } from 'vitest';

/** A storage in memory that counts writes, and waits and fails on request. */
export class MemoryStorage implements PersistStorage {
  readonly values = new Map<string, unknown>();
  /** The number of writes that began. */
  writes = 0;
  /** If set, each write waits for it. */
  hold: Promise<void> | undefined;
  /** If set, writes to names with this ending fail. */
  broken: string | undefined;

  async read(name: string): Promise<unknown> {
    const text = this.values.get(name);
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : text;
  }

  async write(name: string, value: unknown): Promise<void> {
    this.writes++;
    const text = JSON.stringify(value);
    await this.hold;
    if (this.broken !== undefined && name.endsWith(this.broken)) throw new Error('the disk is full');
    this.values.set(name, text);
  }

  async remove(name: string): Promise<void> {
    this.values.delete(name);
  }

  /** The stored record of this name. */
  record(name: string): { epoch: number; seq: number; snapshot: SavedGate } | undefined {
    const text = this.values.get(name);
    return text === undefined
      ? undefined
      : (JSON.parse(text as string) as { epoch: number; seq: number; snapshot: SavedGate });
  }

  /** Copies the value to another name, so that a test can open a page with the state of this moment. */
  copyOf(name: string, as: string): this {
    this.values.set(as, this.values.get(name));
    return this;
  }
}

interface LockRequest {
  readonly take: () => void;
  readonly lose: () => void;
}

/** The part of Web Locks that a persister uses, for versions of Node without them. */
export class Locks {
  readonly #queues = new Map<string, LockRequest[]>();

  request = (name: string, options: LockOptions, callback: (lock: object | null) => unknown): Promise<unknown> => {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    if (options.ifAvailable && queue.length > 0) return Promise.resolve().then(() => callback(null));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const place = queue.indexOf(request);
        if (place < 0) return;
        queue.splice(place, 1);
        if (place === 0) queue[0]?.take();
      };
      const request: LockRequest = {
        take: () => {
          Promise.resolve()
            .then(() => callback({}))
            .then(resolve, reject)
            .finally(leave);
        },
        lose: () => reject(new DOMException('the lock was stolen', 'AbortError')),
      };
      options.signal?.addEventListener('abort', () => {
        if (queue.indexOf(request) <= 0) return;
        leave();
        reject(new DOMException('', 'AbortError'));
      });
      if (options.steal) {
        queue.shift()?.lose();
        queue.unshift(request);
        request.take();
      } else if (queue.push(request) === 1) request.take();
    });
  };

  query = (): Promise<LockManagerSnapshot> => {
    const held = [...this.#queues]
      .filter(([, queue]) => queue.length > 0)
      .map(([name]) => ({ name, clientId: 'this page' }));
    return Promise.resolve({ held, pending: [] });
  };
}

const known = globalThis.navigator as Navigator | undefined;
if (!known) vi.stubGlobal('navigator', { locks: new Locks() });
// Other properties of a simulated browser are used.
else if (!known.locks) Object.defineProperty(known, 'locks', { value: new Locks() });
