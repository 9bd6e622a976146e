/**
 * React hooks for a session: those of `toolgate/react` for its gate, and `useSyncExternalStore` for its other stores.
 */
import { useMemo, useSyncExternalStore } from 'react';
import type { GateView, RememberedDecision, ToolGate } from 'toolgate';
import { useGateView, useUndelivered } from 'toolgate/react';
import type { BackendRecord } from '../backend/record';
import { troubleOf, type Trouble } from './bar';
import type { PressLogEntry } from '../session/press-log';
import type { Session } from '../session/session';
import type { WireEntry } from '../session/wire-log';

const all = (view: GateView): GateView => view;

/** The gate's view: messages with outcomes and delivery states, pending approvals, the turn. */
export function useGate(gate: ToolGate): GateView {
  return useGateView(all, gate);
}

/** The undelivered items, for the bar with the Retry button. */
export function useTrouble(gate: ToolGate): readonly Trouble[] {
  const undelivered = useUndelivered(gate);
  return useMemo(() => undelivered.map(troubleOf), [undelivered]);
}

/** The remembered decisions. */
export function useRemembered(gate: ToolGate): readonly RememberedDecision[] {
  return useGate(gate).remembered;
}

/** Whether this tab is the one that sends. */
export function useIsLeader({ gate, isLeader }: Session): boolean {
  return useSyncExternalStore(
    useMemo(() => (listener: () => void) => gate.subscribe(listener), [gate]),
    isLeader,
  );
}

/** The backend's own record. */
export function useRecord({ record }: Session): BackendRecord {
  return useSyncExternalStore(record.subscribe, record.get);
}

/** Every sent request. */
export function useWire({ wire }: Session): readonly WireEntry[] {
  return useSyncExternalStore(wire.subscribe, wire.get);
}

/** The result of each press. */
export function usePresses({ log }: Session): readonly PressLogEntry[] {
  return useSyncExternalStore(log.subscribe, log.get);
}
