/** `toolgate/persist`: stores a chat in the browser and lets only one of its tabs send. See `persist`. */
export { persist } from './persist.js';
export { PersistError } from './persist-error.js';
export type { PersistErrorCode } from './persist-error.js';
export type { PersistedChat, PersistOptions, PersistStorage } from './persist-options.js';
