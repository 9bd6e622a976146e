/**
 * The audit log: a bounded list of the events that matter for accountability, with their times.
 */
import { omitUndefined } from '../../json/omit-undefined.js';
import { digestOf } from '../../json/digest.js';
import { NONE } from '../../types/empty-list.js';
import { freeze } from '../../json/freeze.js';
import type { AnomalyEvent, AuditEntry, DeliveryEvent, GateEvent, TransitionEvent } from '../../types/index.js';

/** The data of an outgoing item in the log. */
type LoggedItem = { readonly key: string; readonly approvalIds: readonly string[] };

/** A recorded event. It becomes an entry when the log is read. */
interface RecordedEvent {
  readonly at: number;
  readonly event: GateEvent;
  /** The data of the outgoing item at that time. */
  readonly item: LoggedItem | undefined;
  /** The attempt of the newest `delivery` event at that time. */
  readonly attempt: number;
  /** For a request and a decision: the digests of the inputs. */
  readonly digests: Digests | undefined;
}

/** The inputs of a request or a decision, whose digests are computed when the log is read. */
class Digests {
  readonly #input: unknown;
  readonly #edited: unknown;
  #known: readonly (string | undefined)[] | undefined;

  constructor(input: unknown, edited: unknown) {
    this.#input = input;
    this.#edited = edited;
  }

  /** Freezes the inputs of a decision. One that cannot be frozen may change, so its digest is computed at once. */
  freeze(): this {
    if (!freeze(this.#input) || !freeze(this.#edited)) this.known;
    return this;
  }

  /** The digest of the input and that of the edited one; undefined for no input, or for one that has no digest. */
  get known(): readonly (string | undefined)[] {
    return (this.#known ??= [this.#input, this.#edited].map((input) =>
      input === undefined ? undefined : digestOf(input) || undefined,
    ));
  }
}

/** An approval with an edited input. */
export interface InputEdit {
  readonly approvalId: string;
  readonly input: unknown;
  /** The call's original input. */
  shown: unknown;
}

/** The data that the log reads from its gate. */
export interface LogSource {
  /** The data of an outgoing item. */
  item(id: string): LoggedItem;
  /** The input of the call that needs this approval; undefined if there is none. */
  input(approvalId: string): unknown;
}

const RECORDED: ReadonlySet<GateEvent['type']> = new Set([
  'transition',
  'input-changed',
  'decision',
  'tool-result',
  'delivery',
  'stalled',
  'anomaly',
]);

/** The audit log of one gate. */
export class AuditLog {
  /** Called for each new entry, also if the limit is 0. They must not throw. */
  readonly listeners = new Set<(entry: AuditEntry) => void>();
  readonly #limit: number;
  readonly #gate: LogSource;
  #events: RecordedEvent[] = [];
  #attempt = 1;
  #edit: InputEdit | undefined;

  /** `limit` is the maximum number of entries. The oldest ones are dropped. */
  constructor(limit: number, gate: LogSource) {
    this.#limit = limit;
    this.#gate = gate;
  }

  /** Calls `act`, which may decide an approval with an edited input. */
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
    return this.#events.slice(-this.#limit).map((recorded) => omitUndefined(this.#entry(recorded)));
  }

  /** Records an event if it belongs in the log. */
  add(event: GateEvent, at: number): void {
    if (event.type === 'delivery') this.#attempt = event.attempt;
    if ((this.#limit <= 0 && this.listeners.size === 0) || !RECORDED.has(event.type)) return;
    // Another input of an approval is another request. After a void decision, the transition is its entry.
    if (event.type === 'input-changed' && (event.decisionVoid || event.approvalId === undefined)) return;
    const id = event.type === 'delivery' || event.type === 'stalled' ? event.id : undefined;
    const item = id === undefined ? undefined : this.#gate.item(id);
    let digests: Digests | undefined;
    if (event.type === 'decision') digests = this.#digestsOf(event.approvalId).freeze();
    // The view freezes the input when it shows the request.
    else if ((event.type === 'transition' || event.type === 'input-changed') && event.approvalId !== undefined)
      digests = this.#digestsOf(event.approvalId);
    const recorded = { at, event, item, attempt: this.#attempt, digests };
    for (const listener of this.listeners) listener(omitUndefined(this.#entry(recorded)));
    if (this.#limit > 0) this.#events.push(recorded);
    // Entries are dropped in bulk, because moving the others for each new entry would be slow.
    if (this.#events.length >= 2 * this.#limit) this.#events = this.#events.slice(-this.#limit);
  }

  #digestsOf(approvalId: string): Digests {
    // After an edit, the call already has the edited input.
    const edit = this.#edit?.approvalId === approvalId ? this.#edit : undefined;
    return new Digests(edit ? edit.shown : this.#gate.input(approvalId), edit?.input);
  }

  /** The entry of a recorded event. Unknown fields are undefined. */
  #entry({ at, event, item, attempt: attemptThen, digests }: RecordedEvent): AuditEntry {
    switch (event.type) {
      case 'input-changed':
      case 'transition': {
        const { approvalId, toolCallId, toolName } = event;
        const [inputDigest] = digests?.known ?? NONE;
        if (approvalId !== undefined) return { at, type: 'requested', approvalId, toolCallId, toolName, inputDigest };
        const { from, to } = event as TransitionEvent;
        return { at, type: 'transition', toolCallId, toolName, from, to };
      }
      case 'decision': {
        const [inputDigest, editedInputDigest] = digests?.known ?? NONE;
        return { at, ...event, type: 'decided', inputDigest, editedInputDigest };
      }
      case 'tool-result': {
        const { toolCallId, toolName, outcome } = event;
        return { at, type: 'settled', toolCallId, toolName, outcome };
      }
      case 'delivery':
      case 'stalled': {
        const known = item ?? { key: '', approvalIds: NONE };
        const { id = '', to = 'stalled', attempt = attemptThen, error } = event as Partial<DeliveryEvent>;
        const { approvalIds } = event.type === 'stalled' ? event : known;
        return { at, type: 'delivery', id, key: known.key, approvalIds, to, attempt, error };
      }
      default: {
        const { code, message, toolCallId, approvalId } = (event as AnomalyEvent).error;
        return { at, type: 'anomaly', code, message, toolCallId, approvalId };
      }
    }
  }
}
