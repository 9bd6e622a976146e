/**
 * `toolgate` in Cloudflare's workers (the `workerd` condition). Nothing is compiled there at run time; WebAssembly comes by an
 * import, which this makes. Nothing else differs, and the types are those of index.ts.
 */
import { load, type InitSource } from './wasm/init.js';
import wasm from './toolgate.wasm';

export { digest, isInitialized, ToolGate, ToolGateError } from './slim.js';

/** As in own-wasm.ts. */
export function init(source?: InitSource): Promise<void> {
  return load(() => source ?? wasm);
}
