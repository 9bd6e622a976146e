/**
 * `toolgate/slim`: the package without a WebAssembly file of its own, for libraries and for apps that load it themselves.
 * `init` needs a source here, and `initSync` starts the core without waiting.
 */
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { init, initSync, isInitialized } from './wasm/init.js';
export { ToolGate } from './gate/tool-gate.js';
export type { AiSdkChat, GateSource } from './gate/gate-source.js';
export type * from './types/index.js';
