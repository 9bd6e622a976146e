/** The build gives some properties of `toolgate/persist` short names. None of them may be public, stored or sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { OF_PERSIST } from '../../pkg-scripts/lib/minify.mjs';

const root = join(import.meta.dirname, '../..');

/** The names of the properties that the interfaces of a file declare, and those in its object literals of one line. */
const propertiesIn = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:readonly |[{,] |^ {2})(\w+)\??: /gm)].map(
    ([, name]) => name!,
  );

test('no public option, record or message has a short name', () => {
  const names = ['persist-options', 'tab-messages', 'chat-record'].flatMap((file) =>
    propertiesIn(`src/ts/persist/${file}.ts`),
  );
  expect(names).toEqual(expect.arrayContaining(['onError', 'acts', 'epoch', 'snapshot']));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => OF_PERSIST.test(name))).toEqual([]);
});
