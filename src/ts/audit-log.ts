/**
 * The record of what happened: the events that matter for accountability, with the time, bounded in number.
 */
import { defined } from './defined.js';
import type { AnomalyEvent, AuditEntry, GateEvent } from './types.js';

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
}

const RECORDED: ReadonlySet<GateEvent['type']> = new Set(['transition', 'decision', 'tool-result', 'delivery', 'stalled', 'anomaly']);

/** A bounded log. */
export class AuditLog {
  readonly #limit: number;
  #happened: Happened[] = [];
  #attempt = 1;
  readonly #tools = new Map<string, string>();

  /** `limit`: how many entries are kept; older ones go. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The entries, oldest first. */
  entries(): readonly AuditEntry[] {
    return this.#happened.slice(-this.#limit || this.#happened.length).map((happened) => defined(this.#entry(happened)));
  }

  /** Takes what is worth recording of an event. `listed` gives what is known of an item. */
  add(event: GateEvent, at: number, listed: (id: string) => Listed): void {
    if (this.#limit <= 0 || !RECORDED.has(event.type)) return;
    if (event.type === 'transition') this.#tools.set(event.toolCallId, event.toolName);
    if (event.type === 'delivery') this.#attempt = event.attempt;
    const id = event.type === 'delivery' || event.type === 'stalled' ? event.id : undefined;
    this.#happened.push({ at, event, item: id === undefined ? undefined : listed(id), attempt: this.#attempt });
    // Cut in bulk: moving the rest for every entry would cost more than the log.
    if (this.#happened.length >= 2 * this.#limit) this.#happened = this.#happened.slice(-this.#limit);
  }

  /** What is not known of it is undefined. */
  #entry({ at, event, item, attempt: tried }: Happened): AuditEntry {
    switch (event.type) {
      case 'transition': {
        const { approvalId, toolCallId, toolName, from, to } = event;
        if (approvalId !== undefined) return { at, type: 'requested', approvalId, toolCallId, toolName };
        return { at, type: 'transition', toolCallId, toolName, from, to };
      }
      case 'decision': {
        const { approvalId, toolCallId, approved, reason, by } = event;
        const toolName = this.#tools.get(toolCallId) ?? '';
        return { at, type: 'decided', approvalId, toolCallId, toolName, approved, reason, by };
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
