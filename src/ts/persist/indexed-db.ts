/**
 * IndexedDB as a storage of chats. Each call is one transaction, and whatever depends on who leads is in it.
 */
import { fenceOf, leaderOf } from './storage-names.js';
import { epochOf } from './kept-record.js';
import type { Lead, LeadStorage } from './lead-storage.js';

/** The names of the database and its store. */
const DATABASE = 'toolgate';
const STORE = 'kept';

/** How many former leads are remembered: an older tab that stood still all the time finds that out by its lock alone. */
const FENCES = 16;

/** Who leads, and whose leads were ended. */
interface StoredLead extends Lead {
  readonly fences: readonly string[];
}

/** The browser's own. */
export function indexedDbStorage(factory: IDBFactory): LeadStorage {
  const database = new Database(factory);
  return {
    read: (name, signal) => database.run('readonly', signal, (store) => store.get(name) as IDBRequest<unknown>),

    takeOver: (name, tab, minimum, signal) =>
      database.run('readwrite', signal, (store) => {
        const result = { value: undefined as unknown, epoch: 0 };
        const value = store.get(name) as IDBRequest<unknown>;
        const lead = store.get(leaderOf(name)) as IDBRequest<unknown>;
        // They are answered in order.
        lead.onsuccess = () => {
          result.value = value.result;
          result.epoch = Math.max(epochOf(value.result), epochOf(lead.result), minimum) + 1;
          const { tab: before, fences = [] } = (lead.result ?? {}) as Partial<StoredLead>;
          const ended = before === undefined || before === tab ? fences : [...fences, before];
          const dropped = ended.slice(0, -FENCES);
          store.put({ epoch: result.epoch, tab, fences: ended.slice(-FENCES) } satisfies StoredLead, leaderOf(name));
          for (const old of dropped) store.delete(fenceOf(name, old));
          if (before !== undefined && before !== tab) store.put(1, fenceOf(name, before));
          store.delete(fenceOf(name, tab));
        };
        return { result };
      }),

    async write(name, value, { tab }, signal) {
      const fence = fenceOf(name, tab);
      let isEnded = false;
      try {
        await database.run('readwrite', signal, (store, transaction) => {
          // Fails where the lead of this tab was ended, and with it the whole transaction. Nothing waits for this page: it may
          // be gone, or stand still, by the time of the answers.
          const free = store.add(1, fence);
          free.onerror = () => (isEnded = true);
          store.delete(fence);
          const request = store.put(value, name);
          transaction.commit?.();
          return request;
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
        const fences = IDBKeyRange.bound(`${leaderOf(name)}.`, `${leaderOf(name)}.\uffff`);
        store.delete(fences);
        const request = store.delete(leaderOf(name));
        transaction.commit?.();
        return request;
      });
    },
  };
}

/** The database, opened when it is needed. */
class Database {
  readonly #factory: IDBFactory;
  #opening: Promise<IDBDatabase> | undefined;

  constructor(factory: IDBFactory) {
    this.#factory = factory;
  }

  /** Runs a transaction, and resolves with a request's result when all of it is on the disk. */
  async run<T>(
    mode: IDBTransactionMode,
    signal: AbortSignal,
    ask: (store: IDBObjectStore, transaction: IDBTransaction) => { readonly result: T },
  ): Promise<T> {
    const database = await this.#open(signal);
    return new Promise<T>((resolve, reject) => {
      // Strict: a claim must outlive the machine too.
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const abort = (): void => {
        try {
          transaction.abort();
        } catch {
          // It is being committed.
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
    // One that does not answer may answer the next who asks.
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
