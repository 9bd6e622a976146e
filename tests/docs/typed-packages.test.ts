/**
 * A page whose TypeScript imports a package without types of its own says how to install them: otherwise its code does
 * not compile in a strict project. Apps with React have its types already.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { blocksOf, pages } from './support/blocks.js';

/** Whether the types of a package are in a package of their own. */
function hasSeparateTypes(name: string): boolean {
  const own = at(`node_modules/${name}/package.json`);
  if (!existsSync(own) || !existsSync(at(`node_modules/@types/${name}`))) return false;
  const { types, typings, exports } = JSON.parse(readFileSync(own, 'utf8')) as Record<string, unknown>;
  return types === undefined && typings === undefined && !JSON.stringify(exports ?? '').includes('.d.');
}

test('a page installs the types of the packages that it imports', () => {
  const missing: string[] = [];
  let found = 0;
  for (const page of pages()) {
    const blocks = blocksOf(page);
    const installed = blocks.flatMap(({ lang, code }) => (lang === 'sh' ? code.split(/\s+/) : []));
    const typed = blocks.filter(({ lang }) => ['ts', 'tsx', 'svelte', 'vue'].includes(lang));
    const imported = typed.flatMap(({ code }) => [...code.matchAll(/from '([^'./][^'/]*)'/g)].map(([, name]) => name!));
    for (const name of new Set(imported.filter((name) => name !== 'react' && hasSeparateTypes(name)))) {
      found++;
      if (!installed.includes(`@types/${name}`)) missing.push(`${page}: @types/${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(found).toBeGreaterThan(3);
});
