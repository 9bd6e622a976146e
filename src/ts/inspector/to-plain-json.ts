/**
 * Converts events, items and views of a gate to plain JSON for comparing two runs. Omits revisions and `lossy` events,
 * because reads of the gate affect them.
 */
import { encode } from '../json/encode.js';
import { ToolGateError } from '../types/errors.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { GateEvent, JSONValue, Outgoing } from '../types/index.js';
import type { EndState } from './recording.js';

/** Converts an event; undefined for one that is not compared. Throws `unserializable`. */
export function plainEvent(event: GateEvent): JSONValue | undefined {
  switch (event.type) {
    case 'lossy':
      return undefined;
    // The arguments of the step contain the received data.
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

/** Converts an item with its body. Throws `unserializable`. */
export function plainItem({ id, key, kind, approvalIds, attempt, body }: Outgoing): JSONValue {
  return encode({ id, key, kind, approvalIds, attempt, body }, 'outgoing');
}

/** Converts the current state of a gate. Throws `unserializable`. */
export function endOf(gate: ToolGate): EndState {
  const { revision: _, ...view } = gate.getSnapshot();
  return {
    view: encode(view, 'view'),
    outgoing: gate.outgoing().map(plainItem),
  };
}

/** Returns the code of an error, or its name. */
export function plainError(error: unknown): string {
  return error instanceof ToolGateError ? error.code : error instanceof Error ? error.name : 'error';
}

/** Removes keys with the value undefined. */
function bare(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
