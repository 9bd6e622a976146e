/**
 * The delivery loop, for apps that do not want to write it themselves.
 */
import { portOf } from './keeping.js';
import type { ToolGate } from './store.js';
import type { Outgoing } from './types.js';

/** Claims, sends and marks all that may leave now, and what may leave after it. Never rejects because of `send`. */
export async function deliverAll(gate: ToolGate, send: (item: Outgoing) => Promise<void>): Promise<void> {
  for (let item = next(gate); item; item = next(gate)) {
    try {
      // Where a keeper stores the chat, the claim is stored first: a page that dies now must not send it again.
      const claimed = portOf(gate)?.keeper?.claimed();
      if (claimed) await claimed;
      await send(item);
    } catch (error) {
      gate.markFailed(item.id, error instanceof Error ? error.message : String(error));
      continue;
    }
    gate.markSent(item.id);
  }
}

/** The first item that nobody else has claimed. */
function next(gate: ToolGate): Outgoing | undefined {
  return gate.outgoing().find((item) => gate.claim(item.id));
}
