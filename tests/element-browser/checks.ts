/** Checks of a page that several test files share: accessibility, and pictures. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds, one line each. */
export async function violations(page: Page): Promise<string[]> {
  const results = (await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`),
  );
}

/** Writes a picture to the folder that the environment variable `SHOTS` names, if it is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Whether no element is wider than the screen. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** The elements that are wider than the screen, of those that the selector finds. */
export const tooWide = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(
    (wanted) =>
      [document.documentElement, ...document.querySelectorAll(wanted)]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.hidden'))
        .map((element) => `${element.tagName} ${element.className}`),
    selector,
  );

/** Looks at each card, so that all can be approved together. */
export async function seeAll(page: Page): Promise<void> {
  for (const card of await page.locator('tool-approval').all()) {
    await card.evaluate((it) => it.scrollIntoView({ block: 'start' }));
    await page.waitForTimeout(50);
  }
}

/** The focused card, and the focused part in it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const host = document.activeElement;
    const inner = host?.shadowRoot?.activeElement?.getAttribute('part') ?? '';
    return `${host?.getAttribute('tool-call-id') ?? host?.localName} ${inner}`.trim();
  });
