/**
 * The listeners of a gate: to changes, and to events. A listener's failure is its own.
 */
import type { GateEvent } from '../types/index.js';

/** Calls a function of the app: its failure must neither stop others nor look like the core's. */
export function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * How deep notifications may be nested: a listener that answers the next approval is called within its own call. What
 * comes deeper waits for the innermost one to return, so that no chain of answers, however long, fills the stack.
 */
const DEEPEST = 50;

/** A notification: an event, or a change. */
type News = GateEvent | 'change';

/** The listeners of one gate. */
export class Listeners {
  readonly #changes = new Set<() => void>();
  readonly #events = new Set<(event: GateEvent) => void>();
  readonly #onCount: () => void;
  readonly #waiting: News[] = [];
  #depth = 0;

  /** `onCount` is called when a listener came or went. */
  constructor(onCount: () => void) {
    this.#onCount = onCount;
  }

  /** Whether anybody listens to events. */
  get hasEvents(): boolean {
    return this.#events.size > 0;
  }

  /** Whether anybody listens at all. */
  get areAny(): boolean {
    return this.#events.size > 0 || this.#changes.size > 0;
  }

  /** Adds one for changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#add(this.#changes, listener);
  }

  /** Adds one for events. Returns an unsubscribe function. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#add(this.#events, listener);
  }

  /** Notifies of a change. */
  changed(): void {
    if (this.#changes.size > 0) this.#notify('change');
  }

  /** Emits an event. */
  emit(event: GateEvent): void {
    if (this.#events.size > 0) this.#notify(event);
  }

  #add<LISTENER>(to: Set<LISTENER>, listener: LISTENER): () => void {
    to.add(listener);
    this.#onCount();
    return () => {
      if (to.delete(listener)) this.#onCount();
    };
  }

  #notify(news: News): void {
    const waiting = this.#waiting;
    if (this.#depth === DEEPEST) {
      // One notice of a change stands for all that came before it was read.
      if (news !== 'change' || waiting.at(-1) !== 'change') waiting.push(news);
      return;
    }
    this.#depth++;
    try {
      this.#call(news);
      while (waiting.length > 0) for (const next of waiting.splice(0)) this.#call(next);
    } finally {
      this.#depth--;
    }
  }

  #call(news: News): void {
    if (news === 'change') for (const listener of [...this.#changes]) guarded(listener);
    else for (const listener of [...this.#events]) guarded(() => listener(news));
  }
}
