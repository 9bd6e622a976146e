/**
 * One request and its reply: sends or reconnects, passes every chunk to the gate, calls the chat's callbacks in the AI
 * SDK's order, and reports the end of the stream to the gate.
 *
 * The order for each reply: `onData` before its data part is visible; `onToolCall` after its call is visible, and
 * awaited; at the end `onError` before the status changes, then the status, then `onFinish`.
 */
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { callsOfStep } from '../types/tool-part.js';
import type { ReplyTo, GateMessage, StreamEnd } from '../types/index.js';
import { abortable, AbortedError } from './abortable.js';
import type { ChatProjection } from './chat-projection.js';
import type { IdSource } from './id-source.js';
import type { ChatHost, ChunkStream } from './chat-host.js';
import { check, mergeMetadata } from './message-schemas.js';
import type { ToolCalls } from './tool-calls.js';

/** The objects of one guarded chat. */
export interface Ports {
  readonly chat: ChatHost;
  readonly gate: ToolGate;
  readonly projection: ChatProjection;
  readonly ids: IdSource;
  /** The header for the idempotency key; undefined if the app disabled it. */
  readonly keyHeader: string | undefined;
}

/** How to start an exchange. */
export interface Opening {
  /** The outgoing item to send, or the kind of reconnection. */
  readonly about: ReplyTo;
  /** The message that the reply continues, if it is known. */
  readonly continues?: string | undefined;
  /**
   * Sends the request, or returns the reconnected stream. Called once, immediately. Calls `sends` directly before it
   * calls the transport: if the exchange ends before, nothing was sent.
   */
  open(signal: AbortSignal, sends: () => void): Promise<ChunkStream>;
}

interface Chunk {
  readonly type?: unknown;
  readonly messageId?: unknown;
  readonly messageMetadata?: unknown;
  readonly finishReason?: unknown;
  readonly errorText?: unknown;
  readonly toolCallId?: unknown;
  readonly providerExecuted?: unknown;
  readonly data?: unknown;
  readonly id?: unknown;
}

/** One request, from `open` to `onFinish`. */
export class Exchange {
  /** Resolves when the exchange has ended, also after a failure. */
  readonly done: Promise<void>;
  /** Whether a callback of the app is pending. Methods that the callback awaits must not wait for this exchange. */
  isCallingBack = false;
  /** How the exchange ended; undefined while it runs. */
  ending: StreamEnd['status'] | undefined;
  /** The finish reason of the reply. */
  finishReason: string | undefined;

  readonly #ports: Ports;
  readonly #opening: Opening;
  readonly #controller = new AbortController();
  readonly #toolCalls: ToolCalls;
  /** The generation of the gate's state when the exchange started. */
  readonly #generation: number | undefined;
  /** Which request the reply answers. */
  #about: ReplyTo;
  #hasChunks = false;
  #responseId = '';
  #startedId: string | undefined;
  /** Whether the transport was called. */
  #hasBegun = false;
  #isSent = false;
  #isSuperseded = false;
  #finish!: () => void;

  /** `toolCalls`: for which calls `onToolCall` was called, in all exchanges of the chat. */
  constructor(ports: Ports, opening: Opening, toolCalls: ToolCalls) {
    this.#ports = ports;
    this.#opening = opening;
    this.#about = opening.about;
    this.#toolCalls = toolCalls;
    this.#generation = internalsOf(ports.gate)?.generation;
    this.done = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Aborts the exchange. `isSuperseded`: another exchange or tab replaces it, and the user did not stop. */
  abort(isSuperseded = false): void {
    this.#isSuperseded ||= isSuperseded;
    this.#controller.abort();
  }

  /** Runs the exchange to its end. Rejects only with errors of `onError` or `onFinish`. */
  async run(): Promise<void> {
    const { chat, gate } = this.#ports;
    const { signal } = this.#controller;
    let failure: { readonly error: unknown } | undefined;
    let thrown: { readonly error: unknown } | undefined;
    try {
      this.#responseId = chat.generateId();
      const begin = (): void => void (this.#hasBegun = true);
      const stream = await abortable(this.#opening.open(signal, begin), signal, discard);
      this.#isSent = true;
      if (this.#opening.about.requestId && this.#isCurrent) gate.markSent(this.#opening.about.requestId);
      await this.#read(stream);
      this.ending = signal.aborted ? 'aborted' : 'finished';
    } catch (error) {
      this.ending = signal.aborted || isAbort(error) ? 'aborted' : isDisconnect(error) ? 'disconnected' : 'error';
      if (this.ending !== 'aborted') failure = { error };
    }
    try {
      if (failure?.error instanceof Error) chat.onError?.(failure.error);
    } catch (error) {
      thrown = { error };
    }
    try {
      this.#end(failure);
      chat.onFinish?.({
        message: this.#message(),
        messages: [...this.#ports.projection.messages],
        isAbort: this.ending === 'aborted',
        isDisconnect: this.ending === 'disconnected',
        isError: failure !== undefined,
        finishReason: this.finishReason,
      });
    } catch (error) {
      thrown = { error };
    } finally {
      this.#finish();
    }
    if (thrown) throw thrown.error;
  }

  async #read(stream: ChunkStream): Promise<void> {
    const { signal } = this.#controller;
    // Read the callbacks once per reply, as the AI SDK does: a replaced callback applies from the next reply on.
    const { onToolCall, onData } = this.#ports.chat;
    const reader = stream.getReader();
    const cancel = (): void => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted || !this.#isCurrent) return;
        const chunk = (typeof value === 'object' && value !== null ? value : {}) as Chunk;
        const pending = this.#validate(chunk);
        if (pending) await abortable(pending, signal);
        if (onData && isDataType(chunk.type)) onData(value);
        this.#receive(value, chunk);
        if (onToolCall && this.#isNewCall(chunk)) await this.#callBack(() => onToolCall({ toolCall: value }));
        if (signal.aborted) return;
      }
    } catch (error) {
      cancel();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      reader.releaseLock();
    }
  }

  #receive(value: unknown, chunk: Chunk): void {
    if (chunk.type === 'start' && typeof chunk.messageId === 'string') this.#startedId = chunk.messageId;
    if (chunk.type === 'finish' && typeof chunk.finishReason === 'string') this.finishReason = chunk.finishReason;
    const { gate, ids } = this.#ports;
    if (!this.#hasChunks && this.#isAnotherReply(chunk)) this.#about = {};
    this.#hasChunks = true;
    ids.reserving(this.#responseId, () => gate.receive(value, this.#about));
    if (chunk.type === 'error') throw new Error(String(chunk.errorText));
  }

  /**
   * Whether a reconnected stream is not a replay of the last message, because its first chunk names a new one. A page
   * that was loaded before the user's last message was stored has only the reply before it.
   */
  #isAnotherReply({ type, messageId }: Chunk): boolean {
    const { about, continues } = this.#opening;
    if (about.reconnect === undefined || continues !== undefined) return false;
    const { messages, undelivered } = this.#ports.gate.getSnapshot();
    const isNew = type === 'start' && typeof messageId === 'string' && messages.every(({ id }) => id !== messageId);
    return isNew && messages.at(-1)?.role === 'assistant' && undelivered.length === 0;
  }

  /** Whether the chunk completed a new call for `onToolCall`. */
  #isNewCall({ type, toolCallId, providerExecuted }: Chunk): boolean {
    return type === 'tool-input-available' && !providerExecuted && this.#toolCalls.isNew(toolCallId);
  }

  async #callBack(callback: () => unknown): Promise<void> {
    this.isCallingBack = true;
    try {
      await abortable(Promise.resolve(callback()), this.#controller.signal);
    } finally {
      this.isCallingBack = false;
    }
  }

  #validate(chunk: Chunk): Promise<void> | undefined {
    const { chat } = this.#ports;
    if (chunk.messageMetadata != null && chat.messageMetadataSchema != null) {
      const merged = mergeMetadata(this.#shownMessage()?.metadata, chunk.messageMetadata);
      return check(
        chat.messageMetadataSchema,
        merged,
        `message.metadata (id: "${this.#startedId ?? this.#responseId}")`,
      );
    }
    if (!isDataType(chunk.type) || chat.dataPartSchemas === undefined) return undefined;
    // Versions before 7.0.173, which lack `queueEnabled`, look up schemas by the whole type.
    const key = 'queueEnabled' in chat ? chunk.type.slice('data-'.length) : chunk.type;
    const schema = Object.hasOwn(chat.dataPartSchemas, key) ? chat.dataPartSchemas[key] : undefined;
    return schema == null ? undefined : check(schema, chunk.data, `${chunk.type} (id: "${String(chunk.id)}")`);
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    const { gate, projection } = this.#ports;
    const about = this.#about;
    const ended = this.ending === 'finished' && this.#isAtStepLimit() ? 'step-limit' : this.ending!;
    const status = this.#isSuperseded ? 'disconnected' : ended;
    const error = failure && (failure.error instanceof Error ? failure.error.message : String(failure.error));
    projection.close(failure);
    if (!this.#isCurrent) return projection.publish();
    try {
      const { requestId } = about;
      if (requestId && !this.#hasBegun) gate.markFailed(requestId, error ?? 'stopped before it was sent');
      else if (requestId && failure && !this.#isSent) gate.markFailed(requestId, error ?? '');
      else gate.streamEnded({ status, ...(error === undefined ? {} : { error }) }, about);
    } catch (crash) {
      projection.close({ error: crash });
    }
    projection.publish();
  }

  /** Whether the gate still has the state of this request, and has not adopted another tab's. */
  get #isCurrent(): boolean {
    return internalsOf(this.#ports.gate)?.generation === this.#generation;
  }

  /**
   * Whether the server stopped at a step limit: the model called tools and all have results, but no further step
   * follows.
   */
  #isAtStepLimit(): boolean {
    if (this.finishReason !== 'tool-calls') return false;
    const calls = callsOfStep(this.#ports.gate.getSnapshot());
    return calls.length > 0 && calls.every(({ outcome }) => outcome?.kind === 'executed' || outcome?.kind === 'failed');
  }

  /** The reply's message in the gate's view. */
  #shownMessage(): GateMessage | undefined {
    const { messages } = this.#ports.gate.getSnapshot();
    for (const id of [this.#startedId, this.#opening.continues, this.#responseId]) {
      const found = id === undefined ? undefined : messages.findLast((message) => message.id === id);
      if (found?.role === 'assistant') return found;
    }
    return undefined;
  }

  /** The message for `onFinish`. As in the AI SDK, an empty placeholder if the reply has no content. */
  #message(): GateMessage {
    const id = this.#startedId ?? this.#responseId;
    return this.#shownMessage() ?? { id, metadata: undefined, role: 'assistant', parts: [] };
  }
}

/** Cancels a stream that is not needed. Accepts any value and ignores errors. */
export function discard(stream: ChunkStream | null): void {
  Promise.resolve(stream)
    .then((found) => found?.cancel())
    .catch(() => {});
}

function isDataType(type: unknown): type is `data-${string}` {
  return typeof type === 'string' && type.startsWith('data-');
}

function isAbort(error: unknown): boolean {
  return error instanceof AbortedError || (error as { name?: unknown } | null)?.name === 'AbortError';
}

/** Whether an error is a network error of a browser or Node. */
function isDisconnect(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const message = error.message.toLowerCase();
  return message.includes('fetch') || message.includes('network') || message === 'load failed';
}
