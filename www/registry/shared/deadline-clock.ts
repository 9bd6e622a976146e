/** The time that is left to answer. The gate ends it; the components only show it. */
import type { PendingApproval } from 'toolgate';

/** With this many seconds left, the countdown is highlighted, and said once to users of screen readers. */
export const HURRY_SECONDS = 10;

/** The seconds that are left; undefined if there is no deadline. */
export function secondsLeft({ expiresAt }: Pick<PendingApproval, 'expiresAt'>): number | undefined {
  return expiresAt === undefined ? undefined : Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000));
}

/** Calls `tell` with the seconds that are left, at once and when they change. Returns a function that ends it. */
export function countDown(approval: PendingApproval, tell: (seconds: number) => void): () => void {
  let told: number | undefined;
  const look = (): void => {
    const seconds = secondsLeft(approval);
    if (seconds !== undefined && seconds !== told) tell((told = seconds));
  };
  look();
  const timer = approval.expiresAt === undefined ? undefined : setInterval(look, 250);
  return () => clearInterval(timer);
}

/** Seconds as minutes and seconds, such as `1:05`. */
export const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The new deadline if the user asks for more time: as much as there was at first. */
export const laterThan = ({ requestedAt, expiresAt = requestedAt }: PendingApproval): number =>
  Date.now() + expiresAt - requestedAt;
