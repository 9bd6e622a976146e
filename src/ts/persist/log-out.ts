/** `logOut`, the function that apps call when the user logs out. */
import { refuseUnknown, type KnownOptions } from '../types/option-checks.js';
import { customStorage } from './storage/custom-storage.js';
import { withTimeout, browserPlatform } from './tabs/platform.js';
import { withFresh } from './storage/chat-record.js';
import { endChats } from './storage/indexed-db.js';
import type { LogOutOptions } from './persist-options.js';
import { postLogOut } from './tabs/tab-channel.js';
import { say } from '../types/say.js';

const OPTIONS: KnownOptions<LogOutOptions> = { names: true, storage: true };

/** The time limit of storage, in ms. */
const STORE_MS = 10_000;

/**
 * Ends chats in all tabs, and deletes what is stored of them: all chats of this site, or those with these names. Each
 * tab that has one open closes it, stores and sends nothing more, and its `persisted.state` is `closed`. A tab that is
 * frozen does so when it continues: storage remembers for 30 days that the chat has ended, without its name. A chat
 * that is persisted under the same name later is a new one.
 *
 * Call it before the page forgets the user. Rejects if storage cannot be changed; the tabs that answer have closed
 * their chats then. Rejects with a `TypeError` for an unknown option, and for a storage without names.
 */
export async function logOut(options: LogOutOptions = {}): Promise<void> {
  refuseUnknown('logOut', options, OPTIONS);
  const { names: given, storage } = options;
  if (given ? !Array.isArray(given) : storage) throw new TypeError(say`logOut: \`names\` must be an array of names`);
  const names = given?.flatMap(withFresh);
  const platform = browserPlatform();
  // The tabs close first, so that none of them writes behind the deletion.
  postLogOut(platform, names);
  await withTimeout({ platform, ms: STORE_MS, what: 'storage' }, async (signal) => {
    if (globalThis.indexedDB) await endChats(globalThis.indexedDB, names, platform.now(), signal);
    const own = storage && customStorage(storage, platform, async () => true);
    if (own) for (const name of names!) await own.clear(name, signal);
  });
}
