/**
 * The interface of a guarded chat whose core is not loaded yet, for other parts of the package. A registered symbol is
 * its key, so that two copies of the package share it. This file imports no code of the core.
 */
import type { ToolGate } from './tool-gate.js';

/** The key of a guarded chat's {@link PendingChat}. It stays when the chat is ready. @internal */
export const PENDING = Symbol.for('toolgate.pending');

/** The loading of one guarded chat. */
export interface PendingChat {
  /** Whether `whenReady` has nothing to wait for. */
  readonly isReady: boolean;
  /**
   * Calls `listener` when the gate exists, before the calls that waited for the core are executed. Returns an
   * unsubscribe function.
   */
  onReady(listener: () => void): () => void;
  /**
   * Calls `task` with the gate when it exists. The calls that waited for the core are executed after the task has
   * settled. Resolves with its result; rejects with `load-failed`, or with `crashed` for a disposed chat.
   */
  first<T>(task: (gate: ToolGate) => Promise<T>): Promise<T>;
}
