/**
 * The actions of a reader: searching, navigating with the keyboard, and switching between the documentation and the
 * demo.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../demo';
import { startSite, type Site, type SitePage } from './site';

let site: Site;
let tab: SitePage;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  tab = await site.open();
});
afterEach(async () => {
  expect(tab.problems).toEqual([]);
  await tab.close();
});

/** The name of the focused element, as users see it. */
const focused = (): Promise<string> =>
  tab.page.evaluate(() => {
    const element = document.activeElement!;
    return element.getAttribute('aria-label') ?? element.textContent!.trim();
  });

/** Presses Tab until the focus is on `name`. */
async function tabTo(name: string, atMost = 60): Promise<void> {
  for (let presses = 0; presses < atMost; presses += 1) {
    await tab.page.keyboard.press('Tab');
    if ((await focused()) === name) return;
  }
  throw new Error(`${name} is not reached by ${atMost} presses of Tab`);
}

test('the search finds a name of the API, and opens its entry', async () => {
  const { page } = tab;
  await tab.go('index.html');
  await page.keyboard.press('Control+k');
  // The search box is loaded on first use, and takes the focus.
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type('respondAll');
  await page.locator('[role=option][aria-selected=true]', { hasText: 'respondAll' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/api\/toolgate\.html#ToolGate\.respondAll$/);
  await page.locator('[id="ToolGate.respondAll"]').waitFor();
});

test('the search finds a word of a page, and says when there are no results', async () => {
  const { page } = tab;
  await tab.go('api/react.html');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill('kept-alive');
  await page.locator('[role=option]', { hasText: 'Security' }).first().waitFor();
  await page.getByRole('combobox').fill('qqqqq');
  await page.getByText('No results for').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the search finds a page by the words that people use', async () => {
  const { page } = tab;
  await tab.go('index.html');
  await page.getByRole('button', { name: 'Search' }).click();
  for (const [words, first] of [
    ['accessibility', 'Accessibility'],
    ['a11y', 'Accessibility'],
    ['i18n', 'The approval card'],
    ['translate', 'The approval card'],
    ['devtools', 'The inspector'],
    ['license', 'Frequently asked'],
    ['how big', 'Frequently asked'],
    ['offline', 'What happens offline'],
    ['timeout', 'Policies|On the server|Questions to the user'],
    ['deny with a reason', 'In your own design|Policies|The approval card'],
    ['test my app', 'Testing your app'],
    ['two tabs', 'Persistence and tabs'],
    ['redis', 'On the server'],
    ['why WebAssembly', 'Why WebAssembly'],
    ['the core cannot load', 'The core cannot be loaded'],
  ] as const) {
    await page.getByRole('combobox').fill(words);
    await page
      .locator('[role=option]')
      .first()
      .filter({ hasText: new RegExp(first) })
      .waitFor();
  }
});

test('the keyboard reaches the navigation, the sidebar and the content', async () => {
  const { page } = tab;
  await tab.go('security.html');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await tabTo('Search');
  await tabTo('API');
  await tabTo('Demo');
  await tabTo('Backends');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Backends' }).waitFor();

  // The link at the top skips all of these.
  await tab.go('security.html');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.querySelector('#VPContent')!.contains(document.activeElement))).toBe(true);
});

test('code that is wider than its box can be scrolled with the keyboard; other code is not a tab stop', async () => {
  const { page } = tab;
  await tab.go('backends.html');
  const stops = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.vp-doc pre, .vp-doc .table')].map((box) => [
      box.scrollWidth > box.clientWidth,
      box.tabIndex === 0,
    ]),
  );
  expect(stops.length).toBeGreaterThan(5);
  expect(new Set(stops.map(([scrolls]) => scrolls)).size).toBe(2);
  for (const [scrolls, isStop] of stops) expect(isStop).toBe(scrolls);
});

test('the server of the demo also serves the documentation, and each links to the other', async () => {
  const { page } = tab;
  const server = await startServer();
  const away = tab.problems.splice.bind(tab.problems);
  await page.goto(`${server.url}docs`);
  await page.getByRole('heading', { level: 1, name: 'Toolgate' }).waitFor();
  expect(page.url()).toBe(`${server.url}docs/`);
  await page.getByRole('link', { name: 'Demo' }).first().click();
  await page.locator('.chat').waitFor();
  expect(new URL(page.url()).pathname).toBe('/demo.html');
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Toolgate' }).waitFor();
  // This test visits the demo's server, so requests to it are not problems.
  expect(away(0).filter((problem) => !problem.startsWith(`asked for ${server.url}`))).toEqual([]);
  await server.close();
});
