/** Comments of the crate are at most as long as its lines: rustfmt breaks code, and leaves comments as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const WIDTH = 120;

test.each(['src', 'tests'])('no comment in the Rust files of %s is longer than a line of code', (folder) => {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = all.filter((path) => path.endsWith('.rs') && !path.includes('node_modules'));
  expect(files.length).toBeGreaterThan(20);
  const long = files.flatMap((path) =>
    readFileSync(join(root, folder, path), 'utf8')
      .split('\n')
      .map((line, at) => ({ line, place: `${folder}/${path}:${at + 1}` }))
      .filter(({ line }) => /^\s*\/\//.test(line) && line.length > WIDTH)
      .map(({ place }) => place),
  );
  expect(long).toEqual([]);
});
