/**
 * The state of a guarded chat, as the chat and its framework see it.
 *
 * The chat's getters (`messages`, `lastMessage`, `status`, `error`, the queue) read `chat.state`. A facade replaces
 * that object: its getters read the present source and its setters throw, so the chat's own request loop cannot change
 * anything. The framework's state object only signals changes: the facade writes to it and ignores its content. Only
 * the getters may read the framework's object: otherwise an effect that calls a method of the chat would subscribe to
 * that object and run again.
 *
 * This file imports only types of the core, because it shows the chat before the core is loaded.
 */
import type { GateMessage } from '../types/index.js';
import { guarded } from '../types/report-uncaught.js';
import type { ChatStatus } from './chat-host.js';
import type { ChatInternals, Facade, FrameworkState } from './chat-internals.js';
import type { ChatSource, ChatStore } from './chat-source.js';
import { makesProxies, plain } from './framework-proxies.js';
import { untracked } from './untracked.js';
import { say } from '../types/say.js';

/** React's subscriptions. The other frameworks subscribe by reading. */
const SUBSCRIPTIONS = [
  '~registerMessagesCallback',
  '~registerStatusCallback',
  '~registerErrorCallback',
  '~registerQueuedMessagesCallback',
];

/** Throws for calls that would bypass the gate. */
export function refuse(): never {
  throw new TypeError(
    say`This method was captured before guard(chat) ran, or bypasses the guard. Read it from the chat again.`,
  );
}

/** Makes one chat return the state of a source. */
export class ChatFacade implements ChatStore {
  /** The messages that the chat had when it was guarded, without the framework's proxies. */
  readonly initial: readonly unknown[];
  /** Whether the framework's store returns proxies. */
  readonly hasProxies: boolean;
  readonly #chat: ChatInternals;
  readonly #signal: FrameworkState;
  readonly #isReact: boolean;
  /** Whether the chat has a message queue. */
  readonly #hasQueue: boolean;
  /** The values that were published last. */
  readonly #published: { messages: GateMessage[]; queued: GateMessage[]; status: ChatStatus; error: unknown };
  #source!: ChatSource;
  /** The source that is shown as soon as the chat is observed (see `observe`). */
  #next: ChatSource | undefined;
  #isObserved = false;
  #isReadNoted = false;

  /** Reads the chat's state, and empties the framework's store. */
  constructor(chat: ChatInternals) {
    this.#chat = chat;
    const signal = chat.state;
    this.#signal = signal;
    this.#hasQueue = 'experimental_queuedMessages' in chat;
    this.#isReact = '~registerMessagesCallback' in chat;
    const { messages, status, error } = untracked(signal);
    const copy = this.#isReact ? messages : (plain(messages) as readonly unknown[]);
    this.hasProxies = makesProxies(signal, this.#isReact);
    this.initial = this.hasProxies ? copy : messages;
    this.#published = { messages: [], queued: [], status, error };
  }

  /** Installs the facade in the chat. `setMessages` is called for `chat.messages = list`. */
  install(source: ChatSource, setMessages: (messages: readonly unknown[]) => void): void {
    this.#source = source;
    this.#published.messages = source.messages;
    this.#published.queued = source.queued;
    this.#define(setMessages);
    this.publish();
  }

  /**
   * Shows another source. With `isPatient`, waits until the chat is observed: a page from a server must show the same
   * messages until the framework has hydrated it.
   */
  show(source: ChatSource, isPatient = false): void {
    this.#next = undefined;
    if (isPatient && !this.#isObserved) {
      this.#next = source;
      return;
    }
    this.#source = source;
    this.publish();
  }

  /** Called when a component subscribes, and when the app calls a method of the chat or requests the gate. */
  observe(): void {
    this.#isObserved = true;
    if (this.#next) this.show(this.#next);
  }

  /** Removes the framework's proxies from an argument. */
  plain<T>(value: T, known?: ReadonlySet<unknown>): T {
    return this.hasProxies ? (plain(value, known) as T) : value;
  }

  /** Notifies the framework of changes of the source since the last call. */
  publish(): void {
    const published = this.#published;
    const source = this.#source;
    if (source.queued !== published.queued) {
      published.queued = source.queued;
      this.#notify(this.#signalsQueue ? 'experimental_queuedMessages' : 'messages', []);
    }
    // While a reply streams, each change concerns the messages, so nothing needs to be compared.
    if (source.isReplying && published.status === 'streaming') return this.#notify('messages', []);
    const { messages, status, error } = source;
    if (messages !== published.messages) {
      published.messages = messages;
      this.#notify('messages', []);
    }
    if (error !== published.error) {
      published.error = error;
      this.#notify('error', error);
    }
    // Status comes last: React publishes its messages together with a status that ends a request.
    if (status !== published.status) {
      published.status = status;
      this.#notify('status', status);
    }
  }

  /** An error of the framework's subscriber must not end the request: it is thrown in a microtask. */
  #notify<KEY extends keyof FrameworkState>(key: KEY, value: FrameworkState[KEY]): void {
    guarded(() => (this.#signal[key] = value));
  }

  get #signalsQueue(): boolean {
    return 'experimental_queuedMessages' in this.#signal;
  }

  /**
   * In Vue and Svelte a component subscribes by reading. The source is replaced only after a microtask, so the whole
   * first rendering reads the old one.
   */
  #noteRead(): void {
    if (this.#isReact || this.#isReadNoted) return;
    this.#isReadNoted = true;
    queueMicrotask(() => this.observe());
  }

  #define(setMessages: (messages: readonly unknown[]) => void): void {
    const own = this;
    const signal = this.#signal;
    const facade: Facade = {
      get messages() {
        void signal.messages;
        own.#noteRead();
        return own.#source.messages;
      },
      get status() {
        void signal.status;
        own.#noteRead();
        return own.#source.status;
      },
      get error() {
        void signal.error;
        own.#noteRead();
        return own.#source.error;
      },
    };
    for (const key of ['messages', 'status', 'error'] as const) {
      const { get } = Object.getOwnPropertyDescriptor(facade, key)!;
      Object.defineProperty(facade, key, { get, set: refuse, enumerable: true });
    }
    for (const key of ['pushMessage', 'popMessage', 'replaceMessage']) {
      Object.defineProperty(facade, key, { value: refuse });
    }
    Object.defineProperty(facade, 'snapshot', { value: (value: unknown) => value });
    if (this.#hasQueue) {
      const get = (): GateMessage[] => {
        void (own.#signalsQueue ? signal.experimental_queuedMessages : signal.messages);
        return own.#source.queued;
      };
      Object.defineProperty(facade, 'experimental_queuedMessages', { get, set: refuse, enumerable: true });
    }
    const chat = this.#chat;
    Object.defineProperty(chat, 'state', { value: facade, configurable: true });
    Object.defineProperty(chat, 'messages', {
      get: () => facade.messages,
      set: setMessages,
      configurable: true,
      enumerable: true,
    });
    // The same mark as Vue's `markRaw`: otherwise `reactive({ chat })` would wrap the messages in proxies.
    for (const object of [chat, facade]) Object.defineProperty(object, '__v_skip', { value: true });
    for (const name of SUBSCRIPTIONS) if (name in chat) this.#observeBy(name);
  }

  /** Wraps one of React's subscriptions. */
  #observeBy(name: string): void {
    const chat = this.#chat as unknown as Record<string, (...args: unknown[]) => unknown>;
    const subscribe = chat[name]!;
    chat[name] = (...args) => {
      const unsubscribe = subscribe(...args);
      this.observe();
      return unsubscribe;
    };
  }
}
