/**
 * What a tab does between its election and its lead: reads what is stored, and takes over the newest state that it can read. All
 * of it is void as soon as another tab was elected.
 */
import type { GateInternals } from '../gate/internals.js';
import type { Platform } from './platform.js';
import { isCrash } from './leading.js';
import { isNewer, type KeptRecord } from './kept-record.js';
import type { Unreadable } from './unreadable.js';
import type { Found, Vault } from './vault.js';

/** What a tab that was elected works with. */
interface TakingParts {
  readonly port: GateInternals;
  readonly platform: Platform;
  readonly vault: Vault;
  readonly leaderTimeoutMs: number;
  readonly onError: (error: unknown) => void;
  /** Whether this tab has the lock, asked of the browser. */
  readonly holds: () => Promise<boolean>;
  /** It has not. */
  readonly onLost: () => void;
  readonly unreadable: Unreadable;
}

/** One election. */
export class Taking {
  readonly #parts: TakingParts;
  readonly #isCurrent: () => boolean;

  /** `isCurrent`: no other tab was elected since, as far as this one knows. */
  constructor(parts: TakingParts, isCurrent: () => boolean) {
    this.#parts = parts;
    this.#isCurrent = isCurrent;
  }

  /**
   * What is stored, with an epoch above `minimum`; undefined if the election is void. What fails is asked again, until there is
   * an answer; only a chat of which nothing is known, in other tabs neither, may go on without the storage.
   */
  async find(minimum: () => number, isKnown: () => boolean): Promise<Found | undefined> {
    const { vault, platform, leaderTimeoutMs, onError, holds, onLost, unreadable } = this.#parts;
    let isReported = false;
    const mayDoWithout = async (): Promise<boolean> => {
      if (!isKnown()) await unreadable.askOthers();
      // What is left in the storage the next page does again.
      return !isKnown() && (await unreadable.withdraw());
    };
    while (this.#isCurrent()) {
      try {
        const found = await vault.takeOver(minimum(), mayDoWithout);
        // It may have been elected long ago, and stood still since.
        if (this.#isCurrent() && !(await holds())) onLost();
        return this.#isCurrent() ? found : undefined;
      } catch (error) {
        if (!isReported) onError(error);
        isReported = true;
      }
      await new Promise<void>((resolve) => platform.after(leaderTimeoutMs, resolve));
    }
    return undefined;
  }

  /**
   * Takes over the newest of the states that can be read. `then` is called in the middle of it, with the acts that are part of the
   * state. Resolves with whether there was one; undefined if the election is void by then. Rejects if the gate has failed.
   */
  async takeOver(
    found: Found,
    latest: KeptRecord | undefined,
    then: (applied: KeptRecord['applied']) => void,
  ): Promise<boolean | undefined> {
    const { port, vault, onError } = this.#parts;
    const known = [found.record, latest].filter((record) => record !== undefined);
    known.sort((a, b) => (isNewer(a, b) ? -1 : 1));
    for (const record of known) {
      try {
        port.commands.dispatch({ name: 'adopt', args: [record.snapshot, false, () => then(record.applied)] });
        return true;
      } catch (error) {
        if (isCrash(error)) throw error;
        if (record === found.record) await vault.refuse(error);
        else onError(error);
        if (!this.#isCurrent()) return undefined;
      }
    }
    return false;
  }
}
