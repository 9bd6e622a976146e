/** The time that is left to answer, by the gate's clock. The gate ends it; forms only show it. */
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval } from '../types/index.js';
import { sharedOf } from './shared-state.js';

/** Interval of the timer in ms: short enough that no second is skipped. */
const INTERVAL_MS = 250;

/** With this many seconds left, the countdown is highlighted and announced once. */
export const HURRY_SECONDS = 10;

const ticks = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `tick` often. One timer serves all. Returns a function that ends it. */
export function everyTick(tick: () => void): () => void {
  ticks.add(tick);
  timer ??= setInterval(() => ticks.forEach((each) => each()), INTERVAL_MS);
  return () => {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time by the gate's clock, in ms since 1970. Deadlines use the same clock. */
export const nowOf = (gate: ToolGate | undefined): number => (gate && internalsOf(gate)?.env.now()) ?? Date.now();

/** The seconds that are left; undefined without a deadline. */
export const secondsLeft = (gate: ToolGate, { expiresAt }: PendingApproval): number | undefined =>
  expiresAt === undefined ? undefined : Math.max(0, Math.ceil((expiresAt - nowOf(gate)) / 1000));

/** Seconds as minutes and seconds, such as `1:05`. */
export const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The time that a request had when it was first shown, in ms. More time is as much again, each time. */
export function spanOf(gate: ToolGate, { approvalId, requestedAt, expiresAt = requestedAt }: PendingApproval): number {
  const { spans } = sharedOf(gate);
  const known = spans.get(approvalId) ?? expiresAt - requestedAt;
  spans.set(approvalId, known);
  return known;
}
