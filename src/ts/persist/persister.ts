/**
 * Persists one gate in one tab. The tab is the leader or a follower, and its role can change. A new leader continues
 * from the newest stored or published state, and applies the users' actions that this state does not contain.
 *
 * The roles are in leader-tab.ts and follower-tab.ts. Storage, messages between tabs and the election are in the files
 * beside this one.
 */
import { isUserCommand, type UserCommand, type Command } from '../gate/commands.js';
import type { GateInternals, PersisterHandle } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { attempt } from './attempt.js';
import { ChangeLog } from './storage/change-log.js';
import { headOf } from './storage/change-record.js';
import type { ChatRecord, SentAction } from './storage/chat-record.js';
import { ChatStore, loggedOut, type StoredState } from './storage/chat-store.js';
import { NotLeaderError, StoppedError } from './leader/claim-waits.js';
import { withTimeout } from './tabs/deadline.js';
import { Election } from './tabs/election.js';
import type { FencedStorage } from './storage/fenced-storage.js';
import { FollowerTab } from './follower/follower-tab.js';
import { ignored, encodeForLeader, showsCallAsNotRun } from './tabs/forwarding.js';
import { LeaderTab } from './leader/leader-tab.js';
import { PersistError } from './persist-error.js';
import type { PersistedChat, PersistOptions } from './persist-options.js';
import type { Platform } from './tabs/platform.js';
import { TabChannel } from './tabs/tab-channel.js';
import type { TabMessage } from './tabs/tab-messages.js';
import { TabRole } from './tabs/tab-role.js';
import { Takeover, type TakenState } from './leader/takeover.js';
import { UnconfirmedActions } from './tabs/unconfirmed-actions.js';
import { say } from '../types/say.js';

/** How long a tab looks for a leader before it leads, in ms, if the browser has no locks. */
const LOOK_MS = 300;

/** The dependencies of a persister. */
export interface PersisterDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly name: string;
  readonly platform: Platform;
  readonly storeMs: number;
  readonly leaderMs: number;
  /** Creates the storage. Returns undefined if the environment has none. */
  readonly storage: (holdsLock: () => Promise<boolean>) => FencedStorage | undefined;
  readonly onError: (error: unknown) => void;
  readonly onStop: PersistOptions['onStop'];
}

/** Persists one gate, and shares it with other tabs. */
export class Persister implements PersisterHandle {
  readonly joined: Promise<void>;

  readonly #deps: PersisterDeps;
  readonly #changeLog: ChangeLog;
  readonly #tab: string;
  readonly #chatStore: ChatStore;
  readonly #actions: UnconfirmedActions;
  readonly #follower: FollowerTab;
  readonly #leader: LeaderTab;
  readonly #election: Election;
  readonly #ends: (() => void)[] = [];
  readonly #channel = new TabChannel();
  readonly #role = new TabRole();
  #resolveJoined!: () => void;
  #hasJoined = false;
  #isOutdated = false;
  /** Why this tab must not use the chat any more. */
  #ended: PersistError | undefined;
  /**
   * Whether this tab has restored or shown a state, or was the leader. If so, the chat must not continue as a new one
   * when storage cannot be read.
   */
  #hasState = false;

  constructor(deps: PersisterDeps) {
    this.#deps = deps;
    const { gate, internals, name, platform, storeMs, leaderMs, onError, onStop } = deps;
    const changeLog = (this.#changeLog = new ChangeLog(internals.saving));
    const tab = (this.#tab = platform.randomId());
    this.joined = new Promise((resolve) => {
      this.#resolveJoined = () => {
        this.#hasJoined = true;
        resolve();
      };
    });
    const post = (message: TabMessage): void => this.#channel.post(message);
    const onLost = (): void => this.#follow();
    const onOtherRelease = (): void => this.#reportOutdated();
    const election = (this.#election = new Election({
      ...{ platform, name, tab, onLost, onError, onOtherRelease },
      timeoutMs: leaderMs,
      onElected: () => void this.#lead(),
    }));
    const holdsLock = (): Promise<boolean> => election.holdsLock();
    const chatStore = (this.#chatStore = new ChatStore({
      ...{ name, tab, platform, onError },
      storage: deps.storage(async () => election.hasLease || holdsLock()),
      timeoutMs: storeMs,
      chatId: () => internals.env.options.chatId,
      snapshotVersion: internals.saving.version,
      onEnd: (error) => this.#end(error),
    }));
    const actions = (this.#actions = new UnconfirmedActions(tab));
    const common = { gate, internals, changeLog, platform, chatStore, actions, post, onError };
    this.#leader = new LeaderTab({
      ...{ ...common, tab, holdsLock, onLost, onStop },
      hasLocks: () => !election.hasNoLocks,
      hasLease: () => election.hasLease,
    });
    this.#follower = new FollowerTab({
      ...{ ...common, name, leaderMs },
      isFollower: () => this.#role.now === 'follower',
      onShown: (hasState) => {
        this.#hasState ||= hasState;
        this.#resolveJoined();
      },
      onLate: () => {
        this.#leader.scheduleCleanUp();
        this.#leader.markChanged(false);
      },
      onSilence: (isSilent) => election.steal(isSilent),
    });
  }

  /** Whether this tab is the leader, which sends. */
  get isLeader(): boolean {
    return this.#role.now === 'leader';
  }

  /** Whether other tabs are prevented from sending. */
  get isExclusive(): boolean {
    return !this.#election.hasNoLocks;
  }

  /** See `PersistedChat`. */
  get state(): PersistedChat['state'] {
    const role = this.#role.now;
    if (role === 'leader' || role === 'closed') return role;
    return role === 'follower' && !this.#follower.isSilent ? 'follower' : 'leaderless';
  }

  /** See `PersistedChat`. */
  get waiting(): number {
    return this.#actions.waiting.length;
  }

  /** Joins the tabs of the chat. Resolves when `joined` does. */
  async start(): Promise<void> {
    const { gate, internals, name, platform } = this.#deps;
    internals.isPaused = true;
    internals.shown = this.#follower.shown.view;
    this.#channel.open(platform, name, {
      onMessage: (message) => this.#receive(message),
      onOtherRelease: () => {
        this.#reportOutdated();
        // Without locks the other tab may lead by now, and have stored the chat: reading that ends this tab.
        if (!this.isExclusive) void this.#chatStore.readStored();
      },
      onLogOut: () => this.#end(loggedOut()),
    });
    this.#ends.push(
      internals.commands.use('persister', (command, next) => this.#intercept(command, next)),
      gate.subscribe(() => this.#leader.changed()),
      gate.onEvent((event) => (event.type === 'crashed' ? this.close() : this.#leader.gateEmitted(event))),
      platform.listen('visibilitychange', () => {
        this.#leader.flush();
        this.#follower.checkLeader();
        if (platform.isVisible && this.isLeader) void this.#leader.applyStored();
      }),
      platform.listen('pagehide', () => this.#leader.pause()),
      platform.listen('pageshow', ({ persisted }) => this.#pageShown(persisted === true)),
    );
    const joined = await this.#election.join();
    if (joined !== 'leader' && this.#role.now === 'joining') {
      const isCurrent = this.#role.change('follower');
      this.#requestState();
      if (joined === 'no-locks' && (await this.#follower.hasNoLeader(LOOK_MS)) && isCurrent()) await this.#lead();
    }
    await this.joined;
  }

  /**
   * Resolves when the present state is stored. Rejects if it cannot be stored, if the user stops, or if another tab has
   * become the leader.
   */
  readonly claimed = async (): Promise<void> => {
    const hasLedSince = this.#role.unchanged();
    try {
      await this.#leader.claimed();
    } catch (error) {
      if (error instanceof NotLeaderError || error instanceof StoppedError) throw error;
      // If nothing is stored at all, the request does not have to wait; nor if nothing is stored until the user's next
      // action, and the chat sends it by itself.
      if (!this.#chatStore.isOff && error !== this.#leader.held)
        throw new PersistError(
          'not-stored',
          say`not sent: the chat could not be stored first: ${String(error)}`,
          error,
        );
    }
    // A tab that takes over from now on finds the stored claim. A tab that took over earlier holds the lock by now.
    if (this.isLeader && !(await this.#election.holdsLock())) this.#follow();
    // Another tab may have led and sent the request in between, even if this tab leads again.
    if (!this.isLeader || !hasLedSince()) throw new NotLeaderError();
  };

  /** See `PersistedChat`. */
  async saved(): Promise<void> {
    const { platform, storeMs, leaderMs } = this.#deps;
    await this.joined;
    for (;;) {
      if (this.#ended) throw this.#ended;
      if (this.isLeader || this.#isClosed()) {
        try {
          return await this.#leader.saved();
        } catch (error) {
          if (!(error instanceof NotLeaderError) || this.#isClosed()) throw error;
        }
      }
      // A silent leader is asked again for a quarter of the time, and replaced. The new leader reads and writes then.
      const deadline = { platform, ms: 1.25 * leaderMs + 2 * storeMs, what: 'the leader' };
      await withTimeout(deadline, () => this.#actions.confirmed());
      if (!this.isLeader) return;
    }
  }

  /** See `PersistedChat`. */
  async clear(): Promise<void> {
    // A write that is under way must not finish after the deletion.
    await this.#leader.saved().catch(() => {});
    this.#leader.drop();
    await this.#chatStore.clear();
  }

  /** See `PersistedChat`. */
  close(): void {
    if (this.#isClosed()) return;
    const { internals, platform, storeMs: ms } = this.#deps;
    this.#role.change('closed');
    this.#follower.end();
    internals.isPaused = true;
    internals.shown = undefined;
    internals.persister = undefined;
    for (const end of this.#ends) end();
    // The next leader reads what this tab has stored, so the lock is released after that, but not later than the time
    // limit.
    const end = async (): Promise<void> => {
      await Promise.all([this.#leader.end(), this.#follower.storing]);
      const actions = this.#actions.stored;
      if (actions.length > 0) this.#post({ type: 'acts', acts: actions });
    };
    const leave = (): void => {
      this.#election.leave();
      this.#channel.close();
      this.#actions.clear();
      this.#resolveJoined();
    };
    void withTimeout({ platform, ms, what: 'storage' }, end).then(leave, leave);
  }

  /** Closes without storing anything: the user has logged out, or a newer release has stored the chat. */
  #end(error: PersistError): void {
    if (this.#isClosed()) return;
    const { internals } = this.#deps;
    this.#ended = error;
    if (error.code === 'outdated') this.#reportOutdated(error);
    this.#leader.halt();
    this.#actions.clear();
    this.close();
    internals.notifyChanged();
  }

  /** Reports, once, that another release of the page uses the chat. */
  #reportOutdated(
    error = new PersistError(
      'outdated',
      say`persist: another release of this page has the chat open. Reload this page`,
    ),
  ): void {
    if (!this.#isOutdated) this.#deps.onError(error);
    this.#isOutdated = true;
  }

  /** Intercepts a command of the gate. */
  #intercept(command: Command, next: (command: Command) => unknown): unknown {
    if (command.name === 'free') this.close();
    if (this.#isClosed()) return next(command);
    if (!this.isLeader) {
      const answer = ignored(command);
      if (answer) return answer.result;
      return isUserCommand(command) ? this.#follower.do(command, next) : next(command);
    }
    return isUserCommand(command) && !this.#leader.isApplying ? this.#do(command, next) : next(command);
  }

  /** Executes an action of the user in this tab, which is the leader. */
  #do(action: UserCommand, next: (command: Command) => unknown): unknown {
    const { gate, internals } = this.#deps;
    const sent = attempt(() => encodeForLeader(internals, action));
    // If the page was frozen, another tab may be the leader. Until the browser confirms the lock, a denied or cancelled
    // call is not shown as one that will not run.
    const hasLease = !showsCallAsNotRun(action) || this.#election.hasLease;
    const unshow = hasLease ? undefined : this.#follower.shown.add(gate.getSnapshot().messages, undefined);
    const undo = this.#leader.addOwnAction(sent);
    let result: unknown;
    try {
      result = next(action);
    } catch (error) {
      undo();
      unshow?.();
      throw error;
    }
    if (action.name === 'stop') this.#leader.cancelClaims();
    if (!hasLease) void this.#verifyLead();
    return result;
  }

  /** Takes over after the election: reads the stored state and continues from it. */
  async #lead(): Promise<void> {
    if (this.#isClosed()) return;
    const { internals, platform, leaderMs, onError } = this.#deps;
    const isCurrent = this.#role.change('taking-over');
    this.#follower.pause();
    this.#post({ type: 'alive' });
    if (this.#hasJoined) internals.notifyChanged();
    const takeover = new Takeover(
      {
        ...{ internals, changeLog: this.#changeLog, platform, leaderMs, onError },
        chatStore: this.#chatStore,
        holdsLock: () => this.#election.holdsLock(),
        onLost: () => this.#follow(),
        hasCompetitors: () => this.#election.hasCompetitors(),
      },
      isCurrent,
    );
    const epoch = (): number => Math.max(this.#follower.epoch, this.#leader.epoch);
    const hasActions = (): boolean => this.#actions.stored.length > 0;
    const found = await takeover.find(epoch, () => this.#hasState, hasActions);
    if (!found) return;
    const actions = this.#actions.after(found.actions);
    try {
      const isTaken = takeover.takeOver(found, this.#follower.known, (taken, problem) =>
        this.#begin(found, taken, problem, actions),
      );
      if (!isTaken) return;
    } catch {
      return this.close();
    }
    if (actions.length > 0) this.#leader.scheduleCleanUp();
    this.#actions.clear();
    this.#resolveJoined();
    this.#leader.markChanged(true);
    this.#leader.publish();
    internals.notifyChanged();
  }

  /** Becomes the leader, and applies the actions of all tabs that are not part of the state. */
  #begin(
    { epoch, isEmptied }: StoredState,
    taken: TakenState | undefined,
    problem: Error | undefined,
    actions: readonly SentAction[],
  ): void {
    const { internals } = this.#deps;
    this.#role.complete('leader');
    this.#hasState = true;
    internals.isPaused = false;
    this.#follower.end();
    // Without a stored state, the actions of this tab are already part of the gate.
    const own: ChatRecord['applied'] = this.#actions.last > 0 ? [[this.#tab, this.#actions.last]] : [];
    const applied = taken ? headOf(taken.state).applied : own;
    this.#leader.begin(epoch, applied, this.#actions.own, taken?.isStored ? taken.state : undefined);
    if (problem || isEmptied) this.#leader.hold(problem, !taken && own.length > 0);
    // A lost record may say that a request was sent, so nothing is sent again automatically.
    if (taken?.isDamaged) internals.commands.dispatch({ name: 'stop', args: [] }, 'persister');
    this.#leader.apply(actions, true);
  }

  /**
   * Becomes a follower because another tab holds the lock. Actions of this tab that may not be stored are forwarded to
   * the new leader.
   */
  #follow(): void {
    if (!this.isLeader && !this.#isTakingOver()) return;
    const { internals, platform, leaderMs } = this.#deps;
    const isTakingOver = this.#isTakingOver();
    if (this.isLeader) {
      const { unsaved, state } = this.#leader.halt();
      this.#actions.restoreOwn(unsaved);
      this.#follower.begin(this.#leader.epoch, state);
    }
    const isCurrent = this.#role.change('follower');
    internals.isPaused = true;
    this.#election.lose();
    // A tab that was elected but could not become the leader lets other tabs try first.
    if (isTakingOver) platform.after(leaderMs, () => isCurrent() && this.#election.wait());
    else this.#election.wait();
    internals.notifyChanged();
    this.#requestState();
    this.#follower.storeActions();
  }

  #requestState(): void {
    void this.#follower.requestState(this.#role.unchanged());
  }

  #receive(message: TabMessage): void {
    if (this.#isClosed()) return;
    if (this.isLeader) this.#receiveAsLeader(message);
    else if (this.#isTakingOver()) this.#receiveInTakeover(message);
    else this.#follower.receive(message);
  }

  #receiveAsLeader(message: TabMessage): void {
    if (message.type === 'state' || message.type === 'change') {
      // The sender claims to be the leader, or shows a state that this tab could not read. The browser knows who holds
      // the lock.
      const head = message.type === 'state' ? headOf(message.state) : message.change;
      if (!this.#leader.isOlderThan(head)) return;
      // Without locks the newest leader leads.
      if (this.isExclusive) void this.#verifyLead(head.epoch);
      else this.#follow();
      return;
    }
    if (message.type !== 'acts' && message.type !== 'hello' && message.type !== 'here' && message.type !== 'ping')
      return;
    if (this.#leader.isPageHidden) return;
    this.#post({ type: 'alive' });
    this.#leader.followerSeen(message.type === 'hello');
    if (message.type === 'acts') this.#leader.apply(message.acts);
  }

  #receiveInTakeover(message: TabMessage): void {
    if (message.type === 'acts') this.#actions.take(message.acts);
    if (message.type === 'acts' || message.type === 'hello' || message.type === 'ping') this.#post({ type: 'alive' });
  }

  /**
   * The page is shown again. `isCached`: it was in the back/forward cache, so it lost its locks and missed messages.
   */
  #pageShown(isCached: boolean): void {
    this.#leader.resume();
    if (!isCached || this.#isClosed()) return;
    if (this.isLeader || this.#isTakingOver()) return void this.#verifyLead();
    this.#election.wait();
    this.#requestState();
  }

  /**
   * Asks the browser whether this tab still holds the lock, and becomes a follower if not. `shown` is the epoch of a
   * newer state that another tab shows: if this tab is still the leader, its next states get a higher epoch.
   */
  async #verifyLead(shown?: number): Promise<void> {
    const { platform, leaderMs, internals } = this.#deps;
    const isCurrent = this.#role.unchanged();
    let isHeld: boolean | undefined;
    while (isHeld === undefined) {
      isHeld = await this.#election.holdsLock().catch(() => undefined);
      if (!isCurrent()) return;
      if (isHeld === undefined) await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
    }
    if (!isHeld) return this.#follow();
    if (shown !== undefined) this.#leader.raiseEpoch(shown);
    this.#follower.shown.end();
    internals.notifyChanged();
  }

  #post(message: TabMessage): void {
    this.#channel.post(message);
  }

  #isTakingOver(): boolean {
    return this.#role.now === 'taking-over';
  }

  #isClosed(): boolean {
    return this.#role.now === 'closed';
  }
}
