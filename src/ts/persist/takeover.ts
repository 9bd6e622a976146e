/**
 * What a tab does after its election, until it is the leader: reads storage, and continues from the newest record that
 * it can read. The takeover ends as soon as another tab is elected.
 */
import type { GateInternals } from '../gate/internals.js';
import type { ChangeLog } from './change-log.js';
import type { Platform } from './platform.js';
import { isCrash } from './action-executor.js';
import { headOf, savedChanges, type ChatState } from './change-record.js';
import { isNewer } from './chat-record.js';
import { PersistError } from './persist-error.js';
import type { StorageFallback } from './storage-fallback.js';
import type { StoredState, ChatStore } from './chat-store.js';
import { say } from '../types/say.js';

/** The dependencies of a takeover. */
interface TakeoverDeps {
  readonly internals: GateInternals;
  readonly changeLog: ChangeLog;
  readonly platform: Platform;
  readonly chatStore: ChatStore;
  readonly leaderMs: number;
  readonly onError: (error: unknown) => void;
  /** Asks the browser whether this tab holds the lock. */
  readonly holdsLock: () => Promise<boolean>;
  /** Called when this tab does not hold the lock. */
  readonly onLost: () => void;
  readonly fallback: StorageFallback;
}

/** The state that a tab continues from. */
export interface TakenState {
  readonly state: ChatState;
  /** Whether it is the stored state, so that the journal in storage can be continued. */
  readonly isStored: boolean;
  /** Whether stored changes are lost. They may say that a request was sent. */
  readonly isDamaged: boolean;
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
    const { chatStore, platform, leaderMs, onError, holdsLock, onLost, fallback } = this.#deps;
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
      await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
    }
    return undefined;
  }

  /**
   * Continues from the newest state that can be read. `then` is called during this, with the state. Resolves with
   * whether there was a state; undefined if another tab was elected. Rejects if the gate has crashed.
   */
  async takeOver(
    found: StoredState,
    latest: ChatState | undefined,
    then: (taken: TakenState) => void,
  ): Promise<boolean | undefined> {
    const { chatStore, onError } = this.#deps;
    const known = [found.state, latest].filter((state) => state !== undefined);
    known.sort((a, b) => (isNewer(headOf(a), headOf(b)) ? -1 : 1));
    for (const state of known) {
      const isStored = state === found.state;
      try {
        const readable = this.#adoptReadable(state, (read) =>
          then({ state: read, isStored: isStored && found.isWhole, isDamaged: !found.isWhole || read !== state }),
        );
        if (readable !== state) await this.#refuseJournal(state, readable, isStored);
        return true;
      } catch (error) {
        if (isCrash(error)) throw error;
        if (isStored) await chatStore.refuse(error);
        else onError(error);
        if (!this.#isCurrent()) return undefined;
      }
    }
    return false;
  }

  /** Adopts a state with as many of its changes as can be read. Returns the adopted state. */
  #adoptReadable(state: ChatState, then: (state: ChatState) => void): ChatState {
    try {
      this.#adopt(state, false, () => then(state));
      return state;
    } catch (error) {
      if (isCrash(error) || state.changes.length === 0) throw error;
    }
    // The checksums are right, so another release wrote changes that this one cannot read.
    let [readable, unreadable] = [0, state.changes.length];
    while (unreadable - readable > 1) {
      const count = Math.floor((readable + unreadable) / 2);
      try {
        this.#adopt(firstChanges(state, count), true);
        readable = count;
      } catch (error) {
        if (isCrash(error)) throw error;
        unreadable = count;
      }
    }
    const read = firstChanges(state, readable);
    this.#adopt(read, false, () => then(read));
    return read;
  }

  #adopt({ record, changes }: ChatState, follows: boolean, then?: () => void): void {
    const { internals, changeLog } = this.#deps;
    const continued = changeLog.continued(savedChanges(changes), follows);
    internals.commands.dispatch({ name: 'adopt', args: [record.snapshot, follows, then, continued] });
  }

  async #refuseJournal(state: ChatState, read: ChatState, isStored: boolean): Promise<void> {
    const { chatStore, onError } = this.#deps;
    const lost = state.changes.length - read.changes.length;
    const message = say`persist: ${lost} records of the journal cannot be read. The chat is restored up to there, and
      sends nothing until the user continues`;
    const error = new PersistError('journal-damaged', message);
    if (isStored) await chatStore.refuse(error);
    else onError(error);
  }
}

/** The state after this many changes. */
function firstChanges({ record, changes }: ChatState, count: number): ChatState {
  return { record, changes: changes.slice(0, count) };
}
