/** `init()` with the package's own file, also where the test's environment has no file URLs (happy-dom). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { init } from 'toolgate';

/** Loads the core; again, it does nothing. */
export const initFromFile = (): Promise<void> =>
  init(new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('toolgate/toolgate.wasm'))));
