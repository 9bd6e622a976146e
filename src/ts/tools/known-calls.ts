/**
 * Tracks which calls this page has seen from their beginning, and which of them it has started. An unknown call is
 * never started automatically, so it is always safe to forget one.
 */
import type { GateEvent, ToolPart } from '../types/index.js';

/** The state of one call. */
export interface KnownCall<RUN> {
  /** This page has seen the call from its beginning. */
  isSeen: boolean;
  /** This page has started the call, or must not start it automatically. */
  isStarted: boolean;
  /** The call was aborted because its tool was disposed, and no `interrupted` event was emitted yet. */
  isLost: boolean;
  /** The current run of the call. */
  run: RUN | undefined;
}

/** Old calls are removed when there are more calls than this number plus twice the number of calls of the step. */
const MAX_OLD_CALLS = 32;

/** The newest call of each id, for one gate. */
export class KnownCalls<RUN> {
  readonly #calls = new Map<string, KnownCall<RUN>>();

  /** The number of known calls. */
  get size(): number {
    return this.#calls.size;
  }

  /** Returns the call with this id, and adds it if it is unknown. */
  get(toolCallId: string): KnownCall<RUN> {
    let call = this.#calls.get(toolCallId);
    if (!call) this.#calls.set(toolCallId, (call = { isSeen: false, isStarted: false, isLost: false, run: undefined }));
    return call;
  }

  /**
   * Updates a call from a transition event. If the call is new, returns the earlier call with the same id: ids can
   * repeat.
   */
  transition({ toolCallId, from }: GateEvent & { type: 'transition' }): KnownCall<RUN> | undefined {
    const before = this.#calls.get(toolCallId);
    if (from === undefined) this.#calls.delete(toolCallId);
    this.get(toolCallId).isSeen = true;
    return from === undefined ? before : undefined;
  }

  /** Removes calls other than those of the step when there are too many. Keeps running ones. */
  forget(step: readonly Pick<ToolPart, 'toolCallId'>[]): void {
    if (this.size <= 2 * step.length + MAX_OLD_CALLS) return;
    const current = new Set(step.map(({ toolCallId }) => toolCallId));
    for (const [toolCallId, { run }] of this.#calls) {
      if (!run && !current.has(toolCallId)) this.#calls.delete(toolCallId);
    }
  }
}
