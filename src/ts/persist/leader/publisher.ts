/**
 * Publishes the leader's journal to the followers. If the page may have been frozen, the browser is asked first whether
 * this tab still holds the lock.
 */
import type { Tab } from '../tabs/tab.js';
import type { LeaderJournal } from './leader-journal.js';
import type { LeaderTab } from './leader-tab.js';
import { Throttle } from './throttle.js';

/** The shortest interval between published changes of a reply, in ms. Decisions and claims are published at once. */
const PAUSE = 75;

/** Publishes the journal of one tab. */
export class Publisher {
  readonly #tab: Tab;
  readonly #leader: LeaderTab;
  readonly #journal: LeaderJournal;
  readonly #pace: Throttle;
  #isQueryingLock = false;

  constructor(tab: Tab, leader: LeaderTab, journal: LeaderJournal) {
    this.#tab = tab;
    this.#leader = leader;
    this.#journal = journal;
    this.#pace = new Throttle(tab.platform, () => this.publish(), PAUSE);
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
    const { election, onLost } = this.#tab;
    const { isActive, term } = this.#leader;
    if (!isActive || this.#isQueryingLock) return;
    if (election.hasLease) return this.#post();
    this.#isQueryingLock = true;
    const over = (isHeld: boolean | undefined): void => {
      this.#isQueryingLock = false;
      if (!this.#leader.isActive || this.#leader.term !== term) return;
      if (isHeld) this.#post();
      else if (isHeld === false) onLost();
      // The browser did not answer. Try again later, so that followers get the last state.
      else this.#pace.request(false);
    };
    election.holdsLock().then(over, () => over(undefined));
  }

  #post(): void {
    try {
      for (const message of this.#journal.messages()) this.#tab.channel.post(message);
    } catch {
      // The state cannot be serialized. The writer reports that.
    }
  }
}
