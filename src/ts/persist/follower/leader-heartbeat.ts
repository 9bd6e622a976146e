/** Asks whether the leader still answers, while something depends on it, with a time limit for each answer. */
import type { Tab } from '../tabs/tab.js';

/** The tab that waits for the leader. It creates the heartbeat, so this file must not import it. */
interface Follower {
  readonly needsLeader: boolean;
  ask(): void;
  leaderIsSilent(): void;
}

/** Does nothing before `check` or `expect`. */
export class LeaderHeartbeat {
  readonly #tab: Tab;
  readonly #follower: Follower;
  #isAsked = false;
  /** Whether the leader did not answer the last question in time. Only this class sets it. */
  isSilent = false;
  /** Cancels the timer of an answer, or of the next question. */
  #cancel: (() => void) | undefined;
  /** Ends a `confirmSilence` that waits. */
  #endConfirmation: (() => void) | undefined;

  constructor(tab: Tab, follower: Follower) {
    this.#tab = tab;
    this.#follower = follower;
  }

  /** Asks the leader if something depends on it, unless it was asked recently. */
  check(): void {
    if (this.#cancel || this.isSilent || !this.#follower.needsLeader) return;
    this.#follower.ask();
    this.expect();
  }

  /** The leader was asked something: starts the time limit of its answer. */
  expect(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#wait(() => {
      this.#isAsked = false;
      if (!this.#follower.needsLeader) return;
      this.isSilent = true;
      this.#follower.leaderIsSilent();
    });
  }

  /**
   * Asks the leader once more, if something depends on it. Resolves with `true` if it does not answer within a quarter
   * of the time limit. If two tabs miss the leader at the same time, the first one takes over, and the second one gets
   * its answer here. With `ms`, a leader is looked for that long, even if nothing depends on it.
   */
  confirmSilence(ms?: number): Promise<boolean> {
    const { platform, leaderMs } = this.#tab;
    this.#endConfirmation?.();
    if (ms === undefined && !this.#follower.needsLeader) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isSilent: boolean): void => {
        cancel();
        this.#endConfirmation = undefined;
        resolve(isSilent);
      };
      const cancel = platform.after(ms ?? leaderMs / 4, () => end(true));
      this.#endConfirmation = () => end(false);
      this.#follower.ask();
    });
  }

  /** The leader answered. It is asked again after the time limit, if something depends on it then. */
  answered(): void {
    this.isSilent = false;
    this.#endConfirmation?.();
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#wait(() => this.check());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#endConfirmation?.();
    this.#isAsked = this.isSilent = false;
  }

  #wait(call: () => void): void {
    const { platform, leaderMs } = this.#tab;
    this.#cancel?.();
    this.#cancel = platform.after(leaderMs, () => {
      this.#cancel = undefined;
      call();
    });
  }
}
