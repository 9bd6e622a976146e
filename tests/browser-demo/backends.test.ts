/** The panel that shows one conversation as every backend would receive it: by mouse and keyboard, wide and narrow. */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo('static');

let chat: DemoPage;

test('every backend gets the denial in its own words, beside the others', async () => {
  chat = await demo.open('three-edits');
  await chat.begin(3);
  await chat.denyWithReason('edit of menu.md', 'There is no ice machine');
  await chat.press('Approve edit of hours.md');
  await chat.press('Approve edit of prices.json');
  await chat.says('I left menu.md as it is');

  const { page } = chat;
  await page.getByRole('tab', { name: 'Backends' }).click();
  const panel = page.getByRole('group', { name: 'Backends', exact: true });
  expect(await panel.locator('[data-backend]').evaluateAll((all) => all.map((one) => one.getAttribute('data-backend')))).toEqual([
    'ai-sdk',
    'anthropic',
    'openai-responses',
  ]);

  await chat.press('Show full width');
  const dialog = page.getByRole('dialog', { name: 'The same conversation for each backend' });
  await dialog.locator('summary').click();
  const boxes = await dialog.getByRole('checkbox').count();
  for (let at = 0; at < boxes; at++) await dialog.getByRole('checkbox').nth(at).check();
  const columns = dialog.locator('[data-backend]');
  expect(await columns.count()).toBe(boxes);
  expect(boxes).toBeGreaterThan(15);
  for (const column of await columns.all()) {
    const [name, can, text] = [await column.getAttribute('data-backend'), await column.locator('.backend-can').innerText(), await column.innerText()];
    // The user's words, all three calls, and why one of them did not run, where the backend takes a reason.
    for (const words of ['menu.md', 'hours.md', 'prices.json']) expect(text, `${name}`).toContain(words);
    if (can.includes('takes reasons')) expect(text, `${name}`).toContain('There is no ice machine');
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});
