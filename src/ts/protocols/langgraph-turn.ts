/**
 * The calls of the turn while a run of LangGraph is read: those that are shown, and those that the event at work brings.
 *
 * LangGraph names calls by ids that may come again, in another message or in one. So a call is known by its message and its place
 * there; calls of one message that share an id get ids of their own here.
 */
import type { Data } from './shared/codec.js';
import { demandCall } from './shared/reply-writer.js';
import { textOf } from './shared/history.js';
import { unusedId } from './shared/call-ids.js';

/** A call of this run. */
export interface Made {
  readonly message: unknown;
  /** The id that the backend gave it. */
  readonly wire: string;
  /** The id it has here. */
  readonly id: string;
  readonly name: string;
  input: Data;
}

/** A call of the turn. */
export interface Known {
  readonly id: string;
  readonly wire: string;
  readonly name: string;
  readonly input: Data;
  readonly approval: Data;
  readonly made: Made | undefined;
  /** It has its result, or will have none. */
  isOver: boolean;
  /** It was closed here, by a denial or a cancellation, and the backend has not reported on it. */
  isClosed: boolean;
}

const isSame = (call: Known, name: unknown, input: Data): boolean =>
  call.name === name && textOf(call.input) === textOf(input);

/** The calls of the turn. */
export class Turn {
  readonly #shown: () => readonly Data[];
  readonly #made: Made[] = [];
  #now: Known[] | undefined;

  constructor(shown: () => readonly Data[]) {
    this.#shown = shown;
  }

  /** Another event is read: what is shown has changed. */
  next(): void {
    this.#now = undefined;
  }

  /** All calls, in order. */
  get calls(): readonly Known[] {
    return (this.#now ??= this.#look());
  }

  /** A call of a message begins. */
  add(message: unknown, wire: string, name: string, input?: Data): Made {
    demandCall(wire, name);
    const taken = new Set(this.of(message).map(({ id }) => id));
    const made = { message, wire, id: unusedId(wire, taken), name, input };
    void this.calls;
    this.#made.push(made);
    this.#now?.push({ ...made, made, approval: undefined, isOver: false, isClosed: false });
    return made;
  }

  /** The calls that a message has had in this run. */
  of(message: unknown): readonly Made[] {
    return this.#made.filter((made) => made.message === message);
  }

  /** Whether a call of an earlier run is shown that this one repeats: it waits for its result, or it is the same in name and input. */
  isShown({ id, name, args }: Data): boolean {
    return this.calls.some((call) => call.wire === id && !call.made && (!call.isOver || isSame(call, name, args)));
  }

  /** Whether there is a call with this id, name and input. */
  has(use: Data): boolean {
    return this.calls.some((call) => call.wire === use?.id && isSame(call, use.name, use.args));
  }

  /** The call that a result is about: of the newest message that has one with this id and no result, the first. */
  unanswered(wire: string): Known | undefined {
    const open = this.calls.filter((call) => call.wire === wire && !call.isOver);
    return open.find(({ made }) => made?.message === open.at(-1)?.made?.message);
  }

  #look(): Known[] {
    const shown: Data[] = [...this.#shown()];
    const made = new Map<Data, Made>();
    // Calls of one id are the newest ones with it, in their order.
    const left = [...shown];
    for (const one of [...this.#made].reverse()) {
      const at = left.findLastIndex(({ toolCallId }) => toolCallId === one.id);
      if (at >= 0) made.set(left.splice(at, 1)[0], one);
    }
    return shown.map((part) => {
      const { toolCallId: id, toolName: name, input, approval, outcome } = part;
      const isOver = outcome !== undefined;
      const isClosed = isOver && !/^(executed|failed)$/.test(outcome.kind);
      return { id, wire: made.get(part)?.wire ?? id, name, input, approval, made: made.get(part), isOver, isClosed };
    });
  }
}
