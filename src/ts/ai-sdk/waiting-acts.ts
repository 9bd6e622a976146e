/**
 * The acts of a guarded chat: the calls of its methods, and `messages = …`, before its core is loaded. They wait and
 * then run in call order. User messages and `messages = …` are shown at once; decisions are not, because only the gate
 * can accept them. The chat's methods, which add the acts, are in waiting-methods.ts.
 */
import type { GateMessage } from '../types/index.js';
import { guarded } from '../types/report-uncaught.js';
import type { AttachedChat } from './attach.js';
import { frozen, NONE, type ChatSource, type ChatStore } from './chat-source.js';
import type { ChatHost, ChatStatus } from './chat-host.js';
import { disposed } from './disposed.js';

/** A user message that waits. It has no `message` until its files have been read. */
export interface WaitingMessage {
  message?: GateMessage;
  readonly replaces: string | undefined;
  /** Resolves when its files have been read. */
  reading?: Promise<void>;
  /** The user stopped before it was sent: it is added to the history and not sent. */
  isStopped?: boolean;
  /** The core could not be loaded: the next `sendMessage` sends it. */
  isUndelivered?: boolean;
}

/** One act: a call of a method. */
interface Act {
  readonly name: keyof AttachedChat['methods'];
  readonly args: readonly unknown[];
  readonly user?: WaitingMessage;
  /** Called instead of the method. */
  readonly run?: (core: AttachedChat) => unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
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
  readonly #load: (isSendMessage: boolean) => void;
  #acts: Act[] = [];
  #messages!: GateMessage[];
  #queued: GateMessage[] = NONE;

  /**
   * `load`: loads the core, again after a failure; throws the last failure if only `sendMessage` may load it again.
   */
  constructor(chat: ChatHost, store: ChatStore, load: (isSendMessage: boolean) => void) {
    this.#chat = chat;
    this.#store = store;
    this.#load = load;
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
    return this.#acts.some(isSubmitted) ? 'submitted' : 'ready';
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
    return this.#acts.some(({ name, user }) => name !== 'setMessages' && !user?.isUndelivered && !user?.isStopped);
  }

  /** Whether messages wait for the next `sendMessage` after a failure. */
  get hasUndelivered(): boolean {
    return this.users.some(({ isUndelivered }) => isUndelivered);
  }

  /** A promise of the first act that cannot run yet; undefined if all can. */
  get preparing(): Promise<void> | undefined {
    return this.users.find(({ message }) => !message)?.reading;
  }

  /** The user messages, in call order. */
  get users(): readonly WaitingMessage[] {
    return this.#acts.flatMap(({ user }) => user ?? []);
  }

  /** Runs all acts in call order. None may be preparing. */
  run(core: AttachedChat): void {
    for (const { name, args, run, resolve, reject } of this.#acts.splice(0)) {
      try {
        resolve(run ? run(core) : (core.methods[name] as (...args: readonly unknown[]) => unknown)(...args));
      } catch (error) {
        reject(error);
      }
    }
  }

  /** Drops all acts but the app's lists and the user messages. The next `sendMessage` sends these messages. */
  fail(failure: Error): void {
    const hadRequest = this.#acts.some(isSubmitted);
    this.failure = failure;
    for (const user of this.users) user.isUndelivered = !user.isStopped;
    this.drop(failure);
    if (hadRequest) guarded(() => this.#chat.onError?.(failure));
  }

  /** Drops everything, for a chat that was disposed. The messages remain shown. */
  dispose(): void {
    this.isDisposed = true;
    this.failure = undefined;
    settle(this.#acts.splice(0), disposed());
    this.#store.publish();
  }

  /**
   * Adds an act, and loads the core. Only `sendMessage` loads it again while messages are undelivered, and an act that
   * `redeliver` returned is not added twice. Returns the promise of the chat's method.
   */
  add(act: Omit<Act, 'resolve' | 'reject'>): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#store.observe();
      if (this.isDisposed) throw disposed();
      if (act.name !== 'setMessages') this.#load(act.name === 'sendMessage');
      const added: Act = Object.assign(act, { resolve: resolve as Act['resolve'], reject });
      if (!this.#acts.includes(added)) this.#acts.push(added);
      this.show();
    });
  }

  /** Removes the act of a user message, and returns it. Its promise is not settled. */
  remove(user: WaitingMessage): Act | undefined {
    const act = this.#acts.find((other) => other.user === user);
    this.#acts = this.#acts.filter((other) => other !== act);
    return act;
  }

  /** After a failure, lets the undelivered messages be sent with the next run. Returns the act of the last one. */
  redeliver(): Act | undefined {
    const last = this.#acts.findLast(({ user }) => user?.isUndelivered);
    for (const user of this.users) user.isUndelivered = false;
    return last;
  }

  /** Drops all acts except the app's lists and the user messages that are shown, and settles all promises. */
  drop(error: Error): void {
    const acts = this.#acts;
    this.#acts = acts.filter(({ name, user }) => name === 'setMessages' || user?.message || user?.isUndelivered);
    settle(acts, error);
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
    for (const act of this.#acts) {
      const { name, args, user } = act;
      if (name === 'setMessages') shown = args[0] as readonly unknown[];
      const { message, replaces } = user ?? {};
      const at = replaces === undefined ? -1 : shown.findIndex((other) => (other as GateMessage).id === replaces);
      if (message && hasRequest && this.#chat.queueEnabled && replaces === undefined) queued.push(message);
      else if (message) shown = [...(at < 0 ? shown : shown.slice(0, at)), message];
      hasRequest ||= isRequest(act);
    }
    this.#messages = frozen([...shown] as GateMessage[]);
    this.#queued = queued.length > 0 ? frozen(queued) : NONE;
  }
}

/** Settles the promises of dropped acts. Those of decisions and of tools' results reject: they had no effect. */
function settle(acts: readonly Act[], error: Error): void {
  for (const { name, resolve, reject } of acts) {
    if (name.startsWith('addTool')) reject(error);
    else resolve(undefined);
  }
}

/** Whether an act causes a request. */
function isRequest({ name, user }: Act): boolean {
  return (name === 'sendMessage' || name === 'regenerate') && !user?.isStopped;
}

function isSubmitted(act: Act): boolean {
  return isRequest(act) && !act.user?.isUndelivered;
}
