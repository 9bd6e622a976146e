/**
 * `toolgate`: the package as most apps import it. `init()` finds the package's own WebAssembly file.
 */
export { capabilities } from './capabilities.js';
export { loadProtocols, PROTOCOLS } from './codecs/registry.js';
export { digest } from './digest.js';
export { ToolGateError } from './errors.js';
export { initSync, isInitialized } from './init.js';
export type { InitOptions, InitSource } from './init.js';
export { init } from './own-wasm.js';
export { ToolGate } from './store.js';
export type * from './types.js';
