/**
 * A stream on its way into the core: AI SDK chunks in an order that the core takes, whatever the protocol leaves out.
 *
 * It opens the message, the step, texts and inputs when they are first spoken of, keeps the text of an input until it is
 * whole, and closes what is open at the end.
 */
import type { Data, Emit } from './codec.js';

/** One stream. */
export class Flow {
  readonly #emit: Emit;
  /** How far: 1 the message has begun, 2 its step too. */
  #begun = 0;
  /** Texts that are open: the id, and their kind. */
  readonly #open = new Map<string, string>();
  /** Inputs that grow: the call's id, its name and what is special about it, and the text so far. */
  readonly #inputs = new Map<string, [head: Data, text: string]>();

  readonly #calls: () => readonly Data[];

  /** `calls`: see `Codec.reader`. */
  constructor(emit: Emit, calls: () => readonly Data[] = () => []) {
    this.#emit = emit;
    this.#calls = calls;
  }

  /** The reply has begun. A message that has an id is known again when it is told once more. */
  begin(messageMetadata?: Data, messageId?: string): void {
    if (this.#begun) return;
    this.#begun = 1;
    this.#emit({ type: 'start', ...(messageId && { messageId }), ...(messageMetadata && { messageMetadata }) });
  }

  /** Hands on a chunk that belongs to a step. */
  put(chunk: Data): void {
    this.begin();
    if (this.#begun === 1) this.#emit({ type: 'start-step' });
    this.#begun = 2;
    this.#emit(chunk);
  }

  /** More of a text. `more` goes into what opens it. */
  say(id: string, delta: Data, kind = 'text', more?: Data): void {
    if (!this.#open.has(id)) this.put({ type: `${kind}-start`, id, ...more });
    this.#open.set(id, kind);
    if (delta) this.put({ type: `${kind}-delta`, id, delta });
  }

  /** The end of a text, or of all. */
  hush(id?: string, providerMetadata?: Data): void {
    for (const [open, kind] of this.#open) {
      if (id !== undefined && id !== open) continue;
      this.#open.delete(open);
      this.put({ type: `${kind}-end`, id: open, ...(providerMetadata && { providerMetadata }) });
    }
  }

  /** Whether a text is open, or an input grows. */
  has(id: string): boolean {
    return this.#open.has(id) || this.#inputs.has(id);
  }

  /** A call whose input follows. */
  call(toolCallId: string, toolName: string, more?: Data): void {
    const head = { toolCallId, toolName, ...more };
    this.#inputs.set(toolCallId, [head, '']);
    this.put({ type: 'tool-input-start', ...head });
  }

  /** More of a call's input. */
  grow(toolCallId: string, inputTextDelta: string): void {
    const input = this.#inputs.get(toolCallId);
    if (!input || !inputTextDelta) return;
    input[1] += inputTextDelta;
    this.put({ type: 'tool-input-delta', toolCallId, inputTextDelta });
  }

  /** A call is whole: with this input, or with what has grown. Without an id, every call that grows. */
  called(toolCallId?: string, input?: Data, more?: Data): void {
    for (const [id, [head, text]] of this.#inputs) {
      if (toolCallId !== undefined && toolCallId !== id) continue;
      this.#inputs.delete(id);
      const chunk = { type: 'tool-input-available', ...head, ...more, input };
      try {
        if (input === undefined) chunk.input = text ? JSON.parse(text) : {};
      } catch {
        Object.assign(chunk, { type: 'tool-input-error', input: text, errorText: 'The input of the call is no JSON.' });
      }
      this.put(chunk);
    }
  }

  /** A call that arrives whole. */
  whole(toolCallId: string, toolName: string, input: Data, more?: Data): void {
    this.put({ type: 'tool-input-available', toolCallId, toolName, ...more, input });
  }

  /** The result of a call, which may be one of an earlier step. */
  result(toolCallId: string, value: Data, failed: boolean, more?: Data): void {
    this.begin();
    const result = failed ? { type: 'tool-output-error', errorText: value } : { type: 'tool-output-available', output: value };
    this.#emit({ ...result, toolCallId, ...more });
  }

  /** What the backend made of a decision, told as if it were a result. True if the call is settled here: then it is no result. */
  refused(toolCallId: string): boolean {
    const call = this.#calls().find((one) => one.toolCallId === toolCallId);
    this.begin();
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

  /** The reply is complete. */
  end(finishReason?: string): void {
    this.begin();
    this.step();
    this.#emit({ type: 'finish', ...(finishReason && { finishReason }) });
    this.#begun = 0;
  }

  /** The reply ended in an error. */
  fail(errorText: Data): void {
    this.begin();
    this.#emit({ type: 'error', errorText: String(errorText) });
  }
}
