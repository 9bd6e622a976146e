/**
 * The calls that have changed since they were last taken, for listeners of single calls. Collected only while there is
 * such a listener.
 */
import { isToolPart } from '../../types/tool-part.js';
import type { GatePart } from '../../types/index.js';

/** The ids of the calls that have changed. */
export class ChangedCalls {
  /** Whether there is a listener of a single call. */
  isUsed = false;
  readonly #ids = new Set<string>();
  #isAll = false;

  /** A part has changed, or is new. */
  add(part: GatePart): void {
    if (this.isUsed && isToolPart(part)) this.#ids.add(part.toolCallId);
  }

  /** Any call may have changed. */
  addAll(): void {
    this.#isAll = this.isUsed;
  }

  /** Returns the ids, and forgets them; undefined if any call may have changed. */
  take(): readonly string[] | undefined {
    const ids = this.#isAll ? undefined : [...this.#ids];
    this.#isAll = false;
    this.#ids.clear();
    return ids;
  }
}
