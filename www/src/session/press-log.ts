/**
 * Logs the result of each press of a button, and errors of `toolgate/persist`, for the record beside the chat. The
 * inspector shows the gate's own events.
 */

/** A press of Approve or Deny, and its result: `accepted` or `duplicate`. */
export interface PressEvent {
  readonly type: 'press';
  readonly approvalId: string;
  readonly approved: boolean;
  readonly result: string;
}

/** A press that the gate refused, with the code of the error. */
export interface RefusalEvent {
  readonly type: 'refusal';
  readonly approvalId: string;
  readonly result: string;
}

/** An error of `toolgate/persist`: another tab decided first, or the chat cannot be stored. */
export interface PersistEvent {
  readonly type: 'persist';
  readonly message: string;
}

/** One line of the log. */
export interface PressLogEntry {
  n: number;
  /** Seconds since the chat was opened. */
  at: number;
  event: PressEvent | RefusalEvent | PersistEvent;
}

/** The largest number of lines. */
const KEPT = 500;

/** The log of presses. */
export class PressLog {
  #entries: readonly PressLogEntry[] = [];
  #count = 0;
  readonly #began = performance.now();
  readonly #listeners = new Set<() => void>();

  /** All lines, oldest first. */
  readonly get = (): readonly PressLogEntry[] => this.#entries;

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a line. */
  add(event: PressLogEntry['event']): void {
    this.#count += 1;
    const at = (performance.now() - this.#began) / 1000;
    this.#entries = [...this.#entries.slice(1 - KEPT), { n: this.#count, at, event }];
    for (const listener of this.#listeners) listener();
  }
}
