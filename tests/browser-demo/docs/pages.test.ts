/**
 * Every page of the documentation opens without console messages, failed requests or requests to other servers; axe
 * finds no violation in either colour scheme; and the page fits on a phone.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtPages, startSite, type Site, type SitePage } from './site';
import { ALL_SCREENS, SCREENS } from '../../lib/screens';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** The rules of axe that depend on colours or on the layout. The others find the same on every screen. */
const OF_SCREENS = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];

/** The violations that axe finds, one line each: of all its rules, or of these. */
async function violations({ page }: SitePage, rules?: readonly string[]): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) });
  const results = (await page.evaluate(`${axe}; axe.run(document, ${options})`)) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`),
  );
}

/** The elements that are wider than the screen, except scrollable ones. */
function tooWide({ page }: SitePage): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('#app *')]
      .filter((element) => {
        const { width, right } = element.getBoundingClientRect();
        return (
          width > 0 &&
          right > innerWidth + 1 &&
          element.checkVisibility() &&
          !element.closest('pre, .table, .VPSidebar, .visually-hidden')
        );
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent!.slice(0, 40)}`),
  );
}

test.each(SCREENS)(
  'every page: %s, %i pixels wide',
  async (colorScheme, width) => {
    const tab = await site.open({ colorScheme, viewport: { width, height: 900 } });
    const found: Record<string, string[]> = {};
    for (const path of builtPages()) {
      await tab.go(path);
      const isFirst = width === SCREENS[0][1];
      const wrong = [
        ...(await violations(tab, isFirst ? undefined : OF_SCREENS)),
        ...(isFirst ? [] : await tooWide(tab)),
        ...tab.problems.splice(0),
      ];
      if (wrong.length) found[path] = wrong;
    }
    expect(found).toEqual({});
    await tab.close();
  },
  300_000,
);

test.each(ALL_SCREENS)('the search, the menus and the switch: %s, %i pixels wide', async (colorScheme, width) => {
  const tab = await site.open({ colorScheme, viewport: { width, height: 900 } });
  const { page } = tab;
  await tab.go('security.html');

  await page.keyboard.press('Control+k');
  await page.locator('.search-input').fill('undelivered');
  await page.locator('.results .result').first().waitFor();
  expect(await violations(tab)).toEqual([]);
  await page.keyboard.press('Escape');

  if (width < 400) {
    await page.getByRole('button', { name: 'On this page' }).click();
    expect(await violations(tab)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.locator('.VPNavScreen').getByRole('link', { name: 'API' }).waitFor();
    expect(await violations(tab)).toEqual([]);
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.locator('.VPSidebar.open').waitFor();
    expect(await violations(tab)).toEqual([]);
  } else {
    await page.getByRole('switch').first().click();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(
      colorScheme === 'light',
    );
    expect(await violations(tab)).toEqual([]);
  }
  expect(tab.problems).toEqual([]);
  await tab.close();
});
