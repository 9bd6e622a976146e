/** The time that is left to answer, by the gate's clock. The gate ends it; forms only show it. */
import { internalsOf } from '../gate/internals.js';
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval } from '../types/index.js';
import { sharedOf } from './shared-state.js';

/** How often a form looks at the time, in ms: no second is skipped. */
export const LOOK_EVERY_MS = 250;

/** With this many seconds left, the countdown is highlighted and announced once. */
export const HURRY_SECONDS = 10;

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
  const [, , , , , spans] = sharedOf(gate);
  const known = spans.get(approvalId) ?? expiresAt - requestedAt;
  spans.set(approvalId, known);
  return known;
}
