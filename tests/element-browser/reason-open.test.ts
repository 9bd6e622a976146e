/**
 * The card while a reason for denying is open, by a real keyboard: nothing that approves the call is offered, and no
 * path of keys leads to it. The way back shows the card as it was.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectOnlyMeant, hold, pressAll, REASON, WAYS_BACK, type KeyState } from '../lib/key-paths';
import { fits, focused, seeAll, shoot, violations } from './checks';
import { stage } from './stage';

const { open } = stage();

const card = (page: Page, call: string): Locator => page.locator(`[tool-call-id=${call}]`);
const part = (page: Page, call: string, name: string): Locator => card(page, call).locator(`[part~="${name}"]`);
const decisions = (page: Page) => page.evaluate(() => window.page.decisions);

/** What a user of the keyboard knows of the card of a call, and of its list. */
const look = (page: Page, call: string): Promise<KeyState> =>
  page.evaluate((id) => {
    const host = document.activeElement;
    const parts = (host?.shadowRoot?.activeElement?.getAttribute('part') ?? '').split(' ');
    const reason = document.querySelector(`[tool-call-id=${id}]`)?.shadowRoot?.querySelector('[part~=reason]');
    const isOpen = reason?.checkVisibility() === true;
    const approves = ['approve', 'approve-all', 'confirm-all', 'answer'];
    const offers = [...approves, 'option', 'remember', 'edit', 'editor'];
    const isIts = host?.localName === 'tool-approvals' || host?.getAttribute('tool-call-id') === id;
    const { approval } = window.page.gate.part(id) ?? {};
    return {
      isOpen,
      isOnApprove: isIts && (isOpen ? offers : approves).some((name) => parts.includes(name)),
      decision: approval?.approved === undefined ? undefined : { approved: approval.approved, reason: approval.reason },
    };
  }, call);

/** Types an edit of the input. */
const edit = async (page: Page): Promise<void> => {
  await part(page, 'c1', 'edit').press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{"path":"other.md"}');
};

describe.each([
  ['the last card of a list', 'plain', 'c3', async () => undefined],
  ['an edited input', 'editable', 'c1', edit],
  ['a question of the backend', 'asked', 'c2', async (page) => part(page, 'c2', 'option').first().check()],
] satisfies [string, string, string, (page: Page) => Promise<void>][])('%s', (_name, scenario, call, prepare) => {
  test('no sequence of keys leads from the reason to an approval', async () => {
    const paths = await pressAll(async () => {
      const page = await open(scenario);
      const start = async (): Promise<void> => {
        await page.evaluate(() => window.page.again());
        await prepare(page);
        await part(page, call, 'deny').focus();
      };
      return { page, start, look: () => look(page, call) };
    });
    expectOnlyMeant(paths);
  }, 240_000);
});

test('the way back: Escape from the field and from each button, and Back; the text and the edit are kept', async () => {
  const page = await open('editable');
  await edit(page);
  const toggle = part(page, 'c1', 'reason-toggle');
  const field = part(page, 'c1', 'reason');
  const shown = () => Promise.all(['approve', 'editor', 'edit', 'reason'].map((name) => part(page, 'c1', name).isVisible())); // prettier-ignore
  await toggle.press('Enter');
  await page.keyboard.type('not before June');
  for (const keys of WAYS_BACK) {
    expect([await focused(page), await shown()]).toEqual(['c1 input reason', [false, false, false, true]]);
    expect(await toggle.textContent()).toBe('Back');
    for (const key of keys) await page.keyboard.press(key);
    expect([await focused(page), await shown()]).toEqual(['c1 reason-toggle', [true, true, true, false]]);
    expect(await toggle.textContent()).toBe('Reason…');
    expect(await part(page, 'c1', 'approve').textContent()).toBe('Approve as edited');
    expect(await part(page, 'c1', 'editor').inputValue()).toBe('{"path":"other.md"}');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('not before June');
  }
  expect(await decisions(page)).toEqual([]);
  await page.getByRole('button', { name: 'Deny with this reason: delete_file' }).press('Enter');
  expect(await decisions(page)).toMatchObject([{ approved: false, reason: 'not before June' }]);
  expect(await decisions(page)).not.toMatchObject([{ input: expect.anything() }]);
});

test('a key that is held down is pressed once', async () => {
  const page = await open('plain');
  for (const key of ['Enter', 'Space']) {
    await part(page, 'c1', 'reason-toggle').focus();
    await hold(page, key);
    expect(await focused(page)).toBe('c1 input reason');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await hold(page, key);
    expect(await focused(page)).toBe('c1 reason-toggle');
  }
  expect(await decisions(page)).toEqual([]);
});

test('the second click of a double click on Reason… or Back decides nothing', async () => {
  for (const width of [320, 380, 1400]) {
    const page = await open('plain', { viewport: { width, height: 900 } });
    for (const name of ['Reason…', 'Back', 'Reason…'])
      await page.getByRole('button', { name: `${name}: delete_file` }).dblclick();
    expect(await part(page, 'c1', 'reason').isVisible(), `${width}`).toBe(true);
    // A click hits what is there now.
    await part(page, 'c1', 'reason-toggle').click();
    await part(page, 'c1', 'approve').hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await decisions(page), `${width}`).toEqual([]);
    await page.context().close();
  }
});

test('while a reason is open, the list does not offer to approve all', async () => {
  const page = await open('asked');
  await seeAll(page);
  const all = page.locator('[part~=approve-all]');
  await all.press('Enter');
  expect(await focused(page)).toBe('tool-approvals all-question');
  await part(page, 'c1', 'reason-toggle').press('Enter');
  expect([await all.isVisible(), await all.isDisabled()]).toEqual([true, true]);
  expect(await page.locator('[part~=confirm-all]').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  expect(await all.isEnabled()).toBe(true);
});

test('a reason that is open counts until it is gone, and again when the list is', async () => {
  const page = await open('plain');
  await seeAll(page);
  const all = page.locator('[part~=approve-all]');
  // Decided in another tab, removed, or shown again with what was typed.
  await part(page, 'c1', 'reason-toggle').press('Enter');
  expect(await all.isDisabled()).toBe(true);
  await page.evaluate(() => window.page.gate.respond('ask-c1', { approved: false }));
  await expect.poll(() => all.isEnabled()).toBe(true);
  await part(page, 'c2', 'reason-toggle').press('Enter');
  await page.evaluate(() => window.page.list.remove());
  await page.evaluate(() => document.querySelector('main')!.append(window.page.list));
  expect([await part(page, 'c2', 'reason').isVisible(), await all.isDisabled()]).toEqual([true, true]);
});

test('Enter in the answer does not approve an edited input: it moves to the button that says so', async () => {
  const page = await open('asked-editable');
  await edit(page);
  await part(page, 'c1', 'answer').focus();
  await page.keyboard.type('staging');
  await page.keyboard.press('Enter');
  expect([await focused(page), await decisions(page)]).toEqual(['c1 approve', []]);
  await page.keyboard.press('Enter');
  expect(await decisions(page)).toMatchObject([{ approved: true, reason: 'staging', input: { path: 'other.md' } }]);
});

test('Escape leaves a dialog around the card open', async () => {
  const page = await open('plain');
  await page.evaluate(() => {
    const dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.append(window.page.list);
    dialog.showModal();
  });
  const isOpen = () => page.locator('dialog').evaluate((dialog: HTMLDialogElement) => dialog.open);
  for (const tabs of [0, 1, 2]) {
    await part(page, 'c1', 'reason-toggle').press('Enter');
    for (let times = 0; times < tabs; times++) await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(true);
  }
  await page.keyboard.press('Escape');
  expect(await isOpen()).toBe(false);
});

/** The places of what is above the form, and of the cards. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('tool-approval')].flatMap((each) =>
      ['card', 'header', 'body', 'footer'].map((name) => {
        const { left, top, width } = each.shadowRoot!.querySelector(`[part~=${name}]`)!.getBoundingClientRect();
        return [left, top + scrollY, width].map(Math.round);
      }),
    ),
  );

/** The parts of a card's form that are cut off, outside of the card, or over another one. */
const misplaced = (page: Page, call: string) =>
  page.evaluate((id) => {
    const root = document.querySelector(`[tool-call-id=${id}]`)!.shadowRoot!;
    const around = root.querySelector('footer')!.getBoundingClientRect();
    const boxes = [...root.querySelectorAll('.decision :is(button, input, select, label, p)')]
      .filter((each) => each.checkVisibility())
      .map((each) => [each.textContent || each.id, each.getBoundingClientRect()] as const);
    return boxes.flatMap(([name, one], at) => [
      ...(one.left < around.left || one.right > around.right || one.bottom > around.bottom ? [`outside: ${name}`] : []),
      ...boxes.slice(at + 1).flatMap(([other, box]) => {
        const isBeside =
          box.left >= one.right || box.right <= one.left || box.top >= one.bottom || box.bottom <= one.top;
        return isBeside ? [] : [`overlap: ${name} / ${other}`];
      }),
    ]);
  }, call);

test.each([
  ['light', 380],
  ['dark', 768],
  ['light', 1400],
] as const)(
  '%s, %i px: an open reason moves nothing above it, and the way back shows the card as it was',
  async (colorScheme, width) => {
    for (const [scenario, call] of [
      ['plain', 'c1'],
      ['asked', 'c2'],
      ['asked-ar', 'c2'],
      ['deadline', 'c1'],
    ] as const) {
      const page = await open(scenario, { colorScheme, viewport: { width, height: 900 } });
      await part(page, call, 'approve').waitFor();
      const before = await places(page);
      await part(page, call, 'reason-toggle').click();
      await page.keyboard.type(REASON);
      await shoot(page, `reason-open-${scenario}-${colorScheme}-${width}`);
      expect(await misplaced(page, call)).toEqual([]);
      expect([await fits(page), await violations(page)]).toEqual([true, []]);
      // Each card has four places; the last one, its footer, grows.
      const above = 4 * Number(call.slice(1));
      expect(before.length).toBeGreaterThanOrEqual(above);
      expect((await places(page)).slice(0, above)).toEqual(before.slice(0, above));
      await part(page, call, 'reason-toggle').click();
      expect(await places(page)).toEqual(before);
      await page.context().close();
    }
  },
);
