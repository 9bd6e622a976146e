/**
 * `toolgate`: the package as most apps import it. `init()` finds the package's own WebAssembly file.
 */
export { capabilities } from './protocols/capabilities.js';
export { loadProtocols, PROTOCOLS } from './protocols/registry.js';
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { initSync, isInitialized } from './wasm/init.js';
export type { InitOptions, InitSource } from './wasm/init.js';
export { init } from './wasm/own-wasm.js';
export { ToolGate } from './gate/tool-gate.js';
export type * from './types/index.js';
