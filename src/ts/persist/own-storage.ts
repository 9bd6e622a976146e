/**
 * A storage of the app's own, which knows nothing of tabs: a write is made when the browser says that this tab leads, and what
 * several tabs change is changed under a lock.
 */
import { epochOf } from './kept-record.js';
import type { Holder, LeadStorage } from './lead-storage.js';
import type { PersistStorage } from './persist-options.js';

/** The app's storage as the keeper takes it. */
export function ownStorage(storage: PersistStorage, { platform, holds }: Holder): LeadStorage {
  const put = async (name: string, value: unknown, signal: AbortSignal): Promise<void> => {
    if (value === undefined) await storage.remove(name, signal);
    else await storage.write(name, value, signal);
  };
  return {
    read: (name, signal) => storage.read(name, signal),
    async takeOver(name, _, minimum, signal) {
      const value = await storage.read(name, signal);
      return { value, epoch: Math.max(epochOf(value), minimum) + 1 };
    },
    async write(name, value, _, signal) {
      if (!(await holds())) return false;
      signal.throwIfAborted();
      await storage.write(name, value, signal);
      return true;
    },
    async update(name, change, signal) {
      const act = async (): Promise<void> => {
        // The lock may come late: what waits for an abort from then on would wait, and hold it, for ever.
        signal.throwIfAborted();
        const value = await storage.read(name, signal);
        signal.throwIfAborted();
        const changed = change(value);
        if (changed !== undefined || (value !== undefined && value !== null)) await put(name, changed, signal);
      };
      const { locks } = platform;
      if (!locks) return act();
      // The lock is given back in time, also if the storage never answers.
      await locks.request(`toolgate:${name}`, { signal }, () => Promise.race([act(), aborted(signal)]));
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
