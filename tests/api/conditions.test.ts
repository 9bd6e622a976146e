/** The conditions of package.json: bundlers for different runtimes load different files, which must export the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSync } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | Record<string, string>>;
};

/** The files of an entry point with JavaScript, by condition. */
const filesOf = (conditions: string | Record<string, string>): [string, string][] =>
  typeof conditions === 'string' ? [] : Object.entries(conditions).filter(([name]) => name !== 'types');

/** The names that a file of the package exports, sorted. */
function namesIn(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  return entries
    .flatMap((entry) => entry.exportName.name ?? namesIn(join(file, '..', entry.moduleRequest?.value as string)))
    .sort();
}

const several = Object.entries(exports).filter(([, conditions]) => filesOf(conditions).length > 1);

it('finds the entry points with several files', () => {
  expect(several.map(([name]) => name)).toContain('.');
});

it.each(several)('%s exports the same values in every runtime', (_, conditions) => {
  const names = Object.fromEntries(filesOf(conditions).map(([condition, file]) => [condition, namesIn(file)]));
  const expected = names['default'] as string[];
  expect(expected).not.toEqual([]);
  for (const [condition, found] of Object.entries(names)) expect(found, condition).toEqual(expected);
});
