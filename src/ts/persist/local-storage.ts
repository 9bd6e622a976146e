/**
 * `localStorage` as a storage. All methods are synchronous.
 */
import { changeKey, changePrefix, leaderKey } from './storage-names.js';
import { epochOf } from './chat-record.js';
import type { LeaderEntry, FencedStorage, StoredChat } from './fenced-storage.js';

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
  /** The keys of the journal's records, without the prefix, in order. */
  const changeKeys = (name: string): string[] => {
    const prefix = PREFIX + changePrefix(name);
    const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '');
    return keys
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  };
  const readChat = (name: string): StoredChat => ({ value: read(name), changes: changeKeys(name).map(read) });
  return {
    hasJournal: true,
    read,
    readChat,
    takeOver(name, tab, minimum) {
      const chat = readChat(name);
      const epochs = [chat.value, read(leaderKey(name)), ...chat.changes].map(epochOf);
      const epoch = Math.max(...epochs, minimum) + 1;
      put(leaderKey(name), { epoch, tab } satisfies LeaderEntry);
      return { ...chat, epoch };
    },
    write(name, { record, changes }, { tab }) {
      const lead = read(leaderKey(name)) as Partial<LeaderEntry> | undefined;
      if (lead?.tab !== undefined && lead.tab !== tab) return false;
      const before = record ? changeKeys(name) : [];
      // The journal is deleted last: its records name the snapshot that they belong to.
      if (record) put(name, record);
      for (const change of changes) put(changeKey(name, change.number), change);
      const stored = new Set(changes.map(({ number }) => changeKey(name, number)));
      for (const key of before) if (!stored.has(key)) remove(key);
      return true;
    },
    update(name, change) {
      const value = change(read(name));
      if (value === undefined) remove(name);
      else put(name, value);
    },
    remove(name) {
      remove(name);
      changeKeys(name).forEach(remove);
      remove(leaderKey(name));
    },
  };
}
