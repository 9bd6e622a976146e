/**
 * The next release of the package, for one tab: its messages, its own lock and its records have the next version. It
 * reads the records of this release, and this release does not read its.
 */
import { VERSION } from '../../../src/ts/persist/storage/chat-record.js';
import type { FencedStorage, StoredChat } from '../../../src/ts/persist/storage/fenced-storage.js';
import type { Platform } from '../../../src/ts/persist/tabs/platform.js';

/** The version of the records of the next release. */
export const NEXT_VERSION = VERSION + 1;

type Versioned = { readonly version: number };

const OWN = 'toolgate-tab:';

/** What the other release posts or stores. */
const toNext = <T>(value: T): T =>
  value === undefined ? value : { ...value, version: (value as T & Versioned).version + 1 };

/** What this release reads of it. What is of this release looks like that of an earlier one. */
const fromNext = <T>(value: T): T => ({ ...value, version: (value as T & Versioned).version - 1 });

/** The records of both releases, as the next one reads them. */
const readable = <T>(value: T): T =>
  (value as Partial<Versioned> | undefined)?.version === NEXT_VERSION ? fromNext(value) : value;

const readableChat = <T extends StoredChat>(chat: T): T => ({
  ...chat,
  value: readable(chat.value),
  changes: chat.changes.map(readable),
});

/** The platform of a tab of the next release. */
export function nextPlatform(platform: Platform): Platform {
  const { locks } = platform;
  const named = (name: string | undefined, by: number): string | undefined =>
    name?.startsWith(OWN) ? name.replace(/\d+/, (release) => String(Number(release) + by)) : name;
  return {
    ...platform,
    locks: locks && {
      request: (name, options, callback) => locks.request(named(name, 1)!, options, callback),
      query: async () => {
        const { held = [], pending = [] } = await locks.query();
        return {
          held: held.map((lock) => ({ ...lock, name: named(lock.name, -1) })),
          pending: pending.map((lock) => ({ ...lock, name: named(lock.name, -1) })),
        };
      },
    },
    openChannel: (name, listener) => {
      const isVersioned = (data: unknown): boolean => (data as Partial<Versioned>).version !== undefined;
      const raw = platform.openChannel(name, (data) => listener(isVersioned(data) ? fromNext(data) : data));
      return { ...raw, post: (data) => raw.post(isVersioned(data) ? toNext(data) : data) };
    },
  };
}

/** The storage of a tab of the next release. */
export function nextStorage(storage: FencedStorage): FencedStorage {
  return {
    ...storage,
    read: async (name, signal) => readableChat(await storage.read(name, signal)),
    takeOver: async (name, lead, signal) =>
      readableChat(
        await storage.takeOver(name, { ...lead, mayLead: (stored) => lead.mayLead(readableChat(stored)) }, signal),
      ),
    write: (name, { record, changes }, lead, signal) =>
      storage.write(name, { record: toNext(record), changes: changes.map(toNext) }, lead, signal),
  };
}
