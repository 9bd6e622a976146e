/**
 * What a gate shows, derived from the core: a message or part that did not change is the same object as before.
 *
 * The core notes which places changed; only those are read again, and only when somebody looks. Three forms are kept:
 * the view's messages, the messages of a request's body, and the model's messages. Nothing is decided here.
 */
import type { Core } from '../../../target/bindgen/toolgate.js';
import { digestOf } from '../json/digest.js';
import { freeze, isFixed } from '../json/freeze.js';
import type { Host } from '../wasm/handle-table.js';
import { equal } from '../json/safe-reading.js';
import type {
  GateMessage,
  GatePart,
  GateStatus,
  GateView,
  PendingApproval,
  RememberedDecision,
  ToolPart,
  ToolState,
  TurnEnding,
  TurnView,
  Undelivered,
} from '../types/index.js';
import { waitingFor } from './waiting.js';

// In the order of the Rust enums `Status`, `TurnStatus` and `Ending`.
const STATUSES: readonly GateStatus[] = ['idle', 'submitted', 'streaming', 'awaiting-approval', 'stalled'];
const TURNS: readonly TurnView['status'][] = ['open', 'done', 'incomplete', 'error', 'stalled'];
const ENDINGS: readonly (TurnEnding | undefined)[] = [
  undefined,
  'finished',
  'failed',
  'empty',
  'step-limit',
  'interrupted',
  'disconnected',
];

/** What the core's list of changes has in place of a part: parts are counted from 2. */
const NEW = 1;
const FIRST = 2;

/** The states of a call whose input is complete, and which may run with it. */
const MAY_RUN: ReadonlySet<ToolState> = new Set(['input-available', 'approval-requested', 'approval-responded']);

const entries = new WeakMap<object, PendingApproval>();

/** What the view shows beside messages, and the protocol's part in it. */
export interface ViewLists {
  /** The items that need the user. */
  undelivered(): readonly Undelivered[];
  /** The remembered decisions. */
  remembered(): readonly RememberedDecision[];
  /** Whether a decision about this approval can carry another input. */
  isEditable(approval: object): boolean;
}

const NONE: readonly never[] = Object.freeze([]);

/** What a gate shows that has failed: what it showed last, and nothing to answer. */
export function crashedView(last: GateView | undefined): GateView {
  if (last?.status === 'crashed') return last;
  const turn = { ...(last?.turn ?? { status: 'open', undecided: 0, decided: 0 }), waitingFor: [] } as const;
  return {
    revision: (last?.revision ?? 0) + 1,
    status: 'crashed',
    messages: last?.messages ?? [],
    queued: last?.queued ?? [],
    pending: [],
    undelivered: [],
    remembered: [],
    turn,
  };
}

/** The messages of a gate in their three forms. */
export class Projection {
  #core: Core;
  #host: Host;
  /** The messages of the core before this one, until they have been compared. */
  #before: readonly GateMessage[] = [];
  #messages: GateMessage[] = [];
  readonly #lists: ViewLists;
  #queued: readonly GateMessage[] = NONE;
  #undelivered: readonly Undelivered[] = NONE;
  #remembered: readonly RememberedDecision[] = NONE;
  #listsRevision = -1;
  /** Forms for the wire, by message; a hole has to be built (again). */
  #bodies: (GateMessage | undefined)[] = [];
  /** The model's messages of all transcript messages before `#ends.length`, one after the other. */
  #model: unknown[] = [];
  #ends: number[] = [];
  /** The list of pending approvals that was made last. */
  #pending: readonly PendingApproval[] = NONE;
  /** What can be answered, once somebody has looked: of all views since a call changed. */
  #asked: { list?: readonly PendingApproval[] } = {};
  /** Reads what could be answered when the last view was made. */
  #listAsked: (() => unknown) | undefined;
  #isOver = false;

  constructor(core: Core, host: Host, lists: ViewLists) {
    this.#core = core;
    this.#host = host;
    this.#lists = lists;
  }

  /** Reads another core from now on. What shows the same there stays the same object. */
  turnTo(core: Core, host: Host): void {
    this.#core = core;
    this.#host = host;
    // Taken over twice before anybody looked: what was shown last is still there to compare with.
    if (this.#messages.length > 0) this.#before = this.#messages;
    this.#listsRevision = -1;
    this.clear();
  }

  /** Forgets everything: the transcript was replaced. */
  clear(): void {
    this.#messages = [];
    this.#asked = {};
    this.#bodies = [];
    this.#model = [];
    this.#ends = [];
  }

  /**
   * The core is about to go: the last view is complete from here on. With `isOver` there is no other core; earlier
   * views that nobody has asked list nothing then.
   */
  settle(isOver = false): void {
    try {
      this.#listAsked?.();
    } finally {
      this.#isOver = isOver;
    }
  }

  /** The view as of now. */
  view(revision: number): GateView {
    const [core, host] = [this.#core, this.#host];
    this.#sync();
    this.#syncLists();
    const ending = ENDINGS[core.turn_ending()];
    const undecided = core.undecided();
    const messages = this.#messages;
    // This view may outlive the core of its day, and what was asked then.
    const asked = this.#asked;
    const list = (): readonly PendingApproval[] => {
      if (asked.list) return asked.list;
      const now = undecided && !this.#isOver ? this.#pendingOf(messages) : NONE;
      return (asked.list = this.#pending = sameItems(this.#pending, now) ? this.#pending : now);
    };
    this.#listAsked = list;
    return {
      revision,
      status: STATUSES[core.status()] as GateStatus,
      messages,
      queued: this.#queued,
      undelivered: this.#undelivered,
      remembered: this.#remembered,
      turn: {
        status: TURNS[core.turn_status()] as TurnView['status'],
        ...(ending && { ending }),
        undecided,
        decided: core.decided(),
        waitingFor: waitingFor(core, host, list),
      },
      get pending() {
        return list();
      },
    };
  }

  /** The messages of a request's body. Servers refuse an assistant's message without content. */
  bodies(): GateMessage[] {
    const count = this.#sync();
    for (let index = 0; index < count; index++) {
      this.#bodies[index] ??= this.#host.take(this.#core.body_message(index)) as GateMessage;
    }
    return (this.#bodies as GateMessage[]).filter(
      ({ role, parts }) => role !== 'assistant' || parts.some(({ type }) => type !== 'step-start'),
    );
  }

  /** The history as the model will see it. */
  modelMessages(): unknown[] {
    const count = this.#sync();
    for (let index = this.#ends.length; index < count; index++) {
      for (const message of this.#host.take(this.#core.model_messages(index)) as unknown[]) this.#model.push(message);
      this.#ends.push(this.#model.length);
    }
    return this.#model.slice();
  }

  /** Reads the lists again where they may have changed. A list that shows the same stays the same object. */
  #syncLists(): void {
    const [core, lists] = [this.#core, this.#lists];
    const revision = core.lists_revision();
    const isSame = revision === this.#listsRevision;
    this.#listsRevision = revision;
    // Which approvals an item carries depends on the calls too.
    if (!isSame || this.#undelivered.length > 0) this.#undelivered = likeBefore(this.#undelivered, lists.undelivered());
    if (isSame) return;
    this.#queued = likeBefore(this.#queued, this.#host.take(core.queued()) as GateMessage[]);
    this.#remembered = likeBefore(this.#remembered, lists.remembered());
  }

  /** The requests of the last message that the user can answer, in call order. */
  #pendingOf(messages: readonly GateMessage[]): readonly PendingApproval[] {
    const result: PendingApproval[] = [];
    for (const part of messages.at(-1)?.parts ?? []) {
      if (!('toolCallId' in part) || part.state !== 'approval-requested' || part.approval.isAutomatic) continue;
      let entry = entries.get(part);
      if (!entry) {
        const approval = this.#host.find(part.approval.id);
        // Of an earlier state, which the present core does not have.
        if (approval === undefined) continue;
        entry = pendingApproval(part, this.#core, approval, this.#lists.isEditable(part.approval));
        entries.set(part, entry);
      }
      result.push(entry);
    }
    return result;
  }

  /** Reads again what changed. Returns how many messages there are. */
  #sync(): number {
    const count = this.#core.message_count();
    const changes: number[] = [];
    this.#core.changes(this.#host.give(changes));
    if (changes.length === 0 && count === this.#messages.length) return count;
    const had = this.#messages.length;
    if (count !== had) this.#asked = {};
    this.#messages = this.#messages.slice(0, count);
    if (this.#bodies.length > count) this.#bodies.length = count;
    // What was last may have a step that could still be executed: it is written otherwise once it is not.
    this.#cutModel(count === had ? count : Math.max(0, Math.min(count, had) - 1));
    // Parts of one message mostly change together: its list is copied once.
    let open = -1;
    for (let i = 0; i < changes.length; i += 2) {
      const [message, change] = [changes[i] as number, changes[i + 1] as number];
      // Of another core every message is new, and read as it is now.
      if (message >= count || (change >= FIRST && this.#before.length > 0)) continue;
      this.#bodies[message] = undefined;
      this.#cutModel(message);
      open = this.#refresh(message, change, open);
    }
    this.#before = [];
    return count;
  }

  /** Drops the model's messages from a transcript message on. */
  #cutModel(from: number): void {
    if (this.#ends.length <= from) return;
    this.#ends.length = from;
    this.#model.length = from ? (this.#ends[from - 1] as number) : 0;
  }

  /** Reads one place again. `open` is the message whose list of parts is already a copy; returns the new one. */
  #refresh(index: number, change: number, open: number): number {
    const core = this.#core;
    const old = this.#messages[index];
    if (change < FIRST || !old) {
      this.#asked = {};
      const parts = change !== NEW && old ? old.parts.slice(0, core.part_count(index)) : [];
      for (let at = parts.length; at < core.part_count(index); at++) parts.push(this.#part(index, at));
      const before = this.#before[index] as GateMessage;
      const message = {
        ...(this.#host.take(core.head(index)) as GateMessage),
        parts: likeBefore(before?.parts, parts),
      };
      [this.#messages[index]] = likeBefore([before], [message]) as [GateMessage];
      return index;
    }
    const part = change - FIRST;
    if (part >= core.part_count(index)) return open;
    if (open !== index) this.#messages[index] = { ...old, parts: old.parts.slice() };
    const now = this.#part(index, part);
    (this.#messages[index] as GateMessage).parts[part] = now;
    if ('toolCallId' in now) this.#asked = {};
    return index;
  }

  /** A part as it is now. The input of a call that may run cannot be changed any more: it is what the user sees. */
  #part(message: number, at: number): GatePart {
    const part = this.#host.take(this.#core.part(message, at)) as GatePart;
    if ('toolCallId' in part && MAY_RUN.has(part.state)) freeze(part.input);
    return part;
  }
}

/** The list with the items of an older one, or the older one itself, where they show the same. */
function likeBefore<LIST extends readonly unknown[]>(before: LIST | undefined, now: LIST): LIST;
function likeBefore<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  if (before?.length === 0 && now.length === 0) return before;
  if (!before?.[0]) return now;
  const list = now.map((item, i) => (equal(before[i], item) ? (before[i] as T) : item));
  return equal(before, list) ? before : list;
}

/** The tool of a part. */
function toolNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
}

/** Whether two lists have the same items. */
function sameItems(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && now.every((item, i) => item === before[i]);
}

function pendingApproval(part: ToolPart, core: Core, approval: number, editable: boolean): PendingApproval {
  const { input } = part;
  const expiresAt = core.expires_at(approval);
  // Once, where the input may still change: what it is now is what is shown.
  let known = isFixed(input) ? undefined : digestOf(input);
  return {
    approvalId: part.approval?.id as string,
    toolCallId: part.toolCallId,
    toolName: toolNameOf(part),
    input,
    editable,
    requestedAt: core.requested_at(approval),
    ...(expiresAt && { expiresAt }),
    get inputDigest() {
      return (known ??= digestOf(input));
    },
  };
}
