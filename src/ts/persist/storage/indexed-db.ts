/**
 * IndexedDB as a storage. Each method is one transaction, so that a tab cannot write after another one has become the
 * leader, or after everything was deleted. Keys are arrays, so that no name of a chat can meet the keys of another one.
 */
import { digest } from '../../json/digest.js';
import { epochOf } from './chat-record.js';
import type { FencedStorage, LeaderEntry, StoredChat, Written } from './fenced-storage.js';

/** The names of the database and its object store. */
const DATABASE = 'toolgate';
const STORE = 'kept';

/** How many replaced leaders of a chat are remembered. */
const OVER = 64;

/**
 * How long an ended chat is remembered, in ms. Tabs that sleep longer find nothing stored, and store nothing either.
 */
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

    readActions: (name, signal) =>
      database.run('readonly', signal, (store) => store.get(actionsKey(name)) as IDBRequest<unknown>),

    takeOver: (name, { tab, minimum, mayLead }, signal) =>
      database.run('readwrite', signal, (store, transaction) => {
        let epoch = 0;
        const found = readChat(store, name, () => {
          const { value, changes, leader, ended } = found.result;
          epoch = Math.max(...[value, leader, ...changes].map(epochOf), ended, minimum) + 1;
          if (!mayLead(found.result)) return;
          led = transaction.db;
          store.put({ epoch, tab } satisfies LeaderEntry, leaderKey(name));
          if (!leader) return;
          store.put({}, overKey(name, leader.epoch));
          const over = store.getAllKeys(IDBKeyRange.bound(overKey(name, 0), overKey(name, Infinity)));
          over.onsuccess = () => over.result.slice(0, -OVER).forEach((key) => store.delete(key));
        });
        return {
          get result() {
            return { ...found.result, epoch };
          },
        };
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
          const leader = store.get(leaderKey(name)) as IDBRequest<LeaderEntry | undefined>;
          const isLeader = (): boolean => leader.result?.tab === tab;
          if (transaction.db !== led) {
            // The browser has closed the database since, and may have deleted it.
            leader.onsuccess = () => isLeader() && put();
          } else {
            // Nothing is awaited, so this is stored even if the page is reloaded or killed now. `add` fails, and aborts
            // the transaction, if this leader was replaced or the chat was ended.
            const over = overKey(name, epoch);
            store.add(1, over);
            store.delete(over);
            put();
          }
          return {
            get result() {
              return !leader.result ? 'missing' : isLeader() ? 'stored' : 'refused';
            },
          };
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
        const ended = store.get(endedKey(name)) as IDBRequest<EndedEntry | undefined>;
        const actions = store.get(actionsKey(name)) as IDBRequest<unknown>;
        const isAlive = (): boolean => epochOf(ended.result) < born;
        // Requests are answered in order.
        actions.onsuccess = () => {
          if (!isAlive()) return;
          const changed = change(actions.result);
          if (changed === undefined) store.delete(actionsKey(name));
          else store.put(changed, actionsKey(name));
        };
        return {
          get result() {
            return isAlive();
          },
        };
      }),

    clear: async (name, signal) => {
      await database.run('readwrite', signal, (store) => {
        const leader = store.get(leaderKey(name)) as IDBRequest<LeaderEntry | undefined>;
        leader.onsuccess = () => {
          store.delete(within(name));
          if (!leader.result) return;
          store.put({ ...leader.result, tab: '' }, leaderKey(name));
          store.put({}, overKey(name, leader.result.epoch));
        };
        return leader;
      });
    },
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
        const found = readChat(store, name, () => {
          const { value, leader, changes, ended } = found.result;
          // A time is above all counted epochs, also those of open tabs whose chat was deleted before.
          const epoch = Math.max(...[value, leader, ...changes].map(epochOf), ended, now);
          store.delete(within(name));
          store.put({ epoch, at: now } satisfies EndedEntry, endedKey(name));
          if (leader) store.put({ at: now }, overKey(name, leader.epoch));
        });
      }
      for (const key of all.result) {
        if (!Array.isArray(key) || !Array.isArray(key[0])) continue;
        const entry = store.get(key) as IDBRequest<Partial<EndedEntry>>;
        entry.onsuccess = () => {
          const { at } = entry.result;
          if (at === undefined) store.put({ at: now }, key);
          else if (at < now - ENDED_MS) store.delete(key);
        };
      }
    };
    return all;
  });
}

/** Deletes what a leader has stored after everything was deleted. */
function dropUnled(store: IDBObjectStore, name: string): IDBRequest<unknown> {
  const leader = store.get(leaderKey(name)) as IDBRequest<unknown>;
  leader.onsuccess = () => leader.result ?? store.delete(within(name));
  return leader;
}

/** Reads a chat. `then` is called when it is read, in the same transaction. */
function readChat(store: IDBObjectStore, name: string, then?: () => void): { readonly result: StoredChat } {
  const value = store.get(snapshotKey(name)) as IDBRequest<unknown>;
  const changes = store.getAll(within(name, 'journal')) as IDBRequest<unknown[]>;
  const leader = store.get(leaderKey(name)) as IDBRequest<LeaderEntry | undefined>;
  const ended = store.get(endedKey(name)) as IDBRequest<EndedEntry | undefined>;
  // Requests are answered in order.
  if (then) ended.onsuccess = then;
  return {
    get result() {
      return {
        value: value.result,
        changes: changes.result,
        leader: leader.result,
        ended: epochOf(ended.result),
      };
    },
  };
}

/** The database. It is opened on first use. */
class Database {
  readonly #factory: IDBFactory;
  #opening: Promise<IDBDatabase> | undefined;

  constructor(factory: IDBFactory) {
    this.#factory = factory;
  }

  /** Runs a transaction. Resolves with the request's result when the transaction is complete. */
  async run<T>(
    mode: IDBTransactionMode,
    signal: AbortSignal,
    ask: (store: IDBObjectStore, transaction: IDBTransaction) => { readonly result: T },
  ): Promise<T> {
    const database = await this.#open(signal);
    return new Promise<T>((resolve, reject) => {
      // Strict durability: a claim must also survive a crash of the computer.
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const abort = (): void => {
        try {
          transaction.abort();
        } catch {
          // The transaction is already being committed.
        }
      };
      signal.addEventListener('abort', abort);
      const request = ask(transaction.objectStore(STORE), transaction);
      transaction.oncomplete = () => {
        signal.removeEventListener('abort', abort);
        resolve(request.result);
      };
      transaction.onabort = () => {
        signal.removeEventListener('abort', abort);
        reject(transaction.error ?? new Error('the transaction was aborted'));
      };
    });
  }

  async #open(signal: AbortSignal): Promise<IDBDatabase> {
    const opening = (this.#opening ??= this.#request());
    // Opening took too long. The next call opens the database again.
    const forget = (): void => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    signal.addEventListener('abort', forget);
    try {
      await opening;
    } catch (error) {
      forget();
      throw error;
    } finally {
      signal.removeEventListener('abort', forget);
    }
    signal.throwIfAborted();
    return opening;
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
