/** `toolgate/inspector`: for development. Shows what goes on in a gate, records it, and plays recordings in tests. */
export { inspect } from './inspect.js';
export type { Inspector, InspectOptions } from './inspect.js';
export { record } from './recorder.js';
export { replay } from './replay.js';
export type { ReplayOptions } from './replay.js';
export type * from './recording.js';
