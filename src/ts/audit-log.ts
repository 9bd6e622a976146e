/**
 * The record of what happened: the events that matter for accountability, with the time, bounded in number.
 */
import type { AuditEntry, GateEvent } from './types.js';

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

  /** Takes what is worth recording of an event. `keyOf` gives an item's key. */
  add(event: GateEvent, at: number, keyOf: (id: string) => string): void {
    if (this.#limit <= 0) return;
    const entry = this.#entry(event, at, keyOf);
    if (!entry) return;
    this.#entries.push(entry);
    // Cut in bulk: moving the rest for every entry would cost more than the log.
    if (this.#entries.length >= 2 * this.#limit) this.#entries = this.#entries.slice(-this.#limit);
  }

  #entry(event: GateEvent, at: number, keyOf: (id: string) => string): AuditEntry | undefined {
    switch (event.type) {
      case 'transition':
        this.#tools.set(event.toolCallId, event.toolName);
        return undefined;
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
        return { at, type: 'delivery', id, key: keyOf(id), approvalIds: [], to, attempt, ...(error !== undefined && { error }) };
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
