/**
 * Wraps the app's own storage, which does not know the leader, as a `FencedStorage`. Each write of a chat first checks
 * that this tab is the leader; the browser is asked unless it has answered recently. The actions of followers are
 * changed under a lock. Both need the browser's locks: without them, there is neither a check nor a lock.
 */
import { epochOf } from './chat-record.js';
import type { FencedStorage, StoredChat } from './fenced-storage.js';
import type { PersistStorage } from '../persist-options.js';
import { deferred, type Platform } from '../tabs/platform.js';

/** The name under which the app's storage has the actions of followers. No chat may have such a name. */
export const actionsName = (name: string): string => `${name}.acts`;

/** Adapts the app's storage. `holdsLock`: whether this tab is the leader. */
export function customStorage(
  storage: PersistStorage,
  platform: Platform,
  holdsLock: () => Promise<boolean>,
): FencedStorage {
  const read = async (name: string, signal: AbortSignal): Promise<StoredChat> => {
    const value = (await storage.read(name, signal)) ?? undefined;
    const leader = value === undefined ? undefined : { epoch: epochOf(value), tab: '' };
    return { value, changes: [], leader, ended: 0 };
  };
  return {
    // A write that is under way cannot be recalled from the app's storage, so a former leader could still add records
    // to the journal of the new one.
    hasJournal: false,
    read,
    readActions: (name, signal) => storage.read(actionsName(name), signal),
    async takeOver(name, { minimum, mayLead }, signal) {
      const stored = await read(name, signal);
      mayLead(stored);
      return { ...stored, epoch: Math.max(epochOf(stored.value), minimum) + 1 };
    },
    async write(name, { record }, _, signal) {
      if (!(await holdsLock())) return 'refused';
      signal.throwIfAborted();
      await storage.write(name, record, signal);
      return 'stored';
    },
    async updateActions(name, change, _, signal) {
      const action = async (): Promise<void> => {
        // The lock may be granted after the abort, which is not signalled again: without this check it would be held
        // forever.
        signal.throwIfAborted();
        const actions = await storage.read(actionsName(name), signal);
        signal.throwIfAborted();
        const changed = change(actions);
        if (changed !== undefined) await storage.write(actionsName(name), changed, signal);
        else if (actions !== undefined && actions !== null) await storage.remove(actionsName(name), signal);
      };
      const { locks } = platform;
      // The lock is released in time, even if storage never answers.
      const update = (): Promise<void> => {
        const aborted = deferred<never>();
        signal.addEventListener('abort', () => aborted.reject(signal.reason));
        return Promise.race([action(), aborted.promise]);
      };
      await (locks ? locks.request(`toolgate-acts:${name}`, { signal }, update) : action());
      return true;
    },
    async clear(name, signal) {
      for (const each of [name, actionsName(name)]) await storage.remove(each, signal);
    },
  };
}
