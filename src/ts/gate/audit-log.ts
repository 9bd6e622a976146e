/**
 * The record of what happened: the events that matter for accountability, with the time, bounded in number.
 */
import { omitUndefined } from '../json/omit-undefined.js';
import { digestOf } from '../json/digest.js';
import { freeze } from '../json/freeze.js';
import type { AnomalyEvent, AuditEntry, DecisionEvent, GateEvent } from '../types/index.js';

/** What the log keeps of an outgoing item. */
type Listed = { readonly key: string; readonly approvalIds: readonly string[] };

/** What happened, as it came: it becomes an entry when somebody reads the log. */
interface Happened {
  readonly at: number;
  readonly event: GateEvent;
  /** What was known of the outgoing item at that time. */
  readonly item: Listed | undefined;
  /** How often the item on its way had been tried by then. */
  readonly attempt: number;
  /** Of a decision: its digests. */
  readonly decided: Decided | undefined;
}

/** What the log keeps of a decision beside its event. A digest is made when the log is read. */
interface Decided {
  readonly inputDigest: () => string | undefined;
  readonly editedInputDigest: () => string | undefined;
}

/** The user approves another input than the one that was shown. */
export interface InputEdit {
  readonly approvalId: string;
  readonly input: unknown;
  /** The call's own. */
  shown: unknown;
}

/** What a log asks of its gate. */
export interface Logged {
  /** What is known of an outgoing item. */
  item(id: string): Listed;
  /** The input of the call that an approval is about; undefined for none. */
  input(approvalId: string): unknown;
}

const RECORDED: ReadonlySet<GateEvent['type']> = new Set([
  'transition',
  'decision',
  'tool-result',
  'delivery',
  'stalled',
  'anomaly',
]);

/** A bounded log. */
export class AuditLog {
  readonly #limit: number;
  readonly #gate: Logged;
  #happened: Happened[] = [];
  #attempt = 1;
  #edit: InputEdit | undefined;

  /** `limit`: how many entries are kept; older ones are dropped. */
  constructor(limit: number, gate: Logged) {
    this.#limit = limit;
    this.#gate = gate;
  }

  /** Calls `act`, in which an approval is decided with another input. */
  withEdit<T>(edit: InputEdit | undefined, act: () => T): T {
    this.#edit = edit;
    try {
      return act();
    } finally {
      this.#edit = undefined;
    }
  }

  /** The entries, oldest first. */
  entries(): readonly AuditEntry[] {
    return this.#happened
      .slice(-this.#limit || this.#happened.length)
      .map((happened) => omitUndefined(this.#entry(happened)));
  }

  /** Takes what is worth recording of an event. */
  add(event: GateEvent, at: number): void {
    if (this.#limit <= 0 || !RECORDED.has(event.type)) return;
    if (event.type === 'delivery') this.#attempt = event.attempt;
    const id = event.type === 'delivery' || event.type === 'stalled' ? event.id : undefined;
    const item = id === undefined ? undefined : this.#gate.item(id);
    const decided = event.type === 'decision' ? this.#decided(event) : undefined;
    this.#happened.push({ at, event, item, attempt: this.#attempt, decided });
    // Cut in bulk: moving the rest for every entry would cost more than the log.
    if (this.#happened.length >= 2 * this.#limit) this.#happened = this.#happened.slice(-this.#limit);
  }

  #decided({ approvalId }: DecisionEvent): Decided {
    // The call has the other input by now.
    const edit = this.#edit?.approvalId === approvalId ? this.#edit : undefined;
    return {
      inputDigest: digestLater(edit ? edit.shown : this.#gate.input(approvalId)),
      editedInputDigest: digestLater(edit?.input),
    };
  }

  /** What is not known of it is undefined. */
  #entry({ at, event, item, attempt: tried, decided }: Happened): AuditEntry {
    switch (event.type) {
      case 'transition': {
        const { approvalId, toolCallId, toolName, from, to } = event;
        if (approvalId !== undefined) return { at, type: 'requested', approvalId, toolCallId, toolName };
        return { at, type: 'transition', toolCallId, toolName, from, to };
      }
      case 'decision': {
        const { approvalId, toolCallId, toolName, approved, reason, by } = event;
        const { inputDigest, editedInputDigest } = decided ?? {};
        const digests = { inputDigest: inputDigest?.(), editedInputDigest: editedInputDigest?.() };
        return { at, type: 'decided', approvalId, toolCallId, toolName, approved, reason, by, ...digests };
      }
      case 'tool-result': {
        const { toolCallId, toolName, outcome } = event;
        return { at, type: 'settled', toolCallId, toolName, outcome };
      }
      case 'delivery': {
        const { id, to, attempt, error } = event;
        const known = item ?? { key: '', approvalIds: [] };
        return { at, type: 'delivery', id, ...known, to, attempt, error };
      }
      case 'stalled': {
        const { id = '', approvalIds } = event;
        return { at, type: 'delivery', id, key: item?.key ?? '', approvalIds, to: 'stalled', attempt: tried };
      }
      default: {
        const { code, message, toolCallId, approvalId } = (event as AnomalyEvent).error;
        return { at, type: 'anomaly', code, message, toolCallId, approvalId };
      }
    }
  }
}

/**
 * The digest of an input as it is now, made when it is asked for; nothing for no input, or for one that has no
 * digest.
 */
function digestLater(input: unknown): () => string | undefined {
  if (input === undefined) return () => undefined;
  const digest = (): string | undefined => digestOf(input) || undefined;
  if (freeze(input)) return digest;
  const now = digest();
  return () => now;
}
