/**
 * Keeps what became of each press of a button, and what the keeper had to say, for the record beside the chat. What the gate
 * itself reports is in the inspector.
 */

/** A press of Approve or Deny, and what the gate said to it. */
export interface PressEvent {
  readonly type: 'press';
  readonly approvalId: string;
  readonly approved: boolean;
  /** `accepted`, `duplicate`, or the code of the error. */
  readonly result: string;
}

/** What the keeper has to say: another tab decided first, or the chat cannot be stored. */
export interface KeeperEvent {
  readonly type: 'keeper';
  readonly message: string;
}

/** One line of the history. */
export interface PressLogEntry {
  n: number;
  /** Seconds since the chat was opened. */
  at: number;
  event: PressEvent | KeeperEvent;
}

/** How many lines are kept. */
const KEPT = 500;

/** A list of what was pressed. */
export class PressLog {
  #entries: readonly PressLogEntry[] = [];
  #count = 0;
  readonly #began = performance.now();
  readonly #listeners = new Set<() => void>();

  /** The history, oldest first. */
  readonly get = (): readonly PressLogEntry[] => this.#entries;

  /** Calls `listener` after each change; returns how to stop. */
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
