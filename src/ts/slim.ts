/**
 * `toolgate/slim`: the package without its WebAssembly file, for libraries and for apps that load the file themselves.
 * Here `init` requires a source, and `initSync` initializes the core synchronously.
 */
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { callsOfStep, isToolPart, toolNameOf } from './types/tool-part.js';
export { init, initSync, isInitialized } from './wasm/init.js';
export { ToolGate } from './gate/tool-gate.js';
export type { AiSdkChat, GateSource, GateSourceOf } from './gate/gate-source.js';
export type * from './types/index.js';
