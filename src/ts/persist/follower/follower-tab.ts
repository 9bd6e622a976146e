/**
 * The follower's part: shows the leader's state, stores the actions of this tab before it forwards them, and checks
 * that the leader answers while something depends on it. Who is the leader is decided in tabs/roles.ts, and what is
 * shown in follower-view.ts.
 */
import type { Command, UserCommand } from '../../gate/commands.js';
import { ToolGateError } from '../../types/errors.js';
import { say } from '../../types/say.js';
import type { LeaderTab } from '../leader/leader-tab.js';
import { isEnd, orUndo, PersistError } from '../persist-error.js';
import { headOf, type ChangeRecord, type ChatState } from '../storage/change-record.js';
import { isNewer, type Counters } from '../storage/chat-record.js';
import { encodeForLeader } from '../tabs/action.js';
import { headOfMessage, type PublishedMessage, type TabMessage } from '../tabs/tab-channel.js';
import type { Tab } from '../tabs/tab.js';
import { FollowerView } from './follower-view.js';
import { LeaderHeartbeat } from './leader-heartbeat.js';

export class FollowerTab {
  readonly view: FollowerView;
  readonly heartbeat: LeaderHeartbeat;
  readonly #tab: Tab;
  /** The leader's part, which has applied the actions that were stored only after this tab had become the leader. */
  readonly #leader: LeaderTab;
  /** The newest change that could not be followed, because an earlier one was missed. The state is requested then. */
  #missed: ChangeRecord | undefined;
  #isSilenceReported = false;
  /** The write of actions that is under way; and whether another one has to follow. */
  storing: Promise<void> | undefined;
  #isStoreDue = false;

  constructor(tab: Tab, leader: LeaderTab) {
    this.#tab = tab;
    this.#leader = leader;
    this.view = new FollowerView(tab);
    this.heartbeat = new LeaderHeartbeat(tab, this);
  }

  /** Whether something depends on the leader. */
  get needsLeader(): boolean {
    const { gate, platform, actions, role } = this.#tab;
    if (!role.isFollower) return false;
    if (actions.stored.length > 0) return true;
    const { status } = gate.getSnapshot();
    return platform.isVisible && (this.#missed !== undefined || status === 'streaming' || status === 'submitted');
  }

  /** Executes an action of the user in this tab's gate, for the view, and forwards it. Throws the gate's errors. */
  do(action: UserCommand, next: (command: Command) => unknown): unknown {
    const { id, internals, actions } = this.#tab;
    // Encode first: an action that cannot be forwarded must not be shown as done.
    const sent = encodeForLeader(internals, action);
    const undo = this.view.add(action);
    const result = orUndo(() => next(action), undo);
    if (result === 'duplicate') return result;
    actions.add([id, actions.next(), sent]);
    internals.notifyChanged();
    this.storeActions();
    return action.name === 'sendUserMessage' ? 'queued' : result;
  }

  /**
   * Stores the actions of this tab that are not stored, and then forwards them: after a reload this tab still knows
   * what the leader may apply. One write at a time.
   */
  storeActions(): void {
    const { actions, chatStore } = this.#tab;
    this.#isStoreDue = this.storing !== undefined;
    const { own } = actions;
    if (this.#isStoreDue || actions.stored.length === actions.waiting.length) return;
    const over = (error?: unknown): void => {
      this.storing = undefined;
      if (error === undefined) actions.markStored(own);
      this.#stored(error);
      if (this.#isStoreDue) this.storeActions();
    };
    this.storing = chatStore.storeActions(own).then(() => over(), over);
  }

  /** Requests the leader's state, and shows the stored one until then. `isCurrent`: whether the role is the same. */
  async requestState(isCurrent: () => boolean): Promise<void> {
    const { channel, chatStore, actions, role } = this.#tab;
    channel.post({ type: 'hello' });
    const { state, actions: stored } = await chatStore.readStored();
    if (!isCurrent()) return;
    const hasNew = actions.take(stored);
    const isPublished = this.view.latest !== undefined;
    if (state && this.view.isNew(headOf(state))) {
      // A stored state may be older than the change that was missed.
      if (this.#missed && !isNewer(this.#missed, headOf(state))) this.#missed = undefined;
      this.#adopt(state);
    } else if (hasNew) this.view.reshow();
    // The leader could not read this state, and its own states look outdated here until it gets this one.
    if (isPublished && state && this.view.latest === state) channel.post({ type: 'state', state });
    role.join(false);
    this.checkLeader();
  }

  /** Checks that the leader understands this tab: one of another release does not. */
  checkRelease(): void {
    const checked = (isOther: boolean): void => {
      if (!isOther) return;
      this.heartbeat.isSilent = this.#isSilenceReported = true;
      this.#tab.internals.notifyChanged();
    };
    this.#tab.election.isOtherRelease().then(checked, () => {});
  }

  /** Checks that the leader answers, if something depends on it. A leader that is known to be silent is replaced. */
  checkLeader(): void {
    const { role, actions } = this.#tab;
    if (this.heartbeat.isSilent && role.isFollower && actions.stored.length > 0) this.leaderIsSilent();
    else this.heartbeat.check();
  }

  /** Receives a message of another tab. */
  receive(message: TabMessage): void {
    const { actions, internals, onError } = this.#tab;
    switch (message.type) {
      case 'alive':
        return this.#answered();
      case 'actions':
        // Another follower's actions: they are shown here too, and forwarded if that tab is gone.
        if (actions.take(message.actions)) this.view.reshow();
        return this.checkLeader();
      case 'saved':
        if (!this.view.isCurrent(message.epoch)) return;
        this.#answered();
        if (actions.confirm(message.applied)) internals.notifyChanged();
        return;
      case 'refused': {
        const { tab, number, code, message: text, toolCallId, approvalId } = message;
        if (actions.has([tab, number, null])) onError(new ToolGateError(code, text, { toolCallId, approvalId }));
        return;
      }
      case 'state':
      case 'change':
        return this.#published(message);
      // Only a leader answers these.
      case 'hello':
      case 'ping':
    }
  }

  /** Shows the gate itself again, because this tab is the leader or is closed. */
  end(): void {
    this.heartbeat.stop();
    this.#missed = undefined;
    this.view.end();
  }

  /** Sends a message that the leader answers. */
  ask(): void {
    const { actions, channel } = this.#tab;
    if (this.#missed) channel.post({ type: 'hello' });
    if (actions.stored.length > 0) this.#postActions();
    else if (!this.#missed) channel.post({ type: 'ping' });
  }

  /** The leader did not answer in time. It is replaced when the user has done something. */
  leaderIsSilent(): void {
    const { internals, actions, leaderMs: ms, election, onError } = this.#tab;
    const message = say`persist: the leader has not answered for ${ms} ms. This tab takes over on the user's next
      action`;
    if (!this.#isSilenceReported) onError(new PersistError('leader-silent', message));
    this.#isSilenceReported = true;
    if (actions.stored.length > 0) {
      election.steal(() => this.heartbeat.confirmSilence());
      // Try again if the browser does not answer either.
      this.heartbeat.expect();
    }
    internals.notifyChanged();
  }

  /** A write of actions has succeeded, or failed with this error. */
  #stored(error: unknown): void {
    const { actions, role, onError } = this.#tab;
    if (error === undefined) {
      this.#postActions();
      this.checkLeader();
    } else if (role.isFollower && this.view.latest) {
      actions.dropUnstored();
      const message = say`persist: undid the actions of this tab because they could not be stored: ${String(error)}`;
      onError(new PersistError('not-stored', message, error));
      this.view.reshow();
    } else if (role.isFollower && !isEnd(error)) onError(error);
    if (role.isFollower) return;
    this.#leader.actions.scheduleCleanUp();
    this.#leader.markChanged(false);
  }

  /** Forwards all stored actions each time, because a new leader may have missed earlier messages. */
  #postActions(): void {
    const { actions, role, channel } = this.#tab;
    const { stored } = actions;
    if (stored.length === 0 || !role.isFollower) return;
    channel.post({ type: 'actions', actions: stored });
    this.heartbeat.expect();
  }

  #published(message: PublishedMessage): void {
    const head = headOfMessage(message);
    if (!this.view.isNew(head)) return this.#sendKnown(head);
    this.#answered();
    const before = this.view.epoch;
    if (message.type === 'state') {
      // It answers the request, even if the missed change was that of an earlier leader whose epoch was higher.
      this.#missed = undefined;
      this.#adopt(message.state);
    } else if (this.view.follow(message.change)) this.#shown();
    else if (head.epoch !== this.view.unreadableEpoch) return this.#couldNotFollow(message.change);
    // A new leader may have missed the actions of this tab.
    if (before !== head.epoch) this.#postActions();
  }

  #couldNotFollow(change: ChangeRecord): void {
    const isAsked = this.#missed !== undefined;
    if (!this.#missed || isNewer(change, this.#missed)) this.#missed = change;
    if (isAsked) return;
    // Until it gets the state, this tab requests it again each time that it checks the leader.
    this.#tab.channel.post({ type: 'hello' });
    this.heartbeat.expect();
  }

  /** Sends the newest known state to a leader that could not read it, and whose own states therefore look outdated. */
  #sendKnown(head: Counters): void {
    const state = this.view.newerThan(head);
    if (state) this.#tab.channel.post({ type: 'state', state });
  }

  #adopt(state: ChatState): void {
    if (this.view.adopt(state)) this.#shown();
  }

  #shown(): void {
    this.#tab.role.join(true);
    this.storeActions();
    this.heartbeat.check();
  }

  #answered(): void {
    const isBack = this.heartbeat.isSilent;
    this.heartbeat.answered();
    this.#isSilenceReported = false;
    if (isBack) this.#tab.internals.notifyChanged();
  }
}
