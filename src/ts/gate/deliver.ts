/**
 * The delivery loop, for apps that do not want to write it themselves.
 */
import { portOf } from './internals.js';
import type { Outgoing } from '../types/index.js';

/** The methods of a gate that deliver: its own, so that whoever wraps them sees every step. */
interface Deliverer {
  outgoing(): readonly Outgoing[];
  claim(id: string): boolean;
  markSent(id: string): void;
  markFailed(id: string, error: string): void;
  subscribe(listener: () => void): () => void;
}

/** What the loop has to know of the gate's inside. */
interface Inside {
  /** Results wait for the app's own function, and requests for these. */
  isWriting(): boolean;
  /** The gate failed or was freed. */
  isOver(): boolean;
  /**
   * The item that was claimed last, as it is to be sent: what was listed before others were sent may be another by
   * now.
   */
  claimed(): Outgoing | undefined;
}

/**
 * Claims, sends and marks all that may be sent now, and what may be sent after it. Never rejects because of `send`.
 * Ends when the gate does; a request that is on its way then is not waited for.
 */
export async function deliverAll(
  gate: Deliverer,
  send: (item: Outgoing) => Promise<void>,
  { isWriting, isOver, claimed }: Inside,
): Promise<void> {
  // A thousand answers are listed once, not once for each that has left.
  let listed: readonly Outgoing[] = [];
  let at = 0;
  /** The first item that nobody else has claimed: of those listed before, then of those listed now. */
  const next = (): Outgoing | undefined => {
    for (let isFresh = false; ;) {
      const item = listed[at++];
      if (item && gate.claim(item.id)) return claimed()?.id === item.id ? claimed() : item;
      if (item) continue;
      if (isFresh) return undefined;
      [isFresh, listed, at] = [true, gate.outgoing(), 0];
    }
  };
  let stop = (): void => {};
  const over = new Promise<void>((resolve) => (stop = gate.subscribe(() => isOver() && resolve())));
  try {
    while (!isOver()) {
      const item = next();
      if (!item) {
        if (!isWriting()) return;
        await change(gate);
        continue;
      }
      // Another tab's state may take the place of this one meanwhile, whose items are others.
      const { generation, keeper } = portOf(gate) ?? {};
      const isCurrent = (): boolean => !isOver() && portOf(gate)?.generation === generation;
      try {
        // Where a keeper stores the chat, the claim is stored first: a page that dies now must not send it again.
        const stored = keeper?.claimed();
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
    stop();
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
