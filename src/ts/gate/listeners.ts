/**
 * The listeners of a gate, for changes and for events. An error of one listener does not affect the others.
 */
import type { GateEvent } from '../types/index.js';

/** Calls a function of the app. An error that it throws is reported as an uncaught error. */
export function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    reportUncaught(error);
  }
}

/** Reports an error of the app as an uncaught error. */
export function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/**
 * The maximum nesting of notifications: a listener that decides the next approval is called again within its own call.
 * Deeper notifications are queued until the innermost call returns, so that a long chain cannot overflow the stack.
 */
const MAX_DEPTH = 50;

/** A notification of an event or a change. */
type Notification = GateEvent | 'change';

/** The listeners of one gate. */
export class Listeners {
  readonly #changes = new Set<() => void>();
  readonly #events = new Set<(event: GateEvent) => void>();
  readonly #onCount: () => void;
  readonly #queue: Notification[] = [];
  #depth = 0;

  /** `onCount` is called when a listener was added or removed. */
  constructor(onCount: () => void) {
    this.#onCount = onCount;
  }

  /** Whether there is a listener for events. */
  get hasEvents(): boolean {
    return this.#events.size > 0;
  }

  /** Whether there is a listener of either kind. */
  get isNotEmpty(): boolean {
    return this.#events.size > 0 || this.#changes.size > 0;
  }

  /** Adds a listener for changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#add(this.#changes, listener);
  }

  /** Adds a listener for events. Returns an unsubscribe function. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#add(this.#events, listener);
  }

  /** Notifies listeners of a change. */
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

  #notify(notification: Notification): void {
    const queue = this.#queue;
    if (this.#depth === MAX_DEPTH) {
      // One queued notification of a change covers all changes before it is delivered.
      if (notification !== 'change' || queue.at(-1) !== 'change') queue.push(notification);
      return;
    }
    this.#depth++;
    try {
      this.#call(notification);
      while (queue.length > 0) for (const next of queue.splice(0)) this.#call(next);
    } finally {
      this.#depth--;
    }
  }

  #call(notification: Notification): void {
    if (notification === 'change') for (const listener of [...this.#changes]) guarded(listener);
    else for (const listener of [...this.#events]) guarded(() => listener(notification));
  }
}
