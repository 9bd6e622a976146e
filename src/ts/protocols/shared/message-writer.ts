/**
 * Writes the message of a reply as AI SDK chunks: message, steps, texts and endings, in the order in which `streamText`
 * sends them, even if the backend omits some.
 *
 * **Only content opens a reply.** Content is text, reasoning, a tool's input, a file or custom content (`content` and
 * the methods that use it), or a statement of the backend that a reply begins (`startReply`). All other chunks are
 * emitted unchanged (`emit`): results and denials, approval requests and responses for known calls, data parts,
 * metadata, endings. So nothing that a backend sends between two replies opens a message that never ends.
 */
import type { ReplyChunk, StreamContext } from '../../types/protocol-definition.js';
import { textOf } from './history.js';
import type { Fields } from './lane.js';

/** Emitted for a part that could not be read; the core reports it as a malformed event. */
export const MALFORMED = undefined;

/** The finish reasons of a truncated reply, which are also stored in the message's metadata. */
const TRUNCATED = /^(length|content-filter|step-limit)$/;

/** The part of `ReplyWriter` that writes messages, steps and texts. */
export class MessageWriter {
  readonly #emit: StreamContext['emit'];
  /** Progress: 1 after the message has begun, 2 after the step has begun. */
  #progress = 0;
  /** The kinds of the open texts, by id. */
  readonly #openTexts = new Map<string, string>();

  constructor(emit: StreamContext['emit']) {
    this.#emit = emit;
  }

  /**
   * Opens the message if the backend says that a reply begins. A message with an id is recognized when it is replayed.
   */
  startReply(messageMetadata?: unknown, messageId?: string): void {
    if (this.#progress) return;
    this.#progress = 1;
    this.emit({
      type: 'start',
      ...(messageId && { messageId }),
      ...(messageMetadata ? { messageMetadata } : undefined),
    });
  }

  /** Emits a chunk of content, such as a file. Opens the message and the step. */
  content(chunk: ReplyChunk): void {
    this.beforeContent(chunk);
    this.startReply();
    if (this.#progress === 1) this.emit({ type: 'start-step' });
    this.#progress = 2;
    this.emit(chunk);
  }

  /** Emits a chunk that is not content: about a known call, or about the chat. Opens nothing. */
  emit(chunk: ReplyChunk | undefined): void {
    this.#emit(chunk);
  }

  /**
   * Calls `read` for each item of a list. An item for which it throws is reported as malformed, and the remaining items
   * are read.
   */
  each<ITEM>(list: readonly ITEM[] | null | undefined, read: (item: ITEM, place: number) => unknown): void {
    if (list === undefined || list === null) return;
    if (!Array.isArray(list)) return this.emit(MALFORMED);
    (list as readonly ITEM[]).forEach((item, place) => {
      try {
        read(item, place);
      } catch {
        this.emit(MALFORMED);
      }
    });
  }

  /**
   * Adds to a text, or with `kind: 'reasoning'` to reasoning. The reader chooses the id. `more`: fields for the chunk
   * that opens the text.
   */
  textDelta(id: string | undefined, delta: string | null | undefined, kind = 'text', more?: Fields): void {
    if (!this.#openTexts.has(id as string)) this.content({ type: `${kind}-start`, id, ...more });
    this.#openTexts.set(id as string, kind);
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

  /** Whether a text with this id is open. */
  isOpen(id: string): boolean {
    return this.#openTexts.has(id);
  }

  /** Ends the step, and closes texts and lanes. Later content belongs to another step. */
  endStep(): void {
    this.endText();
    this.endInputs();
    this.forgetStep();
    if (this.#progress < 2) return;
    this.emit({ type: 'finish-step' });
    this.#progress = 1;
  }

  /** Ends the reply. `finishReason`: one of the AI SDK's, or `step-limit` if the backend stopped at its step limit. */
  endReply(finishReason?: string): void {
    this.endStep();
    const isTruncated = this.#progress > 0 && finishReason !== undefined && TRUNCATED.test(finishReason);
    this.emit({
      type: 'finish',
      ...(finishReason && { finishReason }),
      ...(isTruncated && { messageMetadata: { finishReason } }),
    });
    this.forgetCalls();
    this.#progress = 0;
  }

  /**
   * Stores in the message's metadata that the model's output was truncated, for backends whose end of a reply does not
   * report it.
   */
  cutOff(finishReason: string | undefined): void {
    if (this.#progress && finishReason !== undefined && TRUNCATED.test(finishReason))
      this.emit({ type: 'message-metadata', messageMetadata: { finishReason } });
  }

  /** Ends the reply with an error. Open texts and inputs stay incomplete. `finishReason`: as for `endReply`. */
  failReply(error: unknown, finishReason?: string): void {
    this.#openTexts.clear();
    this.forgetCalls();
    this.emit({
      type: 'error',
      errorText: textOf(error) || 'The backend failed.',
      ...(finishReason && { finishReason }),
    });
    this.#progress = 0;
  }

  /** Completes all inputs that are still streaming. */
  endInputs(): void {}

  /** Called before content is emitted. */
  protected beforeContent(_chunk: ReplyChunk): void {}

  /** Forgets which calls of the step are over. */
  protected forgetStep(): void {}

  /** Forgets the calls of the reply: an id that repeats in the next one belongs to another call. */
  protected forgetCalls(): void {}
}
