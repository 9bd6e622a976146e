/**
 * Sends the gate's outgoing items through the chat's transport: one request at a time, each item once.
 *
 * Runs after each change of the gate until nothing more is to be sent. The gate decides which items may be sent, and
 * the chat's predicate can veto them (predicate.ts). The user's commands and their request options are in
 * user-commands.ts.
 */
import { isFollowing, internalsOf } from '../../gate/internals.js';
import { Attempts, type RequestItem } from './attempts.js';
import { Exchange, type Opening, type Ports } from './exchange.js';
import type { RequestOptions } from '../chat-host.js';
import { Predicate } from './predicate.js';
import { MessageQueue, type QueueEntry } from './message-queue.js';
import { type Envelope, RequestMemory, withKey } from './request-options.js';
import { callTool, ToolCalls } from './tool-calls.js';
import type { GateEvent } from '../../types/index.js';

/** Drives one guarded chat. */
export class Driver {
  readonly memory = new RequestMemory();
  readonly queue: MessageQueue;
  /** The current exchange, if there is one. */
  exchange: Exchange | undefined;
  /** Whether a network error ended the last reply. */
  wasDisconnected = false;
  /**
   * Whether decisions are held only because the predicate vetoed them, and nothing went wrong since: the next message
   * sends them first.
   */
  isVetoed = false;
  /** Whether the chat was disposed: all further commands are rejected. */
  isDisposed = false;

  readonly #ports: Ports;
  readonly #beforeRequest: () => void;
  readonly #submit: (entry: QueueEntry) => void;
  readonly #attempts = new Attempts();
  readonly #predicate: Predicate;
  readonly #toolCalls: ToolCalls;
  #running: Promise<void> | undefined;
  /** The run that the last command started. It may end before a caller can await it. */
  #started: Promise<void> | undefined;
  #deciding: Promise<boolean> | undefined;
  /** The number of gate calls in progress. Their outgoing items are sent after them. */
  #callDepth = 0;
  /** Whether the last reply stopped at a step limit, and the chat's predicate was not called since. */
  #isAtStepLimit = false;
  /** Whether the driver itself continues a reply. */
  #isContinuing = false;
  /** The item that continues a reply after a step limit, unless the predicate vetoes it. */
  #continuation: RequestItem | undefined;

  /** `beforeRequest` is called before a request is sent. `submit` passes a queued message to the gate. */
  constructor(ports: Ports, beforeRequest: () => void, submit: (entry: QueueEntry) => void) {
    this.#ports = ports;
    this.#beforeRequest = beforeRequest;
    this.#submit = submit;
    this.queue = new MessageQueue(ports);
    this.#toolCalls = new ToolCalls(ports.gate);
    this.#predicate = new Predicate(ports, this.#attempts, (item) => this.#hold(item));
  }

  /** Whether a request is in flight, or the predicate is pending. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a request is in flight. */
  get isSending(): boolean {
    return this.isBusy && !this.#predicate.isPending;
  }

  /** Called after each change of the gate. */
  changed(): void {
    this.#ports.projection.publish();
    // Another tab has become the leader: the gate would ignore further chunks.
    if (this.exchange && isFollowing(this.#ports.gate)) this.exchange.abort(true);
    if (this.#callDepth === 0) void this.pump();
  }

  /** Called for each event of the gate. After a crash, aborts the current exchange and sends nothing more. */
  noteEvent(event: GateEvent): void {
    const toolCall = this.#toolCalls.note(event);
    const { chat, gate } = this.#ports;
    // After the gate has emitted its events.
    if (toolCall) queueMicrotask(() => isFollowing(gate) || void callTool(chat, chat, toolCall));
    if (event.type !== 'crashed') return;
    this.#ports.projection.crash(event.error);
    this.exchange?.abort(true);
  }

  /**
   * Calls the gate, and marks the items that it lists then as requested by the user. They are sent with this envelope.
   */
  requestByUser<T>(call: () => T, envelope?: Envelope): T {
    return this.together(() => {
      const result = call();
      const listed = this.#listed;
      if (!this.#isContinuing) this.#attempts.markRequested(listed);
      if (envelope) for (const { id } of listed) this.memory.forItem(id, envelope);
      return result;
    });
  }

  /** Calls the gate, then sends the items that may be sent. Throws the gate's errors. */
  together<T>(calls: () => T): T {
    this.#callDepth++;
    try {
      return calls();
    } finally {
      if (--this.#callDepth === 0) {
        if (!this.#running) this.#started = undefined;
        void this.pump();
      }
    }
  }

  /** Resolves when the chat's predicate is not pending. */
  async decided(): Promise<void> {
    await this.#deciding?.catch(() => {});
  }

  /** Resolves when nothing more is sent automatically. Rejects with the error of an app's callback. */
  async settled(): Promise<void> {
    await (this.#running ?? this.#started);
  }

  /** Sends the items that may be sent. */
  pump(): Promise<void> | undefined {
    if (this.#predicate.isPending) this.#predicate.review(this.#isCrashed ? [] : this.#listed);
    if (
      !this.isDisposed &&
      this.#running === undefined &&
      (this.#next() || this.#isAtStepLimit || this.queue.isReady())
    ) {
      let settle!: (run: Promise<void>) => void;
      this.#running = this.#started = new Promise((resolve) => (settle = resolve));
      settle(this.#run());
    }
    return this.#running;
  }

  /** Runs one exchange. No other exchange may be running. */
  async exchangeWith(opening: Opening, onStart?: (exchange: Exchange) => void): Promise<Exchange> {
    this.#toolCalls.prune();
    // A replay that ends well asks the predicate again.
    this.isVetoed = false;
    const exchange = new Exchange(this.#ports, opening, this.#toolCalls);
    this.exchange = exchange;
    onStart?.(exchange);
    this.#ports.projection.open();
    this.#ports.projection.publish();
    try {
      await exchange.run();
    } finally {
      this.exchange = undefined;
      this.wasDisconnected = exchange.ending === 'disconnected';
      this.#isAtStepLimit = exchange.isAtStepLimit;
      if (exchange.ending !== 'finished' || exchange.finishReason === 'interrupted') this.queue.pause();
    }
    return exchange;
  }

  /** Waits until no request is in flight, and sends none until `during` has ended. */
  async exclusively(during: () => Promise<unknown>): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
    let settle!: () => void;
    this.#running = new Promise((resolve) => (settle = resolve));
    try {
      await during();
    } finally {
      this.#running = undefined;
      settle();
      void this.pump();
    }
  }

  /** Sends what may be sent, until there is nothing more. Rejects with the first error of an app's callback. */
  async #run(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    let previous: RequestOptions | undefined;
    for (;;) {
      let item: RequestItem | undefined;
      try {
        item = this.#next() ?? this.#continue() ?? this.#fromQueue();
        if (!item) break;
        let maySend = this.#predicate.maySend(item);
        if (typeof maySend !== 'boolean') maySend = await (this.#deciding = maySend);
        if (maySend) previous = await this.#request(item, previous);
      } catch (error) {
        failure ??= { error };
        this.isVetoed = false;
        // Listing items would fail again in the next iteration.
        if (!item || this.#isCrashed) break;
      } finally {
        this.#deciding = undefined;
      }
    }
    this.#running = undefined;
    if (failure) throw failure.error;
  }

  get #isCrashed(): boolean {
    return this.#ports.gate.getSnapshot().status === 'crashed';
  }

  get #listed(): readonly RequestItem[] {
    return this.#ports.gate.outgoing() as readonly RequestItem[];
  }

  #next(): RequestItem | undefined {
    return this.isDisposed || this.#isCrashed ? undefined : this.#attempts.next(this.#listed);
  }

  /** Continues a reply after a step limit, if the chat has a predicate, which may veto it. */
  #continue(): RequestItem | undefined {
    const { chat, gate } = this.#ports;
    const { waitingFor } = gate.getSnapshot().turn;
    const isPaused = this.#isAtStepLimit && waitingFor[0]?.kind === 'resume' && !this.isDisposed;
    this.#isAtStepLimit = false;
    if (!isPaused || !chat.sendAutomaticallyWhen) return undefined;
    this.#isContinuing = true;
    try {
      gate.resume();
    } finally {
      this.#isContinuing = false;
    }
    return (this.#continuation = this.#next());
  }

  #fromQueue(): RequestItem | undefined {
    const entry = this.queue.shift();
    if (!entry) return undefined;
    try {
      this.#submit(entry);
    } catch (error) {
      this.queue.putBack(entry);
      throw error;
    }
    return this.#next();
  }

  async #request(item: RequestItem, previous: RequestOptions | undefined): Promise<RequestOptions | undefined> {
    const { chat, gate } = this.#ports;
    // The item was withdrawn while the predicate was pending, or claimed elsewhere.
    if (!gate.claim(item.id)) {
      this.#attempts.skip(item);
      return undefined;
    }
    // If the chat is persisted, store the claim before sending.
    const stored = internalsOf(gate)?.persister?.claimed();
    stored?.catch(() => {});
    this.#beforeRequest();
    this.wasDisconnected = false;
    const { options, ...envelope } = this.memory.take(item, this.#predicate.appliesTo(item) ? previous : undefined);
    this.memory.prune(gate, item.id);
    const { messages, messageId, trigger } = { ...item.body, ...envelope };
    const exchange = await this.exchangeWith({
      about: { requestId: item.id, attempt: item.attempt },
      continues: messageId,
      open: async (signal, sends) => {
        // Without a store, `stop()` in the same task is in time, too.
        await stored;
        signal.throwIfAborted();
        sends();
        return chat.transport.sendMessages({
          chatId: chat.id,
          messages: [...messages],
          abortSignal: signal,
          metadata: options?.metadata,
          headers: withKey(options?.headers, this.#ports.keyHeader, item.key),
          body: options?.body,
          trigger,
          messageId,
        });
      },
    });
    // Keep the options of an item that can be sent again, or that the app has retried already.
    const isRepeatable = [...gate.undelivered(), ...this.#listed].some(({ id }) => id === item.id);
    if (!isRepeatable) this.memory.forget(item.id);
    return exchange.ending === 'finished' ? options : undefined;
  }

  /** Holds vetoed decisions until the user's next command. A vetoed continuation has none. */
  #hold({ id }: RequestItem): void {
    this.#callDepth++;
    try {
      this.#ports.gate.stop();
      this.isVetoed = id !== this.#continuation?.id;
    } finally {
      this.#callDepth--;
    }
  }
}
