/** Calls `init()` with the package's file, also in environments without file URLs (happy-dom). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { init } from 'toolgate';

/** The bytes of the WebAssembly module. */
export const wasmFile = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm')));

/** Loads the module once. */
export const initFromFile = (): Promise<void> => init(wasmFile());
