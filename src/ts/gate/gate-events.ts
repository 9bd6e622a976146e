/**
 * Converts the core's events to public ones: refusals become errors, and items get their ids.
 */
import { OUTGOING } from './numbered-ids.js';
import { toError, type CoreRefusal } from './error-messages.js';
import { isClosed, resultText } from '../protocols/shared/result-texts.js';
import type { GateEvent, GateTexts, Outcome } from '../types/index.js';

/** An event, as `src/wasm/events.rs` writes it. */
export type CoreEvent = { readonly type: string } & Record<string, unknown>;

/** Returns the public event for an event of the core. */
export function toGateEvent(event: CoreEvent, texts: Partial<GateTexts> | undefined): GateEvent {
  const { item, approvals, key: _key, ...rest } = event;
  switch (event.type) {
    case 'delivery':
      return { ...rest, id: OUTGOING + String(item) } as GateEvent;
    case 'stalled':
      return {
        type: 'stalled',
        ...(item !== 0 && { id: OUTGOING + String(item) }),
        approvalIds: approvals as string[],
      } as GateEvent;
    case 'anomaly':
      return { type: 'anomaly', error: toError(event['error'] as CoreRefusal) };
    case 'tool-result': {
      const { rewrite: _, input: __, ...shown } = rest;
      const outcome = event['outcome'] as Outcome;
      const { kind } = outcome;
      const result = isClosed(kind) ? resultText({ ...outcome, kind }, texts) : event['result'];
      return { ...shown, result } as unknown as GateEvent;
    }
    default:
      return event as unknown as GateEvent;
  }
}
