/**
 * The record of what happened: the events that matter for accountability, with the time, bounded in number.
 */
import type { AuditEntry, GateEvent } from './types.js';

/** What the log keeps of an outgoing item. */
type Listed = { readonly key: string; readonly approvalIds: readonly string[] };

/** A bounded log. */
export class AuditLog {
  readonly #limit: number;
  #entries: AuditEntry[] = [];
  readonly #tools = new Map<string, string>();

  /** `limit`: how many entries are kept; older ones go. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The entries, oldest first. */
  entries(): readonly AuditEntry[] {
    return this.#entries.slice(-this.#limit || this.#entries.length);
  }

  /** Takes what is worth recording of an event. `listed` gives what is known of an item. */
  add(event: GateEvent, at: number, listed: (id: string) => Listed): void {
    if (this.#limit <= 0) return;
    const entry = this.#entry(event, at, listed);
    if (!entry) return;
    this.#entries.push(entry);
    // Cut in bulk: moving the rest for every entry would cost more than the log.
    if (this.#entries.length >= 2 * this.#limit) this.#entries = this.#entries.slice(-this.#limit);
  }

  #entry(event: GateEvent, at: number, listed: (id: string) => Listed): AuditEntry | undefined {
    switch (event.type) {
      case 'transition': {
        const { toolCallId, toolName, approvalId } = event;
        this.#tools.set(toolCallId, toolName);
        return approvalId === undefined ? undefined : { at, type: 'requested', approvalId, toolCallId, toolName };
      }
      case 'decision': {
        const { approvalId, toolCallId, approved, reason, by } = event;
        const toolName = this.#tools.get(toolCallId) ?? '';
        return { at, type: 'decided', approvalId, toolCallId, toolName, approved, ...(reason !== undefined && { reason }), by };
      }
      case 'tool-result': {
        const { toolCallId, toolName, outcome } = event;
        return { at, type: 'settled', toolCallId, toolName, outcome };
      }
      case 'delivery': {
        const { id, to, attempt, error } = event;
        return { at, type: 'delivery', id, ...listed(id), to, attempt, ...(error !== undefined && { error }) };
      }
      case 'anomaly': {
        const { code, message, toolCallId, approvalId } = event.error;
        return {
          at,
          type: 'anomaly',
          code,
          message,
          ...(toolCallId !== undefined && { toolCallId }),
          ...(approvalId !== undefined && { approvalId }),
        };
      }
      default:
        return undefined;
    }
  }
}
