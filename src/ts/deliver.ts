/**
 * The delivery loop, for apps that do not want to write it themselves.
 */
import { portOf } from './keeping.js';
import type { Outgoing } from './types.js';

/** The methods of a gate that deliver: its own, so that whoever wraps them sees every step. */
interface Deliverer {
  outgoing(): readonly Outgoing[];
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Claims, sends and marks all that may leave now, and what may leave after it. While `isWriting`, results wait for the
 * app's own function, and requests for these. Never rejects because of `send`.
 */
export async function deliverAll(gate: Deliverer, send: (item: Outgoing) => Promise<void>, isWriting: () => boolean): Promise<void> {
  for (;;) {
    const item = next(gate);
    if (!item) {
      if (!isWriting()) return;
      await change(gate);
      continue;
    }
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

function change(gate: Deliverer): Promise<void> {
  return new Promise((resolve) => {
    const stop = gate.subscribe(() => {
      stop();
      resolve();
    });
  });
}

/** The first item that nobody else has claimed. */
function next(gate: Deliverer): Outgoing | undefined {
  return gate.outgoing().find((item) => gate.claim(item.id));
}
