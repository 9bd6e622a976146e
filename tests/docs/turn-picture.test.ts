/**
 * The picture of a turn: both colour schemes have the same content, the texts are readable, and the names are those of
 * the code.
 */
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the picture', () => {
  const [light, dark] = [read('docs/turn.svg'), read('docs/turn-dark.svg')];
  const style = (svg: string): string => /<style>([^]*?)<\/style>/.exec(svg)![1]!;
  const colour = (svg: string, name: string): string =>
    new RegExp(`^ *\\.?${name} \\{ fill: (#[0-9a-f]{6})`, 'm').exec(style(svg))![1]!;

  test('the two files differ only in their colours', () => {
    expect(dark.replace(style(dark), style(light))).toBe(light);
    expect(style(dark).replaceAll(/#[0-9a-f]{6}/g, '')).toBe(style(light).replaceAll(/#[0-9a-f]{6}/g, ''));
  });

  test('it loads no other files, and no text is smaller than 12 px', () => {
    expect(light).not.toMatch(/href|@import|@font-face|url\((?!#tip)|<script/);
    const sizes = [...light.matchAll(/font(?:-size)?: (\d+)px/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  });

  test.each([
    ['light', light],
    ['dark', dark],
  ])('every text has enough contrast: %s', (_, svg) => {
    const pairs = [
      ...['blue', 'green', 'red', 'amber'].map((name) => [`on-${name}`, name]),
      ...['green', 'red', 'amber'].map((name) => [`on-${name}`, 'blue']),
      ...['paper', 'panel', 'card', 'blue'].flatMap((behind) => [
        ['text', behind],
        ['muted', behind],
      ]),
    ] as [string, string][];
    for (const [text, behind] of pairs) {
      const [a, b] = [luminance(colour(svg, text)), luminance(colour(svg, behind))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      expect(contrast, `${text} on ${behind}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('it uses the names of the states and endings', () => {
    const texts = [...light.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    const words = [
      'approved',
      'denied',
      'skipped',
      'expired',
      'cancelled',
      'finished',
      'empty',
      'failed',
      'step limit',
    ];
    expect(texts).toEqual(
      expect.arrayContaining([...words, 'interrupted', 'disconnected', 'done', 'stalled', 'incomplete', 'error']),
    );
  });
});

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
