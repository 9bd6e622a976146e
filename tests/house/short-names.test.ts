/**
 * The build gives some properties of `toolgate/persist` and of the cards short names. None of them may be public,
 * stored or sent, or be read by another script.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { OF_CARDS, OF_PERSIST } from '../../pkg-scripts/lib/minify.mjs';

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

test('no text, option or member of an element that another script reads has a short name', () => {
  const others = [
    'base',
    'elements',
    'call-element',
    'host',
    'view-loader',
    'tool-cards',
    'card-texts',
    'question-types',
  ];
  const own = readdirSync(join(root, 'src/ts/element')).filter((file) => /^(question|answer-form|asked)/.test(file));
  const read = [...others.map((file) => `${file}.ts`), ...own].flatMap((file) =>
    [...readFileSync(join(root, 'src/ts/element', file), 'utf8').matchAll(/(?:\.|[{,] |readonly |^ {2})(\w+)/gm)].map(
      ([, name]) => name!,
    ),
  );
  expect(read).toEqual(expect.arrayContaining(['textsChanged', 'renderHeader', 'isDangerous', 'sendNow']));
  expect(read.filter((name) => OF_CARDS.test(name))).toEqual([]);
});
