/**
 * What a gate reports and shows, as plain JSON that two runs can be compared by. Left out is what says nothing about the
 * gate's own doing: revisions, and `lossy` events, which come from reading.
 */
import { encode } from '../json/encode.js';
import { ToolGateError } from '../types/errors.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONValue, Outgoing } from '../types/index.js';
import type { EndState } from './recording.js';

/** An event; undefined for one that is left out. Throws `unserializable`. */
export function plainEvent(event: GateEvent): JSONValue | undefined {
  switch (event.type) {
    case 'lossy':
      return undefined;
    // What was received stands in the step already.
    case 'passthrough':
    case 'data':
      return { type: event.type };
    case 'anomaly':
    case 'crashed': {
      const { code, message, toolCallId, approvalId } = event.error;
      return {
        type: event.type,
        code,
        message,
        ...(toolCallId !== undefined && { toolCallId }),
        ...(approvalId !== undefined && { approvalId }),
      };
    }
    default:
      return encode(bare(event), event.type);
  }
}

/** An item with its body. Throws `unserializable`. */
export function plainItem({ id, key, kind, approvalIds, attempt, body }: Outgoing): JSONValue {
  return encode({ id, key, kind, approvalIds, attempt, body }, 'outgoing');
}

/** What stands there now. Throws `unserializable`. */
export function endOf(gate: ToolGate): EndState {
  const { revision: _, ...view } = gate.getSnapshot();
  return {
    view: encode(view, 'view'),
    outgoing: gate.outgoing().map(plainItem),
  };
}

/** What stands for an error: its code, or its name. */
export function plainError(error: unknown): string {
  return error instanceof ToolGateError ? error.code : error instanceof Error ? error.name : 'error';
}

/** Without keys that hold nothing. */
function bare(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
