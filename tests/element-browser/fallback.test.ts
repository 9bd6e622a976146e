/**
 * What the user sees when something cannot be loaded: docs/errors.md, with its component. And a
 * stored chat that is closed and opened again.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { loadingStage } from './loading-stage.js';
// For the type of `window.fallback`.
import type {} from './page/fallback.js';

const open = loadingStage('fallback');

const sent = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(() => window.fallback.requests.map((messages) => messages.at(-1)?.role));
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name });
const alert = (page: Page) => page.getByRole('alert').getByText('could not be loaded');

test('a message waits for the core: Try again sends it once', async () => {
  const page = await open({ blocked: /toolgate\.wasm/ });
  await button(page, 'Send').click();
  await alert(page).waitFor();
  expect(await page.locator('#shown').textContent()).toBe('user');
  await button(page, 'Try again').click();
  await alert(page).waitFor();
  expect(await sent(page)).toEqual([]);
  await page.unroute(/toolgate\.wasm/);
  await button(page, 'Try again').click();
  await button(page, /^Approve/).waitFor();
  expect(await alert(page).count()).toBe(0);
  expect(await sent(page)).toEqual(['user']);
});

test('no message waits: Try again shows the cards, and sends nothing', async () => {
  const page = await open({ blocked: /toolgate\.wasm/, query: '?stored' });
  await alert(page).waitFor();
  expect(await page.locator('#shown').textContent()).toBe('user assistant');
  expect(await button(page, /^Approve/).count()).toBe(0);
  await page.unroute(/toolgate\.wasm/);
  await button(page, 'Try again').click();
  await button(page, /^Approve/).waitFor();
  await expect.poll(() => alert(page).count()).toBe(0);
  expect(await sent(page)).toEqual([]);
});

test('a script of the core is blocked: a reload loads it', async () => {
  const page = await open({ blocked: /attach-/, query: '?stored' });
  await alert(page).waitFor();
  await page.unroute(/attach-/);
  await button(page, 'Reload the page').click();
  await button(page, /^Approve/).waitFor();
});

test('an error boundary gets an option that does not exist', async () => {
  const page = await open({ query: '?wrong' });
  await page.getByText(/TypeError: .*onDeny/).waitFor();
});

test('the stored chat: a reload and a second visit show the open approval, and one request is sent', async () => {
  const page = await open();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await button(page, 'Send').click();
  await button(page, /^Approve/).waitFor();
  await page.reload();
  await button(page, /^Approve/).waitFor();
  await button(page, 'Close').click();
  await button(page, 'Open').click();
  await button(page, /^Approve/).click();
  await expect.poll(() => sent(page), { timeout: 15_000 }).toEqual(['assistant']);
  expect(problems).toEqual([]);
});
