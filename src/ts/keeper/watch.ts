/**
 * Whether the tab that leads still answers. It is asked when something depends on it, and has a time to answer in.
 */
import type { Platform } from './platform.js';

/** What a watch works with. */
interface WatchParts {
  readonly platform: Platform;
  /** How long an answer may take, in ms. */
  readonly timeoutMs: number;
  /** Whether something depends on the tab that leads. */
  readonly isNeeded: () => boolean;
  /** Asks it. */
  readonly ask: () => void;
  /** It did not answer. Called again each time that much has passed. */
  readonly onSilence: () => void;
}

/** The watch over one leader; idle until `poke`. */
export class Watch {
  readonly #parts: WatchParts;
  #isAsked = false;
  #isSilent = false;
  #cancel: (() => void) | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Whether the last question was not answered in time. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Something may depend on the tab that leads: asks at once, if it does. */
  poke(): void {
    const { platform, timeoutMs, isNeeded, ask } = this.#parts;
    if (!isNeeded()) return;
    ask();
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#cancel?.();
    this.#cancel = platform.after(timeoutMs, () => this.#over());
  }

  /** The tab that leads answered. It is asked again when the time has passed, if it is still needed. */
  answered(): void {
    const { platform, timeoutMs } = this.#parts;
    this.#isSilent = false;
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#cancel?.();
    this.#cancel = platform.after(timeoutMs, () => this.poke());
  }

  /** Nobody has to be watched. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isAsked = this.#isSilent = false;
  }

  #over(): void {
    this.#isAsked = false;
    if (!this.#parts.isNeeded()) return;
    this.#isSilent = true;
    this.#parts.onSilence();
    this.poke();
  }
}
