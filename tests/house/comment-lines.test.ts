/** Checks the length of comments. The formatters rustfmt and prettier break long lines of code, but not of comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const WIDTH = 120;

test.each([
  ['Rust', /\.rs$/],
  ['TypeScript and JavaScript', /\.(ts|tsx|mjs|js)$/],
])('no comment in the %s files is longer than a line of code', (_, name) => {
  const files = ['src', 'tests', 'www', 'pkg-scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => name.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => `${folder}/${path}`),
  );
  expect(files.length).toBeGreaterThan(20);
  const long = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((line, at) => ({ line, place: `${path}:${at + 1}` }))
      .filter(({ line }) => /^\s*(\/\/|\/\*|\* )/.test(line) && line.length > WIDTH)
      .map(({ place }) => place),
  );
  expect(long).toEqual([]);
});
