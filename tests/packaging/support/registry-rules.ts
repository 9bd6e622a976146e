/** The card's rules in the registry's components: nobody approves by accident, nobody is told what is not known. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { shoot, violations } from '../../element-browser/checks.js';
import { decided, focused, settled } from './registry-checks.js';
import { seeAll, type Open } from './registry-use.js';

const cardOf = (page: Page, at: number): Locator => page.locator('section [data-status]').nth(at);
const button = (around: Locator | Page, name: string | RegExp): Locator => around.getByRole('button', { name });

/** A choice that the backend asks for is shown, and no button skips it. */
export async function useChoice(page: Page, open: Open, name: string): Promise<void> {
  await open('calls=asked&plain');
  const card = cardOf(page, 2);
  expect(await card.innerText()).toContain('Where to?[U+202E]');
  expect(await card.getByRole('radio').count()).toBe(2);
  await seeAll(page);
  await shoot(page, `${name}-choice`);
  expect(await violations(page)).toEqual([]);
  await button(card, /^Approve: /).press('Enter');
  await card.getByText('Choose an option first.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('radio');
  // All at once are the others alone.
  await page.getByText('To be answered one by one: deploy').waitFor();
  await button(page, 'Approve all 2').press('Enter');
  await expect
    .poll(async () => (await decided(page)) as unknown[])
    .toMatchObject([
      ['first', true, undefined],
      ['second', true, undefined],
      ['choice', undefined, undefined],
    ]);
  await card.getByRole('radio').first().check();
  await button(card, /^Approve: /).press('Enter');
  await card.getByText('Approved', { exact: true }).waitFor();
  expect(await page.evaluate(() => window.gate.part('choice')?.approval?.reason)).toBe('staging');
}

/** A dangerous call looks dangerous and names its act; a decision that lasts is confirmed in words. */
export async function useWords(page: Page, open: Open, name: string): Promise<void> {
  await open('remember');
  const [first, third] = [cardOf(page, 0), cardOf(page, 2)];
  expect((await third.innerText()).includes('⚠ Dangerous')).toBe(true);
  expect((await first.innerText()).includes('Dangerous')).toBe(false);
  expect(await button(third, /^Approve/).innerText()).toMatch(/^Approve: Delete a-long-name-/);
  // The app's sentence, the tool's name, and in quotes what the tool calls itself.
  expect((await first.getByRole('heading').innerText()).replace(/\s+/g, ' ')).toBe(
    'Delete first.md delete_file “Delete a file”',
  );
  await shoot(page, `${name}-dangerous`);
  expect(await violations(page)).toEqual([]);

  await first.getByRole('combobox').selectOption('alwaysTool');
  await button(first, /^Approve: /).press('Enter');
  await settled(page);
  expect(await focused(page)).toBe('p');
  await first.getByText('You will not be asked again about: every delete_file call, always').waitFor();
  expect(await page.evaluate(() => window.gate.remembered().length)).toBe(0);
  await page.keyboard.press('Escape');
  await settled(page);
  expect(await focused(page)).toBe('Approve: delete_file (“Delete a file”)');
  await page.keyboard.press('Enter');
  await button(first, /^Approve: every delete_file call, always/).press('Enter');
  await expect.poll(() => page.evaluate(() => window.gate.remembered().length)).toBe(1);
}

/** Calls are approved together only if the user has seen each of them. */
export async function useUnseen(page: Page, open: Open): Promise<void> {
  await page.setViewportSize({ width: 380, height: 500 });
  await open('');
  await page.evaluate(() => scrollTo(0, 0));
  const look = button(page, 'Look at all of them first');
  await look.waitFor();
  expect(await button(page, /^Approve all/).count()).toBe(0);
  for (let times = 0; (await look.count()) > 0 && times < 3; times++) {
    await look.press('Enter');
    await settled(page);
    expect(await focused(page)).toMatch(/^card /);
  }
  await button(page, 'Approve all 3').waitFor();
  await page.setViewportSize({ width: 1400, height: 900 });
}

/** A press of a pointer on what has just appeared is refused and says so; nothing moves when calls are decided. */
export async function usePointer(page: Page, open: Open): Promise<void> {
  await open('');
  await page.waitForTimeout(700);
  await seeAll(page);
  const approve = button(cardOf(page, 0), /^Approve: /);
  await approve.scrollIntoViewIfNeeded();
  const box = (await approve.boundingBox())!;
  const top = (): Promise<number> => cardOf(page, 1).evaluate((it) => it.getBoundingClientRect().top + scrollY);
  // Another request takes the place of the first under the pointer.
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.evaluate(() => {
    const messages = structuredClone(window.gate.getSnapshot().messages) as never;
    window.gate.load((messages as unknown[]).slice(0, 3) as never);
    Object.assign(window, { kept: messages });
  });
  await expect.poll(() => page.locator('section [data-status]').count()).toBe(0);
  await page.evaluate(() => window.gate.load((window as Window & { kept?: never[] }).kept!));
  await page.locator('section [data-status]').first().waitFor();
  const again = (await approve.boundingBox())!;
  await page.mouse.move(again.x + 5, again.y + 5);
  await page.evaluate(() => (document.querySelector('main') as HTMLElement).style.setProperty('padding-top', '3px'));
  await page.mouse.down();
  await page.mouse.up();
  await page.getByText('Too soon. Press again.').waitFor();
  expect(await decided(page)).toMatchObject([
    ['first', undefined, undefined],
    ['second', undefined, undefined],
    ['third', undefined, undefined],
  ]);

  await page.waitForTimeout(700);
  const before = await top();
  await button(cardOf(page, 2), /^Deny: /).press('Enter');
  await button(cardOf(page, 1), /^Deny: /).press('Enter');
  await settled(page);
  expect(await top()).toBe(before);
}

/** The card says what was decided, and no more about the delivery than is known. */
export async function useLost(page: Page, open: Open): Promise<void> {
  await open('plain');
  await page.evaluate(() => {
    const { gate } = window;
    for (const id of ['ask-first', 'ask-second']) gate.respond(id, { approved: true });
    gate.respond('ask-third', { approved: false });
    const [item] = gate.outgoing();
    gate.claim(item!.id);
    gate.markFailed(item!.id, 'offline');
  });
  await cardOf(page, 0).getByText('Approved · No reply').waitFor();
  await cardOf(page, 2).getByText('Denied · No reply').waitFor();
  const text = await page.locator('section').innerText();
  expect(text).toContain('may have arrived');
  expect(text).not.toContain('did not reach');
  await button(cardOf(page, 0), /^Send again/).press('Enter');
  await expect.poll(() => page.evaluate(() => window.gate.outgoing().length)).toBe(1);
}

/** 20 KB of JSON, ten thousand lists deep, do not break the page. */
export async function useDeep(page: Page, open: Open): Promise<void> {
  await open('calls=deep');
  expect(await page.locator('section [data-status=waiting]').count()).toBe(2);
  const text = cardOf(page, 0).locator('pre');
  expect(await text.innerText()).toContain('deep.md');
  await button(cardOf(page, 0), /^Show all/).press('Enter');
  expect((await text.innerText()).length).toBeLessThan(101_000);
  await button(cardOf(page, 0), 'Show less').press('Enter');
  await button(cardOf(page, 0), /^Deny: /).press('Enter');
  await expect
    .poll(async () => (await decided(page)) as unknown[])
    .toMatchObject([
      ['deep', false, undefined],
      ['second', undefined, undefined],
    ]);
}

/** Controls are large enough for a finger. */
export async function useTouch(first: Page, opener: (page: Page) => Open): Promise<void> {
  const context = await first.context().browser()!.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await opener(page)('remember');
  const heights = await page
    .locator('section :is(button, select)')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await context.close();
}
