/**
 * The loop of `ToolGate.deliver`.
 */
import { NONE } from '../../types/empty-list.js';
import { internalsOf } from '../internals.js';
import type { GateEvent, Outgoing } from '../../types/index.js';

/** The methods of a gate that the loop calls. */
interface DeliveringGate {
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  subscribe(listener: () => void): () => void;
  onEvent(listener: (event: GateEvent) => void): () => void;
}

/** The state of the gate that its methods do not show. */
interface DeliveryState {
  /** The ids of the items that may be sent now. A request is built when it is claimed. */
  ready(): readonly string[];
  /** Whether requests wait for a pending `rewriteResult`. */
  isRewriting(): boolean;
  /** Whether the gate crashed or was freed. */
  isOver(): boolean;
  /** The last claimed item, as it is sent. */
  claimed(): Outgoing | undefined;
}

/**
 * Claims, sends and marks all items until none is left. Never rejects because `send` failed. If the gate crashes or is
 * freed, resolves without waiting for the request in flight.
 */
export async function deliverAll(
  gate: DeliveringGate,
  send: (item: Outgoing) => Promise<void>,
  { ready, isRewriting, isOver, claimed }: DeliveryState,
): Promise<void> {
  // The list is read again only when all its items were tried, so that a thousand answers are not listed each time.
  let listed: readonly string[] = NONE;
  let at = 0;
  /** Claims and returns the next listed item that can still be claimed, as it is sent. */
  const claimListed = (): Outgoing | undefined => {
    while (at < listed.length) {
      if (gate.claim(listed[at++] as string)) return claimed();
    }
    return undefined;
  };
  const claimNext = (): Outgoing | undefined => {
    const item = claimListed();
    if (item) return item;
    listed = ready();
    at = 0;
    return claimListed();
  };
  let unsubscribe = (): void => {};
  const over = new Promise<void>((resolve) => (unsubscribe = gate.subscribe(() => isOver() && resolve())));
  let sending: Outgoing | undefined;
  // An item whose reply has ended can be ready again before its `send` resolves. What becomes of `send` then says
  // nothing about the new attempt.
  const ignoreEvents = gate.onEvent((event) => {
    if (event.type === 'delivery' && event.id === sending?.id && event.attempt > sending.attempt) sending = undefined;
  });
  /** Sends one item and marks it. */
  const deliverItem = async (item: Outgoing): Promise<void> => {
    // Another tab's state may be adopted while this item is sent. The new state has other items.
    const { generation, persister } = internalsOf(gate) ?? {};
    sending = item;
    const isCurrent = (): boolean => sending === item && !isOver() && internalsOf(gate)?.generation === generation;
    try {
      // A persisted chat stores the claim first: if the page dies now, the item must not be sent again.
      const stored = persister?.claimed();
      if (stored) await stored;
      if (isOver()) return;
      await Promise.race([send(item), over]);
    } catch (error) {
      if (isCurrent()) gate.markFailed(item.id, error instanceof Error ? error.message : String(error));
      return;
    }
    if (isCurrent()) gate.markSent(item.id);
  };
  try {
    while (!isOver()) {
      const item = claimNext();
      if (item) await deliverItem(item);
      else if (isRewriting()) await nextChange(gate);
      else return;
    }
  } finally {
    unsubscribe();
    ignoreEvents();
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
