/**
 * The leader's part: stores every change, and publishes it to the followers. The users' actions are in
 * leader-actions.ts. Who is the leader is decided in tabs/roles.ts.
 */
import { say } from '../../types/say.js';
import type { GateEvent } from '../../types/index.js';
import { hasCode, isCrash, isEnd, notLeader, PersistError } from '../persist-error.js';
import type { ChatState } from '../storage/change-record.js';
import { isCount, isNewer, type Applied, type Counters } from '../storage/chat-record.js';
import { Deferred } from '../tabs/platform.js';
import type { Tab } from '../tabs/tab.js';
import { LeaderActions } from './leader-actions.js';
import { LeaderJournal, type JournalWrite } from './leader-journal.js';
import { StateWriter } from './state-writer.js';
import { Throttle } from './throttle.js';

/** The shortest interval between published changes of a reply, in ms. Decisions and claims are published at once. */
const PUBLISH_PAUSE = 75;

/** Does nothing before `begin`. */
export class LeaderTab {
  readonly actions: LeaderActions;
  readonly #tab: Tab;
  readonly #journal: LeaderJournal;
  readonly #publishing: Throttle;
  #isQueryingLock = false;
  /** Reject the requests that wait until their claim is stored. */
  readonly #claims = new Set<() => void>();
  #writer: StateWriter<JournalWrite>;
  #isLeader = false;
  /** Set while the page is hidden by `pagehide`. Resolves when it is shown again. */
  #hidden: Deferred | undefined;
  /**
   * Why nothing is stored until the user's next action: everything that was stored is deleted, or it cannot be read and
   * must not be lost. `saved` rejects with it.
   */
  held: Error | undefined;
  /** The epoch with which this tab is the stored leader. That of its records may have been raised since. */
  #ledEpoch = 0;
  /** The actions that are part of the stored state, as JSON. */
  #storedActions = '';

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#writer = this.#newWriter();
    this.actions = new LeaderActions(tab, this);
    this.#journal = new LeaderJournal(tab, this.actions);
    this.#publishing = new Throttle(tab.platform, () => void this.publish(), PUBLISH_PAUSE);
  }

  get epoch(): number {
    return this.#journal.head.epoch;
  }

  /** Whether this tab is the leader, and its page is not hidden by `pagehide`. */
  get isActive(): boolean {
    return this.#isLeader && !this.#hidden;
  }

  /** An object that is another one each time that this tab becomes the leader. */
  get term(): object {
    return this.#writer;
  }

  /**
   * Becomes the leader. `applied`: the actions that are part of the state. `stored`: the stored state, if the gate has
   * adopted it and its journal can be continued.
   */
  begin(epoch: number, applied: Applied, stored: ChatState | undefined): void {
    this.#isLeader = true;
    this.#ledEpoch = epoch;
    this.#storedActions = JSON.stringify(applied);
    this.held = undefined;
    this.#writer = this.#newWriter();
    this.actions.applied = new Map(applied);
    this.#journal.begin(epoch, stored);
  }

  /** Whether a state of another tab looks newer than the one that this tab publishes. */
  isOlderThan({ epoch, seq }: Counters): boolean {
    return isCount(epoch + 1) && isNewer({ epoch, seq }, this.#journal.head);
  }

  /**
   * Stores nothing until the user's next action, and reports why. `problem`: what is stored cannot be read; absent if
   * everything was deleted. `hasActed`: the user acted while the chat was opened. `isAsked`: the app called `clear()`,
   * so there is nothing to report.
   */
  hold(problem?: Error, hasActed = false, isAsked = false): void {
    if (this.held) return;
    if (hasActed) this.#storedActions = '';
    if (problem) problem.message += say`. It is replaced with the user's next action`;
    const message = say`persist: what was stored of this chat was deleted. It is stored again with the user's next
      action in this tab`;
    this.held = problem ?? new PersistError('emptied', message);
    if (problem || !isAsked) this.#tab.onError(this.held);
  }

  /** Raises the epoch above the given one, so that the records of this tab are the newest. */
  raiseEpoch(epoch: number): void {
    if (!this.#isLeader || epoch < this.epoch) return;
    this.#journal.raise(epoch + 1);
    this.markChanged(true);
  }

  /**
   * The gate emitted an event. Decisions and claims must not be repeated after a crash, nor a decision on another input
   * return, so they are stored at once.
   */
  gateEmitted(event: GateEvent): void {
    const isClaimed = 'to' in event && event.to === 'in-flight';
    if (isClaimed || event.type === 'decision' || event.type === 'input-changed') this.markChanged(true);
  }

  /** Marks the state as changed: it is going to be stored and published. */
  markChanged(isUrgent: boolean): void {
    if (!this.isActive) return;
    this.#journal.changed();
    this.actions.changed(isUrgent);
    this.#writer.changed(isUrgent);
    this.#publishing.request(isUrgent);
  }

  /** A follower needs the state: it joined, or missed a change. */
  share(): void {
    if (!this.isActive) return;
    this.#journal.share();
    this.#writer.changed(false);
    void this.publish();
  }

  /**
   * Publishes what the followers have not got. If the page may have been frozen, the browser is asked first whether
   * this tab still holds the lock.
   */
  async publish(): Promise<void> {
    const { election, onLost } = this.#tab;
    const { term } = this;
    if (!this.isActive || this.#isQueryingLock) return;
    if (election.hasLease) return this.#post();
    this.#isQueryingLock = true;
    const isHeld = await election.holdsLock().catch(() => undefined);
    this.#isQueryingLock = false;
    if (!this.isActive || this.term !== term) return;
    if (isHeld) this.#post();
    else if (isHeld === false) onLost();
    // The browser did not answer. Try again later, so that followers get the last state.
    else this.#publishing.request(false);
  }

  /** Resolves when the present state is stored. Rejects if it cannot be stored, or if another tab is the leader. */
  async saved(): Promise<void> {
    while (this.#hidden) await this.#hidden.promise;
    await this.#writer.saved();
  }

  /** Like `saved`, for a request that is about to be sent. Rejects as soon as the user stops. */
  async claimed(): Promise<void> {
    const stopped = new Deferred<never>();
    const stop = (): void => stopped.reject(new PersistError('stopped', say`stopped before it was sent`));
    this.#claims.add(stop);
    try {
      await Promise.race([this.saved(), stopped.promise]);
    } finally {
      this.#claims.delete(stop);
    }
  }

  /** The user stopped: requests that wait until their claim is stored are not sent. */
  cancelClaims(): void {
    for (const stop of this.#claims) stop();
  }

  flush(): void {
    if (this.isActive) this.#writer.flush();
  }

  /**
   * The page is about to be unloaded. The browser now fails its requests, which does not tell whether they arrived.
   * Changes from here on are neither stored nor published, unless the page is shown again.
   */
  pause(): void {
    if (!this.isActive) return;
    this.flush();
    this.#publishing.cancel();
    this.#hidden = new Deferred();
  }

  /** The page is shown again. Changes that happened meanwhile are stored. */
  resume(): void {
    const hidden = this.#hidden;
    this.#hidden = undefined;
    if (!hidden) return;
    this.markChanged(true);
    hidden.resolve();
  }

  /** Discards changes that are not written yet. */
  drop(): void {
    this.#writer.drop();
    this.#journal.reset();
  }

  /**
   * Ends the leader's part because another tab is the leader. Returns the state until now if it can be serialized: this
   * tab continues from it if the other one publishes none.
   */
  halt(): ChatState | undefined {
    const state = this.#isLeader ? this.#journal.last() : undefined;
    this.#isLeader = false;
    this.resume();
    this.#publishing.cancel();
    this.#writer.stop(notLeader());
    return state;
  }

  /** Ends the leader's part because the persister closes. Resolves when the last write has succeeded or failed. */
  async end(): Promise<void> {
    this.resume();
    this.#publishing.cancel();
    if (this.#isLeader) await this.#writer.saved().catch(() => {});
    this.#isLeader = false;
    this.#writer.stop();
  }

  #post(): void {
    try {
      for (const message of this.#journal.messages()) this.#tab.channel.post(message);
    } catch {
      // The state cannot be serialized. The writer reports that.
    }
  }

  #newWriter(): StateWriter<JournalWrite> {
    const { platform, onError } = this.#tab;
    return new StateWriter({
      platform,
      capture: () => this.#journal.capture(),
      write: (write) => this.#write(write),
      onSaved: (write) => this.#saved(write),
      onError: (error) => {
        if (!isCrash(error) && !isEnd(error) && !hasCode(error, 'not-leader') && error !== this.held) onError(error);
      },
    });
  }

  async #write(write: JournalWrite): Promise<void> {
    const { chatStore, election, onLost } = this.#tab;
    const written = this.held ? 'missing' : await chatStore.write(write, this.#ledEpoch);
    if (written === 'stored') return;
    if (written !== 'refused') {
      if (this.#isLeader) this.hold(undefined, false, written === 'cleared');
      // A log-out is not undone by an open tab, nor an unreadable chat lost: only the user stores the chat.
      if (JSON.stringify(write.applied) === this.#storedActions) throw this.held ?? notLeader();
    }
    // According to storage this tab is not the leader. The browser knows who holds the lock; without locks, the stored
    // leader is the leader.
    const isHeld = election.isExclusive ? await election.holdsLock() : written !== 'refused';
    if (isHeld && this.#isLeader) {
      const { epoch } = await chatStore.lead(this.epoch, false);
      if (this.#isLeader) {
        // The journal in storage may be that of another tab.
        this.#journal.reset(epoch);
        this.#ledEpoch = epoch;
        const again = this.#journal.capture();
        if ((await chatStore.write(again, epoch)) === 'stored') {
          this.held = undefined;
          this.#journal.saved(again);
          return this.markChanged(true);
        }
      }
    }
    onLost();
    throw notLeader();
  }

  #saved(write: JournalWrite): void {
    const { epoch, applied } = write;
    this.#storedActions = JSON.stringify(applied);
    this.#journal.saved(write);
    this.#tab.channel.post({ type: 'saved', epoch, applied });
    this.actions.saved(applied);
  }
}
