/**
 * Derives the view of a gate from the core. An unchanged message or part is the same object as before.
 *
 * The core records which messages and parts changed; only those are read again, when the view is next read. Messages
 * are cached in three forms: those of the view, of a request's body, and of the model. The core has all rules.
 */
import { ENDING, STATUS, TURN_STATUS, WAITS_ON } from '../../../target/bindgen/enums.js';
import type { Core } from '../../../target/bindgen/toolgate.js';
import { freeze } from '../json/freeze.js';
import { lazyProperty } from '../json/lazy-property.js';
import type { HandleTable } from '../wasm/handle-table.js';
import { equal } from '../json/safe-reading.js';
import { isToolPart } from '../types/tool-part.js';
import type {
  GateMessage,
  GatePart,
  GateStatus,
  GateView,
  PendingApproval,
  RememberedDecision,
  TurnEnding,
  TurnView,
  Undelivered,
  WaitingFor,
} from '../types/index.js';
import { pendingApproval } from './pending-approval.js';
import { waitingFor as waitingForOf } from './waiting-for.js';
import { next, nextIds, nextList, nextMessage, nextPart, readRecord } from '../wasm/records.js';

const LISTED: ReadonlySet<string> = new Set(['tool', 'retry', 'cancel', 'host']);

/** The bits of `waiting` for the entries that list calls or items: such a list can change while the bit stays. */
const HAS_LIST = WAITS_ON.reduce((bits, kind, at) => bits | (LISTED.has(kind) ? 1 << at : 0), 0);

const ENDINGS: readonly (TurnEnding | undefined)[] = [undefined, ...ENDING];

/** In the core's list of changes: 1 is a new message, and 2 plus its index is a part. */
const NEW = 1;
const FIRST = 2;

const entries = new WeakMap<object, PendingApproval>();

/** The lists of the view other than messages, and a check that depends on the protocol. */
export interface ViewLists {
  /** The items that need the user. */
  undelivered(): readonly Undelivered[];
  /** The remembered decisions. */
  remembered(): readonly RememberedDecision[];
  /** Whether a decision about this approval can carry an edited input. */
  isEditable(approval: object): boolean;
}

const NONE: readonly never[] = Object.freeze([]);

/** With more changes at once than this, the list of pending approvals is made again. */
const MAX_PENDING_CHANGES = 8;

/** Entries made from the first `ends.length` messages of the transcript. `ends` has the end of each message's. */
interface Entries<T = unknown> {
  readonly list: T[];
  readonly ends: number[];
}

/** What `look` of the core writes. */
class Look {
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
  /** Pairs of a message's index and a change. */
  readonly changes: number[] = [];

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
    this.changes.length = 0;
    for (let left = next(); left > 0; left--) this.changes.push(next());
  };
}

/** The pending approvals of all views since a call last changed. */
interface SharedPending {
  /** The list; undefined until it is read. */
  list?: readonly PendingApproval[];
  /** Who must act, in the newest of these views. */
  waitingFor?: { readonly bits: number; readonly list: readonly WaitingFor[] };
}

/** The messages of a gate in their three forms. */
export class Projection {
  #core: Core;
  #host: HandleTable;
  /** The messages of the previous core, until they have been compared with those of the present one. */
  #previous: readonly GateMessage[] = [];
  #messages: GateMessage[] = [];
  readonly #lists: ViewLists;
  #queued: readonly GateMessage[] = NONE;
  #undelivered: readonly Undelivered[] = NONE;
  #remembered: readonly RememberedDecision[] = NONE;
  #listsRevision = -1;
  /** The messages of a request's body, by index. A hole must be built again. */
  #bodies: (GateMessage | undefined)[] = [];
  /** The same messages as a request has them. */
  readonly #sent: Entries<GateMessage> = { list: [], ends: [] };
  readonly #model: Entries = { list: [], ends: [] };
  /** Whether a view shows the list of messages, which is copied before it changes. */
  #isListShown = false;
  /** The messages that no view shows: copies, which may change. */
  readonly #unshown = new Set<number>();
  /** The last list of pending approvals. */
  #pending: readonly PendingApproval[] = NONE;
  #sharedPending: SharedPending = {};
  /** How often the list was changed since the last view. */
  #pendingChanges = 0;
  readonly #look = new Look();
  #turn: TurnView | undefined;
  /** Reads the pending approvals of the last view. */
  #readPending: (() => unknown) | undefined;
  #isOver = false;

  constructor(core: Core, host: HandleTable, lists: ViewLists) {
    this.#core = core;
    this.#host = host;
    this.#lists = lists;
  }

  /** Switches to another core. Messages and lists with equal content stay the same objects. */
  switchTo(core: Core, host: HandleTable): void {
    this.#core = core;
    this.#host = host;
    // If the core is replaced twice between two views, the messages of the last view are still compared.
    if (this.#messages.length > 0) this.#previous = this.#messages;
    this.#listsRevision = -1;
    this.clear();
  }

  /** Drops all caches, because the transcript was replaced. */
  clear(): void {
    this.#messages = [];
    this.#isListShown = false;
    this.#unshown.clear();
    this.#sharedPending = {};
    this.#bodies = [];
    cut(this.#sent, 0);
    cut(this.#model, 0);
  }

  /**
   * Completes the last view before its core is freed. With `isOver` no other core follows: the lists of earlier views
   * that have not been read are empty then.
   */
  settle(isOver = false): void {
    try {
      this.#readPending?.();
    } finally {
      this.#isOver = isOver;
    }
  }

  /** Returns the present view. */
  view(revision: number): GateView {
    const now = this.#sync();
    this.#syncLists(now.listsRevision);
    const messages = this.#messages;
    // The next change copies what this view shows.
    this.#isListShown = true;
    this.#unshown.clear();
    this.#pendingChanges = 0;
    if (now.undecided === 0 && this.#sharedPending.list?.length !== 0)
      this.#sharedPending = { list: this.#keepList(NONE) };
    const shared = this.#sharedPending;
    // A view may outlive the core that it was read from.
    const list = (): readonly PendingApproval[] =>
      (shared.list ??= this.#keepList(this.#isOver ? NONE : this.#pendingOf(messages)));
    const view: Omit<GateView, 'pending'> & { pending?: readonly PendingApproval[] } = {
      revision,
      status: STATUS[now.status] as GateStatus,
      messages,
      queued: this.#queued,
      undelivered: this.#undelivered,
      remembered: this.#remembered,
      turn: this.#turnOf(now, shared, list),
    };
    this.#readPending = shared.list ? undefined : list;
    if (!shared.list) return lazyProperty(view, 'pending', list);
    view.pending = shared.list;
    return view as GateView;
  }

  /** Returns the last list of pending approvals if the given one has the same entries. */
  #keepList(now: readonly PendingApproval[]): readonly PendingApproval[] {
    return (this.#pending = sameItems(this.#pending, now) ? this.#pending : now);
  }

  /** The view of the turn: the same object if nothing in it has changed. */
  #turnOf(now: Look, shared: SharedPending, list: () => readonly PendingApproval[]): TurnView {
    const status = TURN_STATUS[now.turnStatus] as TurnView['status'];
    const ending = ENDINGS[now.ending];
    const { undecided, decided, stepStart, runnable } = now;
    const waitingFor = this.#waitingFor(now.waiting, shared, list);
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
    return (this.#turn = ending
      ? { status, ending, undecided, decided, waitingFor, stepStart, runnable }
      : { status, undecided, decided, waitingFor, stepStart, runnable });
  }

  #waitingFor(bits: number, shared: SharedPending, list: () => readonly PendingApproval[]): readonly WaitingFor[] {
    const known = shared.waitingFor;
    if (known?.bits === bits && (bits & HAS_LIST) === 0) return known.list;
    const waiting = waitingForOf(this.#core, this.#host, bits, list);
    shared.waitingFor = { bits, list: waiting };
    return waiting;
  }

  /** Returns the messages of a request's body. */
  bodies(): GateMessage[] {
    const { messageCount: count } = this.#sync();
    const { list, ends } = this.#sent;
    for (let index = ends.length; index < count; index++) {
      const message = (this.#bodies[index] ??= this.#read(this.#core.message(index, true, 0)));
      if (hasContent(message)) list.push(message);
      ends.push(list.length);
    }
    return list.slice();
  }

  /** Returns the history as the model reads it. */
  modelMessages(): unknown[] {
    const { messageCount: count } = this.#sync();
    const { list, ends } = this.#model;
    for (let index = ends.length; index < count; index++) {
      for (const message of this.#host.take(this.#core.model_messages(index)) as unknown[]) list.push(message);
      ends.push(list.length);
    }
    return list.slice();
  }

  /** Reads lists again that may have changed. A list with equal content stays the same object. */
  #syncLists(revision: number): void {
    const [core, lists] = [this.#core, this.#lists];
    const isSame = revision === this.#listsRevision;
    this.#listsRevision = revision;
    // The approvals of an item also depend on the calls.
    if (!isSame || this.#undelivered.length > 0) this.#undelivered = reuseEqual(this.#undelivered, lists.undelivered());
    if (isSame) return;
    const queued = readRecord(this.#host, core.queued(), () => nextList(nextMessage));
    this.#queued = reuseEqual(this.#queued, queued);
    this.#remembered = reuseEqual(this.#remembered, lists.remembered());
  }

  /** The approvals of the last message that the user can decide, in call order. */
  #pendingOf(messages: readonly GateMessage[]): readonly PendingApproval[] {
    const result: PendingApproval[] = [];
    for (const part of messages.at(-1)?.parts ?? []) {
      const entry = this.#entryOf(part);
      if (entry) result.push(entry);
    }
    return result;
  }

  /** The entry of a part whose approval the user can decide. */
  #entryOf(part: GatePart): PendingApproval | undefined {
    if (!isToolPart(part) || part.state !== 'approval-requested' || part.approval.isAutomatic) return undefined;
    let entry = entries.get(part);
    if (entry) return entry;
    const approval = this.#host.find(part.approval.id);
    // The approval belongs to an earlier state and is unknown to the present core.
    if (approval === undefined) return undefined;
    entry = pendingApproval(part, this.#core, approval, this.#lists.isEditable(part.approval));
    entries.set(part, entry);
    return entry;
  }

  /** Reads changed messages and parts again. Returns what else the view shows. */
  #sync(): Look {
    const now = this.#look;
    readRecord(this.#host, this.#core.look(), now.read);
    const { messageCount: count, changes } = now;
    const had = this.#messages.length;
    if (changes.length === 0 && count === had) return now;
    if (count !== had) this.#sharedPending = {};
    this.#copyShownList();
    if (count < had) this.#messages.length = count;
    if (this.#bodies.length > count) this.#bodies.length = count;
    cut(this.#sent, count);
    // The model messages of the last message depend on whether its last step can still run. A message was added or
    // removed, so they must be built again.
    cut(this.#model, count === had ? count : Math.max(0, Math.min(count, had) - 1));
    for (let i = 0; i < changes.length; i += 2) {
      const [message, change] = [changes[i] as number, changes[i + 1] as number];
      // After a switch to another core, every message is read as new.
      if (message >= count || (change >= FIRST && this.#previous.length > 0)) continue;
      this.#bodies[message] = undefined;
      cut(this.#sent, message);
      cut(this.#model, message);
      this.#refresh(message, change);
    }
    this.#previous = [];
    return now;
  }

  /** Copies the list of messages if a view shows it. */
  #copyShownList(): void {
    if (this.#isListShown) this.#messages = this.#messages.slice();
    this.#isListShown = false;
  }

  /** Reads a message or a part again. */
  #refresh(index: number, change: number): void {
    const core = this.#core;
    const old = this.#messages[index];
    if (change < FIRST || !old) {
      this.#sharedPending = {};
      // A follower reads changed messages anew, so parts with equal content stay the same objects.
      const previous = this.#previous[index] ?? (change === NEW ? old : undefined);
      const known = change === NEW || !old ? [] : old.parts.slice(0, core.part_count(index));
      const message = this.#read(core.message(index, false, known.length));
      for (const part of message.parts) freezeInput(part);
      if (known.length > 0) message.parts = [...known, ...message.parts];
      if (previous) message.parts = reuseEqual(previous.parts, message.parts);
      [this.#messages[index]] = reuseEqual(previous && [previous], [message]) as [GateMessage];
      this.#unshown.delete(index);
      return;
    }
    const part = change - FIRST;
    const before = old.parts[part];
    const place = core.part(index, part);
    // The part was removed since its change was noted.
    if (place === 0) return;
    const now = readRecord(this.#host, place, nextPart);
    freezeInput(now);
    if (!this.#unshown.has(index)) {
      this.#messages[index] = { ...old, parts: old.parts.slice() };
      this.#unshown.add(index);
    }
    (this.#messages[index] as GateMessage).parts[part] = now;
    if (!isToolPart(now)) return;
    const isInLast = index === this.#messages.length - 1;
    this.#sharedPending = isInLast ? this.#nextPending(before, now, part + 1 >= old.parts.length) : {};
  }

  /** The pending approvals after a part changed. Changes a list that was read instead of making it again. */
  #nextPending(before: GatePart | undefined, now: GatePart, isLast: boolean): SharedPending {
    const { list } = this.#sharedPending;
    if (!list || this.#pendingChanges++ >= MAX_PENDING_CHANGES) return {};
    const entry = this.#entryOf(now);
    const known = before && entries.get(before);
    const at = known ? list.indexOf(known) : -1;
    if (at < 0 && !entry) return this.#sharedPending;
    // A request of an earlier part: its place in the list is unknown.
    if (at < 0 && !isLast) return {};
    const next = list.slice();
    if (!entry) next.splice(at, 1);
    else if (at < 0) next.push(entry);
    else next[at] = entry;
    return { list: (this.#pending = next.length === 0 ? NONE : next) };
  }

  #read(place: number): GateMessage {
    return readRecord(this.#host, place, nextMessage);
  }
}

/** Freezes the complete input of an unsettled call, because the user decides about that input. */
function freezeInput(part: GatePart): void {
  if (isToolPart(part) && !part.outcome && part.state !== 'input-streaming') freeze(part.input);
}

/** Drops the entries of the transcript message at this index and of all after it. */
function cut({ list, ends }: Entries, from: number): void {
  if (ends.length <= from) return;
  ends.length = from;
  list.length = from ? (ends[from - 1] as number) : 0;
}

/** Whether a request may contain a message. Servers refuse assistant messages without content. */
export function hasContent({ role, parts }: GateMessage): boolean {
  return role !== 'assistant' || parts.some(({ type }) => type !== 'step-start');
}

/** Returns `now` with equal items taken from `before`, or `before` itself if all items are equal. */
function reuseEqual<LIST extends readonly unknown[]>(before: LIST | undefined, now: LIST): LIST;
function reuseEqual<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  if (before?.length === 0 && now.length === 0) return before;
  if (!before?.[0]) return now;
  const list = now.map((item, i) => (equal(before[i], item) ? (before[i] as T) : item));
  return equal(before, list) ? before : list;
}

/** Whether two lists have the same items (`===`). */
function sameItems(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && now.every((item, i) => item === before[i]);
}
