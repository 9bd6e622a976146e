/** The tests look at most pages in two of four screens (tests/lib/screens.ts): what the others show must not differ. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The pages whose tests use all screens. */
const ON_ALL_SCREENS = ['museum.css'];

const STYLES = [
  ...readdirSync('www/src/styles').map((name) => `www/src/styles/${name}`),
  ...['card', 'question'].map((name) => `src/ts/element/${name}-styles.ts`),
].filter((path) => !ON_ALL_SCREENS.some((name) => path.endsWith(name)));

/** The rules of each `@media` that asks for the width. */
function ofWidths(source: string): string[] {
  return [...source.matchAll(/@media[^{]*width[^{]*\{/g)].map((found) => {
    const begin = found.index + found[0].length;
    let end = begin;
    for (let depth = 1; depth > 0; end++) depth += { '{': 1, '}': -1 }[source[end]!] ?? 0;
    return source.slice(begin, end - 1);
  });
}

test('no colour of a text or of what is behind it depends on the width', () => {
  const rules = STYLES.flatMap((path) => ofWidths(readFileSync(path, 'utf8')));
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.flatMap((rule) => rule.match(/^\s*(color|background)(-color)?:.*/gm) ?? [])).toEqual([]);
});
