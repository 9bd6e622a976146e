/**
 * `toolgate` in the edge runtime of Vercel and Next.js (the `edge-light` condition). Nothing is compiled there at run time;
 * `?module` asks for a WebAssembly file as a compiled module. Nothing else differs, and the types are those of index.ts.
 */
import { load, type InitSource } from './wasm/init.js';
import wasm from './toolgate.wasm?module';

export { digest, isInitialized, ToolGate, ToolGateError } from './slim.js';

/** As in own-wasm.ts. */
export function init(source?: InitSource): Promise<void> {
  return load(() => source ?? wasm);
}
