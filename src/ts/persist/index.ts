/** `toolgate/persist`: stores a chat in the browser and shares it between tabs, of which one sends. See `persist`. */
export { logOut } from './log-out.js';
export { persist } from './persist.js';
export { PersistError } from './persist-error.js';
export type { PersistErrorCode } from './persist-error.js';
export type { LogOutOptions, PersistedChat, PersistOptions, PersistStorage } from './persist-options.js';
