/**
 * The chat's state, read from the gate. The store shows it in the chat.
 */
import { NONE } from '../../types/empty-list.js';
import { ToolGateError } from '../../types/errors.js';
import { isFollowing } from '../../gate/internals.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import type { GateMessage } from '../../types/index.js';
import type { ChatSource, ViewStore } from '../waiting/view-store.js';
import type { ChatStatus } from '../chat-host.js';
import { say } from '../../types/say.js';

/** Runs `call`. If the gate requests an id meanwhile, it gets this one. */
export type Reserving = (id: string, call: () => void) => void;

/** The state of one chat, as its gate has it. */
export class ChatProjection implements ChatSource {
  /** Whether a request is in flight. */
  isReplying = false;
  /** The chat's message queue. */
  queued = NONE as readonly GateMessage[] as GateMessage[];

  readonly #gate: ToolGate;
  readonly #reserving: Reserving;
  readonly #store: ViewStore;

  #isDisposed = false;
  #failure: { readonly error: unknown } | undefined;
  #crash: Error | undefined;
  /** The last list of messages with queued ones, and the lists that it was made from. */
  #combined: { from: GateMessage[]; waiting: readonly GateMessage[]; all: GateMessage[] } | undefined;

  /** Loads the chat's messages into the gate. */
  constructor(gate: ToolGate, reserving: Reserving, store: ViewStore) {
    this.#gate = gate;
    this.#reserving = reserving;
    this.#store = store;
    if (store.initial.length > 0) this.#load(store.initial);
  }

  /**
   * The transcript, followed by the messages that the gate has queued: the AI SDK also shows a message as soon as the
   * user sends it. Returns the same array until something changes. The array is frozen, so that an app cannot change it
   * unnoticed; but not while a reply streams, because freezing costs time for each chunk.
   */
  get messages(): GateMessage[] {
    const { messages, queued } = this.#gate.getSnapshot();
    if (queued.length === 0) this.#combined = undefined;
    else if (this.#combined?.from !== messages || this.#combined.waiting !== queued)
      this.#combined = { from: messages, waiting: queued, all: [...messages, ...queued] };
    const all = this.#combined?.all ?? messages;
    return this.isReplying ? all : (Object.freeze(all) as GateMessage[]);
  }

  /** The AI SDK's status. A chat that waits for a decision, is stalled, or was disposed is `ready`. */
  get status(): ChatStatus {
    const { status } = this.#gate.getSnapshot();
    if (status === 'crashed') return this.#isDisposed ? 'ready' : 'error';
    // A follower also shows the reply that the leader tab reads.
    if (!this.isReplying && isFollowing(this.#gate) && (status === 'streaming' || status === 'submitted'))
      return status;
    if (!this.isReplying) return this.#failure ? 'error' : 'ready';
    return status === 'streaming' ? 'streaming' : 'submitted';
  }

  /** The last error as it was thrown. As in the AI SDK, it need not be an `Error`. */
  get error(): Error | undefined {
    if (this.#isDisposed) return undefined;
    if (this.#gate.getSnapshot().status === 'crashed')
      return (this.#crash ??= new ToolGateError(
        'crashed',
        say`The gate of this chat has crashed or was freed. Nothing more is sent; create a new chat.`,
      ));
    return this.#failure?.error as Error | undefined;
  }

  /** Whether the gate has queued messages of the user. */
  get hasWaiting(): boolean {
    return this.#gate.getSnapshot().queued.length > 0;
  }

  /** Marks the start of a request. */
  open(): void {
    this.isReplying = true;
    this.#failure = undefined;
  }

  /** Marks the end of the request. Takes effect with the next `publish`. */
  close(failure?: { readonly error: unknown }): void {
    this.isReplying = false;
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
    this.queued = Object.freeze([...queued]) as GateMessage[];
    this.publish();
  }

  /** Notifies the framework of changes since the last call. */
  publish(): void {
    this.#store.publish();
  }

  /** Replaces the transcript with the app's messages. */
  load(messages: readonly unknown[]): void {
    const { messages: shown } = this;
    if (messages === shown) return;
    const waiting = new Set<unknown>(this.#combined?.waiting);
    const raw = this.#store.plain(messages, new Set<unknown>(shown));
    this.#load(raw.filter((message) => !waiting.has(message)));
  }

  #load(messages: readonly unknown[]): void {
    const isNamed = messages.every((message) => typeof (message as { id?: unknown } | null)?.id === 'string');
    // The gate requests an id on each load. Call the chat's `generateId` only if a message has no id.
    if (isNamed) this.#reserving('loaded', () => this.#gate.load(messages));
    else this.#gate.load(messages);
  }

  /** Removes the framework's proxies from an argument. */
  plain<T>(value: T): T {
    return this.#store.plain(value);
  }
}
