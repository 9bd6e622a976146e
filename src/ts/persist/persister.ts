/**
 * Persists one gate in one tab. The tab is the leader or a follower, and its role can change: see tabs/roles.ts. Here
 * is what the app and the gate see of it.
 */
import { isUserCommand, type UserCommand, type Command } from '../gate/commands.js';
import type { PersisterHandle } from '../gate/internals.js';
import { say } from '../types/say.js';
import { attempt, hasCode, notLeader, orUndo, outdated, PersistError } from './persist-error.js';
import type { PersistedChat } from './persist-options.js';
import { encodeForLeader, ignored, showsCallAsNotRun } from './tabs/action.js';
import { withTimeout } from './tabs/platform.js';
import { Roles } from './tabs/roles.js';
import { createTab, type Tab } from './tabs/tab.js';
import type { TabOptions } from './tabs/tab-base.js';

export class Persister implements PersistedChat, PersisterHandle {
  readonly joined: Promise<void>;
  readonly #tab: Tab;
  readonly #roles: Roles;
  /** The code of the error about another release that was reported. */
  #reported = '';
  /** The takeover that the election has begun. */
  #leading: Promise<void> | undefined;
  /** Why this tab must not use the chat any more. */
  #ended: PersistError | undefined;

  constructor(options: TabOptions) {
    this.#tab = createTab(options, {
      onElected: () => void (this.#leading = this.#roles.lead()),
      onLost: () => this.#roles.follow(),
      onOtherRelease: (isNewer) => {
        const message = say`persist: an earlier release of this page leads this chat in another tab. Close or reload that
          tab, or call lead()`;
        this.#report(isNewer ? outdated() : new PersistError('older-leader', message));
        // The other tab may lead by now, and have stored the chat: reading that ends this tab.
        void this.#tab.chatStore.readStored();
      },
      onEnd: (error) => this.#end(error),
    });
    this.#roles = new Roles(this.#tab);
    this.joined = this.#tab.role.joined;
  }

  get isLeader(): boolean {
    return this.#tab.role.isLeader;
  }

  get isExclusive(): boolean {
    return this.#tab.election.isExclusive;
  }

  get state(): PersistedChat['state'] {
    const { now, isFollower } = this.#tab.role;
    if (now === 'leader' || now === 'closed') return now;
    return isFollower && !this.#roles.follower.heartbeat.isSilent ? 'follower' : 'leaderless';
  }

  get waiting(): number {
    const { role, actions } = this.#tab;
    return role.isLeader ? 0 : actions.waiting.length;
  }

  /** Whether only a newer release can read what is stored. */
  get isSuperseded(): boolean {
    return this.#ended?.code === 'outdated';
  }

  /** Joins the tabs of the chat. Resolves when `joined` does. */
  async start(): Promise<void> {
    const { gate, internals, platform, channel } = this.#tab;
    const { leader, follower, ends } = this.#roles;
    internals.isPaused = true;
    internals.shown = follower.view.forwarded.view;
    channel.open(this.#tab, (message) => this.#roles.receive(message));
    ends.push(
      internals.commands.use('persister', (command, next) => this.#intercept(command, next)),
      gate.subscribe(() => leader.markChanged(false)),
      gate.onEvent((event) => (event.type === 'crashed' ? this.close() : leader.gateEmitted(event))),
      platform.listen('visibilitychange', () => {
        leader.flush();
        follower.checkLeader();
        if (platform.isVisible && this.isLeader) void leader.actions.applyStored();
      }),
      platform.listen('pagehide', () => leader.pause()),
      platform.listen('pageshow', ({ persisted }) => this.#roles.pageShown(persisted === true)),
    );
    await this.#roles.join();
    await this.joined;
  }

  /**
   * Resolves when the present state is stored. Rejects if it cannot be stored, if the user stops, or if another tab has
   * become the leader.
   */
  readonly claimed = async (): Promise<void> => {
    const { role, election, chatStore } = this.#tab;
    const hasLedSince = role.unchanged();
    const { leader } = this.#roles;
    try {
      await leader.claimed();
    } catch (error) {
      if (hasCode(error, 'not-leader', 'stopped')) throw error;
      // If nothing is stored at all, the request does not have to wait; nor if nothing is stored until the user's next
      // action, and the chat sends it by itself.
      const message = say`not sent: the chat could not be stored first: ${String(error)}`;
      if (!chatStore.isOff && error !== leader.held) throw new PersistError('not-stored', message, error);
    }
    // A tab that takes over from now on finds the stored claim. A tab that took over earlier holds the lock by now.
    if (this.isLeader && !(await election.holdsLock())) this.#roles.follow();
    // Another tab may have led and sent the request in between, even if this tab leads again.
    if (!this.isLeader || !hasLedSince()) throw notLeader();
  };

  readonly flush = async (): Promise<void> => {
    const { platform, storeMs, leaderMs, actions, role } = this.#tab;
    await this.joined;
    for (;;) {
      if (this.#ended) throw this.#ended;
      if (role.isLeader || role.isClosed) {
        try {
          return await this.#roles.leader.saved();
        } catch (error) {
          if (!hasCode(error, 'not-leader') || role.isClosed) throw error;
        }
      }
      // A silent leader is asked again for a quarter of the time, and replaced. The new leader reads and writes then.
      const deadline = { platform, ms: 1.25 * leaderMs + 2 * storeMs, what: 'the leader' };
      await withTimeout(deadline, () => actions.confirmed());
      if (!this.isLeader) return;
    }
  };

  readonly clear = async (): Promise<void> => {
    const { leader } = this.#roles;
    // A write that is under way must not finish after the deletion.
    await leader.saved().catch(() => {});
    leader.drop();
    await this.#tab.chatStore.clear();
  };

  readonly lead = async (): Promise<void> => {
    const { platform, storeMs, leaderMs, election } = this.#tab;
    await this.joined;
    const take = (): Promise<void> => election.take().then(() => this.#leading);
    const deadline = { platform, ms: leaderMs + 2 * storeMs, what: 'storage' };
    if (!this.isLeader) await withTimeout(deadline, take);
    if (!this.isLeader) throw this.#ended ?? notLeader();
  };

  readonly close = (): void => this.#roles.close();

  /** Closes without storing anything: the user has logged out, or a newer release has stored the chat. */
  #end(error: PersistError): void {
    if (this.#tab.role.isClosed) return;
    this.#ended = error;
    if (error.code === 'outdated') this.#report(error);
    this.#roles.leader.halt();
    this.#tab.actions.clear();
    this.close();
    this.#tab.internals.notifyChanged();
  }

  /** Reports once that another release of the page uses the chat. */
  #report(error: PersistError): void {
    if (this.#reported !== error.code) this.#tab.onError(error);
    this.#reported = error.code;
  }

  /** Intercepts a command of the gate. */
  #intercept(command: Command, next: (command: Command) => unknown): unknown {
    const { leader, follower } = this.#roles;
    if (command.name === 'free') this.close();
    if (this.#tab.role.isClosed) return next(command);
    if (!this.isLeader) {
      const answer = ignored(command);
      if (answer) return answer.result;
      return isUserCommand(command) ? follower.do(command, next) : next(command);
    }
    return isUserCommand(command) && !leader.actions.isApplying ? this.#do(command, next) : next(command);
  }

  /** Executes an action of the user in this tab, which is the leader. */
  #do(action: UserCommand, next: (command: Command) => unknown): unknown {
    const { gate, internals, election } = this.#tab;
    const { leader, follower } = this.#roles;
    const sent = attempt(() => encodeForLeader(internals, action));
    // If the page was frozen, another tab may be the leader. Until the browser confirms the lock, a denied or cancelled
    // call is not shown as one that will not run.
    const hasLease = !showsCallAsNotRun(action) || election.hasLease;
    const unshow = hasLease ? undefined : follower.view.forwarded.add(gate.getSnapshot().messages, undefined);
    const undo = leader.actions.addOwn(sent);
    const result = orUndo(
      () => next(action),
      () => (undo(), unshow?.()),
    );
    if (action.name === 'stop') leader.cancelClaims();
    if (!hasLease) void this.#roles.verifyLead();
    return result;
  }
}
