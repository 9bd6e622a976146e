/**
 * Writes a reply as AI SDK chunks, in the order in which `streamText` sends them, whatever the backend leaves out.
 *
 * It opens the message, the step, texts and inputs when their content arrives, keeps the text of an input until it is
 * whole, and closes what is open at the end.
 *
 * **Only content opens a reply.** Text, reasoning, a tool's input, files and custom content are content (`content`
 * and the methods over it), and so is the backend's own statement that a reply begins (`startReply`). Everything else
 * is emitted as it is (`emit`): results and denials, approval requests and responses about known calls, data parts,
 * metadata, endings. So nothing that a backend sends between two replies opens a message that never ends.
 */
import { textOf } from './history.js';
import type { ReplyChunk, StreamContext } from '../../types/protocol-definition.js';
import type { Data } from './codec.js';

/** Fields that a chunk has beside its own. */
type Fields = Readonly<Record<string, unknown>>;

/** Stands for a piece that could not be read: the core reports it as a malformed event. */
const MALFORMED = undefined;

/** An input that grows. */
interface Growing {
  /** The call's id, its name and what is special about it. */
  readonly head: Data;
  text: string;
}

/** How a reply ended that was cut off, in the AI SDK's words: the message says so in its metadata. */
const CUT = /^(length|content-filter|step-limit)$/;

/** Throws for a call without an id or a name: it must leave no trace in a reader. @internal */
export function demandCall(toolCallId: unknown, toolName: unknown): void {
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string')
    throw new TypeError('a call without an id or a name');
}

/**
 * Writes one stream as AI SDK chunks: opens the message, the step, texts and inputs when their content arrives, and
 * closes what is open at the end.
 */
export class ReplyWriter {
  readonly #emit: StreamContext['emit'];
  /** How far: 1 the message has begun, 2 its step too. */
  #begun = 0;
  /** Texts that are open: the id, and their kind. */
  readonly #open = new Map<string, string>();
  /** Inputs that grow, by the call's id. An id that comes again completes the call that has it. */
  readonly #inputs = new Map<string, Growing>();

  readonly #calls: StreamContext['calls'];

  /** Takes what `createReader` is given. `calls` is for `confirmDecision` only. */
  constructor({ emit, calls = () => [] }: Pick<StreamContext, 'emit'> & Partial<Pick<StreamContext, 'calls'>>) {
    this.#emit = emit;
    this.#calls = calls;
  }

  /**
   * Opens the message, where the backend says that a reply begins. One with an id is recognized when it is replayed.
   */
  startReply(messageMetadata?: unknown, messageId?: string): void {
    if (this.#begun) return;
    this.#begun = 1;
    this.#emit({
      type: 'start',
      ...(messageId && { messageId }),
      ...(messageMetadata ? { messageMetadata } : undefined),
    });
  }

  /** Emits a chunk of content, such as a file. Opens the message and the step. */
  content(chunk: ReplyChunk): void {
    this.startReply();
    if (this.#begun === 1) this.#emit({ type: 'start-step' });
    this.#begun = 2;
    this.#emit(chunk);
  }

  /** Emits a chunk that is not content: about a known call, or about the chat. Opens nothing. */
  emit(chunk: ReplyChunk): void {
    this.#emit(chunk);
  }

  /**
   * Calls `read` for each item of a list. An item for which it throws is reported as malformed, and the others are
   * read.
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
   * Adds to a text, or with `kind: 'reasoning'` to reasoning. The id is the reader's own. `more` is for the chunk
   * that opens it.
   */
  textDelta(id: string, delta: string | null | undefined, kind = 'text', more?: Fields): void {
    if (!this.#open.has(id)) this.content({ type: `${kind}-start`, id, ...more });
    this.#open.set(id, kind);
    if (delta) this.content({ type: `${kind}-delta`, id, delta });
  }

  /** Closes the text with this id, those whose ids match, or all. */
  endText(which?: string | ((id: string) => boolean), providerMetadata?: unknown): void {
    for (const [open, kind] of this.#open) {
      if (which !== undefined && (typeof which === 'string' ? which !== open : !which(open))) continue;
      this.#open.delete(open);
      this.content({ type: `${kind}-end`, id: open, ...(providerMetadata ? { providerMetadata } : undefined) });
    }
  }

  /** Whether a text or an input with this id is open. */
  isOpen(id: string): boolean {
    return this.#open.has(id) || this.#inputs.has(id);
  }

  /** Begins a call whose input follows. Throws for one without an id or a name. */
  startCall(toolCallId: string, toolName: string, more?: Fields): void {
    demandCall(toolCallId, toolName);
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

  /** The text of an input so far; empty for one that is not open. */
  inputText(toolCallId: string): string {
    return this.#inputs.get(toolCallId)?.text ?? '';
  }

  /** Completes a call's input: with this one, or with its text, parsed. Without an id, every open input. */
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
          errorText: 'The input of the call is not valid JSON.',
        });
      }
      this.content(chunk);
    }
  }

  /** Emits a call whose input is complete. Throws for one without an id or a name. */
  toolCall(toolCallId: string, toolName: string, input: unknown, more?: Fields): void {
    demandCall(toolCallId, toolName);
    this.content({ type: 'tool-input-available', toolCallId, toolName, ...more, input });
  }

  /** Emits the result of a call, or with `failed` its error text. The call may be of an earlier step or reply. */
  toolResult(toolCallId: string, value: unknown, failed: boolean, more?: Fields): void {
    const result = failed
      ? { type: 'tool-output-error', errorText: value }
      : { type: 'tool-output-available', output: value };
    this.#emit({ ...result, toolCallId, ...more });
  }

  /**
   * For backends that report a denied call as an ordinary result. Returns true if the call was denied or cancelled
   * here: then the denial is confirmed, and what arrived is not a result.
   */
  confirmDecision(toolCallId: string): boolean {
    const call = this.#calls().findLast((one) => one.toolCallId === toolCallId);
    if (call?.approval?.approved === false) this.#emit({ type: 'tool-output-denied', toolCallId });
    return call?.outcome !== undefined;
  }

  /** Ends the step: what follows belongs to another. Closes texts and inputs. */
  endStep(): void {
    this.endText();
    this.endInput();
    if (this.#begun < 2) return;
    this.#emit({ type: 'finish-step' });
    this.#begun = 1;
  }

  /**
   * Ends the reply. `finishReason`: one of the AI SDK's; `step-limit` for a backend that stopped at a limit of steps.
   */
  endReply(finishReason?: string): void {
    this.endStep();
    const cut = this.#begun > 0 && finishReason !== undefined && CUT.test(finishReason);
    this.#emit({
      type: 'finish',
      ...(finishReason && { finishReason }),
      ...(cut && { messageMetadata: { finishReason } }),
    });
    this.#begun = 0;
  }

  /**
   * Notes in the message's metadata that the model was cut off, for backends whose end of the reply does not say it.
   */
  cutOff(finishReason: string | undefined): void {
    if (this.#begun && finishReason !== undefined && CUT.test(finishReason))
      this.#emit({ type: 'message-metadata', messageMetadata: { finishReason } });
  }

  /** Ends the reply with an error. What is half-written stays so. `finishReason`: as for `endReply`. */
  failReply(error: unknown, finishReason?: string): void {
    this.#open.clear();
    this.#inputs.clear();
    this.#emit({
      type: 'error',
      errorText: textOf(error) || 'The backend reported an error without a message.',
      ...(finishReason && { finishReason }),
    });
    this.#begun = 0;
  }
}
