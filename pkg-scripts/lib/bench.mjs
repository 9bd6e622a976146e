/**
 * `./pkg-scripts/bench`: runs the benchmarks of tests/bench (its top level; parts are in tests/bench/lib), one after the
 * other. Each prints our figures and the peers' from the same run; options are passed on to them.
 */
import { readdirSync } from 'node:fs';
import { build } from './make.mjs';
import { at, main, run, say } from './shell.mjs';

await main(async () => {
  await build();
  for (const file of readdirSync(at('tests/bench')).filter((name) => name.endsWith('.mjs')).sort()) {
    say(`tests/bench/${file}`);
    await run('node', ['--expose-gc', at('tests/bench', file), ...process.argv.slice(2)]);
  }
});
