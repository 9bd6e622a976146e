/**
 * One request and its reply: sends or reconnects, passes every chunk to the gate, calls the chat's callbacks in the AI
 * SDK's order, and reports the end of the stream to the gate.
 *
 * The order for each reply: `onData` before its data part is visible; `onToolCall` after its call is visible; at the
 * end `onError` before the status changes, then the status, then `onFinish`.
 */
import { internalsOf } from '../../gate/internals.js';
import type { ToolGate } from '../../gate/tool-gate.js';
import { callsOfStep } from '../../types/tool-part.js';
import type { ReplyTo, GateMessage, StreamEnd } from '../../types/index.js';
import { abortable } from './abortable.js';
import type { ChatProjection, Reserving } from './chat-projection.js';
import type { ChatHost, ChunkStream } from '../chat-host.js';
import { check, mergeMetadata } from './message-schemas.js';
import { callTool, type ToolCalls } from './tool-calls.js';
import { say } from '../../types/say.js';

/** The objects of one guarded chat. */
export interface Ports {
  readonly chat: ChatHost;
  readonly gate: ToolGate;
  readonly projection: ChatProjection;
  readonly reserving: Reserving;
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

/** The fields of a chunk that are read here. */
type Chunk = {
  readonly [
    NAME in
      | 'type'
      | 'messageId'
      | 'messageMetadata'
      | 'finishReason'
      | 'errorText'
      | 'toolCallId'
      | 'providerExecuted'
      | 'data'
      | 'id'
  ]?: unknown;
};

/** One request, from `open` to `onFinish`. */
export class Exchange {
  /** Resolves when the exchange has ended, also after a failure. */
  readonly done: Promise<void>;
  /** How the exchange ended; undefined while it runs. */
  ending: StreamEnd['status'] | undefined;
  /** The finish reason of the reply. */
  finishReason: string | undefined;
  /** Whether the server stopped at a step limit. */
  isAtStepLimit = false;

  readonly #ports: Ports;
  readonly #opening: Opening;
  readonly #controller = new AbortController();
  readonly #toolCalls: ToolCalls;
  /** The generation of the gate's state when the exchange started. */
  readonly #generation: number | undefined;
  /** Which request the reply answers. */
  #about: ReplyTo;
  /** How far it is: the transport is not called yet, called, has returned a stream, or the stream has had a chunk. */
  #phase: 'opening' | 'called' | 'open' | 'reading' = 'opening';
  #responseId = '';
  #startedId: string | undefined;
  #isSuperseded = false;
  /** Whether the gate knows that the exchange has ended. */
  #isReported = false;
  /** The reply's message when another list of messages replaced it: the rest of the reply is not read. */
  #detached: GateMessage | undefined;
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

  /** Called before another list of messages is loaded: ends the reply, unless the list has its message. */
  detachFrom(messages: readonly unknown[]): void {
    const { messages: shown } = this.#ports.gate.getSnapshot();
    const id = (this.#shownMessage() ?? shown.at(-1))?.id;
    const has = messages.some((message) => (message as Partial<GateMessage> | null)?.id === id);
    if (has || this.#isReported || !this.#isCurrent) return;
    this.#detached = this.#message();
    this.abort(true);
    this.#report(undefined);
  }

  /** Runs the exchange to its end. Rejects only with errors of `onError` or `onFinish`. */
  async run(): Promise<void> {
    const { chat, gate } = this.#ports;
    const { signal } = this.#controller;
    let failure: { readonly error: unknown } | undefined;
    try {
      this.#responseId = chat.generateId();
      const called = (): void => void (this.#phase = 'called');
      const stream = await abortable(this.#opening.open(signal, called), signal, discard);
      if (!stream) throw new TypeError(say`The transport returned no stream.`);
      this.#phase = 'open';
      if (this.#opening.about.requestId && this.#isCurrent) gate.markSent(this.#opening.about.requestId);
      await this.#read(stream);
      this.ending = signal.aborted ? 'aborted' : 'finished';
    } catch (error) {
      this.ending = signal.aborted || isAbort(error) ? 'aborted' : isDisconnect(error) ? 'disconnected' : 'error';
      if (this.ending !== 'aborted') failure = { error };
    }
    try {
      if (failure?.error instanceof Error) chat.onError?.(failure.error);
    } finally {
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
      } finally {
        this.#finish();
      }
    }
  }

  async #read(stream: ChunkStream): Promise<void> {
    const { signal } = this.#controller;
    // Read the callbacks once per reply, as the AI SDK does: a replaced callback applies from the next reply on.
    const { chat } = this.#ports;
    const callbacks = { onToolCall: chat.onToolCall, onData: chat.onData };
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
        if (isDataType(chunk.type)) callbacks.onData?.(value);
        this.#receive(value, chunk);
        const isCall = chunk.type === 'tool-input-available' && !chunk.providerExecuted;
        if (callbacks.onToolCall && isCall && this.#toolCalls.isNew(chunk.toolCallId))
          void callTool(chat, callbacks, value);
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
    const { gate, reserving } = this.#ports;
    if (this.#phase === 'open' && this.#isAnotherReply(chunk)) this.#about = {};
    this.#phase = 'reading';
    reserving(this.#responseId, () => gate.receive(value, this.#about));
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
    const { projection } = this.#ports;
    projection.close(failure);
    try {
      if (this.#isCurrent) this.#report(failure);
    } catch (crash) {
      projection.close({ error: crash });
    }
    projection.publish();
  }

  /** Reports the end of the stream to the gate. */
  #report(failure: { readonly error: unknown } | undefined): void {
    const { gate } = this.#ports;
    const { requestId } = this.#about;
    this.#isReported = true;
    const error = failure && (failure.error instanceof Error ? failure.error.message : String(failure.error));
    if (requestId && (this.#phase === 'opening' || (failure && this.#phase === 'called'))) {
      gate.markFailed(requestId, error ?? 'stopped before it was sent');
    } else {
      this.isAtStepLimit = this.ending === 'finished' && this.#stoppedAtStepLimit();
      const ended = this.isAtStepLimit ? 'step-limit' : this.ending!;
      const status = this.#isSuperseded ? 'disconnected' : ended;
      gate.streamEnded({ status, ...(error === undefined ? {} : { error }) }, this.#about);
    }
  }

  /** Whether the gate still has the state of this request: neither another tab's nor another list of messages. */
  get #isCurrent(): boolean {
    return !this.#detached && internalsOf(this.#ports.gate)?.generation === this.#generation;
  }

  /**
   * Whether the server stopped at a step limit: the model called tools and all have results, but no further step
   * follows.
   */
  #stoppedAtStepLimit(): boolean {
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
    return this.#detached ?? this.#shownMessage() ?? { id, metadata: undefined, role: 'assistant', parts: [] };
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

/** Whether an error says that the wait for a reply was aborted. */
export function isAbort(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'AbortError';
}

/** Whether an error is a network error of a browser or Node. */
function isDisconnect(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const message = error.message.toLowerCase();
  return message.includes('fetch') || message.includes('network') || message === 'load failed';
}
