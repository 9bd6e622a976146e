/**
 * Builds the view of a gate that crashed or was freed.
 */
import type { GateView } from '../../types/index.js';

/** The view of a crashed gate: its last view, without approvals to decide. */
export function crashedView(last: GateView | undefined): GateView {
  if (last?.status === 'crashed') return last;
  const before = last?.turn ?? { status: 'open', undecided: 0, decided: 0, stepStart: 0 };
  const turn = { ...before, waitingFor: [], runnable: [] } as const;
  return {
    revision: (last?.revision ?? 0) + 1,
    status: 'crashed',
    messages: last?.messages ?? [],
    queued: last?.queued ?? [],
    pending: [],
    undelivered: [],
    remembered: [],
    turn,
  };
}
