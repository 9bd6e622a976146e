/**
 * The chat's state, read from the gate.
 *
 * The chat's getters (`messages`, `lastMessage`, `status`, `error`, the queue) read `chat.state`. A facade replaces
 * that object: its getters read the gate and its setters throw, so the chat's own request loop cannot change anything.
 * The framework's state object only signals changes: the projection writes to it and ignores its content. It must not
 * be read outside the getters, because an effect that calls a method of the chat would subscribe to it and run again.
 */
import { ToolGateError } from '../types/errors.js';
import { isFollowing } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateMessage } from '../types/index.js';
import type { IdSource } from './id-source.js';
import type { ChatInternals, ChatStatus, Facade, FrameworkState } from './chat-internals.js';
import { makesProxies, plain } from './framework-proxies.js';
import { untracked } from './untracked.js';

const CAPTURED_EARLY =
  'This method was captured before guard(chat) ran, or bypasses the guard. Read the method from the chat again.';

const CRASHED = 'The gate of this chat has crashed or was freed. Nothing more is sent; create a new chat.';

/** Throws for calls that would bypass the gate. */
export function refuse(): never {
  throw new TypeError(CAPTURED_EARLY);
}

/** Projects a gate onto one chat. */
export class ChatProjection {
  readonly #chat: ChatInternals;
  readonly #gate: ToolGate;
  readonly #ids: IdSource;
  readonly #signal: FrameworkState;
  readonly #hasProxies: boolean;
  /** Whether the chat has a message queue. */
  readonly #hasQueue: boolean;
  /** The values that were published last. */
  readonly #published: { messages: GateMessage[]; queued: GateMessage[]; status: ChatStatus; error: unknown };

  #isOpen = false;
  #isDisposed = false;
  #failure: { readonly error: unknown } | undefined;
  #crash: Error | undefined;
  #queued: GateMessage[] = frozen([]);
  /** The last list of messages with queued ones, and the lists that it was made from. */
  #combined: { from: GateMessage[]; waiting: readonly GateMessage[]; all: GateMessage[] } | undefined;

  /** Loads the chat's messages into the gate, and installs the facade in the chat. */
  constructor(chat: ChatInternals, gate: ToolGate, ids: IdSource) {
    this.#chat = chat;
    this.#gate = gate;
    this.#ids = ids;
    const signal = chat.state;
    this.#signal = signal;
    this.#hasQueue = 'experimental_queuedMessages' in chat;
    const isReact = '~registerMessagesCallback' in chat;
    const { messages: initial, status, error } = untracked(signal);
    const copy = isReact ? initial : (plain(initial) as readonly unknown[]);
    this.#hasProxies = makesProxies(signal, isReact);
    if (copy.length > 0) this.#load(this.#hasProxies ? copy : initial);
    this.#published = { messages: this.messages, queued: this.#queued, status, error };
    this.#install();
    this.publish();
  }

  /**
   * The transcript, followed by the messages that the gate has queued: the AI SDK also shows a message as soon as the
   * user sends it. Returns the same array until something changes. The array is frozen, so that an app cannot change it
   * unnoticed; but not while a reply streams, because freezing costs time for each chunk.
   */
  get messages(): GateMessage[] {
    const { messages, queued } = this.#gate.getSnapshot();
    if (queued.length === 0) {
      this.#combined = undefined;
      return this.#isOpen ? messages : frozen(messages);
    }
    if (this.#combined?.from !== messages || this.#combined.waiting !== queued) {
      const all = [...messages, ...queued];
      this.#combined = { from: messages, waiting: queued, all };
    }
    return this.#isOpen ? this.#combined.all : frozen(this.#combined.all);
  }

  /** The AI SDK's status. A chat that waits for a decision, is stalled, or was disposed is `ready`. */
  get status(): ChatStatus {
    const { status } = this.#gate.getSnapshot();
    if (status === 'crashed') return this.#isDisposed ? 'ready' : 'error';
    // A follower also shows the reply that the leader tab reads.
    if (!this.#isOpen && isFollowing(this.#gate) && (status === 'streaming' || status === 'submitted')) return status;
    if (!this.#isOpen) return this.#failure ? 'error' : 'ready';
    return status === 'streaming' ? 'streaming' : 'submitted';
  }

  /** The last error as it was thrown. As in the AI SDK, it need not be an `Error`. */
  get error(): Error | undefined {
    if (this.#isDisposed) return undefined;
    if (this.#gate.getSnapshot().status === 'crashed') return (this.#crash ??= new ToolGateError('crashed', CRASHED));
    return this.#failure?.error as Error | undefined;
  }

  /** Whether the gate has queued messages of the user. */
  get hasWaiting(): boolean {
    return this.#gate.getSnapshot().queued.length > 0;
  }

  /** Marks the start of a request. */
  open(): void {
    this.#isOpen = true;
    this.#failure = undefined;
  }

  /** Marks the end of the request. Takes effect with the next `publish`. */
  close(failure?: { readonly error: unknown }): void {
    this.#isOpen = false;
    this.#failure = failure;
  }

  /** Called on disposal: the chat keeps its last state, without an error. */
  end(): void {
    this.#isDisposed = true;
    this.close();
    this.publish();
  }

  /** Called when the gate crashed: the chat remains in `error`. */
  crash(error: Error): void {
    this.#crash = error;
    this.publish();
  }

  /** Clears the error, as `clearError` of the chat does. */
  clearError(): void {
    if (this.status !== 'error') return;
    this.#failure = undefined;
    this.publish();
  }

  /** Publishes the chat's message queue. */
  showQueue(queued: readonly GateMessage[]): void {
    this.#queued = frozen([...queued]);
    this.publish();
  }

  /** Notifies the framework of changes since the last call. */
  publish(): void {
    const published = this.#published;
    if (this.#queued !== published.queued) {
      published.queued = this.#queued;
      this.#notify(this.#signalsQueue ? 'experimental_queuedMessages' : 'messages', []);
    }
    // While a reply streams, each change concerns the messages, so nothing needs to be compared.
    if (this.#isOpen && published.status === 'streaming') return this.#notify('messages', []);
    const { messages, status, error } = this;
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
    try {
      this.#signal[key] = value;
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Replaces the transcript with the app's messages. */
  load(messages: readonly unknown[]): void {
    const { messages: shown } = this;
    if (messages === shown) return;
    const waiting = new Set<unknown>(this.#combined?.waiting);
    const raw = this.#hasProxies ? (plain(messages, new Set<unknown>(shown)) as readonly unknown[]) : messages;
    this.#load(raw.filter((message) => !waiting.has(message)));
  }

  #load(messages: readonly unknown[]): void {
    const isNamed = messages.every((message) => typeof (message as { id?: unknown } | null)?.id === 'string');
    // The gate requests an id on each load. Call the chat's `generateId` only if a message has no id.
    if (isNamed) this.#ids.reserving('loaded', () => this.#gate.load(messages));
    else this.#gate.load(messages);
  }

  /** Removes the framework's proxies from an argument. */
  plain<T>(value: T): T {
    return this.#hasProxies ? (plain(value) as T) : value;
  }

  get #signalsQueue(): boolean {
    return 'experimental_queuedMessages' in this.#signal;
  }

  #install(): void {
    const projection = this;
    const signal = this.#signal;
    const facade: Facade = {
      get messages() {
        void signal.messages;
        return projection.messages;
      },
      get status() {
        void signal.status;
        return projection.status;
      },
      get error() {
        void signal.error;
        return projection.error;
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
        void (projection.#signalsQueue ? signal.experimental_queuedMessages : signal.messages);
        return projection.#queued;
      };
      Object.defineProperty(facade, 'experimental_queuedMessages', { get, set: refuse, enumerable: true });
    }
    const chat = this.#chat;
    Object.defineProperty(chat, 'state', { value: facade, configurable: true });
    Object.defineProperty(chat, 'messages', {
      get: () => facade.messages,
      set: (messages: readonly unknown[]) => projection.load(messages),
      configurable: true,
      enumerable: true,
    });
    // The same mark as Vue's `markRaw`: otherwise `reactive({ chat })` would wrap the messages in proxies.
    for (const object of [chat, facade]) Object.defineProperty(object, '__v_skip', { value: true });
  }
}

function frozen<T>(list: T[]): T[] {
  return Object.freeze(list) as T[];
}
