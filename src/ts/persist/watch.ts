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
  /** It did not answer. */
  readonly onSilence: () => void;
}

/** The watch over one leader; idle until `poke` or `expect`. */
export class Watch {
  readonly #parts: WatchParts;
  #isAsked = false;
  #isSilent = false;
  /** Ends the waiting, for an answer or for the next question. */
  #cancel: (() => void) | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Whether the last question was not answered in time. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Something may depend on the tab that leads: asks it, if it was not asked just now. */
  poke(): void {
    if (this.#cancel || this.#isSilent || !this.#parts.isNeeded()) return;
    this.#parts.ask();
    this.expect();
  }

  /** The tab that leads was asked something: it has its time to answer. */
  expect(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#wait(() => this.#over());
  }

  /** The tab that leads answered. It is asked again when the time has passed, if it is still needed. */
  answered(): void {
    this.#isSilent = false;
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#wait(() => this.poke());
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
  }

  #wait(call: () => void): void {
    const { platform, timeoutMs } = this.#parts;
    this.#cancel?.();
    this.#cancel = platform.after(timeoutMs, () => {
      this.#cancel = undefined;
      call();
    });
  }
}
