/** No violation that axe-core can find, light and dark, wide and narrow, at each stage of a chat. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDemo, type Demo, type DemoPage } from './demo';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let demo: Demo;
let chat: DemoPage;

beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

afterEach(async () => {
  expect(chat.problems).toEqual([]);
  await chat.close();
});

/** What axe finds, as short lines. */
async function violations(): Promise<string[]> {
  const results = (await chat.page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`)) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`));
}

test.each([
  ['light', 1400],
  ['dark', 1400],
  ['light', 380],
  ['dark', 380],
] as const)('%s, %i pixels wide', async (colorScheme, width) => {
  chat = await demo.open('network-failure', { colorScheme, viewport: { width, height: 860 } });
  expect(await violations()).toEqual([]);

  await chat.begin(3);
  await chat.press('Reason… for denying edit of menu.md');
  expect(await violations()).toEqual([]);

  await chat.page.getByLabel('Why not?').fill('No ice');
  await chat.page.keyboard.press('Enter');
  await chat.press('Approve edit of hours.md');
  expect(await violations()).toEqual([]);

  await chat.press('Approve edit of prices.json');
  await chat.page.getByText('The request did not get through.').waitFor();
  expect(await violations()).toEqual([]);

  await chat.press('Retry');
  await chat.says('I left menu.md as it is');
  expect(await violations()).toEqual([]);

  if (width < 860) await chat.page.getByRole('button', { name: 'Inspector' }).click();
  for (const tab of ['What left', 'What the model saw', 'Transitions']) {
    await chat.page.getByRole('tab', { name: tab }).click();
    for (const summary of await chat.page.locator('.tab-panel summary').all()) await summary.click();
    expect(await violations()).toEqual([]);
  }
  if (width < 860) await chat.page.getByRole('button', { name: 'Files' }).click();
  for (const summary of await chat.page.locator('.files summary').all()) await summary.click();
  await chat.page.locator('.how summary').click();
  expect(await violations()).toEqual([]);
});
