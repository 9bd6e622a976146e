/**
 * Wraps the app's own storage, which does not know the leader, as a `FencedStorage`. Each write of a chat first reads
 * what is stored, and checks that this tab is the leader; the browser is asked unless it has answered recently. The
 * actions of followers are changed under a lock. Without the browser's locks there is neither this check nor a lock.
 */
import { say } from '../../types/say.js';
import { PersistError } from '../persist-error.js';
import { epochOf, isNewer, type ChatRecord, type Counters } from './chat-record.js';
import type { FencedStorage, StoredChat, Written } from './fenced-storage.js';
import type { PersistStorage } from '../persist-options.js';
import type { Platform } from '../tabs/platform.js';

/** The name under which the app's storage has the actions of followers. No chat may have such a name. */
export const actionsName = (name: string): string => `${name}.actions`;

/** Adapts the app's storage. `holdsLock`: whether this tab is the leader. */
export function customStorage(
  storage: PersistStorage,
  platform: Platform,
  holdsLock: () => Promise<boolean>,
  onError?: (error: unknown) => void,
): FencedStorage {
  /** What this tab has found when it became the leader, or has written since. */
  let known: Counters | undefined;
  /** The write that began last. */
  let last: { readonly record: ChatRecord; readonly done: Promise<void> } | undefined;
  /** Whether this tab has cleared the chat, and written nothing since. */
  let isCleared = false;
  const read = async (name: string, signal: AbortSignal): Promise<StoredChat> => {
    const value = (await storage.read(name, signal)) ?? undefined;
    const leader = value === undefined && !isCleared ? undefined : { epoch: epochOf(value), tab: '' };
    return { value, changes: [], leader, ended: 0 };
  };
  const write = async (name: string, record: ChatRecord, signal: AbortSignal): Promise<void> => {
    await storage.write(name, record, signal);
    known = record;
    isCleared = false;
  };
  return {
    // A write that is under way cannot be recalled from the app's storage, so a former leader could still add records
    // to the journal of the new one.
    hasJournal: false,
    read,
    readActions: (name, signal) => storage.read(actionsName(name), signal),
    async takeOver(name, { minimum, mayLead }, signal) {
      const stored = await read(name, signal);
      if (mayLead(stored)) known = stored.value as Counters | undefined;
      return { ...stored, epoch: Math.max(epochOf(stored.value), minimum) + 1 };
    },
    async write(name, given, _, signal): Promise<Written> {
      const record = given.record!;
      const before = known;
      const value = (await read(name, signal)).value as Counters | undefined;
      if (!value && before) return 'missing';
      // Another leader has written, perhaps on another device.
      if (epochOf(value) > record.epoch || !(await holdsLock())) return 'refused';
      signal.throwIfAborted();
      if (before && isNewer(before, value!))
        onError?.(
          new PersistError(
            'stale-storage',
            say`persist: the storage's read() does not return what this tab wrote last`,
          ),
        );
      // What began later must win.
      if (!last || !isNewer(last.record, record)) last = { record, done: write(name, record, signal) };
      await last.done;
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
      const update = (): Promise<void> =>
        Promise.race([
          action(),
          new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        ]);
      await (locks ? locks.request(`toolgate-actions:${name}`, { signal }, update) : update());
      return true;
    },
    async clear(name, signal) {
      for (const each of [name, actionsName(name)]) await storage.remove(each, signal);
      isCleared = true;
    },
  };
}
