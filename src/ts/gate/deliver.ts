/**
 * The loop of `ToolGate.deliver`.
 */
import { internalsOf } from './internals.js';
import type { Outgoing } from '../types/index.js';

/** The methods of a gate that the loop calls. */
interface DeliveringGate {
  outgoing(): readonly Outgoing[];
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  subscribe(listener: () => void): () => void;
}

/** The state of the gate that its methods do not show. */
interface DeliveryState {
  /** Whether requests wait for a pending `rewriteResult`. */
  isRewriting(): boolean;
  /** Whether the gate crashed or was freed. */
  isOver(): boolean;
  /**
   * The last claimed item, as it is sent. Its body can differ from the listed one, if other items were sent since.
   */
  claimed(): Outgoing | undefined;
}

/**
 * Claims, sends and marks all items until none is left. Never rejects because `send` failed. If the gate crashes or is
 * freed, resolves without waiting for the request in flight.
 */
export async function deliverAll(
  gate: DeliveringGate,
  send: (item: Outgoing) => Promise<void>,
  { isRewriting, isOver, claimed }: DeliveryState,
): Promise<void> {
  // The list is read again only when all its items were tried, so that a thousand answers are not listed each time.
  let listed: readonly Outgoing[] = [];
  let at = 0;
  /** Claims and returns the next item: from the list that was read before, then from a new one. */
  const next = (): Outgoing | undefined => {
    for (let isFresh = false; ;) {
      const item = listed[at++];
      if (item && gate.claim(item.id)) return claimed()?.id === item.id ? claimed() : item;
      if (item) continue;
      if (isFresh) return undefined;
      [isFresh, listed, at] = [true, gate.outgoing(), 0];
    }
  };
  let unsubscribe = (): void => {};
  const over = new Promise<void>((resolve) => (unsubscribe = gate.subscribe(() => isOver() && resolve())));
  try {
    while (!isOver()) {
      const item = next();
      if (!item) {
        if (!isRewriting()) return;
        await nextChange(gate);
        continue;
      }
      // Another tab's state may be adopted while this item is sent. The new state has other items.
      const { generation, persister } = internalsOf(gate) ?? {};
      const isCurrent = (): boolean => !isOver() && internalsOf(gate)?.generation === generation;
      try {
        // A persisted chat stores the claim first: if the page dies now, the item must not be sent again.
        const stored = persister?.claimed();
        if (stored) await stored;
        if (isOver()) return;
        await Promise.race([send(item), over]);
      } catch (error) {
        if (isCurrent()) gate.markFailed(item.id, error instanceof Error ? error.message : String(error));
        continue;
      }
      if (isCurrent()) gate.markSent(item.id);
    }
  } finally {
    unsubscribe();
  }
}

function nextChange(gate: DeliveringGate): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = gate.subscribe(() => {
      unsubscribe();
      resolve();
    });
  });
}
