/**
 * `toolgate/slim`: the package without a WebAssembly file of its own, for libraries and for apps that load it themselves.
 * `init` needs a source here.
 */
export { capabilities } from './capabilities.js';
export { loadProtocols, PROTOCOLS } from './codecs/registry.js';
export { digest } from './digest.js';
export { ToolGateError } from './errors.js';
export { init, initSync, isInitialized } from './init.js';
export type { InitOptions, InitSource } from './init.js';
export { ToolGate } from './store.js';
export type * from './types.js';
