/**
 * The follower's part: shows the leader's state, stores the actions of this tab before it forwards them, and checks
 * that the leader answers while something depends on it. Who is the leader is decided in persister.ts, and what is
 * shown in follower-view.ts.
 */
import type { Command, UserCommand } from '../../gate/commands.js';
import { ToolGateError } from '../../types/errors.js';
import type { GateInternals } from '../../gate/internals.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import { ActionStoring } from './action-storing.js';
import type { ChangeLog } from '../storage/change-log.js';
import { headOf, type ChangeRecord, type ChatState } from '../storage/change-record.js';
import { isNewer } from '../storage/chat-record.js';
import { isEnd, type ChatStore } from '../storage/chat-store.js';
import { FollowerView } from './follower-view.js';
import type { ForwardedView } from './forwarded-view.js';
import { LeaderHeartbeat } from './leader-heartbeat.js';
import { PersistError } from '../persist-error.js';
import type { Platform } from '../tabs/platform.js';
import type { TabMessage } from '../tabs/tab-messages.js';
import type { UnconfirmedActions } from '../tabs/unconfirmed-actions.js';
import { say } from '../../types/say.js';

/** The dependencies of a follower. */
interface FollowerTabDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly changeLog: ChangeLog;
  readonly name: string;
  readonly platform: Platform;
  readonly chatStore: ChatStore;
  readonly actions: UnconfirmedActions;
  readonly leaderMs: number;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  /** Whether this tab is a follower now. */
  readonly isFollower: () => boolean;
  /** Called when the initial state is shown. `hasState`: a state was found, so the chat is not a new one. */
  readonly onShown: (hasState: boolean) => void;
  /** Called when actions were stored after this tab had become the leader. They are applied already. */
  readonly onLate: () => void;
  /** Called when this tab should replace a leader that does not answer. `isSilent` asks the leader once more. */
  readonly onSilence: (isSilent: () => Promise<boolean>) => void;
}

/** The follower's part of one tab. */
export class FollowerTab {
  readonly #deps: FollowerTabDeps;
  readonly #view: FollowerView;
  readonly #heartbeat: LeaderHeartbeat;
  readonly #storing: ActionStoring;
  /** The newest change that could not be followed, because an earlier one was missed. The state is requested then. */
  #missed: ChangeRecord | undefined;
  #isSilenceReported = false;

  constructor(deps: FollowerTabDeps) {
    this.#deps = deps;
    this.#view = new FollowerView(deps);
    const { chatStore, actions } = deps;
    this.#storing = new ActionStoring({ chatStore, actions, onStored: (error) => this.#stored(error) });
    this.#heartbeat = new LeaderHeartbeat({
      platform: deps.platform,
      timeoutMs: deps.leaderMs,
      isNeeded: () => this.#needsLeader,
      ask: () => this.#ask(),
      onSilence: () => this.#silent(),
    });
  }

  /** The view of unconfirmed actions. */
  get shown(): ForwardedView {
    return this.#view.forwarded;
  }

  /** The epoch of the newest known state; 0 if there is none. */
  get epoch(): number {
    return this.#view.epoch ?? 0;
  }

  /** The newest state that this tab can continue from. */
  get known(): ChatState | undefined {
    return this.#view.known;
  }

  /** Whether the leader does not answer. */
  get isSilent(): boolean {
    return this.#heartbeat.isSilent;
  }

  /** Resolves when the write of actions that is under way has succeeded or failed. */
  get storing(): Promise<void> | undefined {
    return this.#storing.storing;
  }

  /** Resolves with whether no leader answers within this time, in ms. */
  hasNoLeader(ms: number): Promise<boolean> {
    return this.#heartbeat.confirmSilence(ms);
  }

  /** Becomes a follower after this tab was the leader. `epoch`: the epoch of this tab; `own`: its last state. */
  begin(epoch: number, own: ChatState | undefined): void {
    this.#view.begin(epoch, own);
  }

  /**
   * Executes an action of the user in this tab's gate, for the view and for errors, and forwards it. Throws the gate's
   * errors.
   */
  do(action: UserCommand, next: (command: Command) => unknown): unknown {
    const { internals, actions } = this.#deps;
    const { sent, result } = this.#view.do(action, next);
    if (result === 'duplicate') return result;
    actions.add(sent);
    internals.notifyChanged();
    this.#storing.store();
    return action.name === 'sendUserMessage' ? 'queued' : result;
  }

  /** Stores the actions of this tab, and forwards them. */
  storeActions(): void {
    this.#storing.store();
  }

  /**
   * Requests the leader's state, and shows the stored one until the answer. `isCurrent`: whether the role is still the
   * same.
   */
  async requestState(isCurrent: () => boolean): Promise<void> {
    const { post, chatStore, actions, onShown } = this.#deps;
    post({ type: 'hello' });
    const { state, actions: stored } = await chatStore.readStored();
    if (!isCurrent()) return;
    const hasNew = actions.take(stored);
    const isPublished = this.#view.latest !== undefined;
    if (state && this.#view.isNew(headOf(state))) {
      // A stored state may be older than the change that was missed.
      if (this.#missed && !isNewer(this.#missed, headOf(state))) this.#missed = undefined;
      this.#adopt(state);
    } else if (hasNew) this.#view.reshow();
    // The leader could not read this state, and its own states look outdated here until it gets this one.
    if (isPublished && state && this.#view.latest === state) post({ type: 'state', state });
    onShown(false);
    this.checkLeader();
  }

  /** Checks that the leader answers, if something depends on it. A leader that is known to be silent is replaced. */
  checkLeader(): void {
    if (this.#heartbeat.isSilent && this.#deps.isFollower() && this.#deps.actions.stored.length > 0) this.#replace();
    else this.#heartbeat.check();
  }

  /** Forwards all stored actions each time, because a new leader may have missed earlier messages. */
  postActions(): void {
    const { actions, post, isFollower } = this.#deps;
    const { stored } = actions;
    if (stored.length === 0 || !isFollower()) return;
    post({ type: 'acts', acts: stored });
    this.#heartbeat.expect();
  }

  /** Receives a message of another tab. */
  receive(message: TabMessage): void {
    const { actions, internals, onError } = this.#deps;
    switch (message.type) {
      case 'alive':
        return this.#answered();
      case 'acts':
        // Another follower's actions: they are shown here too, and forwarded if that tab is gone.
        if (actions.take(message.acts)) this.#view.reshow();
        return this.checkLeader();
      case 'saved':
        if (!this.#view.isCurrent(message.epoch)) return;
        this.#answered();
        if (actions.confirm(message.applied)) internals.notifyChanged();
        return;
      case 'refused': {
        const { tab, number, code, message: text, toolCallId, approvalId } = message;
        if (actions.has(tab, number)) onError(new ToolGateError(code, text, { toolCallId, approvalId }));
        return;
      }
      case 'state':
        return this.#publishedState(message.state);
      case 'change':
        return this.#publishedChange(message.change);
      // Only a leader answers these.
      case 'hello':
      case 'here':
      case 'ping':
    }
  }

  /** Stops checking the leader, because this tab was elected. */
  pause(): void {
    this.#heartbeat.stop();
  }

  /** Shows the gate itself again, because this tab is the leader or is closed. */
  end(): void {
    this.#heartbeat.stop();
    this.#missed = undefined;
    this.#view.end();
  }

  #stored(error: unknown): void {
    const { actions, isFollower, onLate, onError } = this.#deps;
    if (error === undefined) {
      this.postActions();
      this.checkLeader();
    } else if (isFollower() && this.#view.latest) {
      actions.dropUnstored();
      const message = say`persist: undid the actions of this tab because they could not be stored: ${String(error)}`;
      onError(new PersistError('not-stored', message, error));
      this.#view.reshow();
    } else if (isFollower() && !isEnd(error)) onError(error);
    if (!isFollower()) onLate();
  }

  #publishedState(state: ChatState): void {
    const head = headOf(state);
    if (!this.#view.isNew(head)) return this.#sendKnown(head);
    this.#answered();
    const before = this.epoch;
    // It answers the request, even if the missed change was that of an earlier leader whose epoch was higher.
    this.#missed = undefined;
    this.#adopt(state);
    this.#followLeader(before, head.epoch);
  }

  #publishedChange(change: ChangeRecord): void {
    if (!this.#view.isNew(change)) return this.#sendKnown(change);
    this.#answered();
    const before = this.epoch;
    if (this.#view.follow(change)) {
      this.#shown();
      this.#followLeader(before, change.epoch);
    } else if (!this.#view.isUnreadable(change.epoch)) {
      const isAsked = this.#missed !== undefined;
      if (!this.#missed || isNewer(change, this.#missed)) this.#missed = change;
      if (isAsked) return;
      // Until it gets the state, this tab requests it again each time that it checks the leader.
      this.#deps.post({ type: 'hello' });
      this.#heartbeat.expect();
    }
  }

  /** Sends a message that the leader answers. */
  #ask(): void {
    const { actions, post } = this.#deps;
    if (this.#missed) post({ type: 'hello' });
    if (actions.stored.length > 0) this.postActions();
    else if (!this.#missed) post({ type: 'ping' });
  }

  /** A new leader must know that this tab follows it, and may have missed its actions. */
  #followLeader(before: number, epoch: number): void {
    if (before === epoch) return;
    this.#deps.post({ type: 'here' });
    this.postActions();
  }

  /** Sends the newest known state to a leader that could not read it, and whose own states therefore look outdated. */
  #sendKnown(head: Parameters<FollowerView['newerThan']>[0]): void {
    const state = this.#view.newerThan(head);
    if (state) this.#deps.post({ type: 'state', state });
  }

  #adopt(state: ChatState): void {
    if (this.#view.adopt(state)) this.#shown();
  }

  #shown(): void {
    this.#deps.onShown(true);
    this.#storing.store();
    this.#heartbeat.check();
  }

  get #needsLeader(): boolean {
    const { gate, platform, actions, isFollower } = this.#deps;
    if (!isFollower()) return false;
    if (actions.stored.length > 0) return true;
    const { status } = gate.getSnapshot();
    return platform.isVisible && (this.#missed !== undefined || status === 'streaming' || status === 'submitted');
  }

  /** The leader did not answer in time. It is replaced when the user does something. */
  #silent(): void {
    const { internals, actions, onError } = this.#deps;
    if (actions.stored.length > 0) return this.#replace();
    if (!this.#isSilenceReported) {
      const { leaderMs: ms } = this.#deps;
      const message = say`persist: the leader has not answered for ${ms} ms. This tab takes over on the user's next
        action`;
      onError(new PersistError('leader-silent', message));
    }
    this.#isSilenceReported = true;
    internals.notifyChanged();
  }

  #replace(): void {
    const { internals, leaderMs: ms, onError, onSilence } = this.#deps;
    const message = say`persist: the leader has not answered for ${ms} ms. This tab takes over`;
    onError(new PersistError('leader-silent', message));
    onSilence(() => this.#heartbeat.confirmSilence());
    // Try again if the browser does not answer either.
    this.#heartbeat.expect();
    internals.notifyChanged();
  }

  #answered(): void {
    const isBack = this.#heartbeat.isSilent;
    this.#heartbeat.answered();
    this.#isSilenceReported = false;
    if (isBack) this.#deps.internals.notifyChanged();
  }
}
