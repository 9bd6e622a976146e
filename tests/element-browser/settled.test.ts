/**
 * A settled card is one row that can be opened. Until the pointer and the focus have left and nothing waits, it keeps
 * its height, so that nothing moves under the pointer. A card that says what somebody should know or do stays open.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';

const { open } = stage();

const part = (page: Page, call: string, name: string): Locator =>
  page.locator(`[tool-call-id=${call}]`).locator(`[part~="${name}"]`);
const card = (page: Page, call: string): Locator => page.locator(`[tool-call-id=${call}]`);
const heightOf = async (page: Page, call: string): Promise<number> => (await card(page, call).boundingBox())!.height;
const topOf = (page: Page, call: string): Promise<number> =>
  card(page, call).evaluate((it) => it.getBoundingClientRect().top + scrollY);
/** Decides calls elsewhere, and lets the tool of the last one that is approved end. */
const decide = (page: Page, decisions: Readonly<Record<string, boolean>>): Promise<void> =>
  page.evaluate((all) => {
    const { gate } = window.page;
    for (const [id, approved] of Object.entries(all)) gate.respond(`ask-${id}`, { approved });
  }, decisions);
/** The backend's reply to the decisions. */
const reply = (page: Page, chunks: readonly object[]): Promise<void> =>
  page.evaluate((all) => {
    const { gate } = window.page;
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ type: 'start', messageId: 'a1' });
    for (const chunk of all) gate.receive(chunk as never);
    gate.streamEnded({ status: 'finished' });
  }, chunks);
const output = (toolCallId: string): object => ({ type: 'tool-output-available', toolCallId, output: { ok: true } });

test('settled calls become rows, at 380 and 1400 px; a row is opened by key, by finger, and by mouse', async () => {
  for (const width of [380, 1400]) {
    const page = await open('plain', { viewport: { width, height: 900 }, hasTouch: width === 380 });
    await decide(page, { c1: true, c2: true, c3: false });
    await reply(page, [output('c1'), output('c2')]);
    for (const call of ['c1', 'c2', 'c3']) await expect.poll(() => heightOf(page, call)).toBeLessThanOrEqual(48);
    await shoot(page, `settled-${width}`);
    expect(await part(page, 'c1', 'status').innerText()).toBe('Done');
    expect(await part(page, 'c1', 'body').isVisible()).toBe(false);
    const toggle = part(page, 'c1', 'toggle');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    const names = await page.locator('tool-approvals').ariaSnapshot();
    expect(names).toContain('button "delete_file “Delete a file” (Done)"');
    if (width === 380) {
      expect((await toggle.boundingBox())!.height).toBeGreaterThanOrEqual(42);
      await toggle.tap();
    } else {
      await toggle.focus();
      await page.keyboard.press('Enter');
    }
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    expect(await part(page, 'c1', 'body').innerText()).toContain('notes/menu-2019.md');
    expect(await part(page, 'c1', 'note').innerText()).toContain('{"ok":true}');
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await shoot(page, `settled-opened-${width}`);
    await toggle.click();
    expect(await part(page, 'c1', 'body').isVisible()).toBe(false);
  }
});

test('a card that has just settled moves nothing until the pointer and the focus have left, and nothing waits', async () => {
  const page = await open('plain');
  const before = await Promise.all(['c2', 'c3'].map((call) => topOf(page, call)));
  await part(page, 'c1', 'deny').hover();
  await page.waitForTimeout(600);
  await page.mouse.down();
  await page.mouse.up();
  await part(page, 'c2', 'deny').press('Enter');
  await page.mouse.move(2, 2);
  await page.locator('#before').focus();
  await page.waitForTimeout(900);
  // The third waits.
  expect(await Promise.all(['c2', 'c3'].map((call) => topOf(page, call)))).toEqual(before);
  await part(page, 'c3', 'deny').hover();
  await page.waitForTimeout(600);
  await page.mouse.down();
  await page.mouse.up();
  await expect.poll(() => part(page, 'c3', 'status').innerText()).toBe('Denied');
  await page.waitForTimeout(900);
  expect(await Promise.all(['c2', 'c3'].map((call) => topOf(page, call)))).toEqual(before);
  // The pointer has left, and the focus has not.
  await page.mouse.move(2, 2);
  await page.waitForTimeout(900);
  expect(await Promise.all(['c2', 'c3'].map((call) => topOf(page, call)))).toEqual(before);
  await page.locator('#after').focus();
  for (const call of ['c1', 'c2', 'c3']) await expect.poll(() => heightOf(page, call)).toBeLessThanOrEqual(48);
});

test('a card that somebody should read or act on stays open: failed, undelivered, unconfirmed, decided elsewhere', async () => {
  const page = await open('plain');
  await decide(page, { c1: true, c2: true, c3: true });
  await reply(page, [
    output('c1'),
    { type: 'tool-output-error', toolCallId: 'c2', errorText: 'no such file' },
    output('c3'),
  ]);
  await expect.poll(() => heightOf(page, 'c1')).toBeLessThanOrEqual(48);
  expect(await part(page, 'c2', 'note').innerText()).toContain('no such file');
  expect(await part(page, 'c2', 'body').isVisible()).toBe(true);
  expect(await part(page, 'c2', 'toggle').isVisible()).toBe(false);

  const lost = await open('plain');
  await decide(lost, { c1: true, c2: false, c3: true });
  await lost.evaluate(() => {
    const { gate } = window.page;
    const { id } = gate.outgoing()[0]!;
    gate.claim(id);
    gate.markFailed(id, 'offline');
  });
  await lost.waitForTimeout(900);
  for (const call of ['c1', 'c2', 'c3']) {
    expect(await part(lost, call, 'retry').isVisible(), call).toBe(true);
    expect(await part(lost, call, 'body').isVisible(), call).toBe(true);
  }
});

test('a plain denial is not alarming, and its footer says no more than the header', async () => {
  const page = await open('plain');
  await decide(page, { c1: false, c2: true, c3: true });
  await reply(page, [{ type: 'tool-output-error', toolCallId: 'c2', errorText: 'no such file' }, output('c3')]);
  const colour = (call: string): Promise<string> =>
    part(page, call, 'status').evaluate((it) => getComputedStyle(it).color);
  expect(await colour('c1')).not.toBe(await colour('c2'));
  await part(page, 'c1', 'toggle').click();
  expect(await part(page, 'c1', 'footer').innerText()).toBe('It will not run.');
});
