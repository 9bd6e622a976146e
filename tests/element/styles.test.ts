/** The styles in browsers without recent CSS features: each declaration that such a browser ignores has a fallback. */
import { expect, test } from 'vitest';
import { CARD_STYLES, LIST_STYLES } from '../../src/ts/element/card-styles';

/** Removes the blocks with these conditions. */
function without(css: string, condition: RegExp): string {
  let rest = css;
  for (let found = condition.exec(rest); found; found = condition.exec(rest)) {
    let [depth, end] = [0, found.index];
    do {
      if (rest[end] === '{') depth++;
      else if (rest[end] === '}') depth--;
      end++;
    } while (depth > 0 || rest[end - 1] !== '}');
    rest = rest.slice(0, found.index) + rest.slice(end);
  }
  return rest;
}

test.each([CARD_STYLES, LIST_STYLES])(
  'colours have a fallback without light-dark(), and none needs color-mix()',
  (css) => {
    const old = without(css, /@supports \((?:color: (?:light-dark|color-mix))\(/);
    expect(old).not.toMatch(/:[^;{}]*(light-dark|color-mix)\([^;{}]*;/);
    const modern = [...css.matchAll(/(--_[\w-]+): var\([\w-]+, light-dark\((#\w+), (#\w+)\)\)/g)];
    expect(modern.length).toBeGreaterThan(10);
    for (const [, name, light] of modern) {
      const given = [...old.matchAll(new RegExp(`${name}: var\\([\\w-]+, (#\\w+)\\)`, 'g'))].map(
        ([, colour]) => colour,
      );
      expect(given, name).toEqual([light]);
    }
  },
);

test('no media query uses the range syntax', () => {
  expect(CARD_STYLES).not.toMatch(/@media[^{]*[<>]/);
});
