/**
 * The leader's part: stores every change, publishes it to the followers, and applies the actions of all tabs once each.
 * Who is the leader is decided in persister.ts.
 */
import type { GateInternals } from '../../gate/internals.js';
import type { ChangeLog } from '../storage/change-log.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateEvent, JSONValue } from '../../types/index.js';
import { ActionExecutor, isCrash } from './action-executor.js';
import { AppliedActions } from './applied-actions.js';
import type { ChatState } from '../storage/change-record.js';
import { ClaimWaits, NotLeaderError } from './claim-waits.js';
import { LeaderJournal, type JournalWrite } from './leader-journal.js';
import { PersistError } from '../persist-error.js';
import type { TabMessage } from '../tabs/tab-messages.js';
import { Publisher } from './publisher.js';
import type { Platform } from '../tabs/platform.js';
import { isCount, isNewer, type ChatRecord, type SentAction } from '../storage/chat-record.js';
import { StateWriter } from './state-writer.js';
import { isEnd, type ChatStore } from '../storage/chat-store.js';
import type { UnconfirmedActions } from '../tabs/unconfirmed-actions.js';
import { say } from '../../types/say.js';

/** The dependencies of a leader. */
interface LeaderTabDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly changeLog: ChangeLog;
  readonly platform: Platform;
  readonly chatStore: ChatStore;
  /** The id of this tab. */
  readonly tab: string;
  readonly actions: UnconfirmedActions;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  readonly onStop: (() => void) | undefined;
  /**
   * Asks the browser whether this tab still holds the lock; and whether it answered so recently that this is certain.
   */
  readonly holdsLock: () => Promise<boolean>;
  readonly hasLease: () => boolean;
  /** Whether the browser has locks. Without them, the stored leader is the leader. */
  readonly hasLocks: () => boolean;
  /** Called when this tab turns out not to be the leader. */
  readonly onLost: () => void;
}

/** The leader's part of one tab. Does nothing before `begin`. */
export class LeaderTab {
  readonly #deps: LeaderTabDeps;
  readonly #publisher: Publisher;
  readonly #journal: LeaderJournal;
  readonly #executor: ActionExecutor;
  readonly #claims = new ClaimWaits();
  #writer: StateWriter<JournalWrite>;
  #isActive = false;
  /** Set while the page is hidden by `pagehide`. `over` resolves when it is shown again. */
  #hidden: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #done: AppliedActions;
  /** Whether actions that are already part of the stored state must be deleted from storage. */
  #isCleanUpDue = false;
  /** Whether storage must be searched for actions that no tab forwarded. Set by every urgent change. */
  #isApplyStoredDue = false;
  /** Whether another tab follows this one. */
  #hasFollowers = false;
  /**
   * Why nothing is stored until the user's next action: everything that was stored is deleted, or it cannot be read and
   * must not be lost.
   */
  #held: Error | undefined;
  /** The epoch with which this tab is the stored leader. That of its records may have been raised since. */
  #ledEpoch = 0;
  /** The actions that are part of the stored state, as JSON. */
  #storedActions = '';

  constructor(deps: LeaderTabDeps) {
    this.#deps = deps;
    this.#writer = this.#newWriter();
    this.#done = new AppliedActions(deps.tab);
    const { gate, internals, changeLog, platform, chatStore, post, onError, holdsLock, hasLease, onLost } = deps;
    this.#journal = new LeaderJournal({
      ...{ gate, changeLog, platform },
      isStored: () => chatStore.hasJournal,
      hasFollowers: () => this.#hasFollowers,
      applied: () => this.#done.applied,
      onIdle: () => this.markChanged(false),
    });
    this.#publisher = new Publisher({
      ...{ platform, post, holdsLock, hasLease, onLost },
      journal: this.#journal,
      term: () => (this.#isActive && !this.#hidden ? this.#writer : undefined),
    });
    this.#executor = new ActionExecutor({
      ...{ internals, post, onError },
      onStop: () => {
        this.cancelClaims();
        deps.onStop?.();
      },
    });
  }

  /** The epoch of this leader. */
  get epoch(): number {
    return this.#journal.epoch;
  }

  /** Whether an action of another tab is being applied. */
  get isApplying(): boolean {
    return this.#executor.isExecuting;
  }

  /** Why nothing is stored until the user's next action. `saved` rejects with it. */
  get held(): Error | undefined {
    return this.#held;
  }

  /** Whether the page is hidden by `pagehide`. */
  get isPageHidden(): boolean {
    return this.#hidden !== undefined;
  }

  /**
   * Becomes the leader. `applied`: the actions that are part of the state. `own`: the actions of this tab that no
   * leader has confirmed. `stored`: the stored state, if the gate has adopted it and its journal can be continued.
   */
  begin(
    epoch: number,
    applied: ChatRecord['applied'],
    own: readonly SentAction[],
    stored: ChatState | undefined,
  ): void {
    this.#isActive = true;
    this.#ledEpoch = epoch;
    this.#storedActions = JSON.stringify(applied);
    this.#held = undefined;
    this.#writer = this.#newWriter();
    this.#done = new AppliedActions(this.#deps.tab, applied, own);
    this.#journal.begin(epoch, stored);
  }

  /** Whether a state of another tab looks newer than the one that this tab publishes. */
  isOlderThan({ epoch, seq }: Pick<ChatRecord, 'epoch' | 'seq'>): boolean {
    return isCount(epoch) && isCount(epoch + 1) && isNewer({ epoch, seq }, this.#journal.head);
  }

  /**
   * Stores nothing until the user's next action, and reports why. `problem`: what is stored cannot be read; absent if
   * everything was deleted. `hasActed`: the user acted while the chat was opened. `isAsked`: the app called `clear()`,
   * so there is nothing to report.
   */
  hold(problem?: Error, hasActed = false, isAsked = false): void {
    if (this.#held) return;
    if (hasActed) this.#storedActions = '';
    if (problem) problem.message += say`. It is replaced with the user's next action`;
    this.#held =
      problem ??
      new PersistError(
        'emptied',
        say`persist: what was stored of this chat was deleted. It is stored again with the user's next action in this tab`,
      );
    if (!isAsked) this.#deps.onError(this.#held);
  }

  /** Raises the epoch above the given one, so that the records of this tab are the newest. */
  raiseEpoch(epoch: number): void {
    if (!this.#isActive || epoch < this.epoch) return;
    this.#journal.raise(epoch + 1);
    this.#hasFollowers = true;
    this.markChanged(true);
  }

  /**
   * Records an action of the user in this tab, before it is executed: a request can follow from it at once, and the
   * stored state must then contain the action. `action` is undefined if no other tab could execute it. Returns a
   * function that undoes this, for an action that the gate refuses.
   */
  addOwnAction(action: JSONValue | undefined): () => void {
    const undo = this.#done.addOwn(this.#deps.actions.next(), action);
    this.markChanged(true);
    return undo;
  }

  /** The gate notified a change. */
  changed(): void {
    this.markChanged(false);
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
    if (!this.#isActive || this.#hidden) return;
    this.#journal.changed(isUrgent);
    this.#isApplyStoredDue ||= isUrgent;
    this.#writer.changed(isUrgent);
    if (this.#hasFollowers) this.#publisher.request(isUrgent);
  }

  /** A follower sent a message. `needsState`: it joined, or missed a change. */
  followerSeen(needsState: boolean): void {
    this.#hasFollowers = true;
    if (!needsState || !this.#isActive || this.#hidden) return;
    this.#journal.share();
    this.#writer.changed(false);
    this.publish();
  }

  /** Publishes the state. */
  publish(): void {
    this.#publisher.publish();
  }

  /**
   * Applies actions of other tabs that are not applied yet. Ignored while the page is hidden, because nothing would be
   * stored. Errors of the gate are sent to the other tabs, and reported here as well if `isReported`, since those tabs
   * may be gone.
   */
  apply(actions: readonly SentAction[], isReported = false): void {
    if (!this.#isActive || this.#hidden) return;
    this.#hasFollowers = true;
    const areNew = this.#executor.execute(actions, this.#done, isReported);
    if (actions.length === 0) return;
    this.scheduleCleanUp();
    if (areNew) return this.markChanged(true);
    // The follower sent its actions again, so it missed that they are stored.
    const saved: TabMessage = { type: 'saved', epoch: this.epoch, applied: [...this.#done.applied] };
    this.saved().then(
      () => this.#deps.post(saved),
      () => {},
    );
  }

  /** Applies stored actions whose tab was gone before it could forward them. Called after every urgent write. */
  async applyStored(): Promise<void> {
    const writer = this.#writer;
    this.#isApplyStoredDue = false;
    // If the read fails, the next urgent write tries again.
    const stored = await this.#deps.chatStore.actions().catch(() => []);
    if (writer === this.#writer && this.#done.missing(stored).length > 0) this.apply(stored, true);
  }

  /** Deletes applied actions from storage with the next write. */
  scheduleCleanUp(): void {
    this.#isCleanUpDue = true;
  }

  /**
   * Resolves when the present state is stored. Rejects if it cannot be stored, and with a `NotLeaderError` if another
   * tab is the leader.
   */
  async saved(): Promise<void> {
    while (this.#hidden) await this.#hidden.over;
    await this.#writer.saved();
  }

  /** Like `saved`, for a request that is about to be sent. Rejects as soon as the user stops. */
  claimed(): Promise<void> {
    return this.#claims.wait(this.saved());
  }

  /** The user stopped: requests that wait until their claim is stored are not sent. */
  cancelClaims(): void {
    this.#claims.cancel();
  }

  /** Starts to write the latest state at once. */
  flush(): void {
    if (this.#isActive && !this.#hidden) this.#writer.flush();
  }

  /**
   * The page is about to be unloaded. The browser now fails its requests, which does not tell whether they arrived.
   * Changes from here on are neither stored nor published, unless the page is shown again.
   */
  pause(): void {
    if (!this.#isActive || this.#hidden) return;
    this.flush();
    this.#publisher.cancel();
    let end!: () => void;
    this.#hidden = { over: new Promise((resolve) => (end = resolve)), end };
  }

  /** The page is shown again. Changes that happened meanwhile are stored. */
  resume(): void {
    const hidden = this.#hidden;
    this.#hidden = undefined;
    if (hidden) this.markChanged(true);
    hidden?.end();
  }

  /** Discards changes that are not written yet. */
  drop(): void {
    this.#writer.drop();
    this.#journal.reset();
  }

  /**
   * Ends the leader's part because another tab is the leader. Returns the actions of this tab that may be unknown
   * there, and the state until now if it can be serialized: this tab continues from it if the other one publishes none.
   */
  halt(): { readonly unsaved: readonly SentAction[]; readonly state: ChatState | undefined } {
    const state = this.#isActive ? this.#journal.last() : undefined;
    this.#isActive = false;
    this.#hidden?.end();
    this.#hidden = undefined;
    this.#publisher.cancel();
    this.#journal.end();
    this.#writer.stop(new NotLeaderError());
    return { unsaved: this.#done.unsaved, state };
  }

  /** Ends the leader's part because the persister closes. Resolves when the last write has succeeded or failed. */
  async end(): Promise<void> {
    this.resume();
    this.#publisher.cancel();
    if (this.#isActive) await this.#writer.saved().catch(() => {});
    this.#isActive = false;
    this.#journal.end();
    this.#writer.stop();
  }

  #newWriter(): StateWriter<JournalWrite> {
    const { platform, onError } = this.#deps;
    return new StateWriter({
      platform,
      capture: () => this.#journal.capture(),
      write: (write) => this.#write(write),
      onSaved: (write) => this.#saved(write),
      onError: (error) => {
        if (!isCrash(error) && !isEnd(error) && !(error instanceof NotLeaderError) && error !== this.#held)
          onError(error);
      },
    });
  }

  async #write(write: JournalWrite): Promise<void> {
    const { chatStore, holdsLock, hasLocks, onLost } = this.#deps;
    const written = this.#held ? 'missing' : await chatStore.write(write, this.#ledEpoch);
    if (written === 'stored') return;
    if (written !== 'refused') {
      if (this.#isActive) this.hold(undefined, false, written === 'cleared');
      // A log-out is not undone by an open tab, nor an unreadable chat lost: only the user stores the chat.
      if (JSON.stringify(write.applied) === this.#storedActions) throw this.#held ?? new NotLeaderError();
    }
    // According to storage this tab is not the leader. The browser knows who holds the lock.
    const isHeld = hasLocks() ? await holdsLock() : written !== 'refused';
    if (isHeld && this.#isActive) {
      const { epoch } = await chatStore.lead(this.epoch, false);
      if (this.#isActive) {
        // The journal in storage may be that of another tab.
        this.#journal.reset(epoch);
        this.#ledEpoch = epoch;
        const again = this.#journal.capture();
        if ((await chatStore.write(again, epoch)) === 'stored') {
          this.#held = undefined;
          this.#journal.saved(again);
          return this.markChanged(true);
        }
      }
    }
    onLost();
    throw new NotLeaderError();
  }

  #saved(write: JournalWrite): void {
    const { chatStore, post } = this.#deps;
    const { applied } = write;
    this.#storedActions = JSON.stringify(applied);
    this.#journal.saved(write);
    this.#done.saved(applied);
    post({ type: 'saved', epoch: write.epoch, applied });
    if (this.#isApplyStoredDue) void this.applyStored();
    if (!this.#isCleanUpDue) return;
    this.#isCleanUpDue = false;
    chatStore.clearActions(applied).catch(() => this.scheduleCleanUp());
  }
}
