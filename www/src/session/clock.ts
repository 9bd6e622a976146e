/** Tells a gate the time when an approval is due. Nothing runs while none is. */
import type { ToolGate } from 'toolgate';

/** Starts the clock; returns how to stop it. */
export function runClock(gate: ToolGate): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due: number | null = null;
  const wind = (): void => {
    const next = gate.nextDeadline();
    if (next === due) return;
    clearTimeout(timer);
    due = next;
    if (next === null) return;
    const ring = (): void => {
      due = null;
      gate.tick(Date.now());
      wind();
    };
    timer = setTimeout(ring, Math.max(0, next - Date.now()));
  };
  const stop = gate.subscribe(wind);
  wind();
  return () => {
    stop();
    clearTimeout(timer);
  };
}
