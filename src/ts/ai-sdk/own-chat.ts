/**
 * The chat of `useGuardedChat`: it has the members of an AI SDK chat, but no code of the AI SDK. The driver that sends
 * its requests is the one of `guard`.
 *
 * Creating one has no side effects, so a component may create it while it renders: nothing is loaded, and there is no
 * gate, until `start`, or until the app calls a method.
 */
import type { GateMessage } from '../types/index.js';
import { guarded, reportUncaught } from '../types/report-uncaught.js';
import { COMMON_METHODS, methodOf, QUEUE_METHODS } from './chat-methods.js';
import { checkGuardOptions } from './check-guard-options.js';
import type { ChatStatus } from './chat-host.js';
import { LatestOptions, type OptionsSource, type Persisted } from './latest-options.js';
import { markGuarded } from './marks.js';
import { OwnStore } from './own-store.js';
import { WaitingChat } from './waiting-chat.js';
import type { ChatMethods } from './waiting-methods.js';
import { say } from '../types/say.js';

/** Methods of AI SDK chats that not every binding has. */
const MORE_METHODS = ['addToolResult', '~resumeStreamIfDisconnected'] as const;

/** The names of the methods that a chat shares with AI SDK chats. */
type MethodName = (typeof COMMON_METHODS | typeof MORE_METHODS | typeof QUEUE_METHODS)[number];

export interface OwnChat extends Pick<ChatMethods, MethodName> {}

const WHERE = 'useGuardedChat';

/** One chat, which all components with its id share. */
export class OwnChat {
  /** The newest options of its components. */
  readonly settings: LatestOptions;
  readonly store: OwnStore;
  /** Whether `dispose` was called. */
  isDisposed = false;

  readonly #waiting: WaitingChat;
  #persisted: Promise<Persisted> | undefined;
  #isStarted = false;
  #hasInitial: boolean;

  /** `first`: the options of the first component. `onId` is called if the chat generates its id. */
  constructor(first: OptionsSource, hasProxies: boolean, onId: (id: string, chat: OwnChat) => void) {
    const { options } = first;
    const keyHeader = checkGuardOptions(WHERE, options);
    this.settings = new LatestOptions(first, (id) => onId(id, this));
    this.store = new OwnStore(options.messages ?? [], hasProxies);
    this.#hasInitial = options.messages !== undefined;
    const waiting = new WaitingChat(this.settings, this.store, { gate: this.settings.gate }, keyHeader, this.#persist);
    this.#waiting = waiting;
    waiting.install();
    for (const name of [...COMMON_METHODS, ...MORE_METHODS, ...QUEUE_METHODS])
      Object.defineProperty(this, name, { value: methodOf(waiting, name), enumerable: true });
    markGuarded(this, waiting, this.dispose);
    // The same mark as Vue's `markRaw`.
    Object.defineProperty(this, '__v_skip', { value: true });
  }

  get id(): string {
    return this.settings.id;
  }

  get messages(): GateMessage[] {
    return this.store.snapshot.messages;
  }

  set messages(messages: readonly unknown[]) {
    this.store.assign(messages);
  }

  get lastMessage(): GateMessage | undefined {
    return this.messages.at(-1);
  }

  get status(): ChatStatus {
    return this.store.state.status;
  }

  get error(): Error | undefined {
    return this.store.state.error;
  }

  get experimental_queuedMessages(): GateMessage[] {
    return this.store.snapshot.queued;
  }

  /** Whether something is ready to be sent, in flight or replying. */
  get isBusy(): boolean {
    return this.#waiting.isBusy;
  }

  /** Called when a component shows the chat: loads the core, and shows the gate's state as soon as there is one. */
  start(): void {
    this.store.observe();
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#waiting.begin();
  }

  /**
   * Takes the initial messages of another component, if no component before it had any and the chat is empty. Before
   * `start` this only changes what is shown first.
   */
  offer(messages: readonly unknown[] | undefined): void {
    if (messages === undefined || this.#hasInitial) return;
    if (this.#isStarted || this.#waiting.isReady || this.#waiting.acts.hasActs) {
      this.#hasInitial = true;
      if (this.messages.length === 0 && this.status === 'ready') this.messages = messages;
      return;
    }
    this.#hasInitial = true;
    this.store.initial = this.store.plain(messages);
    this.#waiting.acts.show();
  }

  /** Disposes the chat, as `dispose(chat)` of `toolgate/ai-sdk` does, and ends its storing. */
  readonly dispose = (): Promise<void> => {
    this.isDisposed = true;
    const disposed = this.#waiting.methods.dispose();
    // The option may resolve later than this: then nothing else closes what it returns.
    this.#persisted?.then(
      (persisted) => persisted?.close?.(),
      () => {},
    );
    return disposed;
  };

  /** Calls the option `persist`, if it is set: without it, a loaded core executes a call of the app at once. */
  readonly #persist = (): Promise<void> | undefined => {
    const { persist } = this.settings;
    return persist && this.#store(persist);
  };

  /** Stores the chat. Never rejects: without storage the chat works, too. */
  async #store(persist: NonNullable<LatestOptions['persist']>): Promise<void> {
    try {
      this.#persisted = Promise.resolve(persist(this));
      // A function without `return` is a common mistake.
      if (typeof (await this.#persisted)?.close !== 'function')
        throw new TypeError(
          say`${WHERE}: the option \`persist\` must return what \`persist\` of toolgate/persist returns.`,
        );
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      const { onError = reportUncaught } = this.settings;
      guarded(() => onError(failure));
    }
  }
}
