/**
 * Web Locks whose answers arrive when the exploration picks them. The state of the lock manager changes at once. Its
 * answer to a tab is an event of that tab, which a frozen tab does not receive.
 */
import type { Locks } from '../../../src/ts/persist/tabs/platform.js';

/** Adds an event to the tab's queue. */
type Post = (tab: string, label: string, call: () => void) => void;

interface Request {
  readonly tab: string;
  readonly name: string;
  readonly grant: () => void;
  readonly lose: () => void;
}

/** The lock manager. */
export class LockManager {
  readonly #post: Post;
  /** The requests by the lock's name: the holder first, then those that wait. */
  readonly #queues = new Map<string, Request[]>();

  constructor(post: Post) {
    this.#post = post;
  }

  /** The lock manager's interface for a tab. */
  of(tab: string): Locks {
    return {
      request: (name, options, callback) =>
        new Promise((resolve, reject) => {
          const queue = this.#queue(name);
          if (options.ifAvailable && queue.length > 0) {
            this.#post(tab, `${name} is taken`, () => resolve(callback(null)));
            return;
          }
          const request: Request = {
            tab,
            name,
            grant: () =>
              this.#post(tab, `gets ${name}`, () => {
                Promise.resolve()
                  .then(() => callback({}))
                  .then(resolve, reject)
                  .finally(() => this.#leave(request));
              }),
            lose: () =>
              this.#post(tab, `loses ${name}`, () => reject(new DOMException('the lock was stolen', 'AbortError'))),
          };
          options.signal?.addEventListener('abort', () => {
            if (queue.indexOf(request) <= 0) return;
            this.#leave(request);
            reject(new DOMException('no longer wanted', 'AbortError'));
          });
          if (options.steal) {
            queue.shift()?.lose();
            queue.unshift(request);
            request.grant();
          } else if (queue.push(request) === 1) request.grant();
        }),
      query: () => {
        const held = [...this.#queues].flatMap(([name, [holder]]) => (holder ? [{ name, clientId: holder.tab }] : []));
        const pending = [...this.#queues].flatMap(([name, [, ...waiting]]) => waiting.map(() => ({ name })));
        return new Promise((resolve) => this.#post(tab, 'knows who leads', () => resolve({ held, pending })));
      },
    };
  }

  /** Releases the locks of a removed page. */
  release(tab: string): void {
    for (const queue of this.#queues.values()) {
      for (const request of queue.filter((entry) => entry.tab === tab)) this.#leave(request);
    }
  }

  /** A script of the site steals the lock and holds it. */
  robbed(name: string, by: string): void {
    const queue = this.#queue(name);
    queue.shift()?.lose();
    queue.unshift({ tab: by, name, grant: () => {}, lose: () => {} });
  }

  /** The holder of a lock. */
  holder(name: string): string | undefined {
    return this.#queues.get(name)?.[0]?.tab;
  }

  /** The holders and the waiting tabs. */
  toJSON(): unknown {
    return [...this.#queues]
      .filter(([, queue]) => queue.length > 0)
      .map(([name, queue]) => [name, queue.map(({ tab }) => tab)]);
  }

  #queue(name: string): Request[] {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return queue;
  }

  #leave(request: Request): void {
    const queue = this.#queue(request.name);
    const place = queue.indexOf(request);
    if (place < 0) return;
    queue.splice(place, 1);
    if (place === 0) queue[0]?.grant();
  }
}
