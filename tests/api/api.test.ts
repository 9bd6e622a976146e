/**
 * Compares the public API with the committed copies: bindings.d.ts has that of the entry points for pages, api.d.ts has
 * the others. If a difference is intended, run `BLESS=1 ./pkg-scripts/test unit` and commit the copies with a line in
 * the changelog.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPoints } from '../../pkg-scripts/lib/package.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { rollUp, type EntryPoint } from './rollup.js';

const BINDINGS = ['toolgate/react', 'toolgate/svelte', 'toolgate/vue', 'toolgate/element'];

test('the public API equals the committed copies', async () => {
  const surface = await rollUp(at('pkg/dist'), entryPoints() as EntryPoint[]);
  const sections = surface.split(/^(?=\/\/ ======== )/m);
  const isBinding = (section: string): boolean => BINDINGS.some((name) => section.startsWith(`// ======== ${name} =`));
  const files = {
    'api.d.ts': sections.filter((section) => !isBinding(section)),
    'bindings.d.ts': sections.filter(isBinding),
  };
  expect(files['bindings.d.ts']).toHaveLength(BINDINGS.length);
  for (const [file, parts] of Object.entries(files)) {
    const committed = join(import.meta.dirname, file);
    const text = `${parts.join('').trimEnd()}\n`;
    if (process.env.BLESS) writeFileSync(committed, text);
    expect(text, file).toBe(readFileSync(committed, 'utf8'));
    expect(text.split('\n').length, `lines of ${file}, which must be few enough for a review`).toBeLessThan(1000);
  }
});
