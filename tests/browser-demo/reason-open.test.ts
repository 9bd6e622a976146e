/**
 * The demo while a reason for denying is open, by a real keyboard: nothing that approves the call is offered, and no
 * path of keys leads to it. With SHOTS=<folder> the tests write screenshots.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seeAll, shoot } from '../element-browser/checks';
import { expectOnlyMeant, pressAll, REASON, type KeyState } from '../lib/key-paths';
import { useDemo, type DemoPage } from './demo';

const demo = useDemo();

let chat: DemoPage;

/** What a user of the keyboard knows of the third card, whose next button is that of the list. */
const look = (page: Page): Promise<KeyState> =>
  page.evaluate(async () => {
    // The page has shown all that follows from the key.
    await new Promise((done) => requestAnimationFrame(done));
    const cards = document.querySelectorAll('tool-approval');
    const host = cards[cards.length - 1]!;
    const card = host.shadowRoot!.querySelector('[part~=card]')!;
    const [outer, focus] = [document.activeElement!, document.activeElement!.shadowRoot?.activeElement];
    const isIts = outer === host || outer.localName === 'tool-approvals';
    const reason = /Reason: (.+)$/.exec(card.querySelector('[part=note]')!.textContent)?.[1];
    return {
      isOpen: host.hasAttribute('denying'),
      isOnApprove: isIts && /^Approve/.test(focus?.textContent ?? ''),
      // A card that has just been made has no status yet. After Start over, the page may still follow another: a denial
      // is then first forwarded.
      decision: ['waiting', undefined].includes(host.status)
        ? undefined
        : { approved: !/^Denied/.test(card.querySelector('[part=status]')!.textContent), reason },
    };
  });

test('React: no sequence of keys leads from the reason to an approval', async () => {
  const paths = await pressAll(async () => {
    const opened = await demo.open('three-edits');
    const { page } = opened;
    /** All cards were looked at: the button after the last card does not change later. */
    const begin = async (): Promise<void> => {
      await opened.begin(3);
      await seeAll(page);
      await page.getByRole('button', { name: 'Approve all 3' }).waitFor();
    };
    await begin();
    const card = opened.card('Edit prices.json');
    const field = card.getByLabel('Why not?');
    const start = async (): Promise<void> => {
      // As long as no card has changed, only the reason has to be closed and emptied.
      const [waiting, denying] = [page.locator('[data-status=waiting]'), page.locator('tool-approval[denying]')];
      if ((await waiting.count()) === 3 && (await denying.count()) === (await field.count())) {
        // By keyboard: the button may have just appeared under the pointer.
        if ((await field.count()) === 0) await card.getByRole('button', { name: /^Reason…/ }).press('Enter');
        await field.fill('');
        await field.press('Escape');
      } else {
        await page.getByRole('button', { name: 'Start over' }).click();
        await begin();
      }
      await card.getByRole('button', { name: /^Deny: / }).focus();
    };
    return { page, start, look: () => look(page) };
  });
  expectOnlyMeant(paths);
}, 300_000);

test.each(['React', 'Svelte', 'Vue'] as const)('%s: the list does not offer to approve all meanwhile', async (page) => {
  chat = await demo.open('three-edits', { page });
  await chat.begin(3);
  await seeAll(chat.page);
  const all = (count: number) => chat.page.getByRole('button', { name: `Approve all ${count}`, exact: true });
  const toggle = chat.card('Edit menu.md').getByRole('button', { name: /^(Reason…|Back)/ });
  for (const [left, keys] of [
    [3, 'Escape'],
    [3, 'Tab Tab Enter'],
    [2, 'Enter'],
  ] as const) {
    await toggle.press('Enter');
    await expect.poll(() => all(3).isDisabled()).toBe(true);
    for (const key of keys.split(' ')) await chat.page.keyboard.press(key);
    await expect.poll(() => all(left).isEnabled()).toBe(true);
  }
  await all(2).click();
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
