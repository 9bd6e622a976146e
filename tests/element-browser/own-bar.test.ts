/** A bar of the app's own beside the cards of `toolgate/element`: both know what the user has seen and is denying. */
import { expect, test } from 'vitest';
import { seeAll } from './checks';
import { stage } from './stage';
// For the type of `window.own`.
import type {} from './page/own-bar.js';

const { open } = stage('own-bar');

test('a bar of one’s own approves the cards of the element together, once all were seen, and none is being denied', async () => {
  const page = await open('', { viewport: { width: 380, height: 300 } });
  const acts = (): Promise<(string | null)[]> =>
    page.locator('#bar button:enabled').evaluateAll((all) => all.map((each) => each.getAttribute('data-act')));
  expect(await acts()).toEqual(['showUnseen', 'denyAll']);
  await seeAll(page);
  await expect.poll(acts).toEqual(['approveAll', 'denyAll']);
  const card = page.locator('tool-approval').first();
  await card.locator('[data-act=reasonToggle]').press('Enter');
  await expect.poll(acts).toEqual(['denyAll']);
  await card.locator('[data-act=reasonToggle]').press('Enter');
  await expect.poll(acts).toEqual(['approveAll', 'denyAll']);
  await page.locator('#bar [data-act=approveAll]').press('Enter');
  expect(await page.evaluate(() => window.own.gate.pending())).toEqual([]);
});
