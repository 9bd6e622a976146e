/**
 * Cards in Arabic and Hebrew that show names, code and texts from left to right: these keep the order of their
 * characters, and begin where the lines of the card begin.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS } from '../lib/screens';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';

const { open } = stage();

/** The places of the first and the last visible character, and the edges of the nearest block. */
async function placesIn(element: Locator) {
  return element.evaluate((node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      if (text.data.trim() !== '' && !text.parentElement!.closest('.hidden')) texts.push(text);
    }
    const at = (text: Text, from: number): number => {
      const range = new Range();
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      const { left, right } = range.getBoundingClientRect();
      return (left + right) / 2;
    };
    const last = texts.at(-1)!;
    let block: Element = node;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement!;
    const { left, right } = block.getBoundingClientRect();
    return { first: at(texts[0]!, 0), last: at(last, last.length - 1), left, right };
  });
}

const card = (page: Page, call: string) => page.locator(`[tool-call-id=${call}]`);

/** Whether the text is from left to right and ends at the right edge. */
async function expectIsolated(element: Locator, name: string): Promise<void> {
  const { first, last, right } = await placesIn(element);
  expect(last, name).toBeGreaterThan(first);
  expect(right - last, name).toBeLessThan(30);
}

describe.each(['ar', 'he'])('%s', (language) => {
  test('names, values and the reason are from left to right, and begin at the right edge', async () => {
    const page = await open(`mixed-${language}`);
    const first = card(page, 'c1');
    await first.locator('[part=approve]').waitFor();
    await expectIsolated(first.locator('[part=tool-title]'), 'title');
    await expectIsolated(first.locator('[part=tool-name]'), 'name');
    await expectIsolated(first.locator('[part=request-reason]'), 'reason');
    for (const key of ['path', 'glob', 'dryRun', 'count']) {
      const field = first.locator('.field', { has: page.getByText(key, { exact: true }) });
      await expectIsolated(field.locator('[part=key]'), key);
      await expectIsolated(field.locator('[part=value]'), `the value of ${key}`);
    }
    const list = first.locator('.field', { has: page.getByText('key with dots...', { exact: true }) });
    await expectIsolated(list.locator('[part=value]').last(), 'an empty list in a list');
    await expectIsolated(card(page, 'c3').locator('[part=tool-name]'), 'a name without a title');

    // Code that has several lines begins at the left, like in an editor.
    const code = await placesIn(first.locator('[part=text]'));
    expect(code.first - code.left).toBeLessThan(30);
  });

  test('all lines of a diff have one direction, with the signs before them', async () => {
    const page = await open(`mixed-${language}`);
    const diff = card(page, 'c2').locator('[part=diff]');
    await diff.waitFor();
    const lines = await diff.locator('code').all();
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { first, left } = await placesIn(line);
      expect(first - left).toBeLessThan(30);
    }
    const [sign, code] = [diff.locator('.sign').first(), lines[0]!];
    expect((await sign.boundingBox())!.x).toBeLessThan((await code.boundingBox())!.x);
  });

  test.each(SCREENS)('%s, %i px: axe finds no problem, and nothing is too wide', async (colorScheme, width) => {
    const page = await open(`mixed-${language}`, { colorScheme, viewport: { width, height: 900 } });
    await card(page, 'c3').locator('[part=approve]').waitFor();
    await shoot(page, `mixed-${language}-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
  });
});
