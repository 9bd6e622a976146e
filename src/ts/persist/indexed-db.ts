/**
 * IndexedDB as a storage. Each method is one transaction, so that a tab cannot write after another one has become the
 * leader.
 */
import { changeKey, changePrefix, fenceKey, leaderKey } from './storage-names.js';
import { epochOf } from './chat-record.js';
import type { LeaderEntry, FencedStorage } from './fenced-storage.js';

/** The names of the database and its object store. */
const DATABASE = 'toolgate';
const STORE = 'kept';

/** How many former leaders are remembered. Earlier ones learn only from the lock that they may not write. */
const FENCES = 16;

/** The stored leader, with the ids of former ones. */
interface StoredLeaderEntry extends LeaderEntry {
  readonly fences: readonly string[];
}

/** A storage in the browser's IndexedDB. */
export function indexedDbStorage(factory: IDBFactory): FencedStorage {
  const database = new Database(factory);
  return {
    hasJournal: true,

    readChat: (name, signal) =>
      database.run('readonly', signal, (store) => {
        const [value, changes] = [store.get(name) as IDBRequest<unknown>, store.getAll(changesOf(name))];
        return {
          get result() {
            return { value: value.result, changes: changes.result as unknown[] };
          },
        };
      }),

    read: (name, signal) => database.run('readonly', signal, (store) => store.get(name) as IDBRequest<unknown>),

    takeOver: (name, tab, minimum, signal) =>
      database.run('readwrite', signal, (store) => {
        const result = { value: undefined as unknown, changes: [] as readonly unknown[], epoch: 0 };
        const value = store.get(name) as IDBRequest<unknown>;
        const changes = store.getAll(changesOf(name));
        const lead = store.get(leaderKey(name)) as IDBRequest<unknown>;
        // Requests are answered in order.
        lead.onsuccess = () => {
          result.value = value.result;
          result.changes = changes.result;
          const epochs = [value.result, lead.result, ...result.changes].map(epochOf);
          result.epoch = Math.max(...epochs, minimum) + 1;
          const { tab: before, fences = [] } = (lead.result ?? {}) as Partial<StoredLeaderEntry>;
          const ended = before === undefined || before === tab ? fences : [...fences, before];
          const dropped = ended.slice(0, -FENCES);
          store.put(
            { epoch: result.epoch, tab, fences: ended.slice(-FENCES) } satisfies StoredLeaderEntry,
            leaderKey(name),
          );
          for (const old of dropped) store.delete(fenceKey(name, old));
          if (before !== undefined && before !== tab) store.put(1, fenceKey(name, before));
          store.delete(fenceKey(name, tab));
        };
        return { result };
      }),

    async write(name, { record, changes }, { tab }, signal) {
      const fence = fenceKey(name, tab);
      let isEnded = false;
      try {
        await database.run('readwrite', signal, (store, transaction) => {
          // If this tab is a former leader, `add` fails and aborts the transaction. The code waits for no answer in
          // between, because the page may be frozen or gone by then.
          const free = store.add(1, fence);
          free.onerror = () => (isEnded = true);
          store.delete(fence);
          if (record) {
            store.put(record, name);
            store.delete(changesOf(name));
          }
          for (const change of changes) store.put(change, changeKey(name, change.number));
          transaction.commit?.();
          return free;
        });
      } catch (error) {
        if (isEnded) return false;
        throw error;
      }
      return true;
    },

    update: async (name, change, signal) => {
      await database.run('readwrite', signal, (store) => {
        const request = store.get(name) as IDBRequest<unknown>;
        request.onsuccess = () => {
          const changed = change(request.result);
          if (changed === undefined) store.delete(name);
          else store.put(changed, name);
        };
        return request;
      });
    },

    remove: async (name, signal) => {
      await database.run('readwrite', signal, (store, transaction) => {
        store.delete(name);
        store.delete(changesOf(name));
        const fences = IDBKeyRange.bound(`${leaderKey(name)}.`, `${leaderKey(name)}.\uffff`);
        store.delete(fences);
        const request = store.delete(leaderKey(name));
        transaction.commit?.();
        return request;
      });
    },
  };
}

/** The keys of a chat's journal. */
function changesOf(name: string): IDBKeyRange {
  return IDBKeyRange.bound(changePrefix(name), `${changePrefix(name)}\uffff`);
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
