/**
 * The calls of the turn while a LangGraph run is read: the calls that are shown, and those of the current event.
 *
 * LangGraph's call ids may repeat, in another message or within one. So a call is identified by its message and its
 * index there, and calls of one message that share an id get new ids in this client.
 */
import type { StreamContext } from '../shared/codec.js';
import { assertCall } from '../shared/reply-writer.js';
import { textOf } from '../shared/history.js';
import { isStandIn } from '../shared/stand-ins.js';
import { unusedId } from '../shared/call-ids.js';
import type { Needed } from './decision.js';
import type { Use } from './message.js';

/** A call as the gate shows it, and its approval. */
type ShownCall = ReturnType<StreamContext['calls']>[number];
type Approval = { readonly id: string; readonly approved?: boolean; readonly langgraph?: Needed };

/** A call of this run. */
export interface StreamedCall {
  readonly message: unknown;
  /** The id from the backend. */
  readonly wire: string;
  /** The id in this client. */
  readonly id: string;
  readonly name: string;
  input: unknown;
}

/** A call of the turn. */
export interface TurnCall {
  readonly id: string;
  readonly wire: string;
  readonly name: string;
  readonly input: unknown;
  readonly approval: Approval | undefined;
  readonly streamed: StreamedCall | undefined;
  /** Whether the call has its result or will never get one. */
  isOver: boolean;
  /** Whether the call was closed in this client, by a denial or a cancellation, without a report of the backend. */
  isClosed: boolean;
}

const isSame = (call: TurnCall, name: unknown, input: unknown): boolean =>
  call.name === name && textOf(call.input) === textOf(input);

/** The calls of the turn. */
export class TurnCalls {
  readonly #shown: () => readonly ShownCall[];
  readonly #streamed: StreamedCall[] = [];
  #cached: TurnCall[] | undefined;

  constructor(shown: () => readonly ShownCall[]) {
    this.#shown = shown;
  }

  /** Drops the cached calls, because the messages that are shown may have changed. */
  refresh(): void {
    this.#cached = undefined;
  }

  /** All calls of the turn, in order. */
  get calls(): readonly TurnCall[] {
    return (this.#cached ??= this.#collect());
  }

  /** Adds a call of a message. */
  add(message: unknown, wire: string | undefined, name: string | undefined, input?: unknown): StreamedCall {
    assertCall(wire, name);
    const taken = new Set(this.of(message).map(({ id }) => id));
    const streamed = { message, wire, id: unusedId(wire, taken), name: name as string, input };
    void this.calls;
    this.#streamed.push(streamed);
    this.#cached?.push({ ...streamed, streamed, approval: undefined, isOver: false, isClosed: false });
    return streamed;
  }

  /** Returns the calls of a message that this run has sent. */
  of(message: unknown): readonly StreamedCall[] {
    return this.#streamed.filter((streamed) => streamed.message === message);
  }

  /** Whether an earlier run sent this call: a call with its id that has no result yet, or the same name and input. */
  isShown({ id, name, args }: Use): boolean {
    return this.calls.some((call) => call.wire === id && !call.streamed && (!call.isOver || isSame(call, name, args)));
  }

  /** Whether there is a call with this id, name and input. */
  has(use: Use): boolean {
    return this.calls.some((call) => call.wire === use?.id && isSame(call, use.name, use.args));
  }

  /** Returns the call for a result: the first open call with this id, in the newest message that has such a call. */
  withoutResult(wire: string | undefined): TurnCall | undefined {
    const open = this.calls.filter((call) => call.wire === wire && !call.isOver);
    return open.find(({ streamed }) => streamed?.message === open.at(-1)?.streamed?.message);
  }

  #collect(): TurnCall[] {
    const shown = this.#shown().filter((call) => !isStandIn(call));
    const streamed = new Map<unknown, StreamedCall>();
    // This run's calls are the newest ones with their id, in the same order.
    const left = [...shown];
    for (const one of [...this.#streamed].reverse()) {
      const at = left.findLastIndex(({ toolCallId }) => toolCallId === one.id);
      if (at >= 0) streamed.set(left.splice(at, 1)[0], one);
    }
    return shown.map((part) => {
      const { toolCallId: id, toolName: name, input, approval, outcome } = part;
      const isOver = outcome !== undefined;
      const isClosed = isOver && !/^(executed|failed)$/.test(outcome.kind);
      return {
        id,
        wire: streamed.get(part)?.wire ?? id,
        name,
        input,
        approval,
        streamed: streamed.get(part),
        isOver,
        isClosed,
      };
    });
  }
}
