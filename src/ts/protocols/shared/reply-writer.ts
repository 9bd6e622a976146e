/**
 * Writes a reply as AI SDK chunks, in the order in which `streamText` sends them, even if the backend omits some.
 *
 * It opens the message, the step, texts and inputs when their content arrives, buffers the text of an input until it is
 * complete, and closes what is open at the end.
 *
 * **Only content opens a reply.** Content is text, reasoning, a tool's input, a file or custom content (`content` and
 * the methods that use it), or a statement of the backend that a reply begins (`startReply`). All other chunks are
 * emitted unchanged (`emit`): results and denials, approval requests and responses for known calls, data parts,
 * metadata, endings. So nothing that a backend sends between two replies opens a message that never ends.
 */
import { textOf } from './history.js';
import type { ReplyChunk, StreamContext } from '../../types/protocol-definition.js';
import type { Data } from './codec.js';

/** Additional fields of a chunk. */
type Fields = Readonly<Record<string, unknown>>;

/** Emitted for a part that could not be read; the core reports it as a malformed event. */
const MALFORMED = undefined;

/** An input that is still streaming. */
interface StreamingInput {
  /** The fields that all chunks of the call have: its id, its name and additional ones. */
  readonly head: Data;
  text: string;
}

/** The finish reasons of a truncated reply, which are also stored in the message's metadata. */
const TRUNCATED = /^(length|content-filter|step-limit)$/;

/** Throws for a call without an id or a name, before a reader stores anything about it. @internal */
export function assertCall(toolCallId: unknown, toolName: unknown): void {
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string')
    throw new TypeError('expected a call with an id and a name');
}

/**
 * Writes one stream as AI SDK chunks: opens the message, the step, texts and inputs when their content arrives, and
 * closes what is open at the end.
 */
export class ReplyWriter {
  readonly #emit: StreamContext['emit'];
  /** Progress: 1 after the message has begun, 2 after the step has begun. */
  #progress = 0;
  /** The kinds of the open texts, by id. */
  readonly #openTexts = new Map<string, string>();
  /** The inputs that are still streaming, by call id. A repeated id completes the call that has it. */
  readonly #inputs = new Map<string, StreamingInput>();

  readonly #calls: StreamContext['calls'];

  /** Accepts the context of `createReader`. `calls` is required for `confirmDecision` only. */
  constructor({ emit, calls = () => [] }: Pick<StreamContext, 'emit'> & Partial<Pick<StreamContext, 'calls'>>) {
    this.#emit = emit;
    this.#calls = calls;
  }

  /**
   * Opens the message if the backend says that a reply begins. A message with an id is recognized when it is replayed.
   */
  startReply(messageMetadata?: unknown, messageId?: string): void {
    if (this.#progress) return;
    this.#progress = 1;
    this.#emit({
      type: 'start',
      ...(messageId && { messageId }),
      ...(messageMetadata ? { messageMetadata } : undefined),
    });
  }

  /** Emits a chunk of content, such as a file. Opens the message and the step. */
  content(chunk: ReplyChunk): void {
    this.startReply();
    if (this.#progress === 1) this.#emit({ type: 'start-step' });
    this.#progress = 2;
    this.#emit(chunk);
  }

  /** Emits a chunk that is not content: about a known call, or about the chat. Opens nothing. */
  emit(chunk: ReplyChunk): void {
    this.#emit(chunk);
  }

  /**
   * Calls `read` for each item of a list. An item for which it throws is reported as malformed, and the remaining items
   * are read.
   */
  each<ITEM>(list: readonly ITEM[] | null | undefined, read: (item: ITEM, place: number) => unknown): void {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) return this.#emit(MALFORMED);
    list.forEach((item, place) => {
      try {
        read(item, place);
      } catch {
        this.#emit(MALFORMED);
      }
    });
  }

  /**
   * Adds to a text, or with `kind: 'reasoning'` to reasoning. The reader chooses the id. `more`: fields for the chunk
   * that opens the text.
   */
  textDelta(id: string, delta: string | null | undefined, kind = 'text', more?: Fields): void {
    if (!this.#openTexts.has(id)) this.content({ type: `${kind}-start`, id, ...more });
    this.#openTexts.set(id, kind);
    if (delta) this.content({ type: `${kind}-delta`, id, delta });
  }

  /** Closes the text with this id, the texts whose ids match, or all texts. */
  endText(which?: string | ((id: string) => boolean), providerMetadata?: unknown): void {
    for (const [open, kind] of this.#openTexts) {
      if (which !== undefined && (typeof which === 'string' ? which !== open : !which(open))) continue;
      this.#openTexts.delete(open);
      this.content({ type: `${kind}-end`, id: open, ...(providerMetadata ? { providerMetadata } : undefined) });
    }
  }

  /** Whether a text or an input with this id is open. */
  isOpen(id: string): boolean {
    return this.#openTexts.has(id) || this.#inputs.has(id);
  }

  /** Begins a call whose input follows. Throws for a call without an id or a name. */
  startCall(toolCallId: string, toolName: string, more?: Fields): void {
    assertCall(toolCallId, toolName);
    if (this.#inputs.has(toolCallId)) this.endInput(toolCallId);
    const head = { toolCallId, toolName, ...more };
    this.#inputs.set(toolCallId, { head, text: '' });
    this.content({ type: 'tool-input-start', ...head });
  }

  /** Adds to the JSON text of a call's input. */
  inputDelta(toolCallId: string, inputTextDelta: string | null | undefined): void {
    const input = this.#inputs.get(toolCallId);
    if (!input || !inputTextDelta) return;
    if (typeof inputTextDelta !== 'string') return this.#emit(MALFORMED);
    input.text += inputTextDelta;
    this.content({ type: 'tool-input-delta', toolCallId, inputTextDelta });
  }

  /** Returns the text of an input so far; an empty string for an input that is not open. */
  inputText(toolCallId: string): string {
    return this.#inputs.get(toolCallId)?.text ?? '';
  }

  /** Completes a call's input: with `input`, or with the parsed text. Without an id, completes all open inputs. */
  endInput(toolCallId?: string, input?: unknown, more?: Fields): void {
    for (const [id, { head, text }] of this.#inputs) {
      if (toolCallId !== undefined && toolCallId !== id) continue;
      this.#inputs.delete(id);
      const chunk = { type: 'tool-input-available', ...head, ...more, input };
      try {
        if (input === undefined) chunk.input = text ? JSON.parse(text) : {};
      } catch {
        Object.assign(chunk, {
          type: 'tool-input-error',
          input: text,
          errorText: 'Tool call input is not valid JSON.',
        });
      }
      this.content(chunk);
    }
  }

  /** Emits a call with a complete input. Throws for a call without an id or a name. */
  toolCall(toolCallId: string, toolName: string, input: unknown, more?: Fields): void {
    assertCall(toolCallId, toolName);
    this.content({ type: 'tool-input-available', toolCallId, toolName, ...more, input });
  }

  /** Emits the result of a call, or with `failed` its error text. The call may belong to an earlier step or reply. */
  toolResult(toolCallId: string, value: unknown, failed: boolean, more?: Fields): void {
    const result = failed
      ? { type: 'tool-output-error', errorText: value }
      : { type: 'tool-output-available', output: value };
    this.#emit({ ...result, toolCallId, ...more });
  }

  /**
   * For backends that report a denied call as an ordinary result. Returns true if the call has already settled, for
   * example because the user denied or cancelled it: then the backend's text must not be emitted as a result. If the
   * user denied the call, emits the backend's confirmation.
   */
  confirmDecision(toolCallId: string): boolean {
    const call = this.#calls().findLast((one) => one.toolCallId === toolCallId);
    if (call?.approval?.approved === false) this.#emit({ type: 'tool-output-denied', toolCallId });
    return call?.outcome !== undefined;
  }

  /** Ends the step, and closes texts and inputs. Later content belongs to another step. */
  endStep(): void {
    this.endText();
    this.endInput();
    if (this.#progress < 2) return;
    this.#emit({ type: 'finish-step' });
    this.#progress = 1;
  }

  /** Ends the reply. `finishReason`: one of the AI SDK's, or `step-limit` if the backend stopped at its step limit. */
  endReply(finishReason?: string): void {
    this.endStep();
    const isTruncated = this.#progress > 0 && finishReason !== undefined && TRUNCATED.test(finishReason);
    this.#emit({
      type: 'finish',
      ...(finishReason && { finishReason }),
      ...(isTruncated && { messageMetadata: { finishReason } }),
    });
    this.#progress = 0;
  }

  /**
   * Stores in the message's metadata that the model's output was truncated, for backends whose end of a reply does not
   * report it.
   */
  cutOff(finishReason: string | undefined): void {
    if (this.#progress && finishReason !== undefined && TRUNCATED.test(finishReason))
      this.#emit({ type: 'message-metadata', messageMetadata: { finishReason } });
  }

  /** Ends the reply with an error. Open texts and inputs stay incomplete. `finishReason`: as for `endReply`. */
  failReply(error: unknown, finishReason?: string): void {
    this.#openTexts.clear();
    this.#inputs.clear();
    this.#emit({
      type: 'error',
      errorText: textOf(error) || 'The backend reported an error without a message.',
      ...(finishReason && { finishReason }),
    });
    this.#progress = 0;
  }
}
