/**
 * The listeners of a gate, for changes and for events. An error of one listener does not affect the others.
 */
import { NONE } from '../../types/empty-list.js';
import type { GateEvent } from '../../types/index.js';
import { guarded } from '../../types/report-uncaught.js';

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
  /** The listeners of single calls, by the ids of the calls. */
  readonly #calls = new Map<string, Set<() => void>>();
  readonly #onCount: () => void;
  readonly #takeChanged: () => readonly string[] | undefined;
  readonly #queue: Notification[] = [];
  #depth = 0;

  /**
   * `onCount` is called when a listener was added or removed. `takeChanged` returns the ids of the calls that have
   * changed since its last call; undefined if any may have changed.
   */
  constructor(onCount: () => void, takeChanged: () => readonly string[] | undefined) {
    this.#onCount = onCount;
    this.#takeChanged = takeChanged;
  }

  /** Whether there is a listener of a single call. */
  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** Whether there is a listener for events. */
  get hasEvents(): boolean {
    return this.#events.size > 0;
  }

  /** Whether there is any listener. */
  get isNotEmpty(): boolean {
    return this.#events.size > 0 || this.#hasChanges;
  }

  /** Adds a listener for changes. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    return this.#add(this.#changes, listener);
  }

  /** Adds a listener for changes of the calls with this id. Returns an unsubscribe function. */
  onCall(toolCallId: string, listener: () => void): () => void {
    let listeners = this.#calls.get(toolCallId);
    if (!listeners) this.#calls.set(toolCallId, (listeners = new Set()));
    const remove = this.#add(listeners, listener);
    return () => {
      if (listeners.size === 1 && listeners.has(listener)) this.#calls.delete(toolCallId);
      remove();
    };
  }

  /** Adds a listener for events. Returns an unsubscribe function. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    return this.#add(this.#events, listener);
  }

  /** Notifies listeners of a change. */
  changed(): void {
    if (this.#hasChanges) this.#notify('change');
  }

  get #hasChanges(): boolean {
    return this.#changes.size > 0 || this.#calls.size > 0;
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

  // A listener may add or remove others.
  #call(notification: Notification): void {
    if (notification !== 'change') {
      for (const listener of [...this.#events]) guarded(() => listener(notification));
      return;
    }
    this.#callEach(this.#changes);
    if (this.#calls.size === 0) return;
    for (const id of this.#takeChanged() ?? [...this.#calls.keys()]) this.#callEach(this.#calls.get(id) ?? NONE);
  }

  #callEach(listeners: Iterable<() => void>): void {
    for (const listener of [...listeners]) guarded(listener);
  }
}
