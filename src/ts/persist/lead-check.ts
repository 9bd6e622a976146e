/** Asks the browser whether this tab still holds the lock, until the browser answers. */
import type { Platform } from './platform.js';

/** The dependencies. */
interface LeadCheckDeps {
  readonly platform: Platform;
  /** The pause before the browser is asked again, in ms. */
  readonly pauseMs: number;
  readonly holdsLock: () => Promise<boolean>;
}

/** Resolves with whether this tab holds the lock; undefined if `isCurrent` returns false meanwhile. */
export async function checkLead(
  { platform, pauseMs, holdsLock }: LeadCheckDeps,
  isCurrent: () => boolean,
): Promise<boolean | undefined> {
  for (;;) {
    const isHeld = await holdsLock().catch(() => undefined);
    if (!isCurrent()) return undefined;
    if (isHeld !== undefined) return isHeld;
    await new Promise<void>((resolve) => platform.after(pauseMs, resolve));
  }
}
