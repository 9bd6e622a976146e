/**
 * IndexedDB as a storage. Each method is one transaction, so that a tab cannot write after another one has become the
 * leader, or after everything was deleted. Keys are arrays, so that no name of a chat can meet the keys of another one.
 */
import { digest } from '../../json/digest.js';
import { say } from '../../types/say.js';
import { attempt } from '../persist-error.js';
import { epochOf } from './chat-record.js';
import type { FencedStorage, LeaderEntry, StoredChat, Written } from './fenced-storage.js';

/** The names of the database and its object store. */
const DATABASE = 'toolgate';
const STORE = 'kept';

/** How many replaced leaders of a chat are remembered. */
const OVER = 64;

/** How long an ended chat is remembered, in ms. Tabs that sleep longer find nothing, and store nothing. */
const ENDED_MS = 30 * 86_400_000;

/** A chat that was ended by `logOut`. Its key has a hash of its name. */
interface EndedEntry {
  readonly epoch: number;
  /** When, in ms since 1970. */
  readonly at: number;
}

const snapshotKey = (name: string): string[] => [name, 'snapshot'];
const leaderKey = (name: string): string[] => [name, 'leader'];
const actionsKey = (name: string): string[] => [name, 'actions'];
const changeKey = (name: string, number: number): (string | number)[] => [name, 'journal', number];
/** The key of an ended chat. An array in an array is none of the keys above, and sorts after all of them. */
const endedKey = (name: string): string[][] => [[digest(name)]];
/** The key that exists if the leader of this epoch was replaced, or the chat was ended or cleared since. */
const overKey = (name: string, epoch: number): (string | number)[][] => [[digest(name), epoch]];

/** The keys that begin with these strings, and have more. */
const within = (...start: string[]): IDBKeyRange => IDBKeyRange.bound(start, [...start, []]);

/** A storage in the browser's IndexedDB. */
export function indexedDbStorage(factory: IDBFactory): FencedStorage {
  const database = new Database(factory);
  /** The connection by which this tab became the leader. */
  let led: IDBDatabase | undefined;
  return {
    hasJournal: true,

    read: (name, signal) => database.run('readonly', signal, (store) => readChat(store, name)),

    readActions: (name, signal) => database.run('readonly', signal, (store) => get(store, actionsKey(name))),

    takeOver: (name, { tab, minimum, mayLead }, signal) =>
      database.run('readwrite', signal, (store, transaction) => {
        let epoch = 0;
        const found = readChat(store, name, (stored) => {
          const { value, changes, leader, ended } = stored;
          epoch = Math.max(...[value, leader, ...changes].map(epochOf), ended, minimum) + 1;
          if (!mayLead(stored)) return;
          led = transaction.db;
          store.put({ epoch, tab } satisfies LeaderEntry, leaderKey(name));
          if (!leader) return;
          store.put({}, overKey(name, leader.epoch));
          const over = store.getAllKeys(IDBKeyRange.bound(overKey(name, 0), overKey(name, Infinity)));
          over.onsuccess = () => over.result.slice(0, -OVER).forEach((key) => store.delete(key));
        });
        return () => ({ ...found(), epoch });
      }),

    write: (name, { record, changes }, { tab, epoch }, signal) =>
      database
        .run<Written>('readwrite', signal, (store, transaction) => {
          const put = (): void => {
            if (record) {
              store.delete(within(name, 'journal'));
              store.put(record, snapshotKey(name));
            }
            for (const change of changes) store.put(change, changeKey(name, change.number));
            transaction.commit?.();
          };
          // The browser may have closed the database since it was `led`, and deleted it.
          const isUnchanged = transaction.db === led;
          const putIfLeader = (entry: LeaderEntry | undefined): unknown => entry?.tab === tab && put();
          const leader = get<LeaderEntry>(store, leaderKey(name), isUnchanged ? undefined : putIfLeader);
          if (isUnchanged) {
            // Nothing is awaited, so this is stored even if the page is reloaded or killed now. `add` fails, and aborts
            // the transaction, if this leader was replaced or the chat was ended.
            const over = overKey(name, epoch);
            store.add(1, over);
            store.delete(over);
            put();
          }
          return () => (!leader() ? 'missing' : leader()?.tab === tab ? 'stored' : 'refused');
        })
        .then(
          async (written) => {
            if (written === 'missing') await database.run('readwrite', signal, (store) => dropUnled(store, name));
            return written;
          },
          (error: unknown) => {
            if ((error as Error).name === 'ConstraintError') return 'refused';
            throw error;
          },
        ),

    updateActions: (name, change, born, signal) =>
      database.run('readwrite', signal, (store) => {
        const ended = get<EndedEntry>(store, endedKey(name));
        const isAlive = (): boolean => epochOf(ended()) < born;
        get(store, actionsKey(name), (actions) => {
          if (!isAlive()) return;
          const changed = change(actions);
          if (changed === undefined) store.delete(actionsKey(name));
          else store.put(changed, actionsKey(name));
        });
        return isAlive;
      }),

    clear: (name, signal) =>
      database.run('readwrite', signal, (store) => {
        get<LeaderEntry>(store, leaderKey(name), (leader) => {
          store.delete(within(name));
          if (!leader) return;
          store.put({ ...leader, tab: '' }, leaderKey(name));
          store.put({}, overKey(name, leader.epoch));
        });
        return () => {};
      }),
  };
}

/**
 * Ends these chats, or all stored ones: deletes what is stored, and notes that tabs which have such a chat open must
 * not store it again.
 */
export async function endChats(
  factory: IDBFactory,
  names: readonly string[] | undefined,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  await new Database(factory).run('readwrite', signal, (store) => {
    const all = store.getAllKeys();
    all.onsuccess = () => {
      const stored = all.result.flatMap((key) => (Array.isArray(key) && typeof key[0] === 'string' ? [key[0]] : []));
      for (const name of names ?? new Set(stored)) {
        readChat(store, name, ({ value, leader, changes, ended }) => {
          // A time is above all counted epochs, also those of open tabs whose chat was deleted before.
          const epoch = Math.max(...[value, leader, ...changes].map(epochOf), ended, now);
          store.delete(within(name));
          store.put({ epoch, at: now } satisfies EndedEntry, endedKey(name));
          if (leader) store.put({ at: now }, overKey(name, leader.epoch));
        });
      }
      for (const key of all.result) {
        if (!Array.isArray(key) || !Array.isArray(key[0])) continue;
        get<Partial<EndedEntry>>(store, key, (entry) => {
          if (entry?.at === undefined) store.put({ at: now }, key);
          else if (entry.at < now - ENDED_MS) store.delete(key);
        });
      }
    };
    return () => {};
  });
}

/** Deletes what a leader has stored after everything was deleted. */
function dropUnled(store: IDBObjectStore, name: string): () => unknown {
  return get(store, leaderKey(name), (leader) => leader ?? store.delete(within(name)));
}

/** Reads a chat. `then` is called when it is read, in the same transaction. */
function readChat(store: IDBObjectStore, name: string, then?: (stored: StoredChat) => void): () => StoredChat {
  const value = get(store, snapshotKey(name));
  const changes = store.getAll(within(name, 'journal')) as IDBRequest<unknown[]>;
  const leader = get<LeaderEntry>(store, leaderKey(name));
  // Requests are answered in order.
  const ended = get<EndedEntry>(store, endedKey(name), () => then?.(stored()));
  const stored = (): StoredChat => ({
    value: value(),
    changes: changes.result,
    leader: leader(),
    ended: epochOf(ended()),
  });
  return stored;
}

/** Reads an entry. `then` is called with it, in the same transaction. */
function get<T>(store: IDBObjectStore, key: IDBValidKey, then?: (entry: T | undefined) => void): () => T | undefined {
  const request = store.get(key) as IDBRequest<T | undefined>;
  request.onsuccess = () => then?.(request.result);
  return () => request.result;
}

/** The database. It is opened on first use. */
class Database {
  readonly #factory: IDBFactory;
  #opening: Promise<IDBDatabase> | undefined;

  constructor(factory: IDBFactory) {
    this.#factory = factory;
  }

  /** Runs a transaction. `ask` makes its requests, and returns a function that is called when it is complete. */
  async run<T>(
    mode: IDBTransactionMode,
    signal: AbortSignal,
    ask: (store: IDBObjectStore, transaction: IDBTransaction) => () => T,
  ): Promise<T> {
    const database = await this.#open(signal);
    return new Promise<T>((resolve, reject) => {
      // Strict durability: a claim must also survive a crash of the computer.
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      // It throws if the transaction is already being committed, or is over.
      signal.addEventListener('abort', () => attempt(() => transaction.abort()));
      const result = ask(transaction.objectStore(STORE), transaction);
      transaction.oncomplete = () => resolve(result());
      transaction.onabort = () => reject(transaction.error ?? new Error(say`the transaction was aborted`));
    });
  }

  async #open(signal: AbortSignal): Promise<IDBDatabase> {
    const opening = (this.#opening ??= this.#request());
    // Opening failed, or took too long. The next call opens the database again.
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    opening.catch(forget);
    signal.addEventListener('abort', forget);
    const database = await opening;
    signal.removeEventListener('abort', forget);
    signal.throwIfAborted();
    return database;
  }

  #request(): Promise<IDBDatabase> {
    return new Promise<IDBDatabase>((resolve, reject) => {
      const request = this.#factory.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onerror = () => reject(request.error as DOMException);
      request.onsuccess = () => {
        const database = request.result;
        const forget = (): void => void (this.#opening = undefined);
        database.onclose = forget;
        database.onversionchange = () => {
          forget();
          database.close();
        };
        resolve(database);
      };
    });
  }
}
