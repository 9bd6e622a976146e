/**
 * The leader's part: stores every change, publishes it to the followers, and applies the actions of all tabs once each.
 * Who is the leader is decided in persister.ts.
 */
import type { CommandOf } from '../gate/commands.js';
import { ToolGateError } from '../types/errors.js';
import type { GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONValue } from '../types/index.js';
import { readAction, type UnconfirmedActions } from './unconfirmed-actions.js';
import { attempt } from './attempt.js';
import { AppliedActions } from './applied-actions.js';
import type { TabMessage } from './tab-messages.js';
import { Throttle } from './throttle.js';
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';
import { isCount, isNewer, toRecord, type ChatRecord, type SentAction } from './chat-record.js';
import { StateWriter } from './state-writer.js';
import type { ChatStore } from './chat-store.js';

/** The shortest interval between published states of a reply, in ms. Decisions and claims are published at once. */
const PAUSE = 75;

/** The dependencies of a leader. */
interface LeaderTabDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
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
  /** Called when this tab turns out not to be the leader. */
  readonly onLost: () => void;
}

/** A request was not sent because another tab is the leader. */
export class NotLeaderError extends PersistError {
  override readonly name = 'NotLeaderError';

  constructor() {
    super('not-leader', 'not sent: another tab is the leader of this chat');
  }
}

/** A request was not sent because the user stopped. */
export class StoppedError extends PersistError {
  override readonly name = 'StoppedError';

  constructor() {
    super('stopped', 'stopped before it was sent');
  }
}

/** The leader's part of one tab. Does nothing before `begin`. */
export class LeaderTab {
  readonly #deps: LeaderTabDeps;
  readonly #publisher: Throttle;
  #writer: StateWriter<ChatRecord>;
  #isActive = false;
  /** Whether an action of another tab is being applied. */
  #isApplying = false;
  /** Set while the page is hidden by `pagehide`. `over` resolves when it is shown again. */
  #hidden: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #epoch = 0;
  #seq = 0;
  #done: AppliedActions;
  /** Whether actions that are already part of the stored state must be deleted from storage. */
  #isCleanUpDue = false;
  /** Whether storage must be searched for actions that no tab forwarded. Set by every urgent change. */
  #isApplyStoredDue = false;
  /** Whether another tab follows this one. */
  #hasFollowers = false;
  /** Whether a query of the lock is under way, on which publishing waits. */
  #isQueryingLock = false;
  #changes = 0;
  /** The latest captured record, and the number of changes it contains. */
  #last: { readonly changes: number; readonly record: ChatRecord } | undefined;
  /** Reject the requests that wait until their claim is stored. */
  readonly #cancelWaits = new Set<() => void>();

  constructor(deps: LeaderTabDeps) {
    this.#deps = deps;
    this.#publisher = new Throttle(deps.platform, () => this.publish(), PAUSE);
    this.#writer = this.#newWriter();
    this.#done = new AppliedActions(deps.tab);
  }

  /** The epoch of this leader. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether an action of another tab is being applied. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** Whether the page is hidden by `pagehide`. */
  get isPageHidden(): boolean {
    return this.#hidden !== undefined;
  }

  /**
   * Becomes the leader. `applied`: the actions that are part of the state. `own`: the actions of this tab that no
   * leader has confirmed.
   */
  begin(epoch: number, applied: ChatRecord['applied'], own: readonly SentAction[]): void {
    this.#isActive = true;
    this.#writer = this.#newWriter();
    this.#epoch = epoch;
    this.#done = new AppliedActions(this.#deps.tab, applied, own);
    this.#last = undefined;
  }

  /** Whether a record of another tab looks newer than the one that this tab publishes. */
  isOlderThan(record: ChatRecord): boolean {
    const { epoch, seq } = record;
    return isCount(epoch) && isCount(epoch + 1) && isNewer({ epoch, seq }, { epoch: this.#epoch, seq: this.#seq });
  }

  /** Raises the epoch above the given one, so that the records of this tab are the newest. */
  raiseEpoch(epoch: number): void {
    if (!this.#isActive || epoch < this.#epoch) return;
    this.#epoch = epoch + 1;
    this.#last = undefined;
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

  /** The gate emitted an event. Decisions and claims must not be repeated after a crash, so they are stored at once. */
  gateEmitted(event: GateEvent): void {
    if (event.type === 'decision' || (event.type === 'delivery' && event.to === 'in-flight')) this.markChanged(true);
  }

  /** Marks the state as changed: it is going to be stored and published. */
  markChanged(isUrgent: boolean): void {
    if (!this.#isActive || this.#hidden) return;
    this.#changes++;
    this.#isApplyStoredDue ||= isUrgent;
    this.#writer.changed(isUrgent);
    if (this.#hasFollowers) this.#publisher.request(isUrgent);
  }

  /** A follower sent a message. */
  followerSeen(): void {
    this.#hasFollowers = true;
  }

  /**
   * Publishes the state. If the page may have been frozen, the browser is asked first whether this tab still holds the
   * lock.
   */
  publish(): void {
    if (!this.#isActive || this.#hidden || this.#isQueryingLock) return;
    const { hasLease, holdsLock, onLost } = this.#deps;
    if (hasLease()) return this.#publishNow();
    this.#isQueryingLock = true;
    const writer = this.#writer;
    const over = (isHeld: boolean | undefined): void => {
      this.#isQueryingLock = false;
      if (writer !== this.#writer || !this.#isActive) return;
      if (isHeld) this.#publishNow();
      else if (isHeld === false) onLost();
      // The browser did not answer. Try again later, so that followers get the last state.
      else this.#publisher.request(false);
    };
    holdsLock().then(over, () => over(undefined));
  }

  #publishNow(): void {
    if (!this.#isActive || this.#hidden) return;
    try {
      this.#deps.post({ type: 'state', record: this.#capture() });
    } catch {
      // The state cannot be serialized. The writer reports that.
    }
  }

  /**
   * Applies actions of other tabs that are not applied yet. Ignored while the page is hidden, because nothing would be
   * stored. Errors of the gate are sent to the other tabs, and reported here as well if `isReported`, since those tabs
   * may be gone.
   */
  apply(actions: readonly SentAction[], isReported = false): void {
    if (!this.#isActive || this.#hidden) return;
    this.#hasFollowers = true;
    const missing = this.#done.missing(actions);
    for (const action of missing) {
      this.#done.add(action[0], action[1]);
      if (!this.#do(action, isReported)) this.#done.refused(action);
    }
    if (actions.length === 0) return;
    this.scheduleCleanUp();
    if (missing.length > 0) return this.markChanged(true);
    // The follower sent its actions again, so it missed that they are stored.
    const saved: TabMessage = { type: 'saved', epoch: this.#epoch, applied: [...this.#done.applied] };
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
  async claimed(): Promise<void> {
    let stop!: () => void;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new StoppedError());
    });
    this.#cancelWaits.add(stop);
    try {
      await Promise.race([this.saved(), stopped]);
    } finally {
      this.#cancelWaits.delete(stop);
    }
  }

  /** The user stopped: requests that wait until their claim is stored are not sent. */
  cancelClaims(): void {
    for (const stop of this.#cancelWaits) stop();
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
  }

  /**
   * Ends the leader's part because another tab is the leader. Returns the actions of this tab that may be unknown
   * there, and the state until now if it can be serialized: this tab continues from it if the other one publishes none.
   */
  halt(): { readonly unsaved: readonly SentAction[]; readonly record: ChatRecord | undefined } {
    const record = this.#isActive ? attempt(() => this.#capture()) : undefined;
    this.#isActive = false;
    this.#hidden?.end();
    this.#hidden = undefined;
    this.#publisher.cancel();
    this.#writer.stop(new NotLeaderError());
    return { unsaved: this.#done.unsaved, record };
  }

  /** Ends the leader's part because the persister closes. Resolves when the last write has succeeded or failed. */
  async end(): Promise<void> {
    this.resume();
    this.#publisher.cancel();
    if (this.#isActive) await this.#writer.saved().catch(() => {});
    this.#isActive = false;
    this.#writer.stop();
  }

  #newWriter(): StateWriter<ChatRecord> {
    const { platform, onError } = this.#deps;
    return new StateWriter({
      platform,
      capture: () => this.#capture(),
      write: (record) => this.#write(record),
      onSaved: (record) => this.#saved(record),
      onError: (error) => {
        if (!isCrash(error) && !(error instanceof NotLeaderError)) onError(error);
      },
    });
  }

  #write(record: ChatRecord): void | Promise<void> {
    const written = this.#deps.chatStore.write(record);
    return written === true ? undefined : this.#written(written, record);
  }

  async #written(written: boolean | Promise<boolean>, record: ChatRecord): Promise<void> {
    if (await written) return;
    const { chatStore, holdsLock, onLost } = this.#deps;
    // According to storage another tab is the leader. The browser knows who holds the lock.
    const isHeld = await holdsLock();
    const epoch = isHeld && this.#isActive ? await chatStore.retake(this.#epoch) : undefined;
    if (epoch !== undefined && this.#isActive) {
      this.#epoch = epoch;
      this.#last = undefined;
      if (await chatStore.write({ ...record, epoch })) return this.markChanged(true);
    }
    onLost();
    throw new NotLeaderError();
  }

  #saved(record: ChatRecord): void {
    const { chatStore, post } = this.#deps;
    const { applied } = record;
    this.#done.saved(applied);
    post({ type: 'saved', epoch: record.epoch, applied });
    if (this.#isApplyStoredDue) void this.applyStored();
    if (!this.#isCleanUpDue) return;
    this.#isCleanUpDue = false;
    const again = (): void => this.scheduleCleanUp();
    try {
      chatStore.clearActions(applied)?.catch(again);
    } catch {
      again();
    }
  }

  /** Applies one action. Returns whether the gate accepted it. */
  #do(sent: SentAction, isReported: boolean): boolean {
    const { internals, post, onError, onStop } = this.#deps;
    const [tab, number] = sent;
    this.#isApplying = true;
    try {
      const action = readAction(sent);
      internals.commands.dispatch({ ...action, isForwarded: true } as CommandOf<'stop'>);
      if (action.name === 'stop') {
        this.cancelClaims();
        onStop?.();
      }
      return true;
    } catch (error) {
      if (!(error instanceof ToolGateError)) {
        onError(error);
        return false;
      }
      const { code, message, toolCallId, approvalId } = error;
      if (isCrash(error)) return false;
      if (isReported) onError(error);
      post({ type: 'refused', tab, number, code, message, toolCallId, approvalId });
      return false;
    } finally {
      this.#isApplying = false;
    }
  }

  #capture(): ChatRecord {
    if (this.#last?.changes !== this.#changes) {
      const { gate } = this.#deps;
      const state = { epoch: this.#epoch, seq: this.#seq + 1 };
      this.#last = { changes: this.#changes, record: toRecord(state, this.#done.applied, gate.toJSON()) };
      this.#seq++;
    }
    return this.#last.record;
  }
}

/** Whether the gate has crashed or was freed. The gate reports that itself. */
export function isCrash(error: unknown): boolean {
  return error instanceof ToolGateError && error.code === 'crashed';
}
