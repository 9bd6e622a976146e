/**
 * The changes of a tab's role: it follows, is elected, takes over, leads, loses the lock and closes. A new leader
 * continues from the newest stored or published state, and applies the users' actions that this state does not contain.
 */
import { FollowerTab } from '../follower/follower-tab.js';
import { LeaderTab } from '../leader/leader-tab.js';
import { isCrash, isEnd } from '../persist-error.js';
import { headOf, savedChanges, type ChatState } from '../storage/change-record.js';
import { isNewer, type Applied } from '../storage/chat-record.js';
import type { StoredState } from '../storage/chat-store.js';
import { withTimeout } from './platform.js';
import { headOfMessage, type TabMessage } from './tab-channel.js';
import type { Tab } from './tab.js';

/** How long a tab looks for a leader before it leads, in ms, if the browser has no locks. */
const LOOK_MS = 300;

export class Roles {
  readonly leader: LeaderTab;
  readonly follower: FollowerTab;
  /** Called when the tab closes. */
  readonly ends: (() => void)[] = [];
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.leader = new LeaderTab(tab);
    this.follower = new FollowerTab(tab, this.leader);
  }

  /** Takes part in the election. Resolves when this tab is leader or follower. */
  async join(): Promise<void> {
    const { election, role } = this.#tab;
    const joined = await election.join();
    if (joined === 'leader' || role.now !== 'joining') return;
    const isCurrent = role.change('follower');
    this.#requestState();
    if (joined === 'follower') this.follower.checkRelease();
    if (joined === 'no-locks' && (await this.follower.heartbeat.confirmSilence(LOOK_MS)) && isCurrent())
      await this.lead();
  }

  /** Takes over after the election: reads the stored state and continues from it. */
  async lead(): Promise<void> {
    if (this.#tab.role.isClosed) return;
    const { internals, role, actions: unconfirmed, channel } = this.#tab;
    const isCurrent = role.change('taking-over');
    this.follower.heartbeat.stop();
    channel.post({ type: 'alive' });
    if (role.hasJoined) internals.notifyChanged();
    const found = await this.#findState(isCurrent);
    if (!found) return;
    const actions = unconfirmed.after(found.actions);
    try {
      if (!this.#continueFrom({ ...found, actions }, isCurrent)) return;
    } catch {
      return this.close();
    }
    unconfirmed.keepOwn();
    role.join(true);
    this.leader.markChanged(true);
    void this.leader.publish();
    internals.notifyChanged();
  }

  /**
   * Reads the stored state, with a new epoch; undefined if another tab was elected. A failed read is repeated until it
   * succeeds. Only a tab that does not show the chat, and whose user has done nothing that is stored, lets others lead,
   * or continues without storage.
   */
  async #findState(isCurrent: () => boolean): Promise<StoredState | undefined> {
    const { chatStore, platform, leaderMs, election, role, actions, onError } = this.#tab;
    let isReported = false;
    const mayContinueWithout = async (): Promise<boolean> => {
      if (role.hasState || actions.stored.length > 0) return false;
      if (!(await election.hasCompetitors().catch(() => false))) return true;
      this.follow();
      return false;
    };
    while (isCurrent()) {
      try {
        const minimum = Math.max(this.follower.view.epoch, this.leader.epoch);
        const found = await chatStore.takeOver(minimum, role.hasState, mayContinueWithout);
        // The page may have been frozen since its election.
        if (isCurrent() && !(await election.holdsLock())) this.follow();
        return isCurrent() ? found : undefined;
      } catch (error) {
        if (!isReported && !isEnd(error)) onError(error);
        isReported = true;
      }
      await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
    }
    return undefined;
  }

  /**
   * Continues from the newest state that can be read, or from the gate as it is. Returns false if another tab was
   * elected. Throws if the gate has crashed.
   */
  #continueFrom(found: StoredState, isCurrent: () => boolean): boolean {
    const { internals, changeLog, onError } = this.#tab;
    let { problem } = found;
    const known = [found.state, this.follower.view.known].filter((state) => state !== undefined);
    known.sort((a, b) => (isNewer(headOf(a), headOf(b)) ? -1 : 1));
    for (const state of known) {
      const isStored = state === found.state;
      // If the changes cannot be read, the chat continues from the snapshot before them.
      const states = state.changes.length > 0 ? [state, { record: state.record, changes: [] }] : [state];
      for (const read of states) {
        try {
          const isDamaged = problem !== undefined || read !== state;
          const begin = (): void => this.#begin({ ...found, problem }, read, isDamaged, isStored);
          const continued = changeLog.continued(savedChanges(read.changes), false);
          internals.commands.dispatch({ name: 'adopt', args: [read.record.snapshot, false, begin, continued] });
          return true;
        } catch (error) {
          if (isCrash(error)) throw error;
          if (isStored) problem = error as Error;
          else onError(error);
          if (!isCurrent()) return false;
        }
      }
    }
    this.#begin({ ...found, problem }, undefined, false, false);
    return true;
  }

  /**
   * Becomes the leader, and applies the actions of all tabs that are not part of the state. `state`: the state that the
   * gate has adopted. `isDamaged`: changes are lost. `isStored`: the journal in storage can be continued.
   */
  #begin(
    { epoch, emptied, problem, actions }: StoredState,
    state: ChatState | undefined,
    isDamaged: boolean,
    isStored: boolean,
  ): void {
    const { internals, role, id, actions: unconfirmed } = this.#tab;
    role.lead();
    internals.isPaused = false;
    this.follower.end();
    // Without a stored state, the actions of this tab are already part of the gate.
    const own: Applied = unconfirmed.last > 0 ? [[id, unconfirmed.last]] : [];
    const applied = state ? headOf(state).applied : own;
    this.leader.begin(epoch, applied, isStored ? state : undefined);
    if (problem || emptied) this.leader.hold(problem, !state && own.length > 0, emptied === 'cleared');
    // A lost change may say that a request was sent, so nothing is sent again automatically.
    if (isDamaged) internals.commands.dispatch({ name: 'stop', args: [] }, 'persister');
    this.leader.actions.apply(actions, true);
  }

  /**
   * Becomes a follower because another tab holds the lock. Actions of this tab that may not be stored are forwarded to
   * the new leader.
   */
  follow(): void {
    const { internals, platform, leaderMs, role, election, actions } = this.#tab;
    const { leader, follower } = this;
    const { isLeader } = role;
    const isTakingOver = role.now === 'taking-over';
    if (!isLeader && !isTakingOver) return;
    if (isLeader) {
      actions.keepOwn();
      follower.view.begin(leader.epoch, leader.halt());
    }
    const isCurrent = role.change('follower');
    internals.isPaused = true;
    election.lose();
    // A tab that was elected but could not become the leader lets other tabs try first.
    if (isTakingOver) platform.after(leaderMs, () => isCurrent() && election.wait());
    else election.wait();
    internals.notifyChanged();
    this.#requestState();
    follower.storeActions();
  }

  /**
   * Asks the browser whether this tab still holds the lock, and becomes a follower if not. `shown` is the epoch of a
   * newer state that another tab shows: if this tab is still the leader, its next states get a higher epoch.
   */
  async verifyLead(shown?: number): Promise<void> {
    const { platform, leaderMs, internals, role, election } = this.#tab;
    const isCurrent = role.unchanged();
    let isHeld: boolean | undefined;
    while (isHeld === undefined) {
      isHeld = await election.holdsLock().catch(() => undefined);
      if (!isCurrent()) return;
      if (isHeld === undefined) await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
    }
    if (!isHeld) return this.follow();
    if (shown !== undefined) this.leader.raiseEpoch(shown);
    this.follower.view.forwarded.end();
    internals.notifyChanged();
  }

  /** The page is shown again. `isCached`: from the back/forward cache, so it lost locks and missed messages. */
  pageShown(isCached: boolean): void {
    const { role, election } = this.#tab;
    this.leader.resume();
    if (!isCached || role.isClosed) return;
    if (role.isLeader || role.now === 'taking-over') return void this.verifyLead();
    election.wait();
    this.#requestState();
  }

  /** Receives a message of another tab. */
  receive(message: TabMessage): void {
    const { type } = message;
    const { channel, election, actions, role } = this.#tab;
    const { isLeader } = role;
    if (role.isClosed) return;
    if (!isLeader && role.now !== 'taking-over') return this.follower.receive(message);
    if (isLeader && (type === 'state' || type === 'change')) {
      // The sender claims to be the leader, or shows a state that this tab could not read. The browser knows who holds
      // the lock.
      const head = headOfMessage(message);
      if (!this.leader.isOlderThan(head)) return;
      // Without locks the newest leader leads.
      if (election.isExclusive) void this.verifyLead(head.epoch);
      else this.follow();
      return;
    }
    if (type !== 'actions' && type !== 'hello' && type !== 'ping') return;
    if (isLeader && !this.leader.isActive) return;
    channel.post({ type: 'alive' });
    if (!isLeader) return void (type === 'actions' && actions.take(message.actions));
    if (type === 'hello') this.leader.share();
    if (type === 'actions') this.leader.actions.apply(message.actions);
  }

  /** Ends the part of this tab. Another tab may lead then. */
  close(): void {
    if (this.#tab.role.isClosed) return;
    const { internals, platform, storeMs: ms, role, election, channel, actions } = this.#tab;
    role.change('closed');
    this.follower.end();
    internals.isPaused = true;
    internals.shown = undefined;
    internals.persister = undefined;
    for (const end of this.ends) end();
    // The next leader reads what this tab has stored, so the lock is released after that, but not later than the time
    // limit.
    const end = async (): Promise<void> => {
      await Promise.all([this.leader.end(), this.follower.storing]);
      const { stored } = actions;
      if (stored.length > 0) channel.post({ type: 'actions', actions: stored });
    };
    const leave = (): void => {
      election.leave();
      channel.close();
      actions.clear();
      role.join(false);
    };
    void withTimeout({ platform, ms, what: 'storage' }, end).then(leave, leave);
  }

  #requestState(): void {
    void this.follower.requestState(this.#tab.role.unchanged());
  }
}
