/**
 * Compares the public API with the committed copies: api.d.ts, and api-<group>.d.ts for the entry points of a group. If
 * a difference is intended, run `BLESS=1 ./pkg-scripts/test unit` and commit the copies with a line in the changelog.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryPoints } from '../../pkg-scripts/lib/package.mjs';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { rollUp, type EntryPoint } from './rollup.js';

/** The sub-paths that are in another file than api.d.ts. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'api-ui.d.ts': ['react', 'svelte', 'vue', 'element', 'evidence', 'inbox', 'inspector'],
  'api-parts.d.ts': ['persist', 'rules', 'server', 'tools'],
};

/** Entry points whose names are those of another one: one binding for each framework, and two ways to load the core. */
const ALIKE = ['react', 'svelte', 'vue', 'slim'];

/** The file of a section of the roll-up. */
function fileOf(section: string): string {
  const subPath = /^\/\/ =+ toolgate\/([\w-]+)/.exec(section)?.[1] ?? '';
  return Object.keys(GROUPS).find((file) => GROUPS[file]?.includes(subPath)) ?? 'api.d.ts';
}

test('the public API equals the committed copies', async () => {
  const surface = await rollUp(at('pkg/dist'), entryPoints() as EntryPoint[]);
  const sections = surface.split(/^(?=\/\/ ======== )/m);
  for (const file of ['api.d.ts', ...Object.keys(GROUPS)]) {
    const text = sections.filter((section) => fileOf(section) === file).join('');
    const committed = join(import.meta.dirname, file);
    if (process.env.BLESS) writeFileSync(committed, text);
    expect(text, file).toBe(readFileSync(committed, 'utf8'));
    expect(text.split('\n').length, `lines of ${file}, which must be few enough for a review`).toBeLessThan(1000);
  }
});

test('a name has one meaning, and no type is an enum, which editors would show to users', () => {
  const text = ['api.d.ts', ...Object.keys(GROUPS)].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const sections = text.join('').split(/^(?=\/\/ ======== )/m);
  const own = sections.filter((section) => !ALIKE.some((name) => section.startsWith(`// ======== toolgate/${name} `)));
  const names = own.flatMap((section) => {
    const declared = section.matchAll(/^export (?:declare )?(?:interface|type|class|const|function) (\w+)/gm);
    return [...new Set([...declared].map(([, name]) => name!))];
  });
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(text.join('')).not.toMatch(/\benum\b/);
});
