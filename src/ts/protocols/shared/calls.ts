/**
 * The calls of a history while it is read. A call's id may repeat, in a later step or within one. A request, response
 * or result that names such an id belongs to a call that does not have one yet.
 */
import type { Call } from './codec.js';
import { unusedId } from './call-ids.js';

/** A part of a call that may be missing. */
type Piece = 'request' | 'response' | 'result';

/** A call and the number of its step. */
interface CallPlace {
  readonly call: Call;
  readonly step: number;
}

/** The calls so far, in order. */
export class Calls {
  readonly #all: CallPlace[] = [];
  /** Calls by the ids that requests and results use. */
  readonly #byId = new Map<string, CallPlace[]>();
  /** The ids of the calls of the current step. */
  readonly #taken = new Set<string>();
  #step = 0;

  /** The number of calls. */
  get size(): number {
    return this.#all.length;
  }

  /** Begins a step: calls that are added from now on belong to it. */
  nextStep(): void {
    this.#step++;
    this.#taken.clear();
  }

  /** Adds a call. If its id is taken in the step, the call, and an approval that has the same id, get another id. */
  addDistinct(call: Call, answeredAs = call.toolCallId): void {
    const { toolCallId: id, request } = call;
    call.toolCallId = unusedId(id, this.#taken);
    if (call.toolCallId !== id && request?.['approvalId'] === id)
      call.request = { ...request, approvalId: call.toolCallId };
    this.add(call, answeredAs);
  }

  /** Adds a call to the current step. */
  add(call: Call, answeredAs = call.toolCallId): void {
    const place = { call, step: this.#step };
    const same = this.#byId.get(answeredAs);
    if (same) same.push(place);
    else this.#byId.set(answeredAs, [place]);
    this.#all.push(place);
  }

  /** Returns the newest call with this id. */
  get(id: string): Call | undefined {
    return this.#byId.get(id)?.at(-1)?.call;
  }

  /** Whether the current step has a call with this id. */
  isInStep(id: string): boolean {
    return this.#taken.has(id);
  }

  /** Returns the call that an approval request with this id belongs to: the newest one without a request. */
  withoutRequest(id: string): Call | undefined {
    return this.#byId.get(id)?.findLast(({ call }) => !call.request)?.call;
  }

  /**
   * Returns the call that a result with this id belongs to: the first without one, in the newest step that has such a
   * call.
   */
  withoutResult(id: string): Call | undefined {
    return firstMissing(this.#byId.get(id) ?? [], 'result');
  }

  /**
   * Returns the call that a response, or a result without an id, belongs to: the first matching call without one, in
   * the newest step that has such a call.
   */
  firstWithout(piece: Piece, is: (call: Call) => boolean): Call | undefined {
    return firstMissing(this.#all, piece, is);
  }

  /** Returns the newest call that matches. */
  findLast(is: (call: Call) => boolean): Call | undefined {
    return this.#all.findLast(({ call }) => is(call))?.call;
  }
}

/** Returns the first call without this piece, in the newest step that has such a call. */
function firstMissing(
  places: readonly CallPlace[],
  piece: Piece,
  is: (call: Call) => boolean = () => true,
): Call | undefined {
  let found: CallPlace | undefined;
  for (let at = places.length - 1; at >= 0; at--) {
    const place = places[at] as CallPlace;
    if (found && place.step !== found.step) break;
    if (!place.call[piece] && is(place.call)) found = place;
  }
  return found?.call;
}
