/**
 * What a tab does after its election, until it is the leader: reads storage, and continues from the newest record that
 * it can read. The takeover ends as soon as another tab is elected.
 */
import type { GateInternals } from '../../gate/internals.js';
import type { ChangeLog } from '../storage/change-log.js';
import type { Platform } from '../tabs/platform.js';
import { isCrash } from './action-executor.js';
import { headOf, savedChanges, type ChatState } from '../storage/change-record.js';
import { isNewer } from '../storage/chat-record.js';
import { isEnd, type StoredState, type ChatStore } from '../storage/chat-store.js';

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
  /** Asks the browser whether other tabs wait for the lock. */
  readonly hasCompetitors: () => Promise<boolean>;
}

/** The state that a tab continues from. */
export interface TakenState {
  readonly state: ChatState;
  /** Whether it is the stored state, so that the journal in storage can be continued. */
  readonly isStored: boolean;
  /** Whether changes are lost. They may say that a request was sent. */
  readonly isDamaged: boolean;
}

/**
 * Begins to lead with the state that the gate has adopted, if there was one. `problem`: why what is stored cannot be
 * read, or not all of it.
 */
type Begin = (taken: TakenState | undefined, problem: Error | undefined) => void;

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
   * repeated until it succeeds. Only a tab that does not show the chat, and whose user has done nothing that is stored,
   * lets others lead, or continues without storage.
   */
  async find(
    minimum: () => number,
    hasState: () => boolean,
    hasActions: () => boolean,
  ): Promise<StoredState | undefined> {
    const { chatStore, platform, leaderMs, onError, holdsLock, onLost, hasCompetitors } = this.#deps;
    let isReported = false;
    const mayContinueWithout = async (): Promise<boolean> => {
      if (hasState() || hasActions()) return false;
      if (!(await hasCompetitors().catch(() => false))) return true;
      onLost();
      return false;
    };
    while (this.#isCurrent()) {
      try {
        const found = await chatStore.takeOver(minimum(), hasState(), mayContinueWithout);
        // The page may have been frozen since its election.
        if (this.#isCurrent() && !(await holdsLock())) onLost();
        return this.#isCurrent() ? found : undefined;
      } catch (error) {
        if (!isReported && !isEnd(error)) onError(error);
        isReported = true;
      }
      await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
    }
    return undefined;
  }

  /**
   * Continues from the newest state that can be read, or from the gate as it is. `then` is called during this. Returns
   * false if another tab was elected. Throws if the gate has crashed.
   */
  takeOver(found: StoredState, latest: ChatState | undefined, then: Begin): boolean {
    const { onError } = this.#deps;
    let { problem } = found;
    const known = [found.state, latest].filter((state) => state !== undefined);
    known.sort((a, b) => (isNewer(headOf(a), headOf(b)) ? -1 : 1));
    for (const state of known) {
      const isStored = state === found.state;
      // If the changes cannot be read, the chat continues from the snapshot before them.
      const states = state.changes.length > 0 ? [state, { record: state.record, changes: [] }] : [state];
      for (const read of states) {
        try {
          const isDamaged = problem !== undefined || read !== state;
          this.#adopt(read, () => then({ state: read, isStored: isStored && !isDamaged, isDamaged }, problem));
          return true;
        } catch (error) {
          if (isCrash(error)) throw error;
          if (isStored) problem = error as Error;
          else onError(error);
          if (!this.#isCurrent()) return false;
        }
      }
    }
    then(undefined, problem);
    return true;
  }

  #adopt({ record, changes }: ChatState, then: () => void): void {
    const { internals, changeLog } = this.#deps;
    const continued = changeLog.continued(savedChanges(changes), false);
    internals.commands.dispatch({ name: 'adopt', args: [record.snapshot, false, then, continued] });
  }
}
