/**
 * `./pkg-scripts/bench`: runs the benchmarks of tests/bench one after the other, with the given options. (The files in
 * tests/bench/lib are parts of them.) Each benchmark measures Toolgate and comparable libraries in the same run. Then
 * the script measures the mean time of an operation of the native machine, in chats with more and fewer operations.
 */
import { readdirSync } from 'node:fs';
import { setUpBrowser } from './browser.mjs';
import { build } from './make.mjs';
import { writeSection } from './sections.mjs';
import { at, main, run, say } from './shell.mjs';

const isWritten = process.argv.includes('--write') || process.env.BLESS === '1';

await main(async () => {
  // Without a browser, the benchmark omits the rows of pages. The table in the docs must have all rows.
  if (isWritten) await setUpBrowser();
  await build();
  for (const file of readdirSync(at('tests/bench'))
    .filter((name) => name.endsWith('.mjs'))
    .sort()) {
    say(`tests/bench/${file}`);
    await run('node', ['--expose-gc', at('tests/bench', file), ...process.argv.slice(2)]);
  }
  say('tests/bench/growth.rs');
  const table = await run('cargo', ['bench', '--quiet', '--bench', 'growth'], { capture: true });
  if (isWritten) {
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    writeSection('docs/benchmarks.md', 'growth', rows.join('\n'));
  }
});
