/**
 * The first page: a failure plays by itself, and again; the code is that of real programs; the card is the package's
 * own; the numbers are those of the table and of the sizes. With SHOTS=<folder> the tests write screenshots.
 */
import { compileScript, compileTemplate, parse } from '@vue/compiler-sfc';
import { readdirSync, readFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bugs, pairOf, runBoth } from '../../www/src/museum/run';
import { FAILURES } from '../../www/src/home/failures';
import { shoot, tooWide, violations } from '../element-browser/checks';
import { ALL_SCREENS } from '../lib/screens';
import { startSite, type Site, type SitePage } from './docs/site';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

let site: Site;
let tab: SitePage;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
afterEach(async () => {
  expect(tab.problems).toEqual([]);
  await tab.close();
});

/** Waits until a failure has been played. Returns whether each side is right, as its stamp says. */
async function played(id: string): Promise<unknown> {
  await tab.page.locator(`.round[data-bug=${id}][data-phase=done]`).waitFor();
  const stamp = (kind: string) => tab.page.locator(`[data-side=${kind}] .stamp`).getAttribute('data-right');
  return { plain: await stamp('plain'), guarded: await stamp('guarded') };
}

test('each failure is played by both chats, the first one by itself, with the results of the bug table', async () => {
  tab = await site.open();
  await tab.goBeside('');
  for (const [at, { bug, name }] of FAILURES.entries()) {
    if (at > 0) await tab.page.getByRole('button', { name, exact: true }).click();
    const { plain, guarded } = await runBoth(bug, pairOf(7));
    expect(await played(bug.id), name).toEqual({ plain: String(plain.isRight), guarded: String(guarded.isRight) });
    expect([plain.isRight, guarded.isRight], name).toEqual([false, true]);
  }
}, 120_000);

test('the steps are shown one after the other; a button shows the end, and plays it again', async () => {
  tab = await site.open({ reducedMotion: 'no-preference' });
  await tab.goBeside('');
  const { page } = tab;
  const chat = page.locator('[data-side=plain] .screen li');
  const seen = new Set<number>();
  for (const until = Date.now() + 20_000; Date.now() < until && seen.size < 3; await page.waitForTimeout(20))
    seen.add(await chat.count());
  expect(seen.size).toBe(3);
  await page.getByRole('button', { name: 'Show the end' }).click();
  expect(await played('replayed-request')).toEqual({ plain: 'false', guarded: 'true' });
  await page.getByRole('button', { name: 'Play again' }).click();
  await page.locator('.round:not([data-phase=done])').waitFor();
  expect(await played('replayed-request')).toEqual({ plain: 'false', guarded: 'true' });
});

test('the code of each framework compiles, and is shown', async () => {
  tab = await site.open();
  await tab.goBeside('');
  const shown = tab.page.locator('.code-box pre');
  for (const [name, file] of [
    ['Svelte', 'svelte.svelte'],
    ['Vue', 'vue.vue'],
    ['No framework', 'plain.ts'],
    ['React', 'react.tsx'],
  ] as const) {
    await tab.page.getByRole('radio', { name, exact: true }).check();
    expect(await shown.innerText()).toBe(read(`www/src/home/code/${file}`).trim());
  }
  expect(compile(read('www/src/home/code/svelte.svelte'), {}).warnings).toEqual([]);
  const { descriptor, errors } = parse(read('www/src/home/code/vue.vue'));
  compileScript(descriptor, { id: 'vue' });
  const template = compileTemplate({ id: 'vue', filename: 'vue.vue', source: descriptor.template!.content });
  expect([...errors, ...template.errors]).toEqual([]);
});

test('the card is shown in its states, and can be answered', async () => {
  tab = await site.open();
  await tab.goBeside('');
  const { page } = tab;
  const card = page.locator('tool-approval');
  for (const [name, text] of [
    ['Dangerous', 'Approve: Delete menu.md'],
    ['A change', 'Flat white, 3.60'],
    ['Denied', 'Keep the old price.'],
    ['Not delivered', 'Send again'],
    ['Waiting', 'Send a mail to ana@example.com'],
  ] as const) {
    await page.getByRole('radio', { name, exact: true }).check();
    await card.getByText(text).first().waitFor();
  }
  await card.getByRole('button', { name: /^Deny/ }).press('Enter');
  await expect.poll(() => card.evaluate((it: HTMLElementTagNameMap['tool-approval']) => it.status)).toBe('denied');
});

test('the numbers are those of the table and of the sizes', async () => {
  tab = await site.open();
  await tab.goBeside('');
  const runs = [];
  for (const bug of bugs) runs.push(await runBoth(bug, pairOf(7)));
  const wrong = runs.filter(({ plain }) => !plain.isRight).length;
  expect(runs.filter(({ guarded }) => !guarded.isRight)).toEqual([]);
  const { first, sum } = JSON.parse(read('pkg-scripts/size-budget.json')).pages['guard alone'];
  const numbers = await tab.page.locator('.numbers > div').allInnerTexts();
  expect(numbers[0]).toContain(`${wrong} of ${bugs.length}`);
  expect(numbers[0]).toContain('ai 7.0.173');
  expect(numbers[1]).toContain(`${Math.ceil(first.gzip / 1000)} KB`);
  expect(numbers[1]).toContain(`${Math.round(sum.gzip / 1000)} KB in all`);
  expect(numbers[2]).toContain(String(readdirSync(new URL('../../src/ts/element/texts', import.meta.url)).length));
});

test('the command is copied; the links lead to the demo, the museum and the documentation', async () => {
  tab = await site.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await tab.goBeside('');
  const { page } = tab;
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm install toolgate');
  for (const [name, path] of [
    ['Try the demo', 'demo.html'],
    ['All 18 cases', 'museum.html'],
    ['The whole example, with its server', 'docs/start-react.html'],
    ['What to use then', 'docs/when-not.html'],
  ] as const) {
    await page.goto(tab.url);
    await page.getByRole('link', { name }).click();
    await page.waitForURL((url) => url.pathname === `/${path}`);
  }
});

test.each(ALL_SCREENS)('axe finds nothing, and nothing is too wide: %s, %i pixels', async (colorScheme, width) => {
  tab = await site.open({ colorScheme, viewport: { width, height: 900 } });
  await tab.goBeside('');
  await played('replayed-request');
  expect(await violations(tab.page)).toEqual([]);
  expect(await tooWide(tab.page, '.home :not(pre, pre *)')).toEqual([]);
  await shoot(tab.page, `home-${width}-${colorScheme}`);
});
