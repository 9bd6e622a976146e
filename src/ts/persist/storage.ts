/**
 * The storages that there are. Nothing is opened before it is used, and nothing of the browser is touched when this file is
 * imported. What is stored, and when, is not decided here.
 */
import { indexedDbStorage } from './indexed-db.js';
import type { Holder, LeadStorage } from './lead-storage.js';
import { ownStorage } from './own-storage.js';
import type { PersistOptions } from './persist-options.js';
import { localStorageOf } from './web-storage.js';

/** The storage that the app chose; `undefined` if this environment does not have it. Throws for an unknown one. */
export function storageOf(chosen: PersistOptions['storage'] = 'indexeddb', holder: Holder): LeadStorage | undefined {
  if (typeof chosen === 'object') return ownStorage(chosen, holder);
  switch (chosen) {
    case 'indexeddb':
      return globalThis.indexedDB && indexedDbStorage(globalThis.indexedDB);
    case 'localstorage':
      return localStorageOf();
    default:
      throw new TypeError(
        `persist: no storage "${String(chosen)}"; there is 'indexeddb', 'localstorage' and { read, write, remove }`,
      );
  }
}
