/**
 * `toolgate` in the edge runtime of Vercel and Next.js (the `edge-light` condition). Nothing is compiled there at run time;
 * `?module` asks for a WebAssembly file as a compiled module. Nothing else differs, and the types are those of index.ts.
 */
import { load, type InitOptions, type InitSource } from './wasm/init.js';
import wasm from './toolgate.wasm?module';

export * from './slim.js';

/** As in own-wasm.ts. */
export function init(source?: InitSource | InitOptions): Promise<void> {
  return load(source, () => wasm);
}
