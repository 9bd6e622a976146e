/** The acts on a decision that is not with the backend, in a real browser: what is shown, and what a user reaches. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';
import { SCREENS } from '../lib/screens';

const { open } = stage();

const card = (page: Page, call: string): Locator => page.locator(`[tool-call-id=${call}]`);

/** The names of the buttons of a card or list that can be seen and pressed. */
const buttonsOf = (shown: Locator): Promise<string[]> =>
  shown.evaluate((element) =>
    [...element.shadowRoot!.querySelectorAll('button')]
      .filter((one) => one.checkVisibility() && !one.disabled)
      .map((one) => one.textContent!),
  );

/** Each state, made by the user's decisions about the three calls, and the acts of the card of `c1`. */
const STATES: Readonly<Record<string, readonly [make: (page: Page) => Promise<void>, acts: string[]]>> = {
  held: [
    (page) =>
      page.evaluate(() => {
        const { gate } = window.page;
        gate.respond('ask-c1', { approved: true });
        gate.stop();
      }),
    ['Send', 'Do not run'],
  ],
  'several held': [
    (page) =>
      page.evaluate(() => {
        const { gate } = window.page;
        gate.respond('ask-c1', { approved: true });
        gate.respond('ask-c2', { approved: true });
        gate.stop();
        gate.respond('ask-c3', { approved: false, reason: 'not that one' });
      }),
    ['Send', 'Do not run'],
  ],
  failed: [
    (page) =>
      page.evaluate(() => {
        const { gate } = window.page;
        for (const id of ['c1', 'c2', 'c3']) gate.respond(`ask-${id}`, { approved: id !== 'c2' });
        const { id } = gate.outgoing()[0]!;
        gate.claim(id);
        gate.markFailed(id, 'offline');
      }),
    ['Send again', 'Give up'],
  ],
};

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  test.each(Object.entries(STATES))('%s: the acts are shown, fit, and are accessible', async (name, [make, acts]) => {
    const page = await open('plain', { colorScheme, viewport: { width, height: 900 } });
    await make(page);
    await page.waitForTimeout(50);
    await shoot(page, `acts-${name.replace(' ', '-')}-${colorScheme}-${width}`);
    expect(await buttonsOf(card(page, 'c1'))).toEqual(acts);
    expect(await fits(page)).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});

test('a keyboard reaches the acts; an act moves the focus to the card, and only a second press acts again', async () => {
  const page = await open('plain');
  await STATES['held']![0](page);
  await card(page, 'c1').locator('[part=do-not-run]').focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => window.page.gate.part('c1')?.outcome)).toMatchObject({ kind: 'cancelled' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('tool-call-id'))).toBe('c1');
  expect(await buttonsOf(card(page, 'c1'))).toEqual([]);
  expect(await page.evaluate(() => window.page.gate.outgoing().length)).toBe(0);
  expect(await page.evaluate(() => window.page.gate.pending().length)).toBe(2);
});

test('a double click on Send again sends once', async () => {
  const page = await open('plain');
  await STATES['failed']![0](page);
  await card(page, 'c1').locator('[part=retry]').dblclick();
  expect(await page.evaluate(() => window.page.gate.outgoing().map(({ attempt }) => attempt))).toEqual([2]);
  expect(await buttonsOf(card(page, 'c1'))).toEqual([]);
});
