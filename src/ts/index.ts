/**
 * `toolgate`: the main entry point. `init()` finds the package's WebAssembly file.
 */
export { describeCall } from './describe/describe-call.js';
export { describeRefusal } from './describe/describe-refusal.js';
export { digest } from './json/digest.js';
export { ToolGateError } from './types/errors.js';
export { callsOfStep, isToolPart, toolNameOf } from './types/tool-part.js';
export { isInitialized } from './wasm/init.js';
export { init } from './wasm/own-wasm.js';
export { ToolGate } from './gate/tool-gate.js';
export type { AnyApproval, AnyToolPart, CallStatus, CallTone } from './describe/call-status.js';
export type { CallTexts } from './describe/call-texts.js';
export type { CallActions, CallDescription, DescribeOptions } from './describe/describe-call.js';
export type { AiSdkChat, GateSource, GateSourceOf } from './gate/gate-source.js';
export type * from './types/index.js';
