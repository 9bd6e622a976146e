/**
 * One lane of a stream: what the wire itself uses to tell apart the calls whose inputs arrive at the same time, such as
 * an index or a call id. Lanes are open side by side, in any order. Each has one call at a time.
 */

/** Additional fields of a chunk. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields that all chunks of a call have: its id, its name and additional ones. */
export type CallHead = Fields & { readonly toolCallId: string; readonly toolName: string };

/** The call of an open lane. */
interface LaneCall {
  /** The id as the wire gave it; undefined if it gave none. */
  readonly wireId: string | undefined;
  readonly head: CallHead;
  /** The input if no text follows. */
  readonly initial: unknown;
  text: string;
}

/** What a lane needs of its writer. */
export interface LaneWriter {
  /**
   * Begins a call, and returns its head. Its id is unique in the step, unless the lane's key is the id. Throws for a
   * call without a name.
   */
  begin(key: unknown, wireId: string | undefined, toolName: string, more: Fields | undefined): CallHead;
  /** Emits a piece of a call's input. */
  piece(head: CallHead, text: string): void;
  /** Emits a call with its complete input. */
  complete(head: CallHead, input: unknown, more: Fields | undefined): void;
  /** Emits a call whose input is not valid JSON. */
  invalid(head: CallHead, text: string, more: Fields | undefined): void;
  /** Reports an event about a lane that is not open. */
  malformed(): void;
}

/** One lane: `ReplyWriter.lane` returns it. */
export class Lane {
  readonly #key: unknown;
  readonly #writer: LaneWriter;
  #call: LaneCall | undefined;
  /** Whether an event for the closed lane was reported. */
  #isReported = false;

  /** @internal */
  constructor(key: unknown, writer: LaneWriter) {
    this.#key = key;
    this.#writer = writer;
  }

  /** The id of the open call, as the gate shows it; undefined if no call is open. */
  get id(): string | undefined {
    return this.#call?.head.toolCallId;
  }

  /** Whether a call is open. */
  get isOpen(): boolean {
    return this.#call !== undefined;
  }

  /** Whether the input of the open call is a complete JSON object so far. */
  get isWhole(): boolean {
    const text = this.#call?.text.trim();
    return text?.startsWith('{') === true && parsed(text) !== undefined;
  }

  /**
   * Begins a call whose input follows, and returns its id. The same call again changes nothing; a call with another id
   * or name ends the open one. `initial`: the complete input, if no text follows. Throws for a call without a name.
   */
  start(id: string | null | undefined, toolName: string | null | undefined, more?: Fields, initial?: unknown): string {
    const call = this.#call;
    if (call && (!id || id === call.wireId) && (!toolName || toolName === call.head.toolName))
      return call.head.toolCallId;
    this.end();
    const wireId = id || undefined;
    const head = this.#writer.begin(this.#key, wireId, toolName as string, more);
    this.#call = { wireId, head, initial, text: '' };
    this.#isReported = false;
    return head.toolCallId;
  }

  /** Adds to the JSON text of the open call's input. Reports a malformed event, once, if no call is open. */
  delta(text: string | null | undefined): void {
    const call = this.#call;
    if (text === undefined || text === null || text === '') return;
    if (typeof text !== 'string') return this.#writer.malformed();
    if (!call) {
      if (!this.#isReported) this.#writer.malformed();
      this.#isReported = true;
      return;
    }
    call.text += text;
    this.#writer.piece(call.head, text);
  }

  /**
   * Completes the open call's input: with `input`, or else with the parsed text. A call that has neither stays
   * incomplete, which the gate shows as interrupted: an input is never invented. Does nothing if no call is open.
   */
  end(input?: unknown, more?: Fields): void {
    const call = this.#call;
    if (!call) return;
    this.#call = undefined;
    const { head, text, initial } = call;
    const value = input === undefined ? (text.trim() ? parsed(text) : initial) : input;
    if (value !== undefined) this.#writer.complete(head, value, more);
    else if (text.trim()) this.#writer.invalid(head, text, more);
  }
}

/** Parses JSON; returns undefined for text that is not valid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
