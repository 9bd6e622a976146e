/**
 * The card is the promise: a dangerous call looks dangerous and names its act, a decision that lasts is confirmed in
 * words, calls are approved together only if each was seen and a bare yes answers it, and the card can be used with a
 * finger, at 400 % zoom and with text of twice the size.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fits, focused, seeAll, shoot, violations } from './checks';
import { stage } from './stage';

const { open } = stage();

const part = (page: Page, call: string, name: string): Locator =>
  page.locator(`[tool-call-id=${call}]`).locator(`[part~="${name}"]`);
const ofList = (page: Page, name: string): Locator => page.locator(`tool-approvals [part~="${name}"]`);
const decisions = (page: Page) => page.evaluate(() => window.page.decisions);

test('a dangerous call says so in words, and its button names what it approves', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open('asked', { colorScheme, viewport: { width: 380, height: 900 } });
    expect(await part(page, 'c1', 'danger').innerText()).toContain('Dangerous');
    expect(await part(page, 'c3', 'danger').isVisible()).toBe(false);
    expect(await part(page, 'c1', 'approve').innerText()).toBe('Approve: Delete the file notes/menu-2019.md');
    expect(await part(page, 'c3', 'approve').innerText()).toBe('Approve');
    const colours = (call: string): Promise<string> =>
      part(page, call, 'approve').evaluate((it) => getComputedStyle(it).backgroundColor + getComputedStyle(it).color);
    expect(await colours('c1')).not.toBe(await colours('c3'));
    expect(await violations(page)).toEqual([]);
    await shoot(page, `dangerous-${colorScheme}`);
    // When it is decided, the word is gone.
    await part(page, 'c1', 'deny').press('Enter');
    await expect.poll(() => part(page, 'c1', 'danger').isVisible()).toBe(false);
  }
});

test('with forced colours, a dangerous call still looks different', async () => {
  const page = await open('asked', { forcedColors: 'active' });
  const border = (call: string): Promise<string> =>
    part(page, call, 'card').evaluate((it) => getComputedStyle(it).borderTopWidth);
  expect([await border('c1'), await border('c3')]).toEqual(['2px', '1px']);
  await shoot(page, 'dangerous-forced-colours');
});

test('no path of keys, and no double click, makes a decision that lasts without its question', async () => {
  const page = await open('asked');
  await part(page, 'c3', 'remember').selectOption('alwaysTool');
  await part(page, 'c3', 'approve').focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect([await focused(page), await decisions(page)]).toEqual(['c3 question', []]);
  for (const key of ['Enter', 'Space', 'a', 'y']) await page.keyboard.press(key);
  expect(await decisions(page)).toEqual([]);
  expect(await part(page, 'c3', 'question').innerText()).toBe(
    'You will not be asked again about: every run_command call, always',
  );
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'lasting-decision');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('c3 approve');

  await part(page, 'c3', 'approve').dblclick();
  expect(await decisions(page)).toEqual([]);
  expect(await part(page, 'c3', 'approve').count()).toBe(0);
  // A press at once hits what has just appeared there.
  await page.mouse.down();
  await page.mouse.up();
  expect(await decisions(page)).toEqual([]);
  await part(page, 'c3', 'confirm').press('Enter');
  expect(await decisions(page)).toMatchObject([{ approved: true, remember: { for: 'always', scope: 'tool' } }]);
});

test('all are approved together only when each was in view; a button leads to the next that was not', async () => {
  const page = await open('plain', { viewport: { width: 380, height: 420 } });
  const unseen = ofList(page, 'show-unseen');
  await unseen.waitFor({ state: 'attached' });
  expect(await ofList(page, 'approve-all').count()).toBe(0);
  const led: string[] = [];
  while ((await unseen.count()) > 0 && led.length < 4) {
    await unseen.press('Enter');
    led.push(await focused(page));
    await page.waitForTimeout(100);
  }
  expect(led.at(-1)).toMatch(/^c[23] card/);
  await ofList(page, 'approve-all').press('Enter');
  expect(await decisions(page)).toHaveLength(3);
});

test('the button that leads to unseen calls does not become another one under the keys', async () => {
  for (const way of ['press', 'leave'] as const) {
    const page = await open('plain', { viewport: { width: 380, height: 420 } });
    const unseen = ofList(page, 'show-unseen');
    await unseen.focus();
    await seeAll(page);
    await page.waitForTimeout(200);
    expect(await ofList(page, 'approve-all').count()).toBe(0);
    if (way === 'press') {
      await page.keyboard.press('Enter');
      expect(await focused(page)).toMatch(/^c1 card/);
      for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
    } else {
      await page.locator('#before').focus();
    }
    await expect.poll(() => ofList(page, 'approve-all').count()).toBe(1);
    expect([await unseen.count(), await decisions(page)]).toEqual([0, []]);
    await shoot(page, `all-seen-${way}`);
  }
});

test('a key approves nothing with a button whose label has changed since it got the focus; the next press counts', async () => {
  for (const key of ['Enter', 'Space']) {
    const page = await open('plain');
    await seeAll(page);
    const all = ofList(page, 'approve-all');
    await all.focus();
    await page.evaluate(() => window.page.gate.respond('ask-c3', { approved: false }));
    await expect.poll(() => all.innerText()).toBe('Approve all 2');
    await page.keyboard.press(key);
    expect(await decisions(page)).toEqual([]);
    expect(await ofList(page, 'error').first().innerText()).toBe('Too soon. Press again.');
    await page.keyboard.press(key);
    expect(await decisions(page)).toHaveLength(2);
  }
});

test('a list that is hidden was not in view', async () => {
  const page = await open('plain', { viewport: { width: 1400, height: 5000 } });
  await page.evaluate(() => {
    window.page.list.style.display = 'none';
    window.page.again();
    window.page.list.style.display = 'none';
  });
  await page.waitForTimeout(300);
  expect(await ofList(page, 'approve-all').count()).toBe(0);
  await page.evaluate(() => (window.page.list.style.display = ''));
  await expect.poll(() => ofList(page, 'approve-all').count()).toBe(1);
});

test('where nothing says what is in view, nothing is approved together', async () => {
  const page = await open('plain');
  await page.evaluate(() => {
    Reflect.deleteProperty(window, 'IntersectionObserver');
    window.page.again();
  });
  await ofList(page, 'deny-all').waitFor();
  expect(await ofList(page, 'approve-all').count()).toBe(0);
  expect(await ofList(page, 'show-unseen').count()).toBe(0);
});

test('a call for which the backend asks for an answer is not approved together with the others', async () => {
  const page = await open('asked');
  await seeAll(page);
  expect(await ofList(page, 'all-tools').innerText()).toBe(
    'delete_file, run_command · To be answered one by one: deploy',
  );
  await ofList(page, 'approve-all').press('Enter');
  await ofList(page, 'confirm-all').press('Enter');
  expect(await decisions(page)).toMatchObject([{ toolName: 'delete_file' }, { toolName: 'run_command' }]);
  expect(await page.evaluate(() => window.page.gate.pending().map(({ toolName }) => toolName))).toEqual(['deploy']);
});

test('a finger finds every control', async () => {
  const page = await open('asked', { hasTouch: true, isMobile: true, viewport: { width: 380, height: 800 } });
  await part(page, 'c1', 'reason-toggle').tap();
  const heights = await page.evaluate(() =>
    [...document.querySelectorAll('tool-approvals, tool-approval')].flatMap((host) =>
      [...host.shadowRoot!.querySelectorAll<HTMLElement>('button, select, input:not([type=radio]), .check')]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.getAttribute('part'), each.getBoundingClientRect().height]),
    ),
  );
  expect(heights.filter(([, height]) => Number(height) < 44)).toEqual([]);
});

test('at 400 % zoom and with text of twice the size, a card can be read and decided', async () => {
  for (const [width, height, percent] of [
    [350, 225, 100],
    [380, 700, 200],
  ] as const) {
    const page = await open('asked', { viewport: { width, height } });
    await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent);
    expect(await fits(page), `${width}`).toBe(true);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('tool-approval')].flatMap((host) =>
        [...host.shadowRoot!.querySelectorAll('button, [part~=title], p, label, select')]
          .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
          .map((each) => each.getAttribute('part')),
      ),
    );
    expect(wide, `${width}`).toEqual([]);
    await shoot(page, `zoomed-${width}-${percent}`);
    await part(page, 'c1', 'approve').click();
    expect(await decisions(page), `${width}`).toMatchObject([{ approved: true, toolName: 'delete_file' }]);
    await page.context().close();
  }
});
