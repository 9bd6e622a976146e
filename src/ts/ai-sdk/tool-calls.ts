/**
 * Tracks for which calls `onToolCall` was called: once for each call, even if its chunk is replayed. A repeated id in a
 * new step is a new call. Calls of earlier steps are forgotten.
 */
import type { ToolGate } from '../gate/tool-gate.js';
import { callsOfStep, toolNameOf } from '../types/tool-part.js';

/** The tracked calls of one chat. */
export class ToolCalls {
  readonly #gate: Pick<ToolGate, 'getSnapshot'>;
  readonly #known = new Set<string>();

  /**
   * Calls `onApproved` for each call that the user approved because the gate itself asked: `onToolCall` waited for it.
   */
  constructor(gate: Pick<ToolGate, 'getSnapshot' | 'onEvent' | 'part'>, onApproved?: (toolCall: object) => void) {
    this.#gate = gate;
    gate.onEvent((event) => {
      if (event.type !== 'transition') return;
      const { toolCallId } = event;
      if (event.from === undefined) this.#known.delete(toolCallId);
      const part = event.to === 'approval-responded' ? gate.part(toolCallId) : undefined;
      if (!part?.approval?.isLocal || !part.approval.approved || this.#known.has(toolCallId)) return;
      this.#known.add(toolCallId);
      onApproved?.({ type: 'tool-input-available', toolCallId, toolName: toolNameOf(part), input: part.input });
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
