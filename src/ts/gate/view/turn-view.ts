/**
 * Reads what the view shows besides messages and lists, and makes the view of the turn.
 */
import { ENDING, TURN_STATUS, WAITS_ON } from '../../../../target/bindgen/enums.js';
import type { Core } from '../../../../target/bindgen/toolgate.js';
import { NONE } from '../../types/empty-list.js';
import type { GatePart, TurnEnding, TurnView, WaitingFor } from '../../types/index.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { next, nextIds, nextNumbers, nextPart } from '../../wasm/records.js';
import { sameItems } from './kept-items.js';
import type { PendingOfViews } from './pending-list.js';
import { waitingFor } from './waiting-for.js';

const LISTED: ReadonlySet<string> = new Set(['tool', 'retry', 'cancel', 'host']);

/** The bits of `waiting` for the entries that list calls or items: such a list can change while the bit stays. */
const HAS_LIST = WAITS_ON.reduce((bits, kind, at) => bits | (LISTED.has(kind) ? 1 << at : 0), 0);

const ENDINGS: readonly (TurnEnding | undefined)[] = [undefined, ...ENDING];

/** The record that `look` of the core writes. */
export class Look {
  messageCount = 0;
  listsRevision = 0;
  undecided = 0;
  decided = 0;
  status = 0;
  turnStatus = 0;
  ending = 0;
  waiting = 0;
  stepStart = 0;
  runnable: readonly string[] = NONE;
  /** Pairs of a message's index, and 1 if the message is new or 0 if its head or its number of parts changed. */
  messages: readonly number[] = NONE;
  /** Pairs of a message's index and a part's, of the parts that changed. */
  places: readonly number[] = NONE;
  parts: readonly GatePart[] = NONE;

  /** Reads the record that `look` of the core wrote. */
  readonly read = (): void => {
    this.messageCount = next();
    this.listsRevision = next();
    this.undecided = next();
    this.decided = next();
    this.status = next();
    this.turnStatus = next();
    this.ending = next();
    this.waiting = next();
    this.stepStart = next();
    this.runnable = nextIds();
    // New arrays: clearing one would free its memory, and its first new item would allocate more than is needed.
    this.messages = nextNumbers();
    this.places = this.parts = NONE;
    let message = next();
    if (message === 0) return;
    const places = [message - 1, next()];
    const parts = [nextPart()];
    while ((message = next()) > 0) {
      places.push(message - 1, next());
      parts.push(nextPart());
    }
    this.places = places;
    this.parts = parts;
  };
}

/** Makes the views of a gate's turn. */
export class TurnViews {
  #turn: TurnView | undefined;

  /** The view of the turn: the same object if nothing in it has changed. */
  of(core: Core, host: HandleTable, now: Look, pending: PendingOfViews): TurnView {
    const status = TURN_STATUS[now.turnStatus] as TurnView['status'];
    const ending = ENDINGS[now.ending];
    const { undecided, decided, stepStart, runnable } = now;
    const waitingFor = waitingForOf(core, host, now.waiting, pending);
    const old = this.#turn;
    const isSame =
      old?.status === status &&
      old.ending === ending &&
      old.undecided === undecided &&
      old.decided === decided &&
      old.waitingFor === waitingFor &&
      old.stepStart === stepStart &&
      sameItems(old.runnable, runnable);
    if (isSame) return old;
    // Not a literal, for the reason in `withParts`: `waitingFor` refers to all messages.
    const turn = {} as { -readonly [K in keyof TurnView]: TurnView[K] };
    turn.status = status;
    if (ending) turn.ending = ending;
    turn.undecided = undecided;
    turn.decided = decided;
    turn.waitingFor = waitingFor;
    turn.stepStart = stepStart;
    turn.runnable = runnable;
    return (this.#turn = turn);
  }
}

function waitingForOf(core: Core, host: HandleTable, bits: number, pending: PendingOfViews): readonly WaitingFor[] {
  if (pending.waitingFor && pending.waitingBits === bits && (bits & HAS_LIST) === 0) return pending.waitingFor;
  pending.waitingFor = waitingFor(core, host, bits, pending);
  pending.waitingBits = bits;
  return pending.waitingFor;
}
