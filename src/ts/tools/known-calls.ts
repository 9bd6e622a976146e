/**
 * What a page knows of the calls that it may run, for as long as the conversation needs it: which of them it saw being
 * made, and which were started. A call that is not known is never started by itself, so forgetting one is always safe.
 */
import { isToolPart } from '../types/tool-part.js';
import type { GateEvent, GateMessage } from '../types/index.js';

/** One call. */
export interface KnownCall<RUN> {
  /** Its way to this point was seen here. */
  isSeen: boolean;
  /** It was started here, or is not to be started by itself. */
  isPassed: boolean;
  /** It was aborted because its tool was disposed of, and no `interrupted` event has said so. */
  isLost: boolean;
  /** What runs it now. */
  run: RUN | undefined;
}

/** How many calls beside those of the last message may be known before the others are forgotten. */
const SPARE = 32;

/** The calls of one gate, by id: the newest call of each. */
export class KnownCalls<RUN> {
  readonly #calls = new Map<string, KnownCall<RUN>>();

  /** How many are known. */
  get size(): number {
    return this.#calls.size;
  }

  /** The call with this id; one that was never seen is new. */
  get(toolCallId: string): KnownCall<RUN> {
    let call = this.#calls.get(toolCallId);
    if (!call) this.#calls.set(toolCallId, (call = { isSeen: false, isPassed: false, isLost: false, run: undefined }));
    return call;
  }

  /** Takes in a change of a call. Returns the earlier call of that id if this one is new: ids may come again. */
  transition({ toolCallId, from }: GateEvent & { type: 'transition' }): KnownCall<RUN> | undefined {
    const before = this.#calls.get(toolCallId);
    if (from === undefined) this.#calls.delete(toolCallId);
    this.get(toolCallId).isSeen = true;
    return from === undefined ? before : undefined;
  }

  /** Forgets the calls of earlier messages, now and then, but those that run. */
  forget(messages: readonly Pick<GateMessage, 'parts'>[]): void {
    const last = new Set<string>();
    for (const part of messages.at(-1)?.parts ?? []) if (isToolPart(part)) last.add(part.toolCallId);
    if (this.size <= 2 * last.size + SPARE) return;
    for (const [toolCallId, { run }] of this.#calls) {
      if (!run && !last.has(toolCallId)) this.#calls.delete(toolCallId);
    }
  }
}
