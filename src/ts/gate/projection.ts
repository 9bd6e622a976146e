/**
 * Derives the view of a gate from the core. An unchanged message or part is the same object as before.
 *
 * The core records which messages and parts changed; only those are read again, when the view is next read. Messages
 * are cached in three forms: those of the view, of a request's body, and of the model. The core has all rules.
 */
import { ENDING, STATUS, TURN_STATUS } from '../../../target/bindgen/enums.js';
import type { Core } from '../../../target/bindgen/toolgate.js';
import { freeze } from '../json/freeze.js';
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
} from '../types/index.js';
import { pendingApproval } from './pending-approval.js';
import { waitingFor } from './waiting-for.js';

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
  /** The model messages of the first `#ends.length` transcript messages. `#ends` has the end of each. */
  #model: unknown[] = [];
  #ends: number[] = [];
  /** The last list of pending approvals. */
  #pending: readonly PendingApproval[] = NONE;
  /** The pending approvals of all views since a call last changed. The list is made when it is first read. */
  #sharedPending: { list?: readonly PendingApproval[] } = {};
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
    this.#sharedPending = {};
    this.#bodies = [];
    this.#model = [];
    this.#ends = [];
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
    const [core, host] = [this.#core, this.#host];
    this.#sync();
    this.#syncLists();
    const ending = ENDINGS[core.turn_ending()];
    const undecided = core.undecided();
    const runnable = core.runnable();
    const messages = this.#messages;
    // A view may outlive the core that it was read from.
    const shared = this.#sharedPending;
    const list = (): readonly PendingApproval[] => {
      if (shared.list) return shared.list;
      const now = undecided && !this.#isOver ? this.#pendingOf(messages) : NONE;
      return (shared.list = this.#pending = sameItems(this.#pending, now) ? this.#pending : now);
    };
    this.#readPending = list;
    return {
      revision,
      status: STATUS[core.status()] as GateStatus,
      messages,
      queued: this.#queued,
      undelivered: this.#undelivered,
      remembered: this.#remembered,
      turn: {
        status: TURN_STATUS[core.turn_status()] as TurnView['status'],
        ...(ending && { ending }),
        undecided,
        decided: core.decided(),
        waitingFor: waitingFor(core, host, list),
        stepStart: core.step_start(),
        runnable: runnable ? (host.take(runnable) as string[]) : NONE,
      },
      get pending() {
        return list();
      },
    };
  }

  /** Returns the messages of a request's body. */
  bodies(): GateMessage[] {
    const count = this.#sync();
    for (let index = 0; index < count; index++) {
      this.#bodies[index] ??= this.#host.take(this.#core.body_message(index)) as GateMessage;
    }
    return (this.#bodies as GateMessage[]).filter(hasContent);
  }

  /** Returns the history as the model reads it. */
  modelMessages(): unknown[] {
    const count = this.#sync();
    for (let index = this.#ends.length; index < count; index++) {
      for (const message of this.#host.take(this.#core.model_messages(index)) as unknown[]) this.#model.push(message);
      this.#ends.push(this.#model.length);
    }
    return this.#model.slice();
  }

  /** Reads lists again that may have changed. A list with equal content stays the same object. */
  #syncLists(): void {
    const [core, lists] = [this.#core, this.#lists];
    const revision = core.lists_revision();
    const isSame = revision === this.#listsRevision;
    this.#listsRevision = revision;
    // The approvals of an item also depend on the calls.
    if (!isSame || this.#undelivered.length > 0) this.#undelivered = reuseEqual(this.#undelivered, lists.undelivered());
    if (isSame) return;
    this.#queued = reuseEqual(this.#queued, this.#host.take(core.queued()) as GateMessage[]);
    this.#remembered = reuseEqual(this.#remembered, lists.remembered());
  }

  /** The approvals of the last message that the user can decide, in call order. */
  #pendingOf(messages: readonly GateMessage[]): readonly PendingApproval[] {
    const result: PendingApproval[] = [];
    for (const part of messages.at(-1)?.parts ?? []) {
      if (!isToolPart(part) || part.state !== 'approval-requested' || part.approval.isAutomatic) continue;
      let entry = entries.get(part);
      if (!entry) {
        const approval = this.#host.find(part.approval.id);
        // The approval belongs to an earlier state and is unknown to the present core.
        if (approval === undefined) continue;
        entry = pendingApproval(part, this.#core, approval, this.#lists.isEditable(part.approval));
        entries.set(part, entry);
      }
      result.push(entry);
    }
    return result;
  }

  /** Reads changed messages and parts again. Returns the number of messages. */
  #sync(): number {
    const count = this.#core.message_count();
    const changes: number[] = [];
    this.#core.changes(this.#host.give(changes));
    if (changes.length === 0 && count === this.#messages.length) return count;
    const had = this.#messages.length;
    if (count !== had) this.#sharedPending = {};
    this.#messages = this.#messages.slice(0, count);
    if (this.#bodies.length > count) this.#bodies.length = count;
    // The model messages of the last message depend on whether its last step can still run. A message was added or
    // removed, so they must be built again.
    this.#cutModel(count === had ? count : Math.max(0, Math.min(count, had) - 1));
    // Changes of one message are usually adjacent, so its list of parts is copied once.
    let open = -1;
    for (let i = 0; i < changes.length; i += 2) {
      const [message, change] = [changes[i] as number, changes[i + 1] as number];
      // After a switch to another core, every message is read as new.
      if (message >= count || (change >= FIRST && this.#previous.length > 0)) continue;
      this.#bodies[message] = undefined;
      this.#cutModel(message);
      open = this.#refresh(message, change, open);
    }
    this.#previous = [];
    return count;
  }

  /** Drops the model messages of the transcript message at this index and of all after it. */
  #cutModel(from: number): void {
    if (this.#ends.length <= from) return;
    this.#ends.length = from;
    this.#model.length = from ? (this.#ends[from - 1] as number) : 0;
  }

  /** Reads a message or part again. `open` is the index of the message whose list was copied; returns the new one. */
  #refresh(index: number, change: number, open: number): number {
    const core = this.#core;
    const old = this.#messages[index];
    if (change < FIRST || !old) {
      this.#sharedPending = {};
      const parts = change !== NEW && old ? old.parts.slice(0, core.part_count(index)) : [];
      for (let at = parts.length; at < core.part_count(index); at++) parts.push(this.#part(index, at));
      // A follower reads changed messages anew, so parts with equal content stay the same objects.
      const previous = (this.#previous[index] ?? (change === NEW ? old : undefined)) as GateMessage;
      const message = {
        ...(this.#host.take(core.head(index)) as GateMessage),
        parts: reuseEqual(previous?.parts, parts),
      };
      [this.#messages[index]] = reuseEqual([previous], [message]) as [GateMessage];
      return index;
    }
    const part = change - FIRST;
    if (part >= core.part_count(index)) return open;
    if (open !== index) this.#messages[index] = { ...old, parts: old.parts.slice() };
    const now = this.#part(index, part);
    (this.#messages[index] as GateMessage).parts[part] = now;
    if (isToolPart(now)) this.#sharedPending = {};
    return index;
  }

  /** Reads a part. Freezes the complete input of an unsettled call, because the user decides about that input. */
  #part(message: number, at: number): GatePart {
    const part = this.#host.take(this.#core.part(message, at)) as GatePart;
    if (isToolPart(part) && !part.outcome && part.state !== 'input-streaming') freeze(part.input);
    return part;
  }
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
