/**
 * `localStorage` as a storage. All methods are synchronous.
 */
import { leaderKey } from './storage-names.js';
import { epochOf } from './chat-record.js';
import type { LeaderEntry, FencedStorage } from './fenced-storage.js';

/** The prefix of all keys. */
const PREFIX = 'toolgate:';

/** The page's `localStorage`. Reading the property throws if the page may not store anything. */
export function localStorageOf(): FencedStorage | undefined {
  try {
    const storage = globalThis.localStorage as Storage | undefined;
    return storage && webStorage(storage);
  } catch {
    return undefined;
  }
}

function webStorage(storage: Storage): FencedStorage {
  const read = (name: string): unknown => {
    const text = storage.getItem(PREFIX + name);
    try {
      return text === null ? undefined : (JSON.parse(text) as unknown);
    } catch {
      // Damaged. The caller reports the text as unreadable and copies it.
      return text;
    }
  };
  const put = (name: string, value: unknown): void => storage.setItem(PREFIX + name, JSON.stringify(value));
  const remove = (name: string): void => storage.removeItem(PREFIX + name);
  return {
    read,
    takeOver(name, tab, minimum) {
      const value = read(name);
      const epoch = Math.max(epochOf(value), epochOf(read(leaderKey(name))), minimum) + 1;
      put(leaderKey(name), { epoch, tab } satisfies LeaderEntry);
      return { value, epoch };
    },
    write(name, value, { tab }) {
      const lead = read(leaderKey(name)) as Partial<LeaderEntry> | undefined;
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
      remove(leaderKey(name));
    },
  };
}
