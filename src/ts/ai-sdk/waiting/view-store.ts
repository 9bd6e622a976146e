/**
 * What a chat shows. Components subscribe to a store and read its snapshot; the chat of `guard` passes each change on
 * to the framework's own store (guard/chat-facade.ts).
 *
 * This file imports only types of the core, because a chat is shown before the core is loaded.
 */
import { withoutProxy } from '../../gate/gate-source.js';
import type { GateMessage } from '../../types/index.js';
import { guarded } from '../../types/report-uncaught.js';
import type { ChatStatus } from '../chat-host.js';

/** What a component shows of a chat. The same object until one of its values changes. */
export interface ChatSnapshot {
  /** The same array until something changes. */
  readonly messages: GateMessage[];
  /** The chat's message queue: the same array until something changes. */
  readonly queued: GateMessage[];
  readonly status: ChatStatus;
  readonly error: Error | undefined;
}

/** Where a chat's state comes from: `WaitingActs` while the core is loading, then the gate. */
export interface ChatSource extends ChatSnapshot {
  /** Whether a reply is being read. Each change is then one of the messages. */
  readonly isReplying: boolean;
}

/** The store of one chat. */
export class ViewStore {
  /** The messages that the chat had before it had a gate, without the framework's proxies. */
  initial: readonly unknown[];
  /** Whether the framework wraps data in proxies. */
  readonly hasProxies: boolean;
  /** The present source. A reader of one value computes only that one. */
  source!: ChatSource;

  readonly #listeners = new Set<() => void>();
  /** The source that is shown as soon as the chat is observed. */
  #next: ChatSource | undefined;
  #isObserved = false;
  #snapshot: ChatSnapshot | undefined;

  constructor(initial: readonly unknown[], hasProxies: boolean) {
    this.hasProxies = hasProxies;
    this.initial = this.plain(initial);
  }

  /**
   * Shows another source. With `isPatient`, waits until the chat is observed: a page from a server must show the same
   * messages until the framework has hydrated it.
   */
  show(source: ChatSource, isPatient = false): void {
    if (isPatient && !this.#isObserved) {
      this.#next = source;
      return;
    }
    this.#next = undefined;
    this.source = source;
    this.publish();
  }

  /** Called when a component subscribes, and when the app calls a method of the chat or requests the gate. */
  observe(): void {
    this.#isObserved = true;
    if (this.#next) this.show(this.#next);
  }

  /** Removes the framework's proxies from an argument. Objects in `known` are returned unchanged. */
  plain<T>(value: T, known?: ReadonlySet<unknown>): T {
    return this.hasProxies ? (plain(value, known) as T) : value;
  }

  /** Notifies the components of a change of the source. */
  publish(): void {
    // An error of a component must not end the request.
    for (const listener of [...this.#listeners]) guarded(listener);
  }

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** What the chat shows now. */
  get snapshot(): ChatSnapshot {
    const { messages, queued, status, error } = this.source;
    const last = this.#snapshot;
    const isSame =
      last?.messages === messages && last.queued === queued && last.status === status && last.error === error;
    return isSame ? last : (this.#snapshot = { messages, queued, status, error });
  }
}

/**
 * Returns the value without the proxies of Vue (`ref`) and Svelte (`$state`): a proxy cannot be cloned or posted, and
 * reading one inside an effect subscribes the effect. Copies arrays and plain objects, and returns other objects
 * (dates, files, class instances) and objects in `known` unchanged.
 */
export function plain(value: unknown, known?: ReadonlySet<unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const raw = withoutProxy(value);
  if (known?.has(raw)) return raw;
  if (Array.isArray(raw)) return raw.map((item) => plain(item, known));
  const prototype: unknown = Object.getPrototypeOf(raw);
  if (prototype !== Object.prototype && prototype !== null) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, item]) => [key, plain(item, known)]));
}
