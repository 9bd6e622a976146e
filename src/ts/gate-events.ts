/**
 * The core's events as the public ones. One to one, but that refusals become errors and items get their ids.
 */
import { fromCore, ToolGateError } from './errors.js';
import type { DecisionEvent, GateEvent } from './types.js';

/** An event as `src/wasm/events.rs` writes it. */
type CoreEvent = { readonly type: string } & Record<string, unknown>;

/** A decision, with who made it: for the log. */
export type DecidedBy = DecisionEvent & { readonly by: 'user' | 'policy' | 'backend' };

/** The public events. */
export function toGateEvents(events: readonly unknown[]): GateEvent[] {
  return (events as CoreEvent[]).map(toGateEvent);
}

function toGateEvent(event: CoreEvent): GateEvent {
  const { item, approvals, ...rest } = event;
  switch (event.type) {
    case 'delivery':
      return { ...rest, id: `out-${String(item)}` } as GateEvent;
    case 'stalled':
      return { type: 'stalled', id: `out-${String(item)}`, approvalIds: approvals as string[] };
    case 'anomaly':
      return { type: 'anomaly', error: fromCore(event['error']) ?? new ToolGateError('malformed-event', 'unknown anomaly') };
    default:
      return event as unknown as GateEvent;
  }
}
