/**
 * The chat of `useGuardedChat`: it has the members of an AI SDK chat, but no code of the AI SDK. The driver that sends
 * its requests is the one of `guard`.
 *
 * Creating one has no side effects, so a component may create it while it renders: nothing is loaded, and there is no
 * gate, until `start`, or until the app calls a method.
 */
import type { GateMessage } from '../../types/index.js';
import { guarded, reportUncaught } from '../../types/report-uncaught.js';
import { say } from '../../types/say.js';
import type { ChatStatus } from '../chat-host.js';
import { checkGuardOptions } from '../guard-options.js';
import { COMMON_METHODS, QUEUE_METHODS } from '../waiting/chat-methods.js';
import { ViewStore } from '../waiting/view-store.js';
import { GatedChat, type Persisted } from '../waiting/gated-chat.js';
import type { AttachedMethods } from '../waiting/waiting-acts.js';
import { LatestOptions, type OptionsSource } from './latest-options.js';

/** Methods of AI SDK chats that not every binding has. */
const MORE_METHODS = ['addToolResult', '~resumeStreamIfDisconnected'] as const;

/** The names of the methods that a chat shares with AI SDK chats. */
type MethodName = (typeof COMMON_METHODS | typeof MORE_METHODS | typeof QUEUE_METHODS)[number];

export interface OwnChat extends Pick<AttachedMethods, MethodName> {}

const WHERE = 'useGuardedChat';

/** One chat, which all components with its id share. */
export class OwnChat {
  /** The newest options of its components. */
  readonly settings: LatestOptions;
  readonly store: ViewStore;

  readonly #gated: GatedChat;
  #isStarted = false;
  #hasInitial: boolean;

  /** `first`: the options of the first component. `onId` is called if the chat generates its id. */
  constructor(first: OptionsSource, hasProxies: boolean, onId: (id: string, chat: OwnChat) => void) {
    const { options } = first;
    const keyHeader = checkGuardOptions(WHERE, options);
    const settings = (this.settings = new LatestOptions(first, (id) => onId(id, this)));
    const { gate } = settings;
    this.store = new ViewStore(options.messages ?? [], hasProxies);
    this.#hasInitial = options.messages !== undefined;
    // Without the option, a loaded core executes a call of the app at once.
    const persist = () => settings.persist && this.#persist(settings.persist);
    this.#gated = new GatedChat(settings, this.store, { gate }, keyHeader, persist);
    this.#gated.install(this, [...COMMON_METHODS, ...MORE_METHODS, ...QUEUE_METHODS]);
  }

  get id(): string {
    return this.settings.id;
  }

  get messages(): GateMessage[] {
    return this.store.snapshot.messages;
  }

  set messages(messages: readonly unknown[]) {
    this.#gated.call('setMessages', messages);
  }

  get lastMessage(): GateMessage | undefined {
    return this.messages.at(-1);
  }

  get status(): ChatStatus {
    return this.store.source.status;
  }

  get error(): Error | undefined {
    return this.store.source.error;
  }

  get experimental_queuedMessages(): GateMessage[] {
    return this.store.snapshot.queued;
  }

  /** Whether something is ready to be sent, in flight or replying. */
  get isBusy(): boolean {
    return this.#gated.isBusy;
  }

  /** Whether `dispose` was called. */
  get isDisposed(): boolean {
    return this.#gated.isDisposed;
  }

  /** Called when a component shows the chat: loads the core, and shows the gate's state as soon as there is one. */
  start(): void {
    this.store.observe();
    if (this.#isStarted) return;
    this.#isStarted = true;
    try {
      this.#gated.start();
    } catch (error) {
      this.#gated.fail(error);
    }
  }

  /**
   * Takes the initial messages of another component, if no component before it had any and the chat is empty. Before
   * `start` this only changes what is shown first.
   */
  offer(messages: readonly unknown[] | undefined): void {
    if (messages === undefined || this.#hasInitial) return;
    if (this.#isStarted || this.#gated.isReady || this.#gated.acts.hasActs) {
      this.#hasInitial = true;
      if (this.messages.length === 0 && this.status === 'ready') this.messages = messages;
      return;
    }
    this.#hasInitial = true;
    this.store.initial = this.store.plain(messages);
    this.#gated.acts.show();
  }

  /** Disposes the chat, as `dispose(chat)` of `toolgate/ai-sdk` does, and ends its storing. */
  dispose(): Promise<void> {
    return this.#gated.dispose();
  }

  /** Calls the option `persist`. Never rejects: without storage the chat works, too. */
  async #persist(persist: NonNullable<LatestOptions['persist']>): Promise<Persisted | undefined> {
    try {
      const persisted = await persist(this);
      // A function without `return` is a common mistake.
      if (typeof persisted?.close === 'function') return persisted;
      throw new TypeError(
        say`${WHERE}: the option \`persist\` must return what \`persist\` of toolgate/persist returns.`,
      );
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      const { onError = reportUncaught } = this.settings;
      guarded(() => onError(failure));
      return undefined;
    }
  }
}
