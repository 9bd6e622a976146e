/**
 * Loading without being told from where: the package's own `toolgate.wasm`, which lies beside this file in the package.
 * Bundlers recognise the expression below, copy the file and put its new URL there.
 */
import { load, type InitOptions, type InitSource } from './init.js';

/**
 * Loads the core and the protocols: without an argument from the package's own files, in Node too, and all protocols. Call it
 * once, before `new ToolGate()`; calls while it loads share one promise, a call afterwards loads only what is missing.
 * `init({ protocols: ['acp'] })` downloads no more than these; the AI SDK's is always there. A source is for apps that keep the
 * wasm elsewhere. Rejects with `load-failed`, and a later call may try again.
 */
export function init(source?: InitSource | InitOptions): Promise<void> {
  return load(source, () => new URL('./toolgate.wasm', import.meta.url));
}
