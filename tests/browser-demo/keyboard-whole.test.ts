/**
 * The whole demo by keyboard alone, on each page: choose a scenario, send, approve, deny with a reason, remember,
 * cancel, open the inspector, export, switch the framework. There are no pointer events, and only keys move the focus.
 */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const press = (key: string): Promise<void> => chat.page.keyboard.press(key);

/** Presses the button with this name, after or before the focused element. */
async function use(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await chat.tabTo(name, key);
  await press('Enter');
}

/** Selects the scenario `name`: the page in React has a list of buttons, the others a select. */
async function choose(page: string, name: string): Promise<void> {
  if (page === 'React') return use(new RegExp(`^${name}$`), 'Shift+Tab');
  await chat.tabTo(/^Scenario/, 'Shift+Tab');
  const by = await chat.page.getByLabel('Scenario').evaluate((select: HTMLSelectElement, wanted) => {
    const options = [...select.options];
    return options.findIndex(({ label }) => label === wanted) - select.selectedIndex;
  }, name);
  for (let step = 0; step < Math.abs(by); step++) await press(by > 0 ? 'ArrowDown' : 'ArrowUp');
}

test.each([
  ['React', 'Svelte'],
  ['Svelte', 'Vue'],
  ['Vue', 'React'],
] as const)('%s', async (page, next) => {
  chat = await demo.open('three-edits', { page, acceptDownloads: true });
  await chat.page.evaluate(() => {
    const counted = window as Window & { pointers?: number };
    counted.pointers = 0;
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(type, () => (counted.pointers! += 1), true);
  });
  const shows = (name: string): Promise<void> => chat.page.locator('.intro').getByRole('heading', { name }).waitFor();

  // Send; approve, deny with a reason, approve. After each answer the focus is at the next action.
  await use(/^Begin by asking/);
  await chat.waiting(3);
  expect(await chat.focused()).toBe('Message');
  await chat.tabTo(/^Conversation$/, 'Shift+Tab');
  await use(/^Approve: /);
  await chat.waiting(2);
  await use(/^Reason…: /);
  await chat.page.keyboard.type('No ice machine');
  await press('Enter');
  await chat.waiting(1);
  await use(/^Approve: /);
  await chat.says('I did not change menu.md, as you asked: “No ice machine”.');
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
  expect((await chat.record()).requests).toHaveLength(2);

  // Another scenario: a decision is remembered, and applies to the next call.
  await choose(page, 'A remembered answer');
  await shows('A remembered answer');
  await use(/^Begin by asking/);
  await chat.waiting(1);
  await chat.tabTo(/^Conversation$/, 'Shift+Tab');
  await chat.tabTo(/^Applies to/);
  await press('ArrowDown');
  await use(/^Approve: /, 'Shift+Tab');
  await chat.replies(1);
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
  await chat.page.keyboard.type('Tomato again, please.');
  await press('Enter');
  await chat.replies(2);
  expect((await chat.record()).toolRuns).toHaveLength(2);

  // A third scenario: its pending calls are cancelled.
  await choose(page, 'Cancel is not deny');
  await shows('Cancel is not deny');
  await use(/^Begin by asking/);
  await chat.waiting(2);
  await use(/^Cancel$/, 'Shift+Tab');
  await chat.status('Edit menu.md', 'cancelled');
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));

  // Opens the inspector, moves through its tabs, exports, and closes it. Then the Inspector button has the focus.
  await use(/^Inspector$/, 'Shift+Tab');
  const inspector = chat.page.getByRole('region', { name: 'Toolgate inspector' });
  await inspector.waitFor();
  await chat.tabTo(/^Timeline/);
  await press('ArrowRight');
  expect(await chat.focused()).toContain('Outgoing');
  await press('End');
  expect(await chat.focused()).toContain('Approvals');
  await chat.tabTo(/^Export recording$/);
  const [download] = await Promise.all([chat.page.waitForEvent('download'), press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^toolgate-.*\.json$/);
  await use(/^Close$/);
  await chat.page.waitForFunction(() => document.activeElement?.id === 'inspector-button');
  expect(await chat.page.evaluate(() => (window as Window & { pointers?: number }).pointers)).toBe(0);

  // The same scenario in another framework.
  await chat.kept();
  await use(new RegExp(`^${next}$`), 'Shift+Tab');
  await chat.page
    .getByRole('link', { name: next, exact: true })
    .and(chat.page.locator('[aria-current="page"]'))
    .waitFor();
  await chat.status('Edit menu.md', 'cancelled');
});
