/**
 * `localStorage` as a storage of chats: everything happens at once.
 */
import { leaderOf } from './storage-names.js';
import { epochOf } from './kept-record.js';
import type { Lead, LeadStorage } from './lead-storage.js';

/** What stands before a name. */
const PREFIX = 'toolgate:';

/** The page's `localStorage`. Even to ask for it throws, where a page may not store anything. */
export function localStorageOf(): LeadStorage | undefined {
  try {
    const storage = globalThis.localStorage as Storage | undefined;
    return storage && webStorage(storage);
  } catch {
    return undefined;
  }
}

function webStorage(storage: Storage): LeadStorage {
  const read = (name: string): unknown => {
    const text = storage.getItem(PREFIX + name);
    try {
      return text === null ? undefined : (JSON.parse(text) as unknown);
    } catch {
      // Damaged: whoever reads it says so, and keeps it as it is.
      return text;
    }
  };
  const put = (name: string, value: unknown): void => storage.setItem(PREFIX + name, JSON.stringify(value));
  const remove = (name: string): void => storage.removeItem(PREFIX + name);
  return {
    read,
    takeOver(name, tab, minimum) {
      const value = read(name);
      const epoch = Math.max(epochOf(value), epochOf(read(leaderOf(name))), minimum) + 1;
      put(leaderOf(name), { epoch, tab } satisfies Lead);
      return { value, epoch };
    },
    write(name, value, { tab }) {
      const lead = read(leaderOf(name)) as Partial<Lead> | undefined;
      if (lead?.tab !== undefined && lead.tab !== tab) return false;
      put(name, value);
      return true;
    },
    update(name, change) {
      const value = change(read(name));
      if (value === undefined) remove(name);
      else put(name, value);
    },
    remove(name) {
      remove(name);
      remove(leaderOf(name));
    },
  };
}
