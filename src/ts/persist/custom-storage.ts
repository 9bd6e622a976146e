/**
 * Wraps the app's own storage, which does not know the leader, as a `FencedStorage`. Each write of a chat first checks
 * that this tab is the leader; the browser is asked unless it has answered recently. Values that several tabs change
 * are changed under a lock. Both need the browser's locks: without them, there is neither a check nor a lock.
 */
import { epochOf } from './chat-record.js';
import type { LeaderCheck, FencedStorage } from './fenced-storage.js';
import type { PersistStorage } from './persist-options.js';

/** Adapts the app's storage. */
export function customStorage(storage: PersistStorage, { platform, holdsLock }: LeaderCheck): FencedStorage {
  const put = async (name: string, value: unknown, signal: AbortSignal): Promise<void> => {
    if (value === undefined) await storage.remove(name, signal);
    else await storage.write(name, value, signal);
  };
  return {
    // A write that is under way cannot be recalled from the app's storage, so a former leader could still add records
    // to the journal of the new one.
    hasJournal: false,
    read: (name, signal) => storage.read(name, signal),
    readChat: async (name, signal) => ({ value: await storage.read(name, signal), changes: [] }),
    async takeOver(name, _, minimum, signal) {
      const value = await storage.read(name, signal);
      return { value, changes: [], epoch: Math.max(epochOf(value), minimum) + 1 };
    },
    async write(name, { record }, _, signal) {
      if (!(await holdsLock())) return false;
      signal.throwIfAborted();
      await storage.write(name, record, signal);
      return true;
    },
    async update(name, change, signal) {
      const action = async (): Promise<void> => {
        // The lock may be granted after the abort, which is not signalled again: without this check it would be held
        // forever.
        signal.throwIfAborted();
        const value = await storage.read(name, signal);
        signal.throwIfAborted();
        const changed = change(value);
        if (changed !== undefined || (value !== undefined && value !== null)) await put(name, changed, signal);
      };
      const { locks } = platform;
      if (!locks) return action();
      // The lock is released in time, even if storage never answers.
      await locks.request(`toolgate:${name}`, { signal }, () => Promise.race([action(), aborted(signal)]));
    },
    async remove(name, signal) {
      await storage.remove(name, signal);
    },
  };
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}
