/**
 * The demo while a reason for denying is open, by a real keyboard: nothing that approves the call is offered, and no
 * path of keys leads to it. With SHOTS=<folder> the tests write screenshots.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shoot } from '../element-browser/checks';
import { expectOnlyMeant, hold, pressAll, REASON, WAYS_BACK, type KeyState } from '../lib/key-paths';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

const NOUN = 'edit of prices.json';

/** Opens a page with three cards, and the controls of the third one. */
async function openEdits() {
  const opened = await demo.open('three-edits');
  const { page } = opened;
  await opened.begin(3);
  return {
    page,
    begin: () => opened.begin(3),
    toggle: page.getByRole('button', { name: `Reason… for denying ${NOUN}` }),
    deny: page.getByRole('button', { name: `Deny ${NOUN}`, exact: true }),
    field: opened.card('Edit prices.json').getByLabel('Why not?'),
  };
}

const button = (name: string) => chat.page.getByRole('button', { name, exact: true });

/** What a user of the keyboard knows of the third card, whose next button is that of the bar. */
const look = (page: Page): Promise<KeyState> =>
  page.evaluate(async () => {
    // The page has shown all that follows from the key.
    await new Promise((done) => requestAnimationFrame(done));
    const card = [...document.querySelectorAll<HTMLElement>('.card[data-call]')].at(-1)!;
    const focus = document.activeElement!;
    const isIts = card.contains(focus) || focus.closest('.gate-bar') !== null;
    const status = card.dataset['status'];
    const reason = /Reason: (.+)/.exec(card.textContent)?.[1];
    return {
      isOpen: card.querySelector('.reason')?.checkVisibility() === true,
      isOnApprove: isIts && /^Approve/.test(focus.getAttribute('aria-label') ?? focus.textContent),
      decision: status === 'waiting' ? undefined : { approved: status !== 'denied', reason },
    };
  });

test('React: no sequence of keys leads from the reason to an approval', async () => {
  const paths = await pressAll(async () => {
    const { page, ...opened } = await openEdits();
    const { toggle, field, deny } = opened;
    const start = async (): Promise<void> => {
      // As long as no other card has changed, only the reason has to be closed and emptied.
      const [waiting, reasons] = [page.locator('.card[data-status=waiting]'), page.locator('.reason')];
      if ((await waiting.count()) === 3 && (await reasons.count()) === (await field.count())) {
        if ((await field.count()) === 0) await toggle.click();
        await field.fill('');
        await field.press('Escape');
      } else {
        await page.getByRole('button', { name: 'Start over' }).click();
        await opened.begin();
      }
      await deny.focus();
    };
    return { page, start, look: () => look(page) };
  });
  expectOnlyMeant(paths);
}, 300_000);

test('React: the way back, keys that are held down, and the menu beside Approve', async () => {
  chat = await demo.open('remembered');
  await chat.begin(1);
  const noun = 'writing of board.md';
  const field = chat.page.getByLabel('Why not?');
  const approve = chat.page.getByRole('button', { name: /^Approve/ });
  const isFocused = (name: string): Promise<boolean> => button(name).evaluate((it) => it === document.activeElement);
  await button(`Reason… for denying ${noun}`).focus();
  await hold(chat.page);
  await chat.page.keyboard.type('not before June');
  for (const keys of WAYS_BACK) {
    expect([await field.inputValue(), await approve.count()]).toEqual(['not before June', 0]);
    for (const key of keys) await chat.page.keyboard.press(key);
    // Approve and its menu.
    expect([await field.count(), await approve.count()]).toEqual([0, 2]);
    expect(await isFocused(`Reason… for denying ${noun}`)).toBe(true);
    await chat.page.keyboard.press('Enter');
  }
  await button(`Back to ${noun}`).focus();
  await hold(chat.page);
  expect(await isFocused(`Reason… for denying ${noun}`)).toBe(true);
  // The first entry of the menu gets the focus while the key is down.
  await button(`Approve ${noun} and remember…`).focus();
  await hold(chat.page);
  await chat.page.locator('[role="menuitem"]:focus').waitFor();
  await chat.waiting(1);
});

test.each(['React', 'Svelte', 'Vue'] as const)('%s: the bar does not offer to approve all meanwhile', async (page) => {
  chat = await demo.open('three-edits', { page });
  await chat.begin(3);
  const card = chat.card('Edit menu.md');
  const toggle = card.getByRole('button', { name: /^(Reason…|Back)/ });
  for (const [name, key] of [
    ['Approve all', 'Escape'],
    ['Approve all', 'Tab Tab Enter'],
    ['Approve the rest', 'Enter'],
  ] as const) {
    await toggle.press('Enter');
    await expect.poll(() => button('Approve all').isDisabled()).toBe(true);
    for (const each of key.split(' ')) await chat.page.keyboard.press(each);
    await expect.poll(() => button(name).isEnabled()).toBe(true);
  }
  await button('Approve the rest').click();
  await chat.status('Edit menu.md', 'denied');
  await chat.status('Edit hours.md', 'done');
});

test.each([380, 768, 1400])('%i px: an open reason moves nothing above it', async (width) => {
  for (const page of ['React', 'Svelte'] as const) {
    chat = await demo.open('three-edits', { page, viewport: { width, height: 900 } });
    await chat.begin(3);
    const card = chat.card('Edit hours.md');
    const toggle = card.getByRole('button', { name: /^(Reason…|Back)/ });
    const place = () => card.boundingBox();
    const before = await place();
    await toggle.click();
    await chat.page.keyboard.type(REASON);
    await shoot(chat.page, `demo-reason-open-${page}-${width}`);
    const now = await place();
    expect([now!.x, now!.y, now!.width]).toEqual([before!.x, before!.y, before!.width]);
    const boxes = await card
      .getByRole('button')
      .or(card.getByRole('textbox'))
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
    for (const [at, one] of boxes.entries()) {
      expect(one.left >= now!.x && one.right <= now!.x + now!.width && one.bottom <= now!.y + now!.height).toBe(true);
      for (const other of boxes.slice(at + 1))
        expect(other.top >= one.bottom || other.left >= one.right || one.left >= other.right).toBe(true);
    }
    await toggle.click();
    expect(await place()).toEqual(before);
  }
});
