/**
 * The two storages of a browser. Nothing is opened before it is used, and nothing of the browser is touched when this file
 * is imported. What is stored, and when, is not decided here.
 */
import type { KeepOptions, KeepStorage } from './types.js';

/** The names of the database, its store, and what stands before a name in `localStorage`. */
const DATABASE = 'toolgate';
const STORE = 'kept';
const PREFIX = 'toolgate:';

/** The storage that the app chose; `undefined` if this environment does not have it. Throws for an unknown one. */
export function storageOf(chosen: KeepOptions['storage'] = 'indexeddb'): KeepStorage | undefined {
  if (typeof chosen === 'object') return chosen;
  switch (chosen) {
    case 'indexeddb':
      return globalThis.indexedDB && indexedDbStorage(globalThis.indexedDB);
    case 'localstorage':
      return localStorageOf();
    default:
      throw new TypeError(`keep: no storage "${String(chosen)}"; there is 'indexeddb', 'localstorage' and { read, write, remove }`);
  }
}

/** Even to ask for it throws, where a page may not store anything. */
function localStorageOf(): KeepStorage | undefined {
  let storage: Storage | undefined;
  try {
    storage = globalThis.localStorage;
  } catch {
    return undefined;
  }
  return storage && webStorage(storage);
}

function webStorage(storage: Storage): KeepStorage {
  return {
    read: name => {
      const text = storage.getItem(PREFIX + name);
      try {
        return text === null ? undefined : (JSON.parse(text) as unknown);
      } catch {
        // Damaged: whoever reads it says so, and keeps it as it is.
        return text;
      }
    },
    write: (name, value) => storage.setItem(PREFIX + name, JSON.stringify(value)),
    remove: name => storage.removeItem(PREFIX + name),
  };
}

function indexedDbStorage(factory: IDBFactory): KeepStorage {
  let opening: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = factory.open(DATABASE, 1);
      const forget = (): void => void (opening = undefined);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onerror = () => {
        forget();
        reject(request.error as DOMException);
      };
      request.onsuccess = () => {
        const database = request.result;
        database.onclose = forget;
        database.onversionchange = () => {
          forget();
          database.close();
        };
        resolve(database);
      };
    });
    return opening;
  };
  /** Runs one request in a transaction of its own, and waits until that is over: only then it is on the disk. */
  const run = async <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await open();
    return new Promise<T>((resolve, reject) => {
      // Strict: a claim must outlive the machine too.
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
  };
  return {
    read: name => run('readonly', store => store.get(name) as IDBRequest<unknown>),
    write: async (name, value) => void (await run('readwrite', store => store.put(value, name))),
    remove: async name => void (await run('readwrite', store => store.delete(name))),
  };
}
