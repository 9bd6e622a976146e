/**
 * Whom a gate tells: what changed, and what happened. A listener's failure is its own.
 */
import type { GateEvent } from './types.js';

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

/** The listeners of one gate. */
export class Listeners {
  readonly #changes = new Set<() => void>();
  readonly #events = new Set<(event: GateEvent) => void>();

  /** Whether anybody listens to events. */
  get hasEvents(): boolean {
    return this.#events.size > 0;
  }

  /** Adds one for changes. Returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  }

  /** Adds one for events. Returns the function that ends it. */
  onEvent(listener: (event: GateEvent) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  /** Something changed. */
  changed(): void {
    for (const listener of [...this.#changes]) guarded(listener);
  }

  /** Something happened. */
  emit(event: GateEvent): void {
    for (const listener of [...this.#events]) guarded(() => listener(event));
  }
}
