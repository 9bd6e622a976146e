/**
 * The largest inputs in a real page: the number of elements is limited for any opened sections, and the whole input can
 * be read.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { stage } from './stage';

const { open } = stage();

/** The maximum number of elements of a card; and the maximum with long lists opened inside each other. */
const MOST = 9_000;
const WORST = 20_000;

interface Card {
  /** The current number of elements. */
  readonly count: number;
  readonly keys: readonly (string | null)[];
  readonly lines: readonly (string | null)[];
  readonly range: string | null;
  readonly isLast: boolean;
}

/** Clicks the nth element with this part, if one is given. Returns the content of the card. */
const click = (page: Page, part?: string, nth = 0): Promise<Card> =>
  page.evaluate(
    ([name, index]) => {
      const root = document.querySelector('tool-approval')!.shadowRoot!;
      const all = (at: string) => [...root.querySelectorAll<HTMLElement>(`[part~="${at}"]`)];
      if (name) all(name as string)[index as number]?.click();
      const texts = (at: string) => all(at).map(({ textContent }) => textContent);
      const [range = null] = texts('range');
      return {
        count: root.querySelectorAll('*').length,
        keys: texts('key'),
        lines: texts('diff-line'),
        range,
        isLast: all('next')[0]?.getAttribute('aria-disabled') === 'true',
      };
    },
    [part, nth] as const,
  );

test('a hundred thousand properties: all can be shown, page by page', async () => {
  const page = await open('huge-names');
  expect((await click(page)).keys).toHaveLength(30);
  const seen = new Set<string | null>();
  let pages = 0;
  for (let card = await click(page, 'more'); ; card = await click(page, 'next')) {
    expect(card.count).toBeLessThan(MOST);
    card.keys.forEach((key) => seen.add(key));
    pages++;
    if (card.isLast) break;
  }
  expect([seen.size, pages]).toEqual([100_000, 200]);
  expect(await click(page, 'next')).toMatchObject({ range: '99501–100000 of 100000' });
  expect((await click(page, 'previous')).range).toBe('99001–99500 of 100000');
  expect((await click(page, 'more')).keys).toHaveLength(30);
});

test('a diff of forty thousand lines: removed and added lines are visible at first, and every line can be shown', async () => {
  const page = await open('huge-diff');
  const { lines } = await click(page);
  expect(lines.filter((line) => line?.startsWith('−')).length).toBeGreaterThan(5);
  expect(lines.filter((line) => line?.startsWith('+')).length).toBeGreaterThan(5);
  const seen = new Set<string | null>();
  for (let card = await click(page, 'more'); ; card = await click(page, 'next')) {
    expect(card.count).toBeLessThan(MOST);
    card.lines.forEach((line) => seen.add(line));
    if (card.isLast) break;
  }
  expect(seen.size).toBe(40_000);
});

test.each(['controls', 'lists', 'texts', 'edits', 'diff', 'names'])(
  'huge-%s: the number of elements is limited, with sections opened in any order',
  async (name) => {
    const page = await open(`huge-${name}`);
    expect((await click(page)).count).toBeLessThan(MOST);
    for (let round = 0; round < 2; round++) {
      for (let nth = 0; nth < 20; nth++) expect((await click(page, 'more', nth)).count).toBeLessThan(WORST);
      for (let nth = 0; nth < 5; nth++) expect((await click(page, 'next', nth)).count).toBeLessThan(WORST);
    }
  },
);

test('thousands of calls are shown by the thousand; when a whole thousand is decided, the next one follows', async () => {
  const page = await open('huge-calls');
  const cards = () =>
    page.evaluate(() => {
      const ids = [...document.querySelectorAll('tool-approval')].map((card) => card.getAttribute('tool-call-id'));
      return [ids.length, ids[0]];
    });
  expect(await cards()).toEqual([1_000, 'c0']);
  await page.evaluate(
    () =>
      void window.page.gate.respondAll({
        approved: true,
        where: ({ toolCallId }) => Number(toolCallId.slice(1)) < 999,
      }),
  );
  // The last call of the thousand is decided in its card, so the list shows the next pending calls.
  await page.locator('tool-approval[tool-call-id=c999]').getByRole('button', { name: 'Approve' }).click();
  await expect.poll(cards).toEqual([1_000, 'c1000']);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('tool-call-id'))).toBe('c1000');
});
