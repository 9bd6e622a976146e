/**
 * The site is one folder of static files that works at any path of any server: the demo, the museum and the
 * documentation, with the links between them, the search and the pictures. A request to the rest of the server is a
 * problem of the page.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '../../../pkg-scripts/lib/shell.mjs';
import { filesOf } from '../../../pkg-scripts/lib/files.mjs';
import { startSite, type Site, type SitePage } from './site';

let site: Site;

beforeAll(async () => {
  site = await startSite('people/somebody/toolgate/');
});
afterAll(() => site.close());

/** Opens a tab, and expects no problems at the end. */
async function inTab(body: (tab: SitePage) => Promise<void>): Promise<void> {
  const tab = await site.open();
  await body(tab);
  expect(tab.problems).toEqual([]);
  await tab.close();
}

const pathOf = ({ page, url }: SitePage): string => page.url().slice(url.length);

test('no page of the site has an absolute link to the site', () => {
  const wrong: string[] = [];
  for (const [path, contents] of filesOf(at('www/dist'))) {
    if (!path.endsWith('.html')) continue;
    for (const [found] of contents.toString('utf8').matchAll(/ (?:href|src|content|srcset)="\/[^"]*"/g))
      wrong.push(`${path}:${found}`);
  }
  expect(wrong.slice(0, 20)).toEqual([]);
});

test.each(['demo.html', 'svelte.html', 'vue.html'])('the demo works: “%s”', (file) =>
  inTab(async (tab) => {
    await tab.goBeside(`${file}?scenario=three-edits&pace=instant`);
    await tab.page.locator('.opening').click();
    await tab.page.getByRole('button', { name: 'Approve all' }).first().click();
    await tab.page.locator('.prose', { hasText: 'Done: edited hours.md' }).waitFor();
  }),
);

test(
  'from the first page to the museum, a run there, the table, other pages, the demo, and back to the first page',
  () =>
    inTab(async (tab) => {
      const { page } = tab;
      await tab.goBeside('');
      await page.locator('.site').getByRole('link', { name: 'What goes wrong' }).click();
      await page.locator('.exhibit[data-phase=done]').waitFor();
      await page.getByRole('link', { name: 'The whole table' }).click();
      await page.getByRole('heading', { level: 1, name: 'What goes wrong without it' }).waitFor();
      expect(pathOf(tab)).toBe('docs/bugs.html');
      await page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
      // The page's own router loads the next page.
      await page.locator('.VPSidebar').getByRole('link', { name: 'How it works' }).click();
      await page.waitForURL(`${tab.url}docs/how-it-works.html`);
      await page.getByRole('heading', { level: 1, name: /How it works/i }).waitFor();
      const pictures = await page
        .locator('.vp-doc img')
        .evaluateAll((all) =>
          Promise.all((all as HTMLImageElement[]).map((image) => image.decode().then(() => image.naturalWidth > 0))),
        );
      expect(pictures.length).toBeGreaterThan(0);
      expect(pictures).not.toContain(false);
      await page.locator('.VPNavBar').getByRole('link', { name: 'Demo' }).click();
      await page.locator('.chat').waitFor();
      expect(pathOf(tab).replace(/\?.*/, '')).toBe('demo.html');
      await page.getByRole('link', { name: 'Toolgate' }).click();
      await page.getByRole('heading', { level: 1, name: 'A denied tool never runs' }).waitFor();
      expect(pathOf(tab)).toBe('');
    }),
  240_000,
);

test.each(['docs/', 'docs/api/react.html', 'docs/backends/adk.html'])('%s is opened directly and searched', (path) =>
  inTab(async (tab) => {
    const { page } = tab;
    await tab.go(path.slice('docs/'.length));
    await page.keyboard.press('Control+k');
    await page.locator('.search-input').fill('undelivered');
    await page.locator('.results .result').first().click();
    await page.waitForURL((url) => url.pathname !== `/people/somebody/toolgate/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(pathOf(tab)).toMatch(/^docs\/.*\.html/);
    expect(readFileSync(at('www/dist', pathOf(tab).replace(/#.*/, '')), 'utf8')).toContain('<h1');
  }),
);
