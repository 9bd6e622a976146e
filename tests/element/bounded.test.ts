// @vitest-environment happy-dom
/**
 * The number of elements is limited for any input and any opened sections, and the user can still read the whole input.
 * tests/element-browser/bounded.test.ts tests the largest inputs.
 */
import { expect, test } from 'vitest';
import { asking, card, part, parts, textOf } from './support';

const shown = (input: unknown) => card(asking([{ id: 'c1', input }]));
const count = (element: HTMLElement): number => element.shadowRoot?.querySelectorAll('*').length ?? 0;
const next = (element: HTMLElement): HTMLElement => part(element, 'next');
const isOver = (element: HTMLElement): boolean => next(element).getAttribute('aria-disabled') === 'true';

/** The maximum number of elements of a card, usually and with a long list opened inside a long list. */
const MOST = 9_000;
const WORST = 20_000;

test('the button for the next page keeps the focus', () => {
  const element = shown(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])));
  part(element, 'more').click();
  next(element).focus();
  next(element).click();
  expect(element.shadowRoot?.activeElement).toBe(next(element));
  expect(part(element, 'range').textContent).toBe('501–1000 of 2000');
});

test('a long text is shown in pages that contain every character and split no surrogate pair', () => {
  const text = `${'x😀'.repeat(300_000)}END`;
  const element = shown({ text });
  part(element, 'more').click();
  let read = part(element, 'text').textContent ?? '';
  while (!isOver(element)) {
    next(element).click();
    read += part(element, 'text').textContent ?? '';
  }
  expect(read).toBe(text);
});

/** Hostile inputs. */
const hostile: [string, unknown][] = [
  ['a hundred thousand control characters', { text: '\u0007'.repeat(100_000) }],
  ['control characters between letters', { text: 'a\u200b'.repeat(100_000) }],
  ['an edit of control characters', { before: 'a\u200b\n'.repeat(10_000), after: 'b\u200b\n'.repeat(10_000) }],
];

test.each(hostile)('%s: the number of elements is limited, with sections opened in any order', (_name, input) => {
  const element = shown(input);
  expect(count(element)).toBeLessThan(MOST);
  for (let round = 0; round < 2; round++) {
    for (const more of parts(element, 'more').slice(0, 15)) {
      if (!more.isConnected) continue;
      more.click();
      expect(count(element)).toBeLessThan(WORST);
    }
    for (const turn of parts(element, 'next').slice(0, 5)) {
      if (turn.isConnected) turn.click();
      expect(count(element)).toBeLessThan(WORST);
    }
  }
});

test('opening a section closes the earliest opened ones, but not those that contain it', () => {
  const wide = (word: string): object =>
    Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${word}${index}`, index]));
  const element = shown({ a: wide('a'), b: wide('b'), c: { d: wide('d') }, e: wide('e'), f: wide('f') });
  const opens = (): string[] =>
    parts(element, 'more')
      .filter((more) => more.getAttribute('aria-expanded') === 'true')
      .map(({ dataset }) => dataset['path'] ?? '');
  parts(element, 'more').forEach((more) => more.click());
  expect(count(element)).toBeLessThan(MOST);
  expect(opens().length).toBeGreaterThan(1);
  expect(opens()).toContain('["f",0]');
  expect(opens()).not.toContain('["a",0]');
  parts(element, 'more')[0]?.click();
  expect(opens()).toContain('["a",0]');
});

test('a deeply nested input has a limited number of elements, and all of it can be shown', () => {
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 200; depth++) deep = { inner: deep, list: [deep === 'bottom' ? 1 : 2] };
  const nested = shown(deep);
  expect(count(nested)).toBeLessThan(600);
  for (const more of parts(nested, 'more')) more.click();
  expect(textOf(nested)).toContain('bottom');
  const bushy = (depth: number): unknown => (depth === 0 ? 1 : Array.from({ length: 20 }, () => bushy(depth - 1)));
  expect(count(shown(bushy(4)))).toBeLessThan(3_000);
});
