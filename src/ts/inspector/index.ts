/** `toolgate/inspector`: for development. Records a gate and plays it again. */
export { record } from './record.js';
export { replay } from './replay.js';
export type { ReplayOptions } from './replay.js';
export type * from './types.js';
