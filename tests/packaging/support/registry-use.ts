/** How a user and the rest of the app use the registry's components, at their worst. Each function opens its pages. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { shoot, violations } from '../../element-browser/checks.js';
import { decided, focused, misplaced, outlined, settled } from './registry-checks.js';

/** Opens the page with these parameters, and waits until it shows the calls. */
export type Open = (parameters: string) => Promise<void>;

/** The calls that wait, and one of their buttons. */
const waiting = (page: Page): Locator => page.locator('[data-status=waiting]');
const button = (card: Locator, word: string): Locator => card.getByRole('button', { name: new RegExp(`^${word}`) });

/** Screens: the width, the colours, the direction, and the size of the text. */
const LOOKS = [
  [380, 'light', 'rtl', 100],
  [640, 'dark', 'ltr', 200],
  [1400, 'dark', 'rtl', 100],
  [320, 'light', 'ltr', 100],
  [380, 'dark', 'ltr', 200],
] as const;

/**
 * Very long names, and texts of both directions: nothing is cut or overlaps, and nothing swaps its place.
 * `name`: that of the app and the components. Adapters are looked at less often: their parts are the card's.
 */
export async function useHostile(page: Page, open: Open, name: string): Promise<void> {
  const looks = name.includes('cards') ? LOOKS : LOOKS.slice(0, 2);
  for (const [width, colorScheme, dir, percent] of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await open(`calls=hostile&dir=${dir}`);
    await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent);
    const mixed = waiting(page).nth(1);
    if (await button(mixed, 'Edit').count()) await button(mixed, 'Edit').click();
    await settled(page);
    const look = `${name} ${width} ${colorScheme} ${dir} ${percent}%`;
    await shoot(page, look.replaceAll(' ', '-').replace('%', ''));
    for (const act of [() => undefined, () => button(mixed, 'Reason').click()]) {
      await act();
      await settled(page);
      expect(await misplaced(page), look).toEqual([]);
      expect(await violations(page), look).toEqual([]);
    }
    expect(await page.locator('main').innerText(), look).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    const moving = await page.locator('main *').evaluateAll((all) =>
      all.flatMap((each) => {
        const { transitionProperty, transitionDuration } = getComputedStyle(each);
        return transitionProperty === 'none' || /^0s/.test(transitionDuration) ? [] : [each.className];
      }),
    );
    expect(moving, look).toEqual([]);

    // The JSON of the input: from left to right, the name before its value, though both are in Hebrew.
    const places = await mixed
      .locator('pre')
      .first()
      .evaluate((pre) => {
        const place = (text: string): number => {
          const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode as Text;
            const at = node.data.indexOf(text);
            if (at < 0) continue;
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + text.length);
            const { left, top } = range.getBoundingClientRect();
            // Later lines come later, however long the line is.
            return top * 10_000 + left;
          }
          return Number.NaN;
        };
        return [place('{'), place('מקור'), place('יעד')];
      });
    expect(places, look).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]! < places[1]! && places[1]! < places[2]!, look).toBe(true);
  }
  await page.setViewportSize({ width: 1400, height: 900 });
}

/** The focus in a card: it is never lost, and moves to no button, whoever decided. */
export async function useFocus(page: Page, open: Open): Promise<void> {
  await open('');
  const cards = page.locator('[data-status]');
  const before = (await cards.count()) - 3;
  const card = (at: number): Locator => cards.nth(before + at);
  const isFocused = (at: number): Promise<boolean> => card(at).evaluate((it) => it === document.activeElement);
  const respond = (approved: boolean): Promise<unknown> =>
    page.evaluate((yes) => window.gate.respond('ask-second', { approved: yes }), approved);

  await button(card(1), 'Reason').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toMatch(/^Reason…: /);

  // Another tab decides while the reason is written.
  await page.keyboard.press('Enter');
  await page.keyboard.type('because');
  await respond(true);
  await card(1).getByText('Approved', { exact: true }).waitFor();
  await settled(page);
  expect(await isFocused(1)).toBe(true);
  await page.keyboard.press('Enter');

  // The user is elsewhere when the time is over.
  await open('');
  await button(card(1), 'Deny').focus();
  await page.evaluate(() => window.gate.respond('ask-third', { approved: false }));
  await settled(page);
  expect(await focused(page)).toMatch(/^Deny: /);

  // The time of the approvals is over while a reason is written.
  await button(card(0), 'Reason').click();
  await page.keyboard.type('too late');
  await page.evaluate(() => window.gate.tick(Date.now() + 4_000_000));
  await card(0).getByText('No answer in time. It did not run.').waitFor();
  await settled(page);
  expect(await isFocused(0)).toBe(true);
  expect(await page.getByRole('button', { name: /^(Approve|Deny|Reason|Edit)/ }).count()).toBe(0);
}

/** The focus in the list, and decisions that nobody has made: of a key that is held down, and of a double click. */
export async function useList(page: Page, open: Open): Promise<void> {
  const approve = (at: number): Locator => button(page.locator('section [data-status]').nth(at), 'Approve');
  const none = ['third', undefined, undefined];
  await open('');
  // The regions that announce the notes exist before there is a note.
  const regions = page.locator('section p[role=status]');
  expect(await regions.evaluateAll((all) => all.map((each) => getComputedStyle(each).display))).toEqual(
    Array(3).fill('block'),
  );
  await approve(1).focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await settled(page);
  // The next one, not the first one; the card itself, on which keys do nothing.
  expect(await focused(page)).toBe('card 2');
  expect(await decided(page)).toEqual([['first', undefined, undefined], ['second', true, undefined], none]);
  await approve(2).press('Enter');
  await settled(page);
  expect(await focused(page)).toBe('card 0');
  await approve(0).press('Enter');
  await settled(page);
  expect(await focused(page)).toBe('card 0');

  // A focus that the user has moved before the page follows.
  await open('');
  await page.evaluate(() => {
    const [first, second] = document.querySelectorAll<HTMLElement>('section [data-status]');
    const named = (card: HTMLElement | undefined, word: string): HTMLElement =>
      card!.querySelector<HTMLElement>(`[aria-label^=${word}]`)!;
    named(first, 'Approve').focus();
    named(first, 'Approve').click();
    named(second, 'Reason').focus();
  });
  await settled(page);
  expect(await focused(page)).toMatch(/^Reason…: /);

  await open('');
  // The second click of a double click hits a button that has moved below the pointer.
  await approve(0).click();
  await approve(1).hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await settled(page);
  expect(await decided(page)).toEqual([['first', true, undefined], ['second', undefined, undefined], none]);

  await open('calls=many');
  expect(await waiting(page).count()).toBe(100);
  await approve(49).press('Enter');
  await settled(page);
  expect(await focused(page)).toBe('card 50');
  await page.getByText('99 approvals needed').waitFor();
  await page.getByRole('button', { name: 'Deny all 99' }).press('Enter');
  await expect.poll(() => waiting(page).count()).toBe(0);
  await settled(page);
  // What the decision has done is at the place of the buttons.
  expect(await focused(page)).toBe('p');
  expect(((await decided(page)) as unknown[][]).filter(([, approved]) => approved === false)).toHaveLength(99);

  await open('calls=repeated');
  expect(await page.locator('section [data-status]').count()).toBe(2);
  await approve(1).click();
  await settled(page);
  expect(await decided(page)).toEqual([
    ['same', false, undefined],
    ['same', true, undefined],
  ]);
}

/** Looks at each call, so that *Approve all* is offered. */
export async function seeAll(page: Page): Promise<void> {
  for (const card of await waiting(page).all()) await card.scrollIntoViewIfNeeded();
  await expect.poll(() => page.getByRole('button', { name: /^Look at all/ }).count()).toBe(0);
}

/** *Approve all* asks a second time if a call is dangerous. Only what the user presses then answers it. */
export async function useDangerous(page: Page, open: Open): Promise<void> {
  const press = (name: RegExp): Promise<void> => page.getByRole('button', { name }).press('Enter');
  const waits = async (): Promise<number> => waiting(page).count();
  await open('');
  await seeAll(page);
  await page.getByRole('button', { name: 'Approve all 3' }).focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await settled(page);
  expect([await focused(page), await waits()]).toEqual(['p', 3]);
  await page.getByText('Approve all 3? Check these first: delete_file').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await settled(page);
  expect(await focused(page)).toBe('Approve all 3');
  await press(/^Approve all/);
  await press(/^Back$/);
  await settled(page);
  expect([await focused(page), await waits()]).toEqual(['Approve all 3', 3]);

  // The question is about three calls. Another one is decided meanwhile.
  await press(/^Approve all/);
  await page.evaluate(() => window.gate.respond('ask-first', { approved: false }));
  await page.getByRole('button', { name: 'Approve all 2' }).waitFor();
  expect(await page.getByRole('button', { name: /^Yes/ }).count()).toBe(0);
  await press(/^Approve all/);
  await press(/^Yes, approve all 2$/);
  expect(await decided(page)).toMatchObject([
    ['first', false, undefined],
    ['second', true, undefined],
    ['third', true, undefined],
  ]);

  // A denial, and calls that are not dangerous, are decided at once.
  await open('');
  await seeAll(page);
  await page.evaluate(() => window.gate.respond('ask-third', { approved: false }));
  await press(/^Approve all 2$/);
  await expect.poll(waits).toBe(0);
  await open('');
  await seeAll(page);
  await press(/^Deny all 3$/);
  await expect.poll(waits).toBe(0);
}

/** The time that is left: shown, said once when it is short, and extended. */
export async function useDeadline(page: Page, open: Open): Promise<void> {
  await open('');
  const card = waiting(page).first();
  const until = (): Promise<number> => page.evaluate(() => window.gate.pending()[0]!.expiresAt!);
  expect(await card.getByRole('timer').textContent()).toMatch(/^Expires in (60:00|59:5\d)$/);
  const before = await until();
  await page.waitForTimeout(20);
  await button(card, 'More time').press('Enter');
  await expect.poll(until).toBeGreaterThan(before);
  expect(await focused(page)).toMatch(/^More time: delete_file/);
  expect(await card.getAttribute('data-status')).toBe('waiting');

  await open('ms=11500');
  const said = card.getByRole('status').filter({ hasText: 'seconds left' });
  expect(await said.count()).toBe(0);
  await said.waitFor();
  expect(await said.textContent()).toMatch(/^\s*delete_file .*: 10 seconds left\./);
  await expect.poll(() => card.getByRole('timer').textContent()).toBe('Expires in 0:09');
  expect(await said.textContent()).toContain('10 seconds');
}

/** Another language, from right to left; focus in forced colours; and a request that the backend withdraws. */
export async function useOthers(page: Page, open: Open, name: string): Promise<void> {
  const list = page.locator('section');
  await open('texts=ar');
  expect(await list.evaluate((it: HTMLElement) => [it.lang, it.dir, getComputedStyle(it).direction])).toEqual([
    'ar',
    'rtl',
    'rtl',
  ]);
  const words = await list.getByRole('button').evaluateAll((all) => all.map((each) => each.textContent.trim()));
  // The app's own sentence is on the button of a dangerous call.
  expect(words.filter((text) => /[a-z]/i.test(text.replace(/: Delete .*/, '')))).toEqual([]);
  expect(await list.getByRole('timer').first().textContent()).not.toMatch(/Expires/);
  expect(await violations(page)).toEqual([]);
  await shoot(page, `${name}-arabic`);

  await page.emulateMedia({ forcedColors: 'active' });
  await open('');
  await button(waiting(page).first(), 'Reason').press('Enter');
  expect([await focused(page), await outlined(page)]).toEqual(['input', true]);
  await page.keyboard.press('Enter');
  await settled(page);
  expect([await focused(page), await outlined(page)]).toEqual(['card 1', true]);
  await shoot(page, `${name}-forced-colors`);
  await page.emulateMedia({ forcedColors: null });

  await open('plain');
  await page.evaluate(() => window.gate.receive({ type: 'tool-approval-withdrawn', approvalId: 'ask-second' }));
  await list.getByText('The server decides about this call.').waitFor();
  expect(await list.locator('[data-status]').count()).toBe(3);
  expect(await waiting(page).count()).toBe(2);
}
