/**
 * Tracks for which calls `onToolCall` was called: once for each call, even if its chunk is replayed. A repeated id in a
 * new step is a new call. Calls of earlier steps are forgotten.
 */
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateEvent } from '../../types/index.js';
import { guarded, reportUncaught } from '../../types/report-uncaught.js';
import { callsOfStep, toolNameOf } from '../../types/tool-part.js';
import { retain } from './attempts.js';
import type { ChatHost } from '../chat-host.js';

/** The tracked calls of one chat. */
export class ToolCalls {
  readonly #gate: Pick<ToolGate, 'getSnapshot' | 'part'>;
  readonly #known = new Set<string>();

  constructor(gate: Pick<ToolGate, 'getSnapshot' | 'part'>) {
    this.#gate = gate;
  }

  /**
   * Notes an event of the gate. Returns a call that the user approved because the gate itself asked: `onToolCall`
   * waited for it.
   */
  note(event: GateEvent): object | undefined {
    if (event.type !== 'transition') return undefined;
    const { toolCallId } = event;
    if (event.from === undefined) this.#known.delete(toolCallId);
    const part = event.to === 'approval-responded' ? this.#gate.part(toolCallId) : undefined;
    if (!part?.approval?.isLocal || !part.approval.approved || this.#known.has(toolCallId)) return undefined;
    this.#known.add(toolCallId);
    return { type: 'tool-input-available', toolCallId, toolName: toolNameOf(part), input: part.input };
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
    retain(
      this.#known,
      callsOfStep(this.#gate.getSnapshot()).map((call) => call.toolCallId),
    );
  }
}

/** Calls `onToolCall`. Its errors are passed to `onError` of the chat, and do not end the reply. Never rejects. */
export async function callTool(chat: ChatHost, callbacks: Pick<ChatHost, 'onToolCall'>, toolCall: unknown) {
  try {
    await callbacks.onToolCall?.({ toolCall });
  } catch (error) {
    guarded(() => (chat.onError ? chat.onError(error as Error) : reportUncaught(error)));
  }
}
