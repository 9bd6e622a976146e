/**
 * `toolgate/slim`: the package without a WebAssembly file of its own, for libraries and for apps that load it themselves.
 * `init` needs a source here.
 */
export { capabilities } from './protocols/capabilities.js';
export { loadProtocols, PROTOCOLS } from './protocols/registry.js';
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { init, initSync, isInitialized } from './wasm/init.js';
export type { InitOptions, InitSource } from './wasm/init.js';
export { ToolGate } from './gate/tool-gate.js';
export type * from './types/index.js';
