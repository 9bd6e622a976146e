/** `init()` with the package's own file, also where the test's environment has no file URLs (happy-dom). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { init } from 'toolgate';

/** The bytes of the core. */
export const wasmFile = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm')));

/** Loads the core; again, it does nothing. */
export const initFromFile = (): Promise<void> => init(wasmFile());
