/**
 * What a tab does after its election, until it is the leader: reads storage, and continues from the newest record that
 * it can read. The takeover ends as soon as another tab is elected: `isCurrent` is false then.
 */
import { isCrash, isEnd } from '../persist-error.js';
import { headOf, savedChanges, type ChatState } from '../storage/change-record.js';
import { isNewer } from '../storage/chat-record.js';
import type { StoredState } from '../storage/chat-store.js';
import type { Tab } from '../tabs/tab.js';

/** The state that a tab continues from. */
export interface TakenState {
  readonly state: ChatState;
  /** Whether it is the stored state, so that the journal in storage can be continued. */
  readonly isStored: boolean;
  /** Whether changes are lost. They may say that a request was sent. */
  readonly isDamaged: boolean;
}

/**
 * Reads the stored state, with an epoch above `minimum`; undefined if another tab was elected. A failed read is repeated
 * until it succeeds. Only a tab that does not show the chat, and whose user has done nothing that is stored, lets others
 * lead, or continues without storage.
 */
export async function findState(
  { chatStore, platform, leaderMs, election, role, actions, onError, onLost }: Tab,
  isCurrent: () => boolean,
  minimum: () => number,
): Promise<StoredState | undefined> {
  let isReported = false;
  const mayContinueWithout = async (): Promise<boolean> => {
    if (role.hasState || actions.stored.length > 0) return false;
    if (!(await election.hasCompetitors().catch(() => false))) return true;
    onLost();
    return false;
  };
  while (isCurrent()) {
    try {
      const found = await chatStore.takeOver(minimum(), role.hasState, mayContinueWithout);
      // The page may have been frozen since its election.
      if (isCurrent() && !(await election.holdsLock())) onLost();
      return isCurrent() ? found : undefined;
    } catch (error) {
      if (!isReported && !isEnd(error)) onError(error);
      isReported = true;
    }
    await new Promise<void>((resolve) => platform.after(leaderMs, resolve));
  }
  return undefined;
}

/**
 * Continues from the newest state that can be read, or from the gate as it is. `begin` is called during this, with the
 * state, and with why what is stored cannot be read, or not all of it. Returns false if another tab was elected. Throws
 * if the gate has crashed.
 */
export function continueFrom(
  { internals, changeLog, onError }: Tab,
  isCurrent: () => boolean,
  { state: stored, problem }: StoredState,
  latest: ChatState | undefined,
  begin: (taken: TakenState | undefined, problem: Error | undefined) => void,
): boolean {
  const known = [stored, latest].filter((state) => state !== undefined);
  known.sort((a, b) => (isNewer(headOf(a), headOf(b)) ? -1 : 1));
  for (const state of known) {
    const isStored = state === stored;
    // If the changes cannot be read, the chat continues from the snapshot before them.
    const states = state.changes.length > 0 ? [state, { record: state.record, changes: [] }] : [state];
    for (const read of states) {
      try {
        const isDamaged = problem !== undefined || read !== state;
        const then = (): void => begin({ state: read, isStored: isStored && !isDamaged, isDamaged }, problem);
        const continued = changeLog.continued(savedChanges(read.changes), false);
        internals.commands.dispatch({ name: 'adopt', args: [read.record.snapshot, false, then, continued] });
        return true;
      } catch (error) {
        if (isCrash(error)) throw error;
        if (isStored) problem = error as Error;
        else onError(error);
        if (!isCurrent()) return false;
      }
    }
  }
  begin(undefined, problem);
  return true;
}
