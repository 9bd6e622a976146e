/**
 * Compares the public API with the committed copies: bindings.d.ts has the entry points of the bindings and the card,
 * server.d.ts those for servers and tools, api.d.ts all others. If a difference is intended, run
 * `BLESS=1 ./pkg-scripts/test unit` and commit the copies with a line in
 * the changelog.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPoints } from '../../pkg-scripts/lib/package.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { rollUp, type EntryPoint } from './rollup.js';

const HEADING = /^(?=\/\/ ======== )/m;
const OF_BINDINGS = /^\/\/ ======== toolgate\/(?:react|svelte|vue|element)[/ ]/;
const OF_SERVER = /^\/\/ ======== toolgate\/(?:server|tools) /;

test('the public API equals the committed copies', async () => {
  const sections = (await rollUp(at('pkg/dist'), entryPoints() as EntryPoint[])).split(HEADING);
  const copies = {
    'api.d.ts': sections.filter((section) => !OF_SERVER.test(section) && !OF_BINDINGS.test(section)),
    'bindings.d.ts': sections.filter((section) => OF_BINDINGS.test(section)),
    'server.d.ts': sections.filter((section) => OF_SERVER.test(section)),
  };
  for (const [name, parts] of Object.entries(copies)) {
    const [file, surface] = [join(import.meta.dirname, name), `${parts.join('').trimEnd()}\n`];
    if (process.env.BLESS) writeFileSync(file, surface);
    expect(surface, name).toBe(readFileSync(file, 'utf8'));
    expect(surface.split('\n').length, 'lines, which must be few enough for a review').toBeLessThan(1000);
  }
});
