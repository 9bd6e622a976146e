/**
 * Publishes the leader's journal to the followers. If the page may have been frozen, the browser is asked first whether
 * this tab still holds the lock.
 */
import type { LeaderJournal } from './leader-journal.js';
import type { Platform } from '../tabs/platform.js';
import type { TabMessage } from '../tabs/tab-messages.js';
import { Throttle } from './throttle.js';

/** The shortest interval between published changes of a reply, in ms. Decisions and claims are published at once. */
const PAUSE = 75;

/** The dependencies. */
interface PublisherDeps {
  readonly platform: Platform;
  readonly journal: LeaderJournal;
  readonly post: (message: TabMessage) => void;
  /** The present term of the leader; undefined if nothing may be published. */
  readonly term: () => object | undefined;
  readonly holdsLock: () => Promise<boolean>;
  readonly hasLease: () => boolean;
  /** Called when this tab turns out not to be the leader. */
  readonly onLost: () => void;
}

/** Publishes the journal of one tab. */
export class Publisher {
  readonly #deps: PublisherDeps;
  readonly #pace: Throttle;
  #isQueryingLock = false;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#pace = new Throttle(deps.platform, () => this.publish(), PAUSE);
  }

  /** The state has changed. */
  request(isUrgent: boolean): void {
    this.#pace.request(isUrgent);
  }

  /** Cancels what was requested. */
  cancel(): void {
    this.#pace.cancel();
  }

  /** Publishes what the followers have not got. */
  publish(): void {
    const { term, hasLease, holdsLock, onLost } = this.#deps;
    const present = term();
    if (!present || this.#isQueryingLock) return;
    if (hasLease()) return this.#post();
    this.#isQueryingLock = true;
    const over = (isHeld: boolean | undefined): void => {
      this.#isQueryingLock = false;
      if (term() !== present) return;
      if (isHeld) this.#post();
      else if (isHeld === false) onLost();
      // The browser did not answer. Try again later, so that followers get the last state.
      else this.#pace.request(false);
    };
    holdsLock().then(over, () => over(undefined));
  }

  #post(): void {
    const { journal, post } = this.#deps;
    try {
      for (const message of journal.messages()) post(message);
    } catch {
      // The state cannot be serialized. The writer reports that.
    }
  }
}
