/** The inspector at the foot of the page, on the gate of the open chat. */
import { useEffect, useRef } from 'react';
import type { ToolGate } from 'toolgate';
import { inspectIn } from './session/inspect-in';

export function InspectorDock({ gate, close }: { gate: ToolGate; close: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => inspectIn(host.current!, gate, () => latest.current()), [gate]);
  return <div className="inspector-dock" id="inspector" ref={host} />;
}
