/** The kit is a package of its own: it can be published without the rest of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cases, scenarios } from './kit/src/index';
import { KIT } from './support/command';

const sources = readdirSync(join(KIT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join(KIT, 'src', path));

test('its sources import only Node and each other', () => {
  expect(sources.length).toBeGreaterThan(15);
  const outside = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)]
      .map(([, name]) => name!)
      .filter((name) => !name.startsWith('node:') && !isInside(file, name))
      .map((name) => `${file} imports ${name}`),
  );
  expect(outside).toEqual([]);
});

const isInside = (file: string, name: string): boolean => {
  const path = join(dirname(file), name.replace(/\.js$/, '.ts'));
  return name.startsWith('.') && path.startsWith(join(KIT, 'src')) && existsSync(path);
};

test('it has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(KIT, 'package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.peerDependencies, manifest.license]).toEqual([undefined, undefined, 'MIT']);
});

test('scenarios and cases are plain data, and each has a name and a rule of its own', () => {
  for (const list of [scenarios, cases]) {
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    expect(new Set(list.map(({ rule }) => rule)).size).toBe(list.length);
    expect(list).toEqual(JSON.parse(JSON.stringify(list)));
    for (const { rule } of list) expect(rule).toMatch(/^[A-Z].*\.$/);
  }
});
