/**
 * `toolgate` in the edge runtime of Vercel and Next.js (the `edge-light` condition). That runtime cannot compile
 * WebAssembly; `?module` imports the file as a compiled module. The types are those of index.ts.
 */
import { load, type InitSource } from './wasm/init.js';
import wasm from './toolgate.wasm?module';

export { describeCall } from './describe/describe-call.js';
export { describeRefusal } from './describe/describe-refusal.js';
export { callsOfStep, digest, isInitialized, isToolPart, ToolGate, ToolGateError, toolNameOf } from './slim.js';

/** See `init` in wasm/own-wasm.ts. */
export function init(source?: InitSource): Promise<void> {
  return load(() => source ?? wasm);
}
