// @vitest-environment happy-dom
/** The shortened diff of an edit of any size shows removed and added lines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../../src/ts/element/diff';
import { shortRows } from '../../src/ts/element/diff-rows';
import { asking, card, parts } from './support';

const lines = (count: number, word: string): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`);
const signs = (before: string, after: string): Set<string> => {
  const element = card(asking([{ id: 'c1', input: { path: 'a', before, after } }]));
  return new Set(parts(element, 'diff-line').map(({ textContent }) => textContent?.[0] ?? ''));
};

test.each<[string, string[], string[]]>([
  ['every line replaced, 20 lines', lines(20, 'old'), lines(20, 'new')],
  ['every line replaced, 600 lines', lines(600, 'old'), lines(600, 'new')],
  ['every line replaced, 5000 lines', lines(5000, 'old'), lines(5000, 'new')],
  ['many lines removed, one added at the end', lines(3000, 'old'), ['new\n']],
  ['one line removed, many added', ['old\n'], lines(3000, 'new')],
  [
    'lines removed in many places, and one added at the very end',
    lines(500, 'line'),
    [...lines(500, 'line').filter((_, index) => index % 8), 'new\n'],
  ],
  [
    'lines added in many places, and one removed at the very end',
    [...lines(500, 'line').filter((_, index) => index % 8), 'old\n'],
    lines(500, 'line'),
  ],
  ['two lines of a million characters', ['a'.repeat(1_000_000)], ['b'.repeat(1_000_000)]],
])('the short diff shows both sides: %s', (_name, before, after) => {
  const seen = signs(before.join(''), after.join(''));
  expect([seen.has('−'), seen.has('+')]).toEqual([true, true]);
});

test('the short form of a long line shows the changed part, at any position', () => {
  const [head, tail] = ['x'.repeat(50_000), 'y'.repeat(50_000)];
  const element = card(asking([{ id: 'c1', input: { before: `${head}safe${tail}`, after: `${head}evil${tail}` } }]));
  const [removed, added] = parts(element, 'diff-line').map(({ textContent }) => textContent ?? '');
  expect(removed).toMatch(/^−Removed: …x{60}safey{100,}…$/);
  expect(added).toMatch(/^\+Added: …x{60}evily{100,}…$/);
});

test('generated edits: the short diff has few rows, shows both sides, and counts no line twice', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e\n'), { maxLength: 120 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const all = diffLines(before, after);
      const rows = shortRows(all);
      expect(rows.length).toBeLessThanOrEqual(Math.max(40, rows === all ? all.length : 0));
      for (const kind of ['out', 'in'] as const) {
        if (all.some((line) => line.kind === kind)) expect(rows.some((row) => row.kind === kind)).toBe(true);
      }
      const counted = rows.reduce((count, row) => count + (row.kind === 'gap' ? row.count : 1), 0);
      expect(counted).toBeLessThanOrEqual(all.length);
    }),
  );
});
