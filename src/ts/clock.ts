/**
 * The time, for gates with deadlines: one line in an app. There is no timer while nothing can expire.
 */
import type { ToolGate } from './store.js';

/** What a timer can wait at most: a longer time is waited for in pieces. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls `gate.tick(Date.now())` whenever `gate.nextDeadline()` is reached, and looks for the next one after each change.
 * It keeps no Node process alive. Returns the function that ends it.
 */
export function runClock(gate: Pick<ToolGate, 'nextDeadline' | 'tick' | 'subscribe'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awaited: number | null = null;
  /** A deadline at which the gate was told the time already: telling it again would change nothing. */
  let told: number | null = null;

  const wait = (): void => {
    clearTimeout(timer);
    if (awaited === null) return;
    timer = setTimeout(arrive, Math.min(Math.max(0, awaited - Date.now()), LONGEST));
    (timer as { unref?: () => void }).unref?.();
  };
  const look = (): void => {
    const next = gate.nextDeadline();
    const due = next === told ? null : next;
    if (due === awaited) return;
    awaited = due;
    wait();
  };
  const arrive = (): void => {
    if (awaited === null || awaited > Date.now()) return wait();
    told = awaited;
    gate.tick(Date.now());
    look();
  };

  const end = gate.subscribe(look);
  look();
  return () => {
    end();
    clearTimeout(timer);
  };
}
