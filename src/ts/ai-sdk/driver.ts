/**
 * Takes what the gate lists as outgoing to the chat's transport: one request at a time, each once.
 *
 * It runs when the gate changes and until nothing more is to be sent. Nothing is decided here about what may be sent;
 * the gate does that, and the chat's own predicate can veto it (predicate.ts).
 */
import { isAct, type Interceptor } from '../gate/commands.js';
import { ToolGateError } from '../types/errors.js';
import { isFollowing, internalsOf } from '../gate/internals.js';
import type { GateMessage, UserMessage } from '../types/index.js';
import { Attempts, type RequestItem } from './attempts.js';
import { Exchange, type Opening, type Ports } from './exchange.js';
import type { RequestOptions } from './chat-internals.js';
import { Predicate } from './predicate.js';
import type { MessageQueue } from './message-queue.js';
import { type Envelope, plain, RequestMemory, withKey } from './request-options.js';
import { ToolCalls } from './tool-calls.js';

const DISPOSED = 'this chat was disposed of: make a new one';

/** Drives one guarded chat. */
export class Driver {
  readonly memory = new RequestMemory();
  /** Called before a request leaves. */
  onRequest: () => void = () => {};
  /** Called when the user stopped in another tab. */
  onStop: () => Promise<void> = () => Promise.resolve();
  /** Whether the last reply was cut off by the network. */
  wasDisconnected = false;

  readonly #ports: Ports;
  readonly #queue: MessageQueue;
  readonly #attempts = new Attempts();
  readonly #predicate: Predicate;
  readonly #toolCalls: ToolCalls;
  #running: Promise<void> | undefined;
  /** The run that the last act started: it may be over before anybody can wait for it. */
  #started: Promise<void> | undefined;
  #deciding: Promise<boolean> | undefined;
  #exchange: Exchange | undefined;
  /** Gate calls in progress: what they list is dealt with after them. */
  #acting = 0;
  /** What came with the call of the chat's method in progress. */
  #attached: Envelope | undefined;
  #isDisposed = false;

  constructor(ports: Ports, queue: MessageQueue) {
    this.#ports = ports;
    this.#queue = queue;
    this.#toolCalls = new ToolCalls(ports.gate);
    this.#predicate = new Predicate(ports, this.#attempts, () => this.#hold());
  }

  /** The request whose reply is being read, if any. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  /** Whether a request is on its way, or the predicate is asked about one. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a request is on its way. */
  get isSending(): boolean {
    return this.isBusy && !this.#predicate.isThinking;
  }

  /** Whether the chat was disposed of. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** The gate changed. */
  changed(): void {
    this.#ports.projection.publish();
    // Another tab leads by now: what is still read here would change nothing.
    if (this.#exchange && isFollowing(this.#ports.gate)) this.#exchange.abort(true);
    if (this.#acting === 0) void this.pump();
  }

  /** The gate failed: nothing more is sent, and what is being read is dropped. */
  crash(error: Error): void {
    this.#ports.projection.crash(error);
    this.#exchange?.abort(true);
  }

  /** From now on every act is refused. */
  dispose(): void {
    this.#isDisposed = true;
  }

  /** Calls the gate for a method of the chat. `attached` goes with the request that the call leads to. */
  give<T>(call: () => T, attached?: Envelope): T {
    if (this.#isDisposed) throw new ToolGateError('crashed', DISPOSED);
    const before = this.#attached;
    this.#attached = attached;
    try {
      return call();
    } finally {
      this.#attached = before;
    }
  }

  /** Calls the gate; what it lists then was asked for by the user, and is sent with this envelope. */
  ask<T>(call: () => T, envelope?: Envelope): T {
    return this.#act(() => {
      const result = call();
      const listed = this.#listed;
      this.#attempts.ask(listed);
      if (envelope) for (const { id } of listed) this.memory.forItem(id, envelope);
      return result;
    });
  }

  /** Hands the user's message to the gate. Throws what the gate throws. */
  submit(message: GateMessage, options: RequestOptions | undefined, replace?: string | null): void {
    const { gate } = this.#ports;
    this.give(() => gate.sendUserMessage(message as UserMessage, replace == null ? undefined : { replace }), {
      options,
    });
  }

  /**
   * Attaches to the user's acts what the app gave for their requests, and remembers it; after each of them, and after a state
   * that is taken over, lets leave what may leave.
   */
  readonly intercept: Interceptor = (command, next) => {
    if (command.name === 'adopt') return this.#act(() => next(command));
    if (!isAct(command)) return next(command);
    if (this.#isDisposed) throw new ToolGateError('crashed', DISPOSED);
    if (command.name === 'stop' && command.isForwarded) {
      // The gate cannot refuse it, and the app of this tab does not wait for it.
      void this.onStop().catch(() => {});
      return undefined;
    }
    const envelope = command.isForwarded ? (command.attached as Envelope | undefined) : this.#attached;
    const { memory } = this;
    const act = (): unknown => next(envelope ? { ...command, attached: plain(envelope) } : command);
    switch (command.name) {
      case 'sendUserMessage':
        this.#queue.resume();
        return this.ask(() => {
          const result = act();
          memory.forMessage((command.args[0] as { id: string }).id, envelope?.options);
          return result;
        });
      case 'regenerate':
      case 'resume':
      case 'retry':
        return this.ask(act, envelope);
      default:
        return this.#act(() => {
          const result = act();
          if (command.name === 'respond') memory.forApproval(command.args[0], envelope?.options);
          if (command.name === 'addToolOutput') memory.forOutput(envelope?.options);
          return result;
        });
    }
  };

  /** Resolves when the chat's own predicate is not being asked. */
  async decided(): Promise<void> {
    await this.#deciding?.catch(() => {});
  }

  /** Resolves when nothing is sent automatically any more; rejects with what a callback of the app threw. */
  async settled(): Promise<void> {
    // A callback that awaits this would wait for itself.
    if (!this.#exchange?.isCallingBack) await (this.#running ?? this.#started);
  }

  /** Sends what may be sent. */
  pump(): Promise<void> | undefined {
    if (this.#predicate.isThinking) this.#predicate.review(this.#isCrashed ? [] : this.#listed);
    if (!this.#isDisposed && this.#running === undefined && (this.#next() || this.#queue.isReady())) {
      let settle!: { resolve: () => void; reject: (error: unknown) => void };
      this.#running = new Promise((resolve, reject) => (settle = { resolve, reject }));
      this.#started = this.#running;
      void this.#run(settle);
    }
    return this.#running;
  }

  /** Runs one exchange; another one must not be running. */
  async exchangeWith(opening: Opening, onStart?: (exchange: Exchange) => void): Promise<Exchange> {
    this.#toolCalls.prune();
    const exchange = new Exchange(this.#ports, opening, this.#toolCalls);
    this.#exchange = exchange;
    onStart?.(exchange);
    this.#ports.projection.open();
    this.#ports.projection.publish();
    try {
      await exchange.run();
    } finally {
      this.#exchange = undefined;
      this.wasDisconnected = exchange.ending === 'disconnected';
      if (exchange.ending !== 'finished' || exchange.finishReason === 'interrupted') this.#queue.pause();
    }
    return exchange;
  }

  /** Waits until no request is on its way, and lets none leave meanwhile. */
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

  /** Calls the gate, and then lets leave what may leave. Throws what the gate throws. */
  #act<T>(call: () => T): T {
    this.#acting++;
    try {
      return call();
    } finally {
      if (--this.#acting === 0) {
        if (!this.#running) this.#started = undefined;
        void this.pump();
      }
    }
  }

  async #run(settle: { resolve: () => void; reject: (error: unknown) => void }): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    let previous: RequestOptions | undefined;
    for (;;) {
      let item: RequestItem | undefined;
      try {
        item = this.#next() ?? this.#fromQueue();
        if (!item) break;
        const verdict = this.#predicate.mayLeave(item);
        if (typeof verdict !== 'boolean') this.#deciding = verdict;
        if (typeof verdict === 'boolean' ? verdict : await verdict) previous = await this.#request(item, previous);
      } catch (error) {
        failure ??= { error };
        // What cannot be listed now cannot be listed in the next round either.
        if (!item || this.#isCrashed) break;
      } finally {
        this.#deciding = undefined;
      }
    }
    this.#running = undefined;
    if (failure) settle.reject(failure.error);
    else settle.resolve();
  }

  get #isCrashed(): boolean {
    return this.#ports.gate.getSnapshot().status === 'crashed';
  }

  get #listed(): readonly RequestItem[] {
    return this.#ports.gate.outgoing() as readonly RequestItem[];
  }

  #next(): RequestItem | undefined {
    return this.#isCrashed ? undefined : this.#attempts.next(this.#listed);
  }

  #fromQueue(): RequestItem | undefined {
    const entry = this.#queue.shift();
    if (!entry) return undefined;
    try {
      this.submit(entry.message, entry.options);
    } catch (error) {
      this.#queue.putBack(entry);
      throw error;
    }
    return this.#next();
  }

  async #request(item: RequestItem, previous: RequestOptions | undefined): Promise<RequestOptions | undefined> {
    const { chat, gate } = this.#ports;
    // Withdrawn while the predicate was asked, or claimed by somebody else.
    if (!gate.claim(item.id)) {
      this.#attempts.pass(item);
      return undefined;
    }
    // Where a keeper stores the chat, the claim is stored before anything is sent.
    const stored = internalsOf(gate)?.persister?.claimed();
    stored?.catch(() => {});
    this.onRequest();
    this.wasDisconnected = false;
    const { options, ...envelope } = this.memory.take(item, this.#predicate.isAskedAbout(item) ? previous : undefined);
    this.memory.prune(gate, item.id);
    const { body } = item;
    const exchange = await this.exchangeWith({
      about: { requestId: item.id, attempt: item.attempt },
      continues: 'messageId' in envelope ? envelope.messageId : body.messageId,
      open: async (signal, sends) => {
        if (stored) {
          await stored;
          signal.throwIfAborted();
        }
        sends();
        return chat.transport.sendMessages({
          chatId: chat.id,
          messages: [...body.messages],
          abortSignal: signal,
          metadata: options?.metadata,
          headers: withKey(options?.headers, this.#ports.keyHeader, item.key),
          body: options?.body,
          trigger: envelope.trigger ?? body.trigger,
          messageId: 'messageId' in envelope ? envelope.messageId : body.messageId,
        });
      },
    });
    if (gate.undelivered().every(({ id }) => id !== item.id)) this.memory.forget(item.id);
    return exchange.ending === 'finished' ? options : undefined;
  }

  /** What was vetoed stays held until the user's next act. */
  #hold(): void {
    this.#acting++;
    try {
      this.#ports.gate.stop();
    } finally {
      this.#acting--;
    }
  }
}
