/**
 * Tracks for which calls `onToolCall` was called: once for each call, even if its chunk is replayed. A repeated id in a
 * new step is a new call. Calls of earlier steps are forgotten.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { callsOfStep } from '../types/tool-part.js';

/** The tracked calls of one chat. */
export class ToolCalls {
  readonly #gate: Pick<ToolGate, 'getSnapshot'>;
  readonly #known = new Set<string>();

  constructor(gate: Pick<ToolGate, 'getSnapshot' | 'onEvent'>) {
    this.#gate = gate;
    gate.onEvent((event) => {
      if (event.type === 'transition' && event.from === undefined) this.#known.delete(event.toolCallId);
    });
  }

  /** The number of tracked calls. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Whether to call `onToolCall` for the newest call with this id, whose input has just arrived. True once for each
   * call; false for a call that the gate ignored, or that has an approval or a result.
   */
  isNew(toolCallId: unknown): boolean {
    if (typeof toolCallId !== 'string' || this.#known.has(toolCallId)) return false;
    const calls = callsOfStep(this.#gate.getSnapshot());
    if (calls.findLast((call) => call.toolCallId === toolCallId)?.state !== 'input-available') return false;
    this.#known.add(toolCallId);
    return true;
  }

  /** Forgets the calls of earlier steps. */
  prune(): void {
    if (this.#known.size === 0) return;
    const current = new Set(callsOfStep(this.#gate.getSnapshot()).map((call) => call.toolCallId));
    for (const id of this.#known) if (!current.has(id)) this.#known.delete(id);
  }
}
