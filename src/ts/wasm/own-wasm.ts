/**
 * `init` with the package's own WebAssembly file as the default.
 */
import { rememberLocation } from './core-state.js';
import { load, type InitSource } from './init.js';
import { ownFile } from './own-file.js';

/**
 * Loads the core: without an argument from the package's own WebAssembly file, in Node too. Call it before `new
 * ToolGate()`; a chat of `guard` loads the core itself. It may be called any number of times: every call returns the
 * same promise, so React's `use(init())` settles. Pass a source if your app serves the file from elsewhere. Rejects
 * with `load-failed`; a later call may try again.
 */
export function init(source?: InitSource): Promise<void> {
  rememberLocation(source);
  return load(() => source ?? ownFile());
}
