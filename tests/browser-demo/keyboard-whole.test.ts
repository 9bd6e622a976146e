/**
 * The whole demo by keyboard alone, on each page: choose a scenario, send, approve, deny with a reason, remember,
 * cancel, open the inspector, export, switch the framework. There are no pointer events, and only keys move the focus.
 */
import { expect, test } from 'vitest';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const press = (key: string): Promise<void> => chat.page.keyboard.press(key);

/** The name of the focused element, also inside a shadow tree: its label, or else its text. */
function focused(): Promise<string> {
  return chat.page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const label = (element as (HTMLElement & { labels?: NodeListOf<HTMLLabelElement> }) | null)?.labels?.[0]
      ?.textContent;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });
}

/** Presses Tab, or Shift and Tab, until an element with this name has the focus. */
async function tabTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 90; presses++) {
    await press(key);
    const now = await focused();
    if (name.test(now)) return;
    passed.push(now.slice(0, 30));
  }
  throw new Error(`${key} does not reach ${String(name)}, only: ${passed.join(' | ')}`);
}

/** Presses the button with this name, after or before the focused element. */
async function use(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(name, key);
  await press('Enter');
}

/** How a page's controls are named and used. */
interface Names {
  /** Selects the scenario `name`, which is `by` entries further down in the list. */
  choose: (name: string, by: number) => Promise<void>;
  approve: (noun: string) => RegExp;
  reason: (noun: string) => RegExp;
  /** Approves the call and remembers the decision. */
  approveAndRemember: () => Promise<void>;
  /** The page to switch to. */
  next: string;
}

/** In this page the scenarios are a list of buttons, and a menu next to Approve remembers the decision. */
const REACT: Names = {
  choose: (name) => use(new RegExp(`^${name}$`), 'Shift+Tab'),
  approve: (noun) => new RegExp(`^Approve ${noun}$`),
  reason: (noun) => new RegExp(`^Reason… for denying ${noun}$`),
  approveAndRemember: async () => {
    await use(/^Approve writing of board.md and remember…$/);
    await chat.page.locator('[role="menuitem"]:focus').waitFor();
    await press('ArrowDown');
    expect(await focused()).toContain('This chat, this input');
    await press('Enter');
  },
  next: 'Svelte',
};

/** In these pages the scenarios and the choice of what to remember are select elements. */
const element = (next: string): Names => ({
  choose: async (_name, by) => {
    await tabTo(/^Scenario/, 'Shift+Tab');
    for (let step = 0; step < Math.abs(by); step++) await press(by > 0 ? 'ArrowDown' : 'ArrowUp');
  },
  approve: () => /^Approve: /,
  reason: () => /^Reason…: /,
  approveAndRemember: async () => {
    await tabTo(/^Applies to/);
    await press('ArrowDown');
    await use(/^Approve: /, 'Shift+Tab');
  },
  next,
});

test.each([
  ['React', REACT],
  ['Svelte', element('Vue')],
  ['Vue', element('React')],
] as const)('%s', async (page, names) => {
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
  expect(await focused()).toBe('Message');
  await tabTo(/^Conversation$/, 'Shift+Tab');
  await use(names.approve('edit of hours.md'));
  await chat.waiting(2);
  await use(names.reason('edit of menu.md'));
  await chat.page.keyboard.type('No ice machine');
  await press('Enter');
  await chat.waiting(1);
  await use(names.approve('edit of prices.json'));
  await chat.says('I did not change menu.md, as you asked: “No ice machine”.');
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
  expect((await chat.record()).requests).toHaveLength(2);

  // Another scenario: a decision is remembered, and applies to the next call.
  const remembered = page === 'React' ? 3 : 2;
  await names.choose('A remembered answer', remembered);
  await shows('A remembered answer');
  await use(/^Begin by asking/);
  await chat.waiting(1);
  await tabTo(/^Conversation$/, 'Shift+Tab');
  await names.approveAndRemember();
  await chat.replies(1);
  await chat.page.waitForFunction(() => document.activeElement?.matches('textarea'));
  await chat.page.keyboard.type('Tomato again, please.');
  await press('Enter');
  await chat.replies(2);
  expect((await chat.record()).toolRuns).toHaveLength(2);

  // A third scenario: its pending calls are cancelled.
  await names.choose('Cancel is not deny', 2);
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
  await tabTo(/^Timeline/);
  await press('ArrowRight');
  expect(await focused()).toContain('Outgoing');
  await press('End');
  expect(await focused()).toContain('Approvals');
  await tabTo(/^Export recording$/);
  const [download] = await Promise.all([chat.page.waitForEvent('download'), press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^toolgate-.*\.json$/);
  await use(/^Close$/);
  await chat.page.waitForFunction(() => document.activeElement?.id === 'inspector-button');
  expect(await chat.page.evaluate(() => (window as Window & { pointers?: number }).pointers)).toBe(0);

  // The same scenario in another framework.
  await chat.kept();
  await use(new RegExp(`^${names.next}$`), 'Shift+Tab');
  await chat.page
    .getByRole('link', { name: names.next, exact: true })
    .and(chat.page.locator('[aria-current="page"]'))
    .waitFor();
  await chat.status('Edit menu.md', 'cancelled');
});
