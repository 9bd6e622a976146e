/**
 * Prints the bug table: `node tests/bugs/print.mjs`. Runs every scenario with `ai` 6, with `ai` 7 and with Toolgate,
 * which must have been built (./pkg-scripts/build).
 */
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outfile = `${root}target/bugs/table.mjs`;

await build({
  entryPoints: [fileURLToPath(new URL('table.ts', import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
});

const { markdown, runAll } = await import(outfile);
console.log(markdown(await runAll()));
