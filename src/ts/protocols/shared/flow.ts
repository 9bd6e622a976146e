/**
 * A stream on its way into the core: AI SDK chunks in an order that the core takes, whatever the protocol leaves out.
 *
 * It opens the message, the step, texts and inputs when their content arrives, keeps the text of an input until it is whole,
 * and closes what is open at the end.
 *
 * **Only content opens a reply.** Text, reasoning, a tool's input, files and custom content are content (`put` and the methods
 * over it), and so is the backend's own word that a reply begins (`begin`). Everything else goes through bare (`pass`): results and
 * denials, approval requests and responses about known calls, data parts, metadata, endings. So nothing that a backend sends
 * between two replies opens a message that nobody would end.
 */
import { textOf } from './history.js';
import type { Data, Emit } from './codec.js';

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

/** Throws for a call without an id or a name: it must leave no trace in a reader. */
export function demandCall(toolCallId: unknown, toolName: unknown): void {
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string')
    throw new TypeError('a call without an id or a name');
}

/** One stream. */
export class Flow {
  readonly #emit: Emit;
  /** How far: 1 the message has begun, 2 its step too. */
  #begun = 0;
  /** Texts that are open: the id, and their kind. */
  readonly #open = new Map<string, string>();
  /** Inputs that grow, by the call's id. An id that comes again completes the call that has it. */
  readonly #inputs = new Map<string, Growing>();

  readonly #calls: () => readonly Data[];

  /** `calls`: see `Codec.reader`. */
  constructor(emit: Emit, calls: () => readonly Data[] = () => []) {
    this.#emit = emit;
    this.#calls = calls;
  }

  /** The backend says that a reply begins. A message that has an id is recognized when it is replayed. */
  begin(messageMetadata?: Data, messageId?: string): void {
    if (this.#begun) return;
    this.#begun = 1;
    this.#emit({ type: 'start', ...(messageId && { messageId }), ...(messageMetadata && { messageMetadata }) });
  }

  /** Emits a chunk that is content of a step. Opens the message and the step. */
  put(chunk: Data): void {
    this.begin();
    if (this.#begun === 1) this.#emit({ type: 'start-step' });
    this.#begun = 2;
    this.#emit(chunk);
  }

  /** Emits a chunk that is no content: about a known call, or about the chat. Opens nothing. */
  pass(chunk: Data): void {
    this.#emit(chunk);
  }

  /** Reads each item of a list by itself: one that cannot be read is reported as malformed, and the others are read. */
  each(list: Data, read: (item: Data, place: number) => void): void {
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

  /** More of a text. `more` goes into the chunk that opens it. */
  say(id: string, delta: Data, kind = 'text', more?: Data): void {
    if (!this.#open.has(id)) this.put({ type: `${kind}-start`, id, ...more });
    this.#open.set(id, kind);
    if (delta) this.put({ type: `${kind}-delta`, id, delta });
  }

  /** The end of a text, of those whose ids match, or of all. */
  hush(which?: string | ((id: string) => boolean), providerMetadata?: Data): void {
    for (const [open, kind] of this.#open) {
      if (which !== undefined && (typeof which === 'string' ? which !== open : !which(open))) continue;
      this.#open.delete(open);
      this.put({ type: `${kind}-end`, id: open, ...(providerMetadata && { providerMetadata }) });
    }
  }

  /** Whether a text is open, or an input grows. */
  has(id: string): boolean {
    return this.#open.has(id) || this.#inputs.has(id);
  }

  /** A call whose input follows. Throws for one without an id or a name. */
  call(toolCallId: string, toolName: string, more?: Data): void {
    demandCall(toolCallId, toolName);
    if (this.#inputs.has(toolCallId)) this.called(toolCallId);
    const head = { toolCallId, toolName, ...more };
    this.#inputs.set(toolCallId, { head, text: '' });
    this.put({ type: 'tool-input-start', ...head });
  }

  /** More of a call's input. */
  grow(toolCallId: string, inputTextDelta: Data): void {
    const input = this.#inputs.get(toolCallId);
    if (!input || !inputTextDelta) return;
    if (typeof inputTextDelta !== 'string') return this.#emit(MALFORMED);
    input.text += inputTextDelta;
    this.put({ type: 'tool-input-delta', toolCallId, inputTextDelta });
  }

  /** The text of an input so far; empty for one that does not grow. */
  grownOf(toolCallId: string): string {
    return this.#inputs.get(toolCallId)?.text ?? '';
  }

  /** A call is whole: with this input, or with what has grown. Without an id, every call that grows. */
  called(toolCallId?: string, input?: Data, more?: Data): void {
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
      this.put(chunk);
    }
  }

  /** A call that arrives whole. Throws for one without an id or a name. */
  whole(toolCallId: string, toolName: string, input: Data, more?: Data): void {
    demandCall(toolCallId, toolName);
    this.put({ type: 'tool-input-available', toolCallId, toolName, ...more, input });
  }

  /** The result of a call, which may be one of an earlier step or reply. */
  result(toolCallId: string, value: Data, failed: boolean, more?: Data): void {
    const result = failed
      ? { type: 'tool-output-error', errorText: value }
      : { type: 'tool-output-available', output: value };
    this.#emit({ ...result, toolCallId, ...more });
  }

  /**
   * How the backend reports a decision, where it does so by an ordinary result. True if the call is settled here: then it is not a
   * result, but the confirmation of a denial or of a cancelled answer.
   */
  refused(toolCallId: string): boolean {
    const call = this.#calls().findLast((one) => one.toolCallId === toolCallId);
    if (call?.approval?.approved === false) this.#emit({ type: 'tool-output-denied', toolCallId });
    return call?.outcome !== undefined;
  }

  /** The step is complete: what follows belongs to another. */
  step(): void {
    this.hush();
    this.called();
    if (this.#begun < 2) return;
    this.#emit({ type: 'finish-step' });
    this.#begun = 1;
  }

  /** The reply is complete. `finishReason`: in the AI SDK's words; `step-limit` for a backend that stopped by a limit of steps. */
  end(finishReason?: string): void {
    this.step();
    const cut = this.#begun > 0 && finishReason !== undefined && CUT.test(finishReason);
    this.#emit({
      type: 'finish',
      ...(finishReason && { finishReason }),
      ...(cut && { messageMetadata: { finishReason } }),
    });
    this.#begun = 0;
  }

  /** The model was cut off, where the backend does not say how the reply ends: the message says so in its metadata. */
  cut(finishReason: string | undefined): void {
    if (this.#begun && finishReason !== undefined && CUT.test(finishReason))
      this.#emit({ type: 'message-metadata', messageMetadata: { finishReason } });
  }

  /** The reply ended in an error. What was half-written stays so. `finishReason`: as for `end`. */
  fail(error: Data, finishReason?: string): void {
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
