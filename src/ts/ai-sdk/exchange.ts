/**
 * One request and its reply: sends or reconnects, feeds every chunk to the gate, calls the chat's callbacks in the
 * AI SDK's order, and tells the gate how it ended.
 *
 * The order, for each reply: a data part's `onData` before the part can be seen; `onToolCall` after the call can be
 * seen, and awaited; at the end `onError` while the chat still shows the request, then the status, then `onFinish`.
 * Which request may leave, and when, is not decided here.
 */
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import { isToolPart } from '../types/tool-part.js';
import type { ReplyTo, GateMessage, StreamEnd } from '../types/index.js';
import { abortable, AbortedError } from './abortable.js';
import type { ChatProjection } from './chat-projection.js';
import type { IdSource } from './id-source.js';
import type { ChatInternals, ChunkStream } from './chat-internals.js';
import { check, mergeMetadata } from './message-schemas.js';
import type { ToolCalls } from './tool-calls.js';

/** What an exchange works with. */
export interface Ports {
  readonly chat: ChatInternals;
  readonly gate: ToolGate;
  readonly projection: ChatProjection;
  readonly ids: IdSource;
  /** The header that carries an item's key; none if the app switched it off. */
  readonly keyHeader: string | undefined;
}

/** How to begin an exchange. */
export interface Opening {
  /** The outgoing item that it sends, or how it was reconnected to. */
  readonly about: ReplyTo;
  /** The message that the reply is to go on with, if it is known. */
  readonly continues?: string | undefined;
  /**
   * Sends, or hands over the stream that was reconnected to. Called once, at once. It calls `sends` before the transport is
   * asked: what ends the exchange before that has sent nothing.
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

/** A request, from `open` to `onFinish`. */
export class Exchange {
  /** Resolves when everything is over, whatever happened. */
  readonly done: Promise<void>;
  /** Whether a callback of the app is being awaited: nothing it awaits may wait for this exchange. */
  isCallingBack = false;
  /** How it ended; absent while it runs. */
  ending: StreamEnd['status'] | undefined;
  /** Why the model stopped, as the reply says. */
  finishReason: string | undefined;

  readonly #ports: Ports;
  readonly #opening: Opening;
  readonly #controller = new AbortController();
  readonly #toolCalls: ToolCalls;
  /** Which state of the gate it belongs to. */
  readonly #generation: number | undefined;
  #responseId = '';
  #startedId: string | undefined;
  /** The transport was asked. */
  #hasBegun = false;
  #isSent = false;
  #isSuperseded = false;
  #finish!: () => void;

  /** `toolCalls`: the calls that `onToolCall` was called for, in all exchanges. */
  constructor(ports: Ports, opening: Opening, toolCalls: ToolCalls) {
    this.#ports = ports;
    this.#opening = opening;
    this.#toolCalls = toolCalls;
    this.#generation = internalsOf(ports.gate)?.generation;
    this.done = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Stops it. `isSuperseded`: not the user did, but another exchange that reads the same reply. */
  abort(isSuperseded = false): void {
    this.#isSuperseded ||= isSuperseded;
    this.#controller.abort();
  }

  /** Runs it to its end. Rejects only with what `onError` or `onFinish` threw. */
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
    // As the chat does, for the whole reply: a callback that is replaced meanwhile counts from the next one on.
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
    ids.reserving(this.#responseId, () => gate.receive(value, this.#opening.about));
    if (chunk.type === 'error') throw new Error(String(chunk.errorText));
  }

  /** Whether the chunk brought a call of the page's: one that `onToolCall` was not called for. */
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
    // Until 7.0.173, which is also the first with `queueEnabled`, the chat looked schemas up by the whole type.
    const key = 'queueEnabled' in chat ? chunk.type.slice('data-'.length) : chunk.type;
    const schema = Object.hasOwn(chat.dataPartSchemas, key) ? chat.dataPartSchemas[key] : undefined;
    return schema == null ? undefined : check(schema, chunk.data, `${chunk.type} (id: "${String(chunk.id)}")`);
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    const { gate, projection } = this.#ports;
    const { about } = this.#opening;
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

  /** Whether the gate still has the state that the request came from, and not another tab's. */
  get #isCurrent(): boolean {
    return internalsOf(this.#ports.gate)?.generation === this.#generation;
  }

  /** The model called tools, every one has its result, and the server has not shown them to it: it stopped at a limit. */
  #isAtStepLimit(): boolean {
    if (this.finishReason !== 'tool-calls') return false;
    const parts = this.#shownMessage()?.parts ?? [];
    const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1);
    const calls = step.filter(isToolPart);
    return calls.length > 0 && calls.every(({ outcome }) => outcome?.kind === 'executed' || outcome?.kind === 'failed');
  }

  /** The reply's message as it stands in the chat. */
  #shownMessage(): GateMessage | undefined {
    const { messages } = this.#ports.gate.getSnapshot();
    for (const id of [this.#startedId, this.#opening.continues, this.#responseId]) {
      const found = id === undefined ? undefined : messages.findLast((message) => message.id === id);
      if (found?.role === 'assistant') return found;
    }
    return undefined;
  }

  /** What `onFinish` is told: like the chat's own, a placeholder if the reply wrote nothing. */
  #message(): GateMessage {
    const id = this.#startedId ?? this.#responseId;
    return this.#shownMessage() ?? { id, metadata: undefined, role: 'assistant', parts: [] };
  }
}

/** Cancels a stream that nobody reads: whatever a transport returned, nothing comes of it. */
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

/** Network errors as the browsers and Node word them. */
function isDisconnect(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  const message = error.message.toLowerCase();
  return message.includes('fetch') || message.includes('network') || message === 'load failed';
}
