/**
 * The follower's part: shows the leader's state with the unconfirmed actions on top, stores the actions of this tab
 * before it forwards them, and checks that the leader answers while something depends on it. Who is the leader is
 * decided in persister.ts.
 */
import type { UserCommand, Command, CommandOf } from '../gate/commands.js';
import { ToolGateError } from '../types/errors.js';
import type { GateInternals } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { readAction, type UnconfirmedActions } from './unconfirmed-actions.js';
import { attempt } from './attempt.js';
import { encodeForLeader, sentMessageId } from './forwarding.js';
import { isCrash } from './leader-tab.js';
import type { TabMessage } from './tab-messages.js';
import { PersistError } from './persist-error.js';
import type { Platform } from './platform.js';
import { isNewer, readRecord, type ChatRecord } from './chat-record.js';
import { ForwardedView } from './forwarded-view.js';
import type { ChatStore } from './chat-store.js';
import { LeaderHeartbeat } from './leader-heartbeat.js';

/** The dependencies of a follower. */
interface FollowerTabDeps {
  readonly gate: ToolGate;
  readonly internals: GateInternals;
  readonly name: string;
  readonly platform: Platform;
  readonly chatStore: ChatStore;
  readonly actions: UnconfirmedActions;
  readonly leaderTimeoutMs: number;
  readonly post: (message: TabMessage) => void;
  readonly onError: (error: unknown) => void;
  /** Whether this tab is a follower now. */
  readonly isFollower: () => boolean;
  /** Called when the initial state is shown. `hasState`: a state was found, so the chat is not a new one. */
  readonly onShown: (hasState: boolean) => void;
  /** Called when actions were stored after this tab had become the leader. They are applied already. */
  readonly onLate: () => void;
  /** Called when this tab should replace a leader that does not answer. */
  readonly onSilence: () => void;
}

/** The follower's part of one tab. */
export class FollowerTab {
  readonly #deps: FollowerTabDeps;
  readonly #forwarded = new ForwardedView();
  readonly #heartbeat: LeaderHeartbeat;
  /** The newest known record. */
  #latest: ChatRecord | undefined;
  /** The epoch in which this tab was the leader. Records of earlier epochs are outdated. */
  #minimum = 0;
  /** The record in which this tab stopped being the leader. */
  #own: ChatRecord | undefined;
  /** The epoch whose record cannot be read, so that this is reported once. */
  #unreadableEpoch = -1;
  #isSilenceReported = false;
  /** The write of actions that is under way; and whether another one has to follow. */
  #storing: Promise<void> | undefined;
  #isStoreDue = false;
  /** Whether no actions are stored for now. */
  #areActionsHeld = false;

  constructor(deps: FollowerTabDeps) {
    this.#deps = deps;
    this.#heartbeat = new LeaderHeartbeat({
      platform: deps.platform,
      timeoutMs: deps.leaderTimeoutMs,
      isNeeded: () => this.#needsLeader,
      ask: () => (deps.actions.stored.length > 0 ? this.postActions() : deps.post({ type: 'ping' })),
      onSilence: () => this.#silent(),
    });
  }

  /** The view of unconfirmed actions. */
  get shown(): ForwardedView {
    return this.#forwarded;
  }

  /** The newest known record. */
  get latest(): ChatRecord | undefined {
    return this.#latest;
  }

  /** The newest record that this tab can continue from. */
  get known(): ChatRecord | undefined {
    return this.#latest ?? this.#own;
  }

  /** Whether the leader does not answer. */
  get isSilent(): boolean {
    return this.#heartbeat.isSilent;
  }

  /** Resolves when the write of actions that is under way has succeeded or failed. */
  get storing(): Promise<void> | undefined {
    return this.#storing;
  }

  /** Becomes a follower after this tab was the leader. `epoch`: the epoch of this tab; `own`: its last record. */
  begin(epoch: number, own: ChatRecord | undefined): void {
    this.#minimum = epoch;
    this.#own = own;
  }

  /**
   * Executes an action of the user in this tab's gate, for the view and for errors, and forwards it. Throws the gate's
   * errors.
   */
  do(action: UserCommand, next: (command: Command) => unknown): unknown {
    const { gate, internals, actions } = this.#deps;
    // Encode first: an action that cannot be forwarded must not be shown as done.
    const sent = encodeForLeader(internals, action);
    const undo = this.#forwarded.add(gate.getSnapshot().messages, sentMessageId(action));
    let result: unknown;
    try {
      result = next(action);
    } catch (error) {
      undo();
      throw error;
    }
    if (result === 'duplicate') return result;
    actions.add(sent);
    internals.notifyChanged();
    this.store();
    return action.name === 'sendUserMessage' ? 'queued' : result;
  }

  /**
   * Stores the actions of this tab and then forwards them, so that after a reload this tab still knows what the leader
   * may apply.
   */
  store(): void {
    if (this.#areActionsHeld) return;
    const { actions, chatStore } = this.#deps;
    this.#isStoreDue = this.#storing !== undefined;
    const { own } = actions;
    if (this.#isStoreDue || actions.stored.length === actions.waiting.length) return;
    const over = (error?: unknown): void => {
      this.#storing = undefined;
      if (error === undefined) actions.markStored(own);
      this.#stored(error);
      if (this.#isStoreDue) this.store();
    };
    try {
      this.#storing = chatStore.storeActions(own)?.then(() => over(), over);
      if (!this.#storing) over();
    } catch (error) {
      over(error);
    }
  }

  /** Stops storing actions, or starts again. */
  holdActions(isHeld: boolean): void {
    this.#areActionsHeld = isHeld;
    this.store();
  }

  /**
   * Requests the leader's state, and shows the stored one until the answer. `isCurrent`: whether the role is still the
   * same.
   */
  async requestState(isCurrent: () => boolean): Promise<void> {
    const { post, chatStore, actions, onShown } = this.#deps;
    post({ type: 'hello' });
    const { record, actions: stored } = await chatStore.readStored();
    if (!isCurrent()) return;
    const hasNew = actions.take(stored);
    const published = this.#latest;
    if (record && this.#isNew(record)) this.#adopt(record);
    else if (hasNew) this.#reshow();
    // The leader could not read this record. It must learn of it, because its own records look outdated here.
    if (published && record && this.#latest === record) post({ type: 'state', record });
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
    const { actions, internals, onError, post } = this.#deps;
    switch (message.type) {
      case 'alive':
        return this.#answered();
      case 'want':
        if (this.known) post({ type: 'state', record: this.known });
        return;
      case 'acts':
        // Another follower's actions: they are shown here too, and forwarded if that tab is gone.
        if (actions.take(message.acts)) this.#reshow();
        return this.checkLeader();
      case 'saved':
        if (message.epoch < (this.#latest?.epoch ?? this.#minimum)) return;
        this.#answered();
        if (actions.confirm(message.applied)) internals.notifyChanged();
        return;
      case 'refused': {
        const { tab, number, code, message: text, toolCallId, approvalId } = message;
        if (actions.has(tab, number)) onError(new ToolGateError(code, text, { toolCallId, approvalId }));
        return;
      }
      case 'state': {
        const { record } = message;
        if (!this.#isNew(record)) return this.#sendKnown(record);
        this.#answered();
        const isOtherEpoch = record.epoch !== this.#latest?.epoch;
        this.#adopt(record);
        if (!isOtherEpoch) return;
        post({ type: 'here' });
        return this.postActions();
      }
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
    this.#areActionsHeld = false;
    this.#forwarded.end();
    this.#latest = this.#own = undefined;
  }

  #stored(error: unknown): void {
    const { actions, isFollower, onLate, onError } = this.#deps;
    if (error === undefined) {
      this.postActions();
      this.checkLeader();
    } else if (isFollower() && this.#latest) {
      actions.dropUnstored();
      const message = `persist: undid the actions of this tab because they could not be stored: ${String(error)}`;
      onError(new PersistError('not-stored', message, error));
      this.#reshow();
    } else if (isFollower()) onError(error);
    if (!isFollower()) onLate();
  }

  /** Sends the newest known record to a leader that could not read it: its own records look outdated here. */
  #sendKnown(record: ChatRecord): void {
    const { post } = this.#deps;
    const { known } = this;
    if (known && isNewer(known, record)) post({ type: 'state', record: known });
  }

  #isNew(record: ChatRecord): boolean {
    return record.epoch >= this.#minimum && isNewer(record, this.#latest);
  }

  #adopt(record: ChatRecord): void {
    const { internals, name, onError, onShown } = this.#deps;
    try {
      readRecord(record, name, internals.env.options.chatId);
      this.#show(record);
    } catch (error) {
      if (this.#unreadableEpoch !== record.epoch && !isCrash(error)) onError(error);
      this.#unreadableEpoch = record.epoch;
      return;
    }
    this.#latest = record;
    onShown(true);
    this.store();
    this.#heartbeat.check();
  }

  /**
   * Shows a record, with the actions on top that it does not contain. Throws `bad-snapshot` and changes nothing for an
   * invalid one.
   */
  #show(record: ChatRecord): void {
    const { gate, internals } = this.#deps;
    const actions = this.#deps.actions.missingIn(record).flatMap((sent) => attempt(() => readAction(sent)) ?? []);
    const top = (): void => {
      this.#forwarded.end();
      for (const action of actions) {
        this.#forwarded.add(gate.getSnapshot().messages, sentMessageId(action));
        // This action was accepted before. The leader has decided differently since.
        attempt(() => internals.commands.dispatch(action as CommandOf<'stop'>, 'persister'));
      }
    };
    internals.commands.dispatch({ name: 'adopt', args: [record.snapshot, true, top] });
  }

  /** Shows the record again because the unconfirmed actions have changed. */
  #reshow(): void {
    const latest = this.#latest;
    if (latest) attempt(() => this.#show(latest));
    this.#deps.internals.notifyChanged();
  }

  get #needsLeader(): boolean {
    const { gate, platform, actions, isFollower } = this.#deps;
    if (!isFollower()) return false;
    if (actions.stored.length > 0) return true;
    const { status } = gate.getSnapshot();
    return platform.isVisible && (status === 'streaming' || status === 'submitted');
  }

  /** The leader did not answer in time. It is replaced when the user does something. */
  #silent(): void {
    const { internals, actions, onError } = this.#deps;
    if (actions.stored.length > 0) return this.#replace();
    if (!this.#isSilenceReported) {
      const message = `${this.#silenceMessage()}. This tab takes over on the user's next action`;
      onError(new PersistError('leader-silent', message));
    }
    this.#isSilenceReported = true;
    internals.notifyChanged();
  }

  #replace(): void {
    const { internals, onError, onSilence } = this.#deps;
    const message = `${this.#silenceMessage()}. This tab takes over`;
    onError(new PersistError('leader-silent', message));
    onSilence();
    // Try again if the browser does not answer either.
    this.#heartbeat.expect();
    internals.notifyChanged();
  }

  #silenceMessage(): string {
    return `persist: the leader has not answered for ${this.#deps.leaderTimeoutMs} ms`;
  }

  #answered(): void {
    const isBack = this.#heartbeat.isSilent;
    this.#heartbeat.answered();
    this.#isSilenceReported = false;
    if (isBack) this.#deps.internals.notifyChanged();
  }
}
