/**
 * What the user and the app do with a guarded chat before its core is loaded: the methods of the chat in that time. The
 * acts wait in call order. User messages and `messages = …` are shown at once; decisions are not, because nothing has
 * decided them yet.
 */
import { ToolGateError } from '../types/errors.js';
import type { GateMessage, ToolPart } from '../types/index.js';
import { isToolPart } from '../types/tool-part.js';
import type { AttachedChat } from './attach.js';
import { frozen, NONE, type ChatFacade, type ChatSource } from './chat-facade.js';
import type {
  ApprovalAnswer,
  ChatInternals,
  ChatStatus,
  MessageForm,
  OutputAnswer,
  RequestOptions,
} from './chat-internals.js';
import { plain } from './framework-proxies.js';
import { partsOf, toUserMessage } from './send.js';

/** The methods of a guarded chat. */
export type ChatMethods = AttachedChat['methods'];

/** A user message that waits. It has no `message` until its files have been read. */
interface WaitingMessage {
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

/** Called by the acts. */
interface ActsOwner {
  /** Loads the core, again after a failure. Throws the last failure if only `sendMessage` may load it again. */
  load(isSendMessage: boolean): void;
  /** Removes the error, as `clearError` of the chat does. */
  clearError(): void;
  /** Ends the chat. */
  dispose(): Promise<void>;
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

  readonly #chat: ChatInternals;
  readonly #facade: ChatFacade;
  readonly #owner: ActsOwner;
  #acts: Act[] = [];
  #messages!: GateMessage[];
  #queued: GateMessage[] = NONE;

  constructor(chat: ChatInternals, facade: ChatFacade, owner: ActsOwner) {
    this.#chat = chat;
    this.#facade = facade;
    this.#owner = owner;
    this.#apply();
  }

  /** The initial messages with the effect of the acts. */
  get messages(): GateMessage[] {
    return this.#messages;
  }

  /** In a chat with a message queue, the messages after the first. */
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

  /** Drops all acts but user messages, which the next `sendMessage` sends. */
  fail(failure: Error): void {
    const hadRequest = this.#acts.some(isSubmitted);
    this.failure = failure;
    for (const { user } of this.#acts) if (user && !user.isStopped) user.isUndelivered = true;
    this.#drop(failure);
    if (!hadRequest) return;
    try {
      this.#chat.onError?.(failure);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** The chat's methods in this time. */
  readonly methods: ChatMethods = {
    sendMessage: (input, options) => (input == null ? this.#sendAgain(options) : this.#sendMessage(input, options)),
    regenerate: (options) => this.#add({ isRequest: true, run: ({ methods }) => methods.regenerate(options) }),
    stop: async () => this.#stop(),
    addToolApprovalResponse: async (answer) => this.#decide(answer),
    addToolOutput: (answer) => this.#addOutput(answer),
    addToolResult: (answer) => this.#addOutput(answer),
    clearError: () => this.#owner.clearError(),
    resumeStream: (options) => this.#add({ run: ({ methods }) => methods.resumeStream(options) }),
    // No stream was lost.
    '~resumeStreamIfDisconnected': () => Promise.resolve(),
    dispose: () => this.#owner.dispose(),
    experimental_removeQueuedMessage: (id) => this.#removeQueued(id),
    experimental_sendQueuedMessageNow: (id) =>
      this.#add({ run: ({ methods }) => methods.experimental_sendQueuedMessageNow(id) }),
    setMessages: (messages) => this.#setMessages(messages),
  };

  /** Drops everything, for a chat that was disposed. The messages remain shown. */
  dispose(error: Error): void {
    this.isDisposed = true;
    this.failure = undefined;
    const acts = this.#acts.splice(0);
    for (const act of acts) if (act.mustBeKnown) act.reject(error);
    for (const act of acts) if (!act.mustBeKnown) act.resolve(undefined);
    this.#facade.publish();
  }

  #add(act: Omit<Act, 'resolve' | 'reject'>, loads: 'always' | 'unless-undelivered' | 'never' = 'unless-undelivered') {
    return new Promise<void>((resolve, reject) => {
      this.#facade.observe();
      if (this.isDisposed) throw this.#owner.disposed();
      // Throws if only `sendMessage` may continue.
      if (loads !== 'never') this.#owner.load(loads === 'always');
      this.#acts.push({ ...act, resolve: resolve as Act['resolve'], reject });
      this.#show();
    });
  }

  #sendMessage(input: MessageForm, options: RequestOptions | undefined): Promise<void> {
    const form = this.#facade.plain(input);
    const user: WaitingMessage = { replaces: form.messageId ?? undefined, options };
    const complete = (parts: readonly unknown[]): void => {
      user.message = toUserMessage(form, parts, () => this.#chat.generateId());
    };
    const parts = partsOf(form);
    if (!(parts instanceof Promise)) {
      complete(parts);
      return this.#addMessage(user);
    }
    const prepared = parts.then(complete).then(
      () => this.#show(),
      (error: unknown) => {
        const act = this.#acts.find((other) => other.user === user);
        this.#acts = this.#acts.filter((other) => other !== act);
        act?.reject(error);
        this.#show();
      },
    );
    return this.#addMessage(user, prepared);
  }

  #addMessage(user: WaitingMessage, prepared?: Promise<void>): Promise<void> {
    for (const { user: earlier } of this.#acts) if (earlier) earlier.isUndelivered = false;
    const run = (core: AttachedChat): unknown => {
      const { message, replaces, options, isStopped } = user as WaitingMessage & { message: GateMessage };
      if (!isStopped) return core.methods.sendMessage({ ...message, messageId: replaces } as MessageForm, options);
      try {
        core.addStopped(message, options, replaces);
      } catch {
        // The gate refuses it, for example with `onUserMessage: 'block'`. Nothing waits for it.
      }
      return undefined;
    };
    return this.#add({ user, isRequest: true, run, ...(prepared && { prepared }) }, 'always');
  }

  /** `sendMessage()` without a message: sends what a failure left behind, otherwise what the gate has to send. */
  #sendAgain(options: RequestOptions | undefined): Promise<void> {
    const undelivered = this.#acts.findLast(({ user }) => user?.isUndelivered);
    if (!undelivered) {
      return this.#add({ isRequest: true, run: ({ methods }) => methods.sendMessage(null, options) }, 'always');
    }
    for (const { user } of this.#acts) if (user) user.isUndelivered = false;
    let sent: unknown;
    const { run } = undelivered;
    this.#acts[this.#acts.indexOf(undelivered)] = { ...undelivered, run: (core) => (sent = run(core)) };
    return this.#add({ run: () => sent }, 'always');
  }

  #stop(): void {
    for (const { user } of this.#acts) if (user?.message && !user.isUndelivered) user.isStopped = true;
    this.#drop(
      new ToolGateError(
        'not-initialized',
        'stop() dropped this before the core was loaded: nothing was decided. Call the method again.',
      ),
    );
  }

  /** Drops all acts except the app's lists and the user messages that are shown, and settles all promises. */
  #drop(error: Error): void {
    const acts = this.#acts;
    this.#acts = acts.filter(({ user, list }) => list || user?.message || user?.isUndelivered);
    for (const act of acts) {
      if (act.mustBeKnown) act.reject(error);
      else act.resolve(undefined);
    }
    this.#show();
  }

  async #decide(answer: ApprovalAnswer): Promise<void> {
    const part = this.#waitingPart(answer.id);
    if (!part) {
      throw new ToolGateError(
        'unknown-approval',
        `No approval request "${String(answer.id)}" is shown. Pass the \`approval.id\` of a part that waits.`,
        { approvalId: answer.id },
      );
    }
    // A copy, so that the decision is bound to what was shown, whatever becomes of the app's object.
    const input = plain(part.input);
    await this.#add({ mustBeKnown: true, run: (core) => core.decideAsShown(answer, input) });
  }

  #waitingPart(approvalId: string): ToolPart | undefined {
    const calls = this.#messages.flatMap((message) => {
      const parts: unknown = message?.parts;
      return Array.isArray(parts) ? parts.filter((part) => Object(part) === part && isToolPart(part)) : [];
    });
    const found = calls.findLast(({ approval }) => approval?.id === approvalId);
    return found?.state === 'approval-requested' ? found : undefined;
  }

  #addOutput(answer: OutputAnswer): Promise<void> {
    return this.#add({ mustBeKnown: true, run: ({ methods }) => methods.addToolOutput(answer) });
  }

  #removeQueued(id: string): void {
    if (!this.#queued.some((message) => message.id === id)) return;
    const act = this.#acts.find(({ user }) => user?.message?.id === id);
    this.#acts = this.#acts.filter((other) => other !== act);
    act?.resolve(undefined);
    this.#show();
  }

  #setMessages(messages: readonly unknown[]): void {
    if (!Array.isArray(messages)) {
      throw new TypeError(
        'messages: expected an array. Check `response.ok` before you set the messages of a response.',
      );
    }
    if (this.isDisposed) throw this.#owner.disposed();
    const list = this.#facade.plain(messages, new Set<unknown>(this.#messages));
    const failed = (error: unknown): void =>
      queueMicrotask(() => {
        throw error;
      });
    this.#add({ list, run: ({ methods }) => methods.setMessages(list) }, 'never').catch(failed);
  }

  #show(): void {
    this.#apply();
    this.#facade.publish();
  }

  /** Applies all acts to the initial messages. */
  #apply(): void {
    let shown: readonly unknown[] = this.#facade.initial;
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
