/** The registry's components while a reason for denying is open: by a real keyboard, and on each width. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { shoot, violations } from '../../element-browser/checks.js';
import { pressAll, REASON, type KeyState } from '../../lib/key-paths.js';
import { decided, focused, misplaced, settled } from './registry-checks.js';
import { seeAll, type Open } from './registry-use.js';

/** The first card of the list, and one of its buttons. */
const firstCard = (page: Page): Locator => page.locator('section [data-status]').first();
const button = (page: Page, word: string): Locator =>
  firstCard(page).getByRole('button', { name: new RegExp(`^${word}`) });

/** What a user of the keyboard knows of the first card. */
const look = (page: Page): Promise<KeyState> =>
  page.evaluate(() => {
    const card = document.querySelector('section [data-status]')!;
    const focus = document.activeElement!;
    const isOpen = card.querySelector('input')?.checkVisibility() === true;
    const name = focus.getAttribute('aria-label') ?? focus.textContent;
    // The buttons for all cards are in the list, in no card.
    const isIts = card.contains(focus) || (focus.closest('section') && !focus.closest('[data-status]'));
    const approves = /^(Approve|Yes, approve)/.test(name);
    const { approval } = window.gate.part('first') ?? {};
    return {
      isOpen,
      isOnApprove: Boolean(isIts) && (approves || (isOpen && (focus.matches('textarea') || /^Edit/.test(name)))),
      decision: approval?.approved === undefined ? undefined : { approved: approval.approved, reason: approval.reason },
    };
  });

/** No sequence of keys leads from an open reason to an approval: of this call, of its edited input, or of all. */
export async function useEveryKey(first: Page, opener: (page: Page) => Open): Promise<void> {
  const { wrong, approved, denied } = await pressAll(async () => {
    const page = await first.context().browser()!.newPage();
    await opener(page)('');
    const start = async (): Promise<void> => {
      await page.evaluate(() => {
        const kept = (window as Window & { kept?: never[] }).kept ?? window.gate.getSnapshot().messages;
        Object.assign(window, { kept });
        window.gate.load(kept.slice(0, 3));
      });
      await expect.poll(() => page.locator('section [data-status]').count()).toBe(0);
      await page.evaluate(() => window.gate.load((window as Window & { kept?: never[] }).kept!));
      await button(page, 'Edit').press('Enter');
      await firstCard(page).locator('textarea').fill('{ "path": "other.md" }');
      await button(page, 'Deny').focus();
    };
    return { page, start, look: () => look(page) };
  });
  expect(wrong).toEqual([]);
  // What a user means is still possible: to deny with the reason or, after the way back, without it, and to approve.
  const all = [...denied];
  for (const keys of ['Enter', 'Tab Enter', 'Tab Space']) expect(all).toContainEqual([keys, REASON]);
  expect(all).toContainEqual(['Escape Shift+Tab Enter', undefined]);
  expect(approved).toContain('Escape Shift+Tab Shift+Tab Enter');
}

/** The way back, keys that are held down, and what is offered while the reason is open. */
export async function useReason(page: Page, open: Open): Promise<void> {
  const hold = async (): Promise<void> => {
    for (let times = 0; times < 6; times++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await settled(page);
  };
  const field = firstCard(page).locator('input');
  const all = page.getByRole('button', { name: /^Approve all/ });
  const shown = async (): Promise<boolean[]> =>
    Promise.all([button(page, 'Approve'), firstCard(page).locator('textarea'), field].map((each) => each.isVisible()));
  await open('');
  await seeAll(page);
  // A form of the app around the cards, and what listens to Escape.
  await page.evaluate(() => {
    const form = document.createElement('form');
    const app = document.querySelector('#app')!;
    app.before(form);
    form.append(app);
    const heard: string[] = [];
    form.addEventListener('submit', (event) => (event.preventDefault(), heard.push('submit')));
    form.addEventListener('keydown', ({ key }) => key === 'Escape' && heard.push(key));
    Object.assign(window, { heard });
  });
  await button(page, 'Edit').press('Enter');
  await firstCard(page).locator('textarea').fill('{ "path": "other.md" }');
  await button(page, 'Reason').focus();
  await hold();
  expect(await focused(page)).toBe('input');
  await page.keyboard.type('not before June');
  for (const keys of [
    ['Escape'],
    ['Tab', 'Escape'],
    ['Tab', 'Tab', 'Escape'],
    ['Tab', 'Tab', 'Enter'],
    ['Tab', 'Tab', 'Space'],
  ]) {
    expect([await shown(), await all.isDisabled()]).toEqual([[false, false, true], true]);
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
    expect(await focused(page)).toMatch(/^Reason…: /);
    expect([await shown(), await all.isEnabled()]).toEqual([[true, true, false], true]);
    expect(await firstCard(page).locator('textarea').inputValue()).toBe('{ "path": "other.md" }');
    await page.keyboard.press('Enter');
    await settled(page);
    expect([await focused(page), await field.inputValue()]).toEqual(['input', 'not before June']);
  }
  await button(page, 'Back').focus();
  await hold();
  expect(await focused(page)).toMatch(/^Reason…: /);
  const isUndecided = async (): Promise<boolean> => ((await decided(page)) as unknown[][])[0]![1] === undefined;
  expect(await isUndecided()).toBe(true);

  // The second click of a double click decides nothing, whatever it hits.
  await button(page, 'Reason').dblclick();
  await button(page, 'Deny with this reason').hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect([await field.isVisible(), await isUndecided()]).toEqual([true, true]);

  // Decided in another tab while the reason is open.
  await page.evaluate(() => window.gate.respond('ask-first', { approved: false }));
  await expect.poll(() => page.getByRole('button', { name: 'Approve all 2' }).isEnabled()).toBe(true);
  expect(await page.evaluate(() => (window as Window & { heard?: string[] }).heard)).toEqual([]);
}

/** An open reason moves nothing above it, and the way back shows the card as it was. `name`: that of the app. */
export async function useReasonOnScreens(page: Page, open: Open, name: string): Promise<void> {
  const places = (): Promise<number[][]> =>
    page.locator('section [data-status] :is(header, pre), section [data-status]').evaluateAll((all) =>
      all.map((each) => {
        const { left, top, width } = each.getBoundingClientRect();
        return [left, top + scrollY, width];
      }),
    );
  for (const [width, colorScheme] of [
    [380, 'light'],
    [768, 'dark'],
    [1400, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await open('');
    const before = await places();
    await button(page, 'Reason').click();
    await page.keyboard.type(REASON);
    await settled(page);
    await shoot(page, `${name}-reason-open-${width}`);
    expect([await misplaced(page), await violations(page)], `${width}`).toEqual([[], []]);
    // The first card, its header and its input.
    expect((await places()).slice(0, 3)).toEqual(before.slice(0, 3));
    await button(page, 'Back').click();
    await settled(page);
    expect(await places()).toEqual(before);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
