/**
 * The calls of a history that is being read. A call's id may come again, in a later step or within one; then what is found
 * apart from its call (a request, a response, a result) belongs to the one that lacks it.
 */
import type { Call } from './codec.js';
import { unusedId } from './call-ids.js';

/** What a call may lack. */
type Piece = 'request' | 'response' | 'result';

/** A call, and the number of its step. */
interface CallPlace {
  readonly call: Call;
  readonly step: number;
}

/** The calls so far, in order. */
export class Calls {
  readonly #all: CallPlace[] = [];
  /** By the ids under which requests and results come. */
  readonly #byId = new Map<string, CallPlace[]>();
  /** The ids of the calls of the present step. */
  readonly #taken = new Set<string>();
  #step = 0;

  /** How many there are. */
  get size(): number {
    return this.#all.length;
  }

  /** The calls that follow belong to another step. */
  nextStep(): void {
    this.#step++;
    this.#taken.clear();
  }

  /** As `add`; but if its id is taken in the step, the call gets another one, and its own approval with it. */
  addDistinct(call: Call, answeredAs = call.toolCallId): void {
    const { toolCallId: id, request } = call;
    call.toolCallId = unusedId(id, this.#taken);
    if (call.toolCallId !== id && request?.['approvalId'] === id)
      call.request = { ...request, approvalId: call.toolCallId };
    this.add(call, answeredAs);
  }

  /** Adds a call of the present step. */
  add(call: Call, answeredAs = call.toolCallId): void {
    const place = { call, step: this.#step };
    const same = this.#byId.get(answeredAs);
    if (same) same.push(place);
    else this.#byId.set(answeredAs, [place]);
    this.#all.push(place);
  }

  /** The newest call with this id. */
  get(id: string): Call | undefined {
    return this.#byId.get(id)?.at(-1)?.call;
  }

  /** The call that a request with this id is about: the newest without one. */
  unasked(id: string): Call | undefined {
    return this.#byId.get(id)?.findLast(({ call }) => !call.request)?.call;
  }

  /** The call that a result with this id is about: of the newest step that has one without a result, the first. */
  unanswered(id: string): Call | undefined {
    return first(this.#byId.get(id) ?? [], 'result');
  }

  /** The call that a response, or a result without an id, is about: of the newest step that has one for it, the first. */
  lacking(piece: Piece, is: (call: Call) => boolean): Call | undefined {
    return first(this.#all, piece, is);
  }

  /** The newest call for which this is true. */
  findLast(is: (call: Call) => boolean): Call | undefined {
    return this.#all.findLast(({ call }) => is(call))?.call;
  }
}

/** Of the newest step that has a call without this piece, the first. */
function first(places: readonly CallPlace[], piece: Piece, is: (call: Call) => boolean = () => true): Call | undefined {
  let found: CallPlace | undefined;
  for (let at = places.length - 1; at >= 0; at--) {
    const place = places[at] as CallPlace;
    if (found && place.step !== found.step) break;
    if (!place.call[piece] && is(place.call)) found = place;
  }
  return found?.call;
}
