/**
 * Compares the public API with the committed copy in api.d.ts. If a difference is intended, run
 * `BLESS=1 ./pkg-scripts/test unit` and commit the copy with a line in the changelog.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPoints } from '../../pkg-scripts/lib/package.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { rollUp, type EntryPoint } from './rollup.js';

const committed = join(import.meta.dirname, 'api.d.ts');

test('the public API equals the committed copy', async () => {
  const surface = await rollUp(at('pkg/dist'), entryPoints() as EntryPoint[]);
  if (process.env.BLESS) writeFileSync(committed, surface);
  expect(surface).toBe(readFileSync(committed, 'utf8'));
  expect(surface.split('\n').length, 'lines, which must be few enough for a review').toBeLessThan(1100);
});
