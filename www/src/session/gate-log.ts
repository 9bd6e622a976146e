/**
 * Keeps what the gate reports while a chat is open: each transition of each part, each anomaly, and what became of
 * each press of a button. The gate itself keeps the state; this is only a history for the inspector.
 */
import type { GateEvent, ToolGate } from 'toolgate';

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
export interface GateLogEntry {
  n: number;
  /** Seconds since the chat was opened. */
  at: number;
  event: GateEvent | PressEvent | KeeperEvent;
}

/** How many lines are kept. */
const KEPT = 500;

/** Collects events from a gate until it is closed. */
export class GateLog {
  #entries: readonly GateLogEntry[] = [];
  #count = 0;
  readonly #began = performance.now();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;

  constructor(gate: ToolGate) {
    this.#stop = gate.onEvent((event) => this.add(event));
  }

  /** The history, oldest first. */
  readonly get = (): readonly GateLogEntry[] => this.#entries;

  /** Calls `listener` after each change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a line. */
  add(event: GateLogEntry['event']): void {
    this.#count += 1;
    const at = (performance.now() - this.#began) / 1000;
    this.#entries = [...this.#entries.slice(1 - KEPT), { n: this.#count, at, event }];
    for (const listener of this.#listeners) listener();
  }

  /** Stops listening to the gate. */
  close(): void {
    this.#stop();
  }
}
