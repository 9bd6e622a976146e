/** React hooks over a session's stores. Each is one `useSyncExternalStore`. */
import { useMemo, useSyncExternalStore } from 'react';
import type { GateView, RememberedDecision, ToolGate, Undelivered } from 'toolgate';
import type { BackendRecord } from '../backend/record';
import type { Trouble } from '../chat/gate-bar';
import type { GateLogEntry } from './gate-log';
import type { Session } from './session';
import type { WireEntry } from './wire-log';

/** The gate's view: messages with outcomes and delivery states, pending approvals, the turn. */
export function useGate(gate: ToolGate): GateView {
  return useSyncExternalStore(
    useMemo(() => (listener: () => void) => gate.subscribe(listener), [gate]),
    () => gate.getSnapshot(),
  );
}

/** What did not get through, for the bar with the Retry button. */
export function useTrouble(gate: ToolGate): readonly Trouble[] {
  const view = useGate(gate);
  return useMemo(() => gate.undelivered().map(troubleOf), [gate, view]);
}

function troubleOf({ id, delivery, approvalIds, error }: Undelivered): Trouble {
  return { id, delivery, decisions: approvalIds.length, error: error ?? null };
}

/** The decisions that answer later calls too. */
export function useRemembered(gate: ToolGate): readonly RememberedDecision[] {
  const view = useGate(gate);
  return useMemo(() => gate.remembered(), [gate, view]);
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

/** Every request that left. */
export function useWire({ wire }: Session): readonly WireEntry[] {
  return useSyncExternalStore(wire.subscribe, wire.get);
}

/** The gate's history. */
export function useGateLog({ log }: Session): readonly GateLogEntry[] {
  return useSyncExternalStore(log.subscribe, log.get);
}
