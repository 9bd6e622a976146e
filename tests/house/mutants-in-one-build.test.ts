/**
 * The sources that `./pkg-scripts/mutate` compiles: each mutation can be switched on, and without any the code behaves
 * like the original.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inOneBuild, mutantOfLine } from '../../pkg-scripts/lib/mutants-in-one-build.mjs';
import { placeOf } from '../../pkg-scripts/lib/mutation.mjs';
import { functionsOf, staticsOf } from '../../pkg-scripts/lib/rust-functions.mjs';
import { mutations } from '../mutations/crate.mjs';

const { sources, left } = inOneBuild(mutations) as { sources: Map<string, string>; left: Set<number> };
const switched = mutations
  .map((mutation, index) => ({ ...mutation, number: index + 1 }))
  .filter(({ number }) => !left.has(number));
const withoutSpaces = (text: string) => text.replace(/\s+/g, '');

test('only a few mutations must be compiled alone', () => {
  expect(left.size).toBeLessThan(10);
});

test.each(switched)('$says', ({ number, file, put }) => {
  const source = sources.get(file) ?? '';
  const mark = new RegExp(`^// mutant ${number}$`, 'gm');
  expect(source.match(mark)).toHaveLength(1);
  const from = source.search(mark);
  const mutant = source.slice(from, source.indexOf('\n// mutant ', from + 1));
  expect(withoutSpaces(mutant)).toContain(withoutSpaces(put));
  expect(mutantOfLine(source, source.slice(0, from).split('\n').length + 1)).toBe(number);
});

test('a mutated function contains its original body at the end', () => {
  for (const mutation of switched) {
    const { source, start, end } = placeOf(mutation);
    const [around] = functionsOf(source).filter((one) => one.body < start && end < one.end);
    expect(sources.get(mutation.file)).toContain(`// mutant 0\n0.. => ${source.slice(around?.body, around?.end)}\n} }`);
  }
});

test('a generated file has no other functions than the original, except for copies', () => {
  for (const [file, source] of sources) {
    if (file === 'src/lib.rs') continue;
    const namesOf = (text: string) => new Set(functionsOf(text).map(({ name }) => name));
    expect(namesOf(source)).toEqual(namesOf(readFileSync(file, 'utf8')));
  }
});

test('brackets in strings, character literals and comments are ignored', () => {
  const source = [
    "const fn one<'a>(text: &'a str) -> bool {",
    `    text == "}" || text.starts_with('}') || text.contains("\\"}") // }`,
    '}',
    'trait Without { fn body(&self) -> [u8; 2]; }',
    'fn two() {}',
    'static TABLE: [[u8; 2]; 1] = { [[1, 2]; 1] };',
  ].join('\n');
  expect(functionsOf(source).map(({ name, isConst, body, end }) => [name, isConst, source.slice(body, end)])).toEqual([
    ['one', true, source.slice(source.indexOf('{'), source.indexOf('\ntrait'))],
    ['two', false, '{}'],
  ]);
  expect(staticsOf(source)).toMatchObject([{ name: 'TABLE', type: '[[u8; 2]; 1]', value: '{ [[1, 2]; 1] }' }]);
});
