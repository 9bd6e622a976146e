/**
 * `toolgate/inspector`: development tools. Shows the state and events of a gate, records it, and replays recordings in
 * tests.
 */
export { inspect } from './inspect.js';
export type { Inspector, InspectOptions } from './inspect.js';
export { record } from './recorder.js';
export { replay } from './replay.js';
export type { ReplayOptions } from './replay.js';
export type * from './recording.js';
