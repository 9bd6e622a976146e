/** `toolgate/persist`: stores a chat in the browser and lets only one of its tabs send. See `keep`. */
export { keep } from './keep.js';
export type { Kept, KeepOptions, KeepStorage } from './keep-options.js';
