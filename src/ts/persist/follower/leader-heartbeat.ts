/**
 * Checks that the leader still answers: asks while something depends on the leader, and waits for each answer with a
 * time limit.
 */
import type { Platform } from '../tabs/platform.js';

/** The dependencies of a heartbeat. */
interface LeaderHeartbeatDeps {
  readonly platform: Platform;
  /** The time limit of an answer, in ms. */
  readonly timeoutMs: number;
  /** Whether something depends on the leader. */
  readonly isNeeded: () => boolean;
  /** Sends the leader a message that it answers. */
  readonly ask: () => void;
  /** Called when the leader did not answer in time. */
  readonly onSilence: () => void;
}

/** The heartbeat of one leader. Does nothing before `check` or `expect`. */
export class LeaderHeartbeat {
  readonly #deps: LeaderHeartbeatDeps;
  #isAsked = false;
  #isSilent = false;
  /** Cancels the timer of an answer, or of the next question. */
  #cancel: (() => void) | undefined;
  /** Ends a `confirmSilence` that waits. */
  #endConfirmation: (() => void) | undefined;

  constructor(deps: LeaderHeartbeatDeps) {
    this.#deps = deps;
  }

  /** Whether the leader did not answer the last question in time. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Asks the leader if something depends on it, unless it was asked recently. */
  check(): void {
    if (this.#cancel || this.#isSilent || !this.#deps.isNeeded()) return;
    this.#deps.ask();
    this.expect();
  }

  /** The leader was asked something: starts the time limit of its answer. */
  expect(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#wait(() => this.#over());
  }

  /**
   * Asks the leader once more, if something depends on it. Resolves with `true` if it does not answer within a quarter
   * of the time limit. If two tabs miss the leader at the same time, the first one takes over, and the second one gets
   * its answer here. With `ms`, a leader is looked for that long, even if nothing depends on it.
   */
  confirmSilence(ms?: number): Promise<boolean> {
    const { platform, timeoutMs, ask, isNeeded } = this.#deps;
    this.#endConfirmation?.();
    if (ms === undefined && !isNeeded()) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isSilent: boolean): void => {
        cancel();
        this.#endConfirmation = undefined;
        resolve(isSilent);
      };
      const cancel = platform.after(ms ?? timeoutMs / 4, () => end(true));
      this.#endConfirmation = () => end(false);
      ask();
    });
  }

  /** The leader answered. It is asked again after the time limit, if something depends on it then. */
  answered(): void {
    this.#isSilent = false;
    this.#endConfirmation?.();
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#wait(() => this.check());
  }

  /** Stops checking. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#endConfirmation?.();
    this.#isAsked = this.#isSilent = false;
  }

  #over(): void {
    this.#isAsked = false;
    if (!this.#deps.isNeeded()) return;
    this.#isSilent = true;
    this.#deps.onSilence();
  }

  #wait(call: () => void): void {
    const { platform, timeoutMs } = this.#deps;
    this.#cancel?.();
    this.#cancel = platform.after(timeoutMs, () => {
      this.#cancel = undefined;
      call();
    });
  }
}
