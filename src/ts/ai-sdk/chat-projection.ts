/**
 * What the chat shows, read from the gate.
 *
 * The chat's getters (`messages`, `lastMessage`, `status`, `error`, the queue) read `chat.state`. That object is
 * replaced by a facade whose getters read the gate, and whose writers refuse: whatever is left of the chat's own
 * request loop can change nothing. The framework's state object stays as the signal that something changed: it is
 * written to, and its content is never looked at. It must not be read outside the getters, or an effect that calls a
 * method of the chat would be subscribed to it and run again.
 */
import { ToolGateError } from '../types/errors.js';
import { isFollowing } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateMessage } from '../types/index.js';
import type { IdSource } from './id-source.js';
import type { ChatInternals, ChatStatus, Facade, FrameworkState } from './chat-internals.js';
import { makesProxies, plain } from './framework-proxies.js';
import { untracked } from './untracked.js';

const TAKEN_EARLY =
  'this method of the chat was taken before guard(chat) was called, or the chat was changed behind the guard: read it from the chat again';

const CRASHED = 'the gate of this chat has failed or was freed: nothing more is sent';

/** Refuses what would go around the gate. */
export function refuse(): never {
  throw new TypeError(TAKEN_EARLY);
}

/** The projection of a gate onto one chat. */
export class ChatProjection {
  readonly #chat: ChatInternals;
  readonly #gate: ToolGate;
  readonly #ids: IdSource;
  readonly #signal: FrameworkState;
  readonly #hasProxies: boolean;
  /** Whether the chat can show a queue. */
  readonly #hasQueue: boolean;
  /** What the framework was told last. */
  readonly #told: { messages: GateMessage[]; queued: GateMessage[]; status: ChatStatus; error: unknown };

  #isOpen = false;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #crash: Error | undefined;
  #queued: GateMessage[] = frozen([]);
  /** The last list that was put together, and of what. */
  #joined: { from: GateMessage[]; waiting: readonly GateMessage[]; all: GateMessage[] } | undefined;

  /** Moves the chat's messages into the gate, and puts the facade into the chat. */
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
    this.#told = { messages: this.messages, queued: this.#queued, status, error };
    this.#install();
    this.publish();
  }

  /**
   * The transcript, then the messages that the user sent and the gate holds back: in the AI SDK, too, a message can be
   * seen as soon as it is sent. The same array while nothing changed. Frozen, so that a change in place does not go
   * unseen; but not while a reply comes in, since freezing takes time with every part of it.
   */
  get messages(): GateMessage[] {
    const { messages, queued } = this.#gate.getSnapshot();
    if (queued.length === 0) {
      this.#joined = undefined;
      return this.#isOpen ? messages : frozen(messages);
    }
    if (this.#joined?.from !== messages || this.#joined.waiting !== queued) {
      const all = [...messages, ...queued];
      this.#joined = { from: messages, waiting: queued, all };
    }
    return this.#isOpen ? this.#joined.all : frozen(this.#joined.all);
  }

  /**
   * The AI SDK's status: a chat that waits for the user's answer, or is stalled, is `ready`, and so is one that is
   * over.
   */
  get status(): ChatStatus {
    const { status } = this.#gate.getSnapshot();
    if (status === 'crashed') return this.#isOver ? 'ready' : 'error';
    // A reply that another tab reads is seen here, too.
    if (!this.#isOpen && isFollowing(this.#gate) && (status === 'streaming' || status === 'submitted')) return status;
    if (!this.#isOpen) return this.#failure ? 'error' : 'ready';
    return status === 'streaming' ? 'streaming' : 'submitted';
  }

  /** What went wrong last, as it was thrown: in the AI SDK, too, it need not be an `Error`. */
  get error(): Error | undefined {
    if (this.#isOver) return undefined;
    if (this.#gate.getSnapshot().status === 'crashed') return (this.#crash ??= new ToolGateError('crashed', CRASHED));
    return this.#failure?.error as Error | undefined;
  }

  /** Whether messages of the user wait inside the gate. */
  get hasWaiting(): boolean {
    return this.#gate.getSnapshot().queued.length > 0;
  }

  /** A request begins. */
  open(): void {
    this.#isOpen = true;
    this.#failure = undefined;
  }

  /** The request is over. Takes effect with the next `publish`. */
  close(failure?: { readonly error: unknown }): void {
    this.#isOpen = false;
    this.#failure = failure;
  }

  /** The chat was disposed of: it shows what it last showed, and no error. */
  end(): void {
    this.#isOver = true;
    this.close();
    this.publish();
  }

  /** The gate failed: the chat stays in `error` from now on. */
  crash(error: Error): void {
    this.#crash = error;
    this.publish();
  }

  /** The user has seen the error. */
  clearError(): void {
    if (this.status !== 'error') return;
    this.#failure = undefined;
    this.publish();
  }

  /** Shows the chat's own queue. */
  showQueue(queued: readonly GateMessage[]): void {
    this.#queued = frozen([...queued]);
    this.publish();
  }

  /** Notifies the framework of what changed since the last time. */
  publish(): void {
    const told = this.#told;
    if (this.#queued !== told.queued) {
      told.queued = this.#queued;
      this.#notify(this.#signalsQueue ? 'experimental_queuedMessages' : 'messages', []);
    }
    // While a reply comes in, each change is one of its messages: nothing has to be read to know that.
    if (this.#isOpen && told.status === 'streaming') return this.#notify('messages', []);
    const { messages, status, error } = this;
    if (messages !== told.messages) {
      told.messages = messages;
      this.#notify('messages', []);
    }
    if (error !== told.error) {
      told.error = error;
      this.#notify('error', error);
    }
    // Last: React publishes its messages with a status that ends a request.
    if (status !== told.status) {
      told.status = status;
      this.#notify('status', status);
    }
  }

  /** What a subscriber of the framework throws is its own failure: the request goes on. */
  #notify<KEY extends keyof FrameworkState>(key: KEY, value: FrameworkState[KEY]): void {
    try {
      this.#signal[key] = value;
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Replaces the transcript by what the app wants it to be. */
  load(messages: readonly unknown[]): void {
    const { messages: shown } = this;
    if (messages === shown) return;
    const waiting = new Set<unknown>(this.#joined?.waiting);
    const raw = this.#hasProxies ? (plain(messages, new Set<unknown>(shown)) as readonly unknown[]) : messages;
    this.#load(raw.filter((message) => !waiting.has(message)));
  }

  #load(messages: readonly unknown[]): void {
    const isNamed = messages.every((message) => typeof (message as { id?: unknown } | null)?.id === 'string');
    // The gate asks for an id with every load; the chat is only asked if a message has none.
    if (isNamed) this.#ids.reserving('loaded', () => this.#gate.load(messages));
    else this.#gate.load(messages);
  }

  /** An argument of a method, without the framework's proxies. */
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
    // What Vue's `markRaw` sets: `reactive({ chat })` would wrap the messages in proxies otherwise.
    for (const object of [chat, facade]) Object.defineProperty(object, '__v_skip', { value: true });
  }
}

function frozen<T>(list: T[]): T[] {
  return Object.freeze(list) as T[];
}
