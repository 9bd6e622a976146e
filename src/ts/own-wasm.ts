/**
 * Loading without being told from where: the package's own `toolgate.wasm`, which lies beside this file in the package.
 * Bundlers recognise the expression below, copy the file and put its new URL there.
 */
import { load, type InitSource } from './init.js';

/**
 * Loads the core: without an argument from the package's own file, in Node too. Call it once, before `new ToolGate()`;
 * calls while it loads share one promise, a call afterwards does nothing. `source` is for apps that keep the file
 * elsewhere. Rejects with `load-failed`, and a later call may try again.
 */
export function init(source?: InitSource): Promise<void> {
  return load(() => source ?? new URL('./toolgate.wasm', import.meta.url));
}
