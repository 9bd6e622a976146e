/**
 * The acts of a guarded chat: the calls of its methods, and `messages = …`, before its core is loaded. They wait and
 * then run in call order. User messages and `messages = …` are shown at once; decisions are not, because only the gate
 * can accept them. The chat's methods, which add the acts, are in waiting-methods.ts.
 */
import type { GateMessage } from '../types/index.js';
import { guarded } from '../types/report-uncaught.js';
import type { AttachedChat } from './attach.js';
import { frozen, NONE, type ChatSource, type ChatStore } from './chat-source.js';
import type { ChatHost, ChatStatus, RequestOptions } from './chat-host.js';

/** A user message that waits. It has no `message` until its files have been read. */
export interface WaitingMessage {
  message?: GateMessage;
  readonly replaces: string | undefined;
  readonly options: RequestOptions | undefined;
  /** The user stopped before it was sent: it is added to the history and not sent. */
  isStopped?: boolean;
  /** The core could not be loaded: the next `sendMessage` sends it. */
  isUndelivered?: boolean;
}

/** One act. */
interface Act {
  readonly user?: WaitingMessage;
  /** The app's new list of messages. */
  readonly list?: readonly unknown[];
  /** Whether it causes a request. */
  readonly isRequest?: boolean;
  /** Whether its promise rejects if the act is dropped: a decision or a tool's result. */
  readonly mustBeKnown?: boolean;
  /** Resolves when the act can run. */
  readonly prepared?: Promise<void>;
  run(core: AttachedChat): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** An act before it is added. */
type NewAct = Omit<Act, 'resolve' | 'reject'>;

/** The functions of the chat that its acts call. */
export interface ActsOwner {
  /** Loads the core, again after a failure. Throws the last failure if only `sendMessage` may load it again. */
  load(isSendMessage: boolean): void;
  /** The error of all methods of a disposed chat. */
  disposed(): Error;
}

/** The acts of one chat. */
export class WaitingActs implements ChatSource {
  readonly isReplying = false;
  /** Why the core could not be loaded. */
  failure: Error | undefined;
  /** True after `dispose()`: nothing more is accepted. */
  isDisposed = false;

  readonly #chat: ChatHost;
  readonly #store: ChatStore;
  readonly #owner: ActsOwner;
  #acts: Act[] = [];
  #messages!: GateMessage[];
  #queued: GateMessage[] = NONE;

  constructor(chat: ChatHost, store: ChatStore, owner: ActsOwner) {
    this.#chat = chat;
    this.#store = store;
    this.#owner = owner;
    this.#apply();
  }

  /** The initial messages with the effect of the acts. */
  get messages(): GateMessage[] {
    return this.#messages;
  }

  /** In a chat with a message queue: the user messages after the first request. */
  get queued(): GateMessage[] {
    return this.#queued;
  }

  get status(): ChatStatus {
    if (this.failure) return 'error';
    return !this.isDisposed && this.#acts.some(isSubmitted) ? 'submitted' : 'ready';
  }

  get error(): Error | undefined {
    return this.failure;
  }

  /** Whether acts wait. */
  get hasActs(): boolean {
    return this.#acts.length > 0;
  }

  /** Whether acts will run as soon as the core is loaded. */
  get isBusy(): boolean {
    return this.#acts.some(({ user, list }) => !list && !user?.isUndelivered && !user?.isStopped);
  }

  /** Whether messages wait for the next `sendMessage` after a failure. */
  get hasUndelivered(): boolean {
    return this.#acts.some(({ user }) => user?.isUndelivered);
  }

  /** A promise of the first act that cannot run yet; undefined if all can. */
  get preparing(): Promise<void> | undefined {
    return this.#acts.find(({ user, prepared }) => prepared && user && !user.message)?.prepared;
  }

  /** Runs all acts in call order. None may be preparing. */
  run(core: AttachedChat): void {
    for (const act of this.#acts.splice(0)) {
      try {
        act.resolve(act.run(core));
      } catch (error) {
        act.reject(error);
      }
    }
  }

  /** Drops all acts but the app's lists and the user messages. The next `sendMessage` sends these messages. */
  fail(failure: Error): void {
    const hadRequest = this.#acts.some(isSubmitted);
    this.failure = failure;
    for (const { user } of this.#acts) if (user && !user.isStopped) user.isUndelivered = true;
    this.drop(failure);
    if (!hadRequest) return;
    guarded(() => this.#chat.onError?.(failure));
  }

  /** Drops everything, for a chat that was disposed. The messages remain shown. */
  dispose(error: Error): void {
    this.isDisposed = true;
    this.failure = undefined;
    const acts = this.#acts.splice(0);
    for (const act of acts) if (act.mustBeKnown) act.reject(error);
    for (const act of acts) if (!act.mustBeKnown) act.resolve(undefined);
    this.#store.publish();
  }

  /**
   * Adds an act, and loads the core. Returns the promise of the chat's method. `loads` is `'always'` for `sendMessage`,
   * which alone loads the core again while messages are undelivered.
   */
  add(act: NewAct, loads: 'always' | 'unless-undelivered' | 'never' = 'unless-undelivered'): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#store.observe();
      if (this.isDisposed) throw this.#owner.disposed();
      // Throws if only `sendMessage` may continue.
      if (loads !== 'never') this.#owner.load(loads === 'always');
      this.#acts.push({ ...act, resolve: resolve as Act['resolve'], reject });
      this.show();
    });
  }

  /** The user messages, in call order. */
  get users(): readonly WaitingMessage[] {
    return this.#acts.flatMap(({ user }) => (user ? [user] : []));
  }

  /** Removes the act of a user message, and returns it. Its promise is not settled. */
  remove(user: WaitingMessage): Act | undefined {
    const act = this.#acts.find((other) => other.user === user);
    this.#acts = this.#acts.filter((other) => other !== act);
    return act;
  }

  /**
   * After a failure, lets the undelivered messages be sent with the next run. Returns undefined if there are none,
   * otherwise a function that returns the result of sending the last one.
   */
  redeliver(): (() => unknown) | undefined {
    const last = this.#acts.findLast(({ user }) => user?.isUndelivered);
    if (!last) return undefined;
    for (const user of this.users) user.isUndelivered = false;
    let sent: unknown;
    const { run } = last;
    this.#acts[this.#acts.indexOf(last)] = { ...last, run: (core) => (sent = run(core)) };
    return () => sent;
  }

  /** Drops all acts except the app's lists and the user messages that are shown, and settles all promises. */
  drop(error: Error): void {
    const acts = this.#acts;
    this.#acts = acts.filter(({ user, list }) => list || user?.message || user?.isUndelivered);
    for (const act of acts) {
      if (act.mustBeKnown) act.reject(error);
      else act.resolve(undefined);
    }
    this.show();
  }

  /** Shows the messages with the effect of the acts. */
  show(): void {
    this.#apply();
    this.#store.publish();
  }

  /** Applies all acts to the initial messages. */
  #apply(): void {
    let shown: readonly unknown[] = this.#store.initial;
    const queued: GateMessage[] = [];
    let hasRequest = false;
    for (const { user, list, isRequest } of this.#acts) {
      if (list) shown = list;
      const { message, replaces } = user ?? {};
      const at = replaces === undefined ? -1 : shown.findIndex((other) => (other as GateMessage).id === replaces);
      if (message && hasRequest && this.#chat.queueEnabled && replaces === undefined) queued.push(message);
      else if (message) shown = [...(at < 0 ? shown : shown.slice(0, at)), message];
      hasRequest ||= isRequest === true && !user?.isStopped;
    }
    this.#messages = frozen([...shown] as GateMessage[]);
    this.#queued = queued.length > 0 ? frozen(queued) : NONE;
  }
}

function isSubmitted({ isRequest, user }: Act): boolean {
  return isRequest === true && !user?.isStopped && !user?.isUndelivered;
}
