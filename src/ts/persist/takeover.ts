/**
 * What a tab does after its election, until it is the leader: reads storage, and continues from the newest record that
 * it can read. The takeover ends as soon as another tab is elected.
 */
import type { GateInternals } from '../gate/internals.js';
import type { Platform } from './platform.js';
import { isCrash } from './leader-tab.js';
import { isNewer, type ChatRecord } from './chat-record.js';
import type { StorageFallback } from './storage-fallback.js';
import type { StoredState, ChatStore } from './chat-store.js';

/** The dependencies of a takeover. */
interface TakeoverDeps {
  readonly internals: GateInternals;
  readonly platform: Platform;
  readonly chatStore: ChatStore;
  readonly leaderTimeoutMs: number;
  readonly onError: (error: unknown) => void;
  /** Asks the browser whether this tab holds the lock. */
  readonly holdsLock: () => Promise<boolean>;
  /** Called when it does not. */
  readonly onLost: () => void;
  readonly fallback: StorageFallback;
}

/** One takeover. */
export class Takeover {
  readonly #deps: TakeoverDeps;
  readonly #isCurrent: () => boolean;

  /** `isCurrent`: whether no other tab has been elected since, as far as this one knows. */
  constructor(deps: TakeoverDeps, isCurrent: () => boolean) {
    this.#deps = deps;
    this.#isCurrent = isCurrent;
  }

  /**
   * Reads the stored state, with an epoch above `minimum`; undefined if another tab was elected. A failed read is
   * repeated until it succeeds. Only a chat of which no tab has a state may continue without storage.
   */
  async find(minimum: () => number, isKnown: () => boolean): Promise<StoredState | undefined> {
    const { chatStore, platform, leaderTimeoutMs, onError, holdsLock, onLost, fallback } = this.#deps;
    let isReported = false;
    const mayContinueWithout = async (): Promise<boolean> => {
      if (!isKnown()) await fallback.askOtherTabs();
      // The next page would apply the actions that remain in storage.
      return !isKnown() && (await fallback.withdrawActions());
    };
    while (this.#isCurrent()) {
      try {
        const found = await chatStore.takeOver(minimum(), mayContinueWithout);
        // The page may have been frozen since its election.
        if (this.#isCurrent() && !(await holdsLock())) onLost();
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
   * Continues from the newest record that can be read. `then` is called during this, with the actions that the record
   * contains. Resolves with whether there was a record; undefined if another tab was elected. Rejects if the gate has
   * crashed.
   */
  async takeOver(
    found: StoredState,
    latest: ChatRecord | undefined,
    then: (applied: ChatRecord['applied']) => void,
  ): Promise<boolean | undefined> {
    const { internals, chatStore, onError } = this.#deps;
    const known = [found.record, latest].filter((record) => record !== undefined);
    known.sort((a, b) => (isNewer(a, b) ? -1 : 1));
    for (const record of known) {
      try {
        internals.commands.dispatch({ name: 'adopt', args: [record.snapshot, false, () => then(record.applied)] });
        return true;
      } catch (error) {
        if (isCrash(error)) throw error;
        if (record === found.record) await chatStore.refuse(error);
        else onError(error);
        if (!this.#isCurrent()) return undefined;
      }
    }
    return false;
  }
}
