/** `<tool-approvals view="review">` in a real browser: decisions are marks until the user sends them together. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fits, focused, shoot, violations } from './checks';
import { stage } from './stage';
import { SCREENS } from '../lib/screens';

const { open } = stage();

/** Opens a scenario in review mode. */
async function review(scenario: string, options = {}): Promise<Page> {
  const page = await open(`${scenario}&view=review`, options);
  await page.locator('[part=call-at]').waitFor();
  return page;
}

const openCard = (page: Page): Locator => page.locator('tool-approval:not([hidden])');
const send = (page: Page): Locator => page.locator('[part=send-marked]');
const rows = (page: Page): Promise<string[]> => page.locator('[part=call-state]').allTextContents();
const pressInCard = (page: Page, act: string): Promise<void> =>
  openCard(page).locator(`[data-act=${act}]`).press('Enter');
const isOpen = (page: Page): Promise<string | null> => openCard(page).getAttribute('tool-call-id');
/** What the gate has decided, and how many requests are ready. */
const state = (page: Page) =>
  page.evaluate(() => {
    const { gate, decisions } = window.page;
    const parts = gate.getSnapshot().messages.flatMap((message) => message.parts as unknown[]);
    const calls = parts.filter((part): part is { toolCallId: string } => 'toolCallId' in (part as object));
    return {
      waiting: gate.pending().map(({ toolCallId }) => toolCallId),
      approved: calls
        .map(({ toolCallId }) => [toolCallId, gate.part(toolCallId)?.approval?.approved])
        .filter(([, approved]) => approved !== undefined),
      requests: gate.outgoing().length,
      events: decisions.length,
    };
  });
const NOTHING = { waiting: ['c1', 'c2', 'c3'], approved: [], requests: 0, events: 0 };

test('decisions are marks until one button sends all of them, with one request', async () => {
  const page = await review('plain');
  expect(await send(page).textContent()).toBe('Send');
  expect(await send(page).isDisabled()).toBe(true);
  await pressInCard(page, 'approve');
  // The next call opens: its card has the focus, not a button.
  expect(await focused(page)).toBe('c2 card card-waiting');
  await pressInCard(page, 'reasonToggle');
  await page.keyboard.type('not that one');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('c3 card card-waiting');
  await pressInCard(page, 'approve');
  expect(await rows(page)).toEqual(['Approve', 'Deny', 'Approve']);
  expect(await send(page).textContent()).toBe('Send 2 approvals and 1 denial');
  expect(await state(page)).toEqual(NOTHING);
  await page.keyboard.press('k');
  expect(await page.locator('[part=marked]').textContent()).toBe(
    'Deny with this reason · Reason: not that one · Not sent yet',
  );
  await send(page).press('Enter');
  expect(await state(page)).toEqual({
    waiting: [],
    approved: [['c1', true], ['c2', false], ['c3', true]], // prettier-ignore
    requests: 1,
    events: 3,
  });
  expect(await page.evaluate(() => window.page.gate.part('c2')?.approval?.reason)).toBe('not that one');
  expect(await page.locator('.send [part=all-result]').textContent()).toBe('2 calls approved. 1 call denied.');
  expect(await page.evaluate(() => window.page.decisions)).toMatchObject([
    { toolCallId: 'c1', approved: true, result: 'accepted' },
    { toolCallId: 'c2', approved: false, reason: 'not that one' },
    { toolCallId: 'c3', approved: true },
  ]);
});

test('some decisions can be sent without the others, and a mark can be taken back', async () => {
  const page = await review('plain');
  await pressInCard(page, 'deny');
  await pressInCard(page, 'approve');
  await page.keyboard.press('k');
  expect(await isOpen(page)).toBe('c2');
  await page.locator('[part=unmark]').press('Enter');
  expect(await focused(page)).toBe('c2 card card-waiting');
  expect(await rows(page)).toEqual(['Deny', 'Waiting for you', 'Waiting for you']);
  expect(await send(page).textContent()).toBe('Send 1 denial');
  await send(page).press('Enter');
  expect(await state(page)).toEqual({ waiting: ['c2', 'c3'], approved: [['c1', false]], requests: 0, events: 1 });
});

test('j and k move, but not while the user types, with a modifier, or past the ends', async () => {
  const page = await review('plain');
  await openCard(page).evaluate((card: HTMLElement) => card.focus());
  const press = async (key: string): Promise<string | null> => {
    await page.keyboard.press(key);
    return isOpen(page);
  };
  expect(await press('k')).toBe('c1');
  expect(await press('j')).toBe('c2');
  expect(await focused(page)).toBe('c2 card card-waiting');
  expect(await press('J')).toBe('c3');
  expect(await press('j')).toBe('c3');
  expect(await press('Control+k')).toBe('c3');
  // The same keys of a Hebrew keyboard.
  const isPressed = (key: string, code: string): Promise<void> =>
    openCard(page).evaluate(
      (card, init) => void card.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, composed: true })),
      { key, code },
    );
  await isPressed('ל', 'KeyK');
  expect(await isOpen(page)).toBe('c2');
  await isPressed('Enter', 'KeyK');
  expect(await isOpen(page)).toBe('c2');
  await pressInCard(page, 'reasonToggle');
  await page.keyboard.type('jk');
  expect(await isOpen(page)).toBe('c2');
  expect(await openCard(page).locator('[data-field=reason]').inputValue()).toBe('jk');
  // The reason stays while another call is open.
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await pressInCard(page, 'reasonToggle');
  expect(await openCard(page).locator('[data-field=reason]').inputValue()).toBe('jk');
});

test('no path of Tab and Enter from a reason sends an approval', async () => {
  const page = await review('plain');
  await pressInCard(page, 'approve');
  await pressInCard(page, 'approve');
  expect(await send(page).textContent()).toBe('Send 2 approvals');
  for (let tabs = 1; tabs < 6; tabs++) {
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    expect(await isOpen(page)).toBe('c1');
    await pressInCard(page, 'reasonToggle');
    expect(await rows(page)).toEqual(['Reason…', 'Approve', 'Waiting for you']);
    await page.keyboard.type('No!');
    expect(await send(page).isDisabled()).toBe(true);
    for (let tab = 0; tab < tabs; tab++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await state(page)).toEqual(NOTHING);
    await page.evaluate(() => window.page.again());
    await page.locator('[part=call-at]').waitFor();
    await pressInCard(page, 'approve');
    await pressInCard(page, 'approve');
  }
});

test('a mark says what it sends: it is dropped when the user enters something else', async () => {
  const page = await review('asked');
  const row = page.locator('[part=call]').nth(1);
  await row.press('Enter');
  await pressInCard(page, 'approve');
  // The backend's choice is never skipped.
  expect(await openCard(page).locator('fieldset [part=error]').textContent()).toBe('Choose an option first.');
  expect(await send(page).isDisabled()).toBe(true);
  await openCard(page).locator('[value=staging]').check();
  await pressInCard(page, 'approve');
  await row.press('Enter');
  expect(await page.locator('[part=marked]').textContent()).toBe('Approve · Reason: Staging · Not sent yet');
  await openCard(page).locator('[value=prod]').check();
  expect((await rows(page))[1]).toBe('Waiting for you');
  expect(await send(page).isDisabled()).toBe(true);
  await pressInCard(page, 'approve');
  await send(page).press('Enter');
  expect(await page.evaluate(() => window.page.gate.part('c2')?.approval?.reason)).toBe('prod');
});

test('danger and lasting decisions are in words, on the button and on the mark', async () => {
  const page = await review('asked');
  expect(await openCard(page).locator('[data-act=approve]').textContent()).toBe(
    'Approve: Delete the file notes/menu-2019.md',
  );
  await openCard(page).locator('select').selectOption({ label: 'every delete_file call, always' });
  await pressInCard(page, 'approve');
  expect(await openCard(page).locator('[data-question]').textContent()).toContain('every delete_file call, always');
  expect(await send(page).isDisabled()).toBe(true);
  await pressInCard(page, 'confirm');
  await page.keyboard.press('k');
  expect(await page.locator('[part=marked]').textContent()).toBe(
    'Approve: every delete_file call, always · Not sent yet',
  );
  expect((await state(page)).approved).toEqual([]);
  await send(page).press('Enter');
  expect(await page.evaluate(() => window.page.gate.remembered().length)).toBe(1);
});

test('a marked call that is answered elsewhere leaves the marks, which is said', async () => {
  const page = await review('plain');
  await pressInCard(page, 'approve');
  await pressInCard(page, 'approve');
  await page.evaluate(() => void window.page.gate.respond('ask-c1', { approved: false }));
  await expect.poll(() => rows(page)).toEqual(['Denied', 'Approve', 'Waiting for you']);
  expect(await send(page).textContent()).toBe('Send 1 approval');
  const said = '1 call was changed or answered in the meantime. (delete_file)';
  expect(await page.locator('.send [part=all-result]').textContent()).toBe(said);
  const live = (): Promise<string | null | undefined> =>
    page.evaluate(() => window.page.list.shadowRoot!.querySelector('[role=status]')?.textContent);
  await expect.poll(live).toContain(said);
});

test('a marked call that expires leaves the marks', async () => {
  const page = await review('hurry');
  await pressInCard(page, 'approve');
  expect(await send(page).textContent()).toBe('Send 1 approval');
  await expect.poll(() => rows(page), { timeout: 5_000 }).toEqual(['Expired']);
  expect(await send(page).isDisabled()).toBe(true);
  expect(await state(page)).toMatchObject({ events: 0 });
});

/** The backend asks otherwise about `c1`, and the button is pressed before anything is drawn, if `isPressed`. */
const change = (page: Page, isPressed: boolean): Promise<void> =>
  page.evaluate((isPressed) => {
    const { gate, list } = window.page;
    const options = [{ id: 'one', kind: 'allow-once', label: 'Every time' }];
    const approvalDescriptor = { prompt: 'May it?', options };
    gate.receive({ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1', approvalDescriptor });
    if (isPressed) list.shadowRoot!.querySelector<HTMLElement>('[part=send-marked]')!.click();
  }, isPressed);

test('a marked call whose request changes leaves the marks, or is refused on its card', async () => {
  const page = await review('changing');
  await pressInCard(page, 'approve');
  await pressInCard(page, 'approve');
  await change(page, false);
  await expect.poll(() => rows(page)).toEqual(['Waiting for you', 'Approve', 'Waiting for you']);
  expect(await page.locator('.send [part=all-result]').textContent()).toMatch(/^1 call was changed/);
  await page.evaluate(() => window.page.again());
  await page.locator('[part=call-at]').waitFor();
  await pressInCard(page, 'approve');
  await pressInCard(page, 'approve');
  await change(page, true);
  expect((await state(page)).approved).toEqual([['c2', true]]);
  expect(await isOpen(page)).toBe('c1');
  expect(await focused(page)).toBe('c1 card card-waiting');
  expect(await openCard(page).locator('footer > [part=error]').textContent()).toMatch(/This request has changed/);
});

test('a pointer sends nothing with a button that has just changed its label, nor with a double click', async () => {
  const page = await review('plain');
  await openCard(page).evaluate((card: HTMLElement) => card.focus());
  await page.keyboard.press('j');
  await page.waitForTimeout(600);
  const box = (await send(page).boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.up();
  await page.evaluate(() => {
    const card = document.querySelector('tool-approval')!.shadowRoot!;
    card.querySelector<HTMLElement>('[data-act=deny]')!.click();
  });
  await page.mouse.down();
  await page.mouse.up();
  expect(await send(page).textContent()).toBe('Send 1 denial');
  expect(await state(page)).toEqual(NOTHING);
  expect(await page.locator('.send [part=error]').textContent()).toBe('Too soon. Press again.');
  await page.waitForTimeout(600);
  await page.mouse.dblclick(box.x + 20, box.y + 10);
  expect(await state(page)).toMatchObject({ approved: [['c1', false]], events: 1 });
});

test('decisions that a stopped reply holds can be sent in the review', async () => {
  const page = await review('plain');
  await page.evaluate(() => {
    const { gate } = window.page;
    for (const id of ['c1', 'c2']) gate.respond(`ask-${id}`, { approved: true });
    gate.stop();
    gate.respond('ask-c3', { approved: false, reason: 'not that one' });
  });
  await page.locator('.all [part=send-now]').press('Enter');
  expect((await state(page)).requests).toBe(1);
});

test('the script is loaded by the review only, and the view can change', async () => {
  const hasScript = (page: Page): Promise<boolean> =>
    page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/review-view-')));
  const page = await open('plain');
  await page.locator('tool-approvals [part=approve]').first().waitFor();
  expect(await hasScript(page)).toBe(false);
  await page.evaluate(() => (window.page.list.view = 'review'));
  await page.locator('[part=call-at]').waitFor();
  expect(await hasScript(page)).toBe(true);
  await pressInCard(page, 'approve');
  await page.evaluate(() => window.page.list.removeAttribute('view'));
  expect(await page.locator('tool-approval').count()).toBe(3);
  expect(await page.locator('tool-approval:visible').count()).toBe(3);
  expect(await state(page)).toEqual(NOTHING);
  // The list decides at once again, and leads the focus to the next card once.
  await page.locator('tool-approval').nth(0).locator('[data-act=approve]').press('Enter');
  expect(await state(page)).toMatchObject({ approved: [['c1', true]], events: 1 });
  expect(await focused(page)).toBe('c2 card card-waiting');
});

test('screen readers get a list with the current call, and a region with a heading', async () => {
  const page = await review('plain');
  await page.keyboard.press('Tab');
  expect(await page.locator('tool-approvals').ariaSnapshot()).toMatch(
    /- list "Approvals":[^]*button "delete_file Waiting for you \{[^\n]*notes\/menu-2019.md[^]*- region "Approvals 1\/3":\s+- heading "Approvals 1\/3" \[level=3\][^]*heading "delete_file[^]*\[level=4\][^]*- group "All open calls":\s+- button "Send" \[disabled\]/,
  );
  expect(await page.locator('[aria-current=true]').count()).toBe(1);
});

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  test.each(['plain', 'asked', 'asked-ar', 'asked-he'])('%s: fits and is accessible', async (name) => {
    const page = await review(name, { colorScheme, viewport: { width, height: 900 } });
    await pressInCard(page, 'deny');
    await page.keyboard.press('k');
    expect(await fits(page)).toBe(true);
    await shoot(page, `review-${name}-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    const [calls, card] = await Promise.all(
      ['[part=calls]', 'tool-approval:not([hidden])'].map((part) => page.locator(part).boundingBox()),
    );
    // Beside each other, or the list above the card.
    expect(width > 700 ? calls!.y < card!.y + 60 : calls!.y + calls!.height <= card!.y).toBe(true);
    if (width > 700) expect(calls!.x < card!.x).toBe(!/-(ar|he)$/.test(name));
  });
});

test('forced colours mark the open call and the button that sends', async () => {
  const page = await review('plain', { forcedColors: 'active', viewport: { width: 768, height: 900 } });
  await pressInCard(page, 'approve');
  await shoot(page, 'review-forced');
  const border = (part: string): Promise<string> =>
    page.locator(part).evaluate((element) => getComputedStyle(element).borderInlineStartColor);
  expect(await border('[aria-current]')).not.toBe(await border('[part=call]:not([aria-current]) >> nth=0'));
  expect(await violations(page)).toEqual([]);
});
