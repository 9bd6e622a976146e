/**
 * Selects a storage. Nothing is opened before it is used, and importing this file uses nothing of the browser.
 */
import { indexedDbStorage } from './indexed-db.js';
import type { LeaderCheck, FencedStorage } from './fenced-storage.js';
import { customStorage } from './custom-storage.js';
import type { PersistOptions } from './persist-options.js';
import { localStorageOf } from './local-storage.js';
import { say } from '../types/say.js';

/**
 * The storage that the app chose; `undefined` if this environment does not have it. Throws a `TypeError` for an unknown
 * one.
 */
export function storageOf(
  chosen: PersistOptions['storage'] = 'indexeddb',
  holder: LeaderCheck,
): FencedStorage | undefined {
  if (typeof chosen === 'object') return customStorage(chosen, holder);
  switch (chosen) {
    case 'indexeddb':
      return globalThis.indexedDB && indexedDbStorage(globalThis.indexedDB);
    case 'localstorage':
      return localStorageOf();
    default:
      throw new TypeError(
        say`persist: unknown storage "${String(chosen)}". Expected 'indexeddb', 'localstorage' or { read, write,
          remove }`,
      );
  }
}
