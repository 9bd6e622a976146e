/**
 * Derives the view of a gate from the core. An unchanged message or part is the same object as before.
 *
 * The core records which messages and parts changed; only those are read again. Messages are cached in several forms:
 * those of the view, of a request's body, of the model, and what protocols wrote. The core has all rules.
 */
import { STATUS } from '../../../../target/bindgen/enums.js';
import type { Core } from '../../../../target/bindgen/toolgate.js';
import { NONE } from '../../types/empty-list.js';
import { freeze } from '../../json/freeze.js';
import { lazyProperties } from '../../json/lazy-property.js';
import { equal } from '../../json/safe-reading.js';
import { isToolPart } from '../../types/tool-part.js';
import type {
  GateMessage,
  GatePart,
  GateStatus,
  GateView,
  PendingApproval,
  QueuedMessage,
  RememberedDecision,
  ToolPart,
  Undelivered,
} from '../../types/index.js';
import type { Entry } from '../../protocols/shared/codec.js';
import { modelMessagesOf } from '../../protocols/shared/model-messages.js';
import type { HandleTable } from '../../wasm/handle-table.js';
import { nextList, nextMessage, nextOptionalName, readRecord } from '../../wasm/records.js';
import { ChangedCalls } from './changed-calls.js';
import { GroupedList } from '../../json/grouped-list.js';
import { reuseEqual } from './kept-items.js';
import { MessageList, type Version } from './message-list.js';
import { PendingApprovals, type ApprovalRules, type PendingOfViews } from './pending-list.js';
import { Look, TurnViews } from './turn-view.js';

/** In the core's list of changes: a message that is new, or whose parts may all have changed. */
const NEW = 1;

/**
 * With at most this many messages and parts, a view gets its list of messages at once, which is copied before the next
 * change. That takes less time than a getter.
 */
const FEW = 64;

/** `call_place` of the core returns the index of a message times this, plus that of a part. */
const PARTS = 2 ** 24;

/** The lists of the view other than messages, and what approvals allow. */
export interface ViewLists extends ApprovalRules {
  /** The items that need the user. */
  undelivered(): readonly Undelivered[];
  /** The remembered decisions. */
  remembered(): readonly RememberedDecision[];
}

/** A view without the lists that are made when they are read. */
type Made = Omit<GateView, 'messages' | 'pending'> & { messages?: GateMessage[]; pending?: readonly PendingApproval[] };

const MESSAGES = ['messages'] as const;
const PENDING = ['pending'] as const;
const BOTH = ['messages', 'pending'] as const;

/** The lists of a view that are made when they are read. */
class LazyLists {
  readonly #version: Version;
  readonly #pending: PendingOfViews;

  /** Keeps Vue from wrapping it in a proxy, through which private fields cannot be read. */
  get __v_skip(): boolean {
    return true;
  }

  constructor(version: Version, pending: PendingOfViews) {
    this.#version = version;
    this.#pending = pending;
  }

  messages(): GateMessage[] {
    return this.#version.read();
  }

  pending(): readonly PendingApproval[] {
    return this.#pending.pending();
  }
}

/** The messages of a gate in their forms. */
export class Projection {
  /** The calls that have changed since listeners for single calls were notified. */
  readonly changed = new ChangedCalls();
  #core: Core;
  #host: HandleTable;
  readonly #messages = new MessageList();
  /** The messages of the previous core, until they have been compared with those of the present one. */
  #previous: readonly GateMessage[] = NONE;
  readonly #lists: ViewLists;
  #queued: readonly QueuedMessage[] = NONE;
  #undelivered: readonly Undelivered[] = NONE;
  #remembered: readonly RememberedDecision[] = NONE;
  #listsRevision = -1;
  /** The messages of a request: those that have content. */
  readonly #sent = new GroupedList<GateMessage>();
  /** The history that protocols write. */
  readonly #entries = new GroupedList<Entry>();
  /** The AI SDK's `ModelMessage`s. */
  readonly #model = new GroupedList<unknown>();
  readonly #pending: PendingApprovals;
  readonly #turns = new TurnViews();
  readonly #look = new Look();
  /** The core's revision at the last `sync`; undefined if the caches were dropped since. */
  #synced: number | undefined;

  constructor(core: Core, host: HandleTable, lists: ViewLists) {
    this.#core = core;
    this.#host = host;
    this.#lists = lists;
    this.#pending = new PendingApprovals(lists);
    this.#pending.switchTo(core, host);
  }

  /** Switches to another core. Messages and lists with equal content stay the same objects. */
  switchTo(core: Core, host: HandleTable): void {
    this.#core = core;
    this.#host = host;
    // If the core is replaced twice between two views, the messages of the last view are still compared.
    if (this.#messages.now.length > 0) this.#previous = this.#messages.now;
    this.#listsRevision = -1;
    this.#pending.switchTo(core, host);
    this.clear();
  }

  /** Drops all caches, because the transcript was replaced. */
  clear(): void {
    this.#synced = undefined;
    this.#messages.clear();
    this.#pending.clear();
    this.changed.addAll();
    this.#cut(0);
  }

  /**
   * Completes the last view before its core is freed. `isOver`: no other core follows. Lists of earlier views that have
   * not been read are then empty.
   */
  settle(isOver = false): void {
    try {
      this.#pending.settle();
    } finally {
      this.#pending.isOver = isOver;
    }
  }

  /** Returns the present view. */
  view(revision: number): GateView {
    const now = this.sync();
    this.#syncLists(now.listsRevision);
    const version = this.#messages.version();
    const pending = this.#pending.forView(version, now.undecided);
    const isSmall = now.messageCount <= FEW && (version.last()?.parts.length ?? 0) <= FEW;
    const messages = isSmall ? version.read() : version.list;
    const view: Made = {
      revision,
      status: STATUS[now.status] as GateStatus,
      queued: this.#queued,
      undelivered: this.#undelivered,
      remembered: this.#remembered,
      turn: this.#turns.of(this.#core, this.#host, now, pending),
    };
    return withLists(view, messages, pending.list, new LazyLists(version, pending));
  }

  /** The newest call with this id; undefined if there is none. */
  part(toolCallId: string): ToolPart | undefined {
    const place = this.#placeOf(toolCallId);
    const part = this.#messages.now[Math.floor(place / PARTS)]?.parts[place % PARTS];
    return part && isToolPart(part) ? part : undefined;
  }

  /** The approval of a call, or of the newest call with this id, if the user can decide it. */
  approval(call: string | ToolPart): PendingApproval | undefined {
    this.#syncChanged();
    const place = this.#placeOf(typeof call === 'string' ? call : call.toolCallId);
    const isInLast = Math.floor(place / PARTS) === this.#messages.now.length - 1;
    const part = isInLast ? this.#messages.now.at(-1)?.parts[place % PARTS] : undefined;
    return part && this.#pending.entryOf(part);
  }

  /** Returns the messages of a request's body. `to`: also those of the queue before this index. */
  bodies(to = 0): GateMessage[] {
    return this.#complete(this.#sent, to, (index) => sentMessage(this.#core, this.#host, index));
  }

  /** Returns the history as the model reads it. `to`: also the messages of the queue before this index. */
  entries(to = 0): Entry[] {
    return this.#complete(this.#entries, to, (index) => this.#entriesOf(index));
  }

  /** The place in `entries` of the first entry of a message. */
  entryOf(message: number): number {
    return this.#entries.startOf(message);
  }

  /** Returns the history as the AI SDK's `ModelMessage`s. */
  modelMessages(): unknown[] {
    return this.#complete(this.#model, 0, (index) => this.#entriesOf(index).flatMap(modelMessagesOf));
  }

  #entriesOf(index: number): Entry[] {
    return this.#host.take(this.#core.entries(index)) as Entry[];
  }

  /** Drops what was made of the message at this index, and of all after it. */
  #cut(index: number): void {
    for (const list of [this.#sent, this.#entries, this.#model]) list.cut(index);
  }

  /** Completes a list. The messages of the queue follow those of the transcript. */
  #complete<T>(list: GroupedList<T>, to: number, make: (index: number) => readonly T[]): T[] {
    const { messageCount } = this.sync();
    // The queue may have changed.
    list.cut(messageCount);
    return list.complete(Math.max(messageCount, to), make);
  }

  /** Reads changed messages and parts again. Returns what else the view shows. */
  sync(): Look {
    const now = this.#look;
    readRecord(this.#host, this.#core.look(), now.read);
    this.#synced = this.#core.revision;
    const { messageCount: count, messages, places, parts } = now;
    const had = this.#messages.now.length;
    if (messages.length === 0 && parts.length === 0 && count === had) return now;
    if (count !== had) this.#pending.clear();
    if (count < had) {
      this.changed.addAll();
      this.#messages.cut(count);
    }
    // The entries of the last message depend on whether its last step can still run. A message was added or removed, so
    // they must be built again.
    this.#cut(count === had ? count : Math.max(0, Math.min(count, had) - 1));
    for (let i = 0; i < messages.length; i += 2) this.#refresh(messages[i] as number, messages[i + 1] === NEW, count);
    // After a switch to another core, every message is read as new.
    for (let i = 0; i < parts.length && this.#previous.length === 0; i++)
      this.#refreshPart(places[2 * i] as number, places[2 * i + 1] as number, parts[i] as GatePart);
    this.#previous = NONE;
    return now;
  }

  /** Reads lists again that may have changed. A list with equal content stays the same object. */
  #syncLists(revision: number): void {
    const [core, lists] = [this.#core, this.#lists];
    const isSame = revision === this.#listsRevision;
    this.#listsRevision = revision;
    // The approvals of an item also depend on the calls.
    if (!isSame || this.#undelivered.length > 0) this.#undelivered = reuseEqual(this.#undelivered, lists.undelivered());
    if (isSame) return;
    const queued = readRecord(this.#host, core.queued(), () => nextList(nextQueuedMessage));
    this.#queued = reuseEqual(this.#queued, queued);
    this.#remembered = reuseEqual(this.#remembered, lists.remembered());
  }

  /** Reads a message again. */
  #refresh(index: number, isNew: boolean, count: number): void {
    if (index >= count) return;
    this.#cut(index);
    this.#pending.clear();
    const core = this.#core;
    const old = this.#messages.now[index];
    // A following tab reads changed messages as new ones: parts with equal content stay the same objects.
    const previous = this.#previous[index] ?? (isNew ? old : undefined);
    const known = isNew || !old ? [] : old.parts.slice(0, core.part_count(index));
    if (isNew ? old : old && known.length < old.parts.length) this.changed.addAll();
    const message = this.#read(core.message(index, false, known.length));
    for (const part of message.parts) {
      freezeInput(part);
      this.changed.add(part);
    }
    const parts = reuseEqual(previous?.parts, known.length > 0 ? [...known, ...message.parts] : message.parts);
    const now = parts === message.parts ? message : { ...message, parts };
    this.#messages.put(index, previous && equal(previous, now) ? previous : now);
  }

  /** A part has changed. */
  #refreshPart(index: number, part: number, now: GatePart): void {
    const parts = this.#messages.now[index]?.parts;
    // The message is not shown yet, or lacks parts before this one. It is read as a whole when it is shown.
    if (!parts || part > parts.length) return;
    const before = parts[part];
    if (!hasFrozenInput(before, now)) freezeInput(now);
    this.#cut(index);
    const isLast = part + 1 >= parts.length;
    this.#messages.putPart(index, part, now);
    this.changed.add(now);
    if (!isToolPart(now)) return;
    if (index === this.#messages.now.length - 1) this.#pending.change(before, now, isLast);
    else this.#pending.clear();
  }

  #syncChanged(): void {
    if (this.#synced !== this.#core.revision) this.sync();
  }

  /** The place of the newest call with this id: the index of the message times `PARTS`, plus the part's; or -1. */
  #placeOf(toolCallId: string): number {
    this.#syncChanged();
    const call = this.#host.find(toolCallId);
    return call === undefined ? -1 : this.#core.call_place(call);
  }

  #read(place: number): GateMessage {
    return readRecord(this.#host, place, nextMessage);
  }
}

/** Adds the lists to a view. What is undefined is made when it is read. */
function withLists(
  view: Made,
  messages: GateMessage[] | undefined,
  pending: readonly PendingApproval[] | undefined,
  lists: LazyLists,
): GateView {
  if (messages) view.messages = messages;
  if (pending) view.pending = pending;
  if (messages && pending) return view as GateView;
  return lazyProperties(view, lists, messages ? PENDING : pending ? MESSAGES : BOTH) as GateView;
}

/** The next message of the queue, with the delivery of its request. */
function nextQueuedMessage(): QueuedMessage {
  const message = nextMessage();
  const delivery = nextOptionalName<NonNullable<QueuedMessage['delivery']>>();
  return delivery ? { ...message, delivery } : message;
}

/** Freezes the complete input of an unsettled call, because the user decides about that input. */
function freezeInput(part: GatePart): void {
  if (isToolPart(part) && !part.outcome && part.state !== 'input-streaming') freeze(part.input);
}

/** Whether the part has the same input as before, which was frozen then. */
function hasFrozenInput(before: GatePart | undefined, now: GatePart): boolean {
  if (before === undefined || !isToolPart(before) || !isToolPart(now)) return false;
  return before.input === now.input && !before.outcome && before.state !== 'input-streaming';
}

/**
 * The message at an index as a request contains it, in a list. An assistant message without content gives an empty
 * list, because servers refuse it.
 */
export function sentMessage(core: Core, handles: HandleTable, index: number): readonly GateMessage[] {
  const message = readRecord(handles, core.message(index, true, 0), nextMessage);
  return message.role !== 'assistant' || message.parts.some(({ type }) => type !== 'step-start') ? [message] : NONE;
}
