/**
 * Approve all, summaries, questions of a backend, and texts from right to left, in a browser: by keyboard, on small
 * screens and for assistive technology.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { stage } from './stage';
import { seeAll, shoot, violations } from './checks';
import { SCREENS } from '../lib/screens';

const { open } = stage();

const fits = (page: Page): Promise<boolean> => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** The part that has the focus in the shadow tree of the list or of a card. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? '');

const decisions = (page: Page) => page.evaluate(() => window.page.decisions);

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  const screen = { colorScheme, viewport: { width, height: 900 } };

  test.each(['asked', 'asked-ar', 'asked-he', 'asked-ja'])(
    'axe finds no problem, and nothing is too wide: %s',
    async (scenario) => {
      const page = await open(scenario, screen);
      const check = async (name: string): Promise<void> => {
        expect(await violations(page), name).toEqual([]);
        expect(await fits(page), name).toBe(true);
        await shoot(page, `${scenario}-${name}-${colorScheme}-${width}`);
      };
      await check('waiting');
      await seeAll(page);
      const part = (name: string) => page.locator(`tool-approvals [part~="${name}"]`);
      await part('approve-all').click();
      await check('asking');
      await part('confirm-all').click();
      await check('decided');
    },
  );
});

test('keyboard alone: all that a yes answers are approved after a second, deliberate activation; a key that is held down is not one', async () => {
  const page = await open('asked');
  await seeAll(page);
  await page.locator('tool-approvals [part~="approve-all"]').focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await decisions(page)).toEqual([]);
  expect(await focused(page)).toBe('all-question');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('approve-all');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('confirm-all');
  await page.keyboard.press('Enter');
  expect(await decisions(page)).toHaveLength(2);
  expect(await focused(page)).toBe('all-result');
});

test('a double click on Approve all does not answer the question', async () => {
  const page = await open('asked');
  await seeAll(page);
  await page.locator('tool-approvals [part~="approve-all"]').dblclick();
  expect(await decisions(page)).toEqual([]);
});

test('the options are one stop of the Tab key; Enter in the field for a text approves', async () => {
  const page = await open('asked');
  const card = page.locator('[tool-call-id=c2]');
  await card.getByRole('radio', { name: 'Staging' }).focus();
  await page.keyboard.press('ArrowDown');
  expect(await card.getByRole('radio', { name: 'Production' }).isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.type('both');
  await page.keyboard.press('Enter');
  expect(await decisions(page)).toMatchObject([{ approvalId: 'ask-c2', approved: true, reason: 'both' }]);
});

test('from right to left, the card is mirrored, and inputs keep their direction', async () => {
  const page = await open('asked-ar');
  const box = async (selector: string) => (await page.locator(`[tool-call-id=c1] ${selector}`).first().boundingBox())!;
  const [title, status, approve, deny] = await Promise.all(
    ['[part=title]', '[part=status]', '[part=approve]', '[part=deny]'].map(box),
  );
  expect(status!.x).toBeLessThan(title!.x);
  expect(deny!.x).toBeLessThan(approve!.x);
  const direction = await page
    .locator('[tool-call-id=c3] [part~=value]')
    .first()
    .evaluate((value) => getComputedStyle(value).unicodeBidi);
  expect(direction).toBe('plaintext');
});
