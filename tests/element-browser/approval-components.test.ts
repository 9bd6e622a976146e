/** `<ToolApprovals>` of each binding in a browser: accessibility, the keyboard, and the focus. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';
// For the type of `window.gates`.
import type {} from './page/approval-components.js';

const { open } = stage('approval-components');

const FRAMEWORKS = ['react', 'vue', 'svelte'];

/** The focused card, and the focused part in it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const card = document.activeElement;
    const part = card?.shadowRoot?.activeElement?.getAttribute('part')?.split(' ')[0];
    return `${card?.getAttribute('tool-call-id') ?? card?.id} ${part ?? ''}`.trim();
  });

const part = (page: Page, call: string, name: string) => page.locator(`[tool-call-id=${call}] [part~="${name}"]`);

test.each([
  ['', 'light', 1400],
  ['', 'dark', 380],
  ['ar', 'dark', 1400],
  ['ar', 'light', 380],
] as const)(
  'language "%s", %s, %i px: axe finds no problem, and nothing is too wide',
  async (language, colorScheme, width) => {
    const page = await open(language, { colorScheme, viewport: { width, height: 900 } });
    for (const name of FRAMEWORKS) await part(page, `${name}-1`, 'reason-toggle').click();
    await shoot(page, `approval-components-${language}-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
  },
);

test.each(FRAMEWORKS)('%s: a decision leads to the next card; Enter in its reason denies', async (name) => {
  const page = await open('');
  await part(page, `${name}-1`, 'approve').focus();
  for (let times = 0; times < 5; times++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await focused(page)).toBe(`${name}-2 card`);
  await part(page, `${name}-2`, 'reason-toggle').press('Enter');
  await page.keyboard.type('not before June');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe(`${name}-3 card`);
  await part(page, `${name}-3`, 'approve').press('Enter');
  const decisions = await page.evaluate(
    (of) => [1, 2, 3].map((at) => window.gates[of]!.part(`${of}-${at}`)?.approval),
    name,
  );
  expect(decisions).toMatchObject([
    { approved: true },
    { approved: false, reason: 'not before June' },
    { approved: true },
  ]);
});

test.each(FRAMEWORKS)('%s: what happens elsewhere takes no focus, and loses none', async (name) => {
  const page = await open('');
  const decide = (at: number): Promise<unknown> =>
    page.evaluate(([of, ask]) => window.gates[of!]!.respond(ask!, { approved: true }), [name, `ask-${name}-${at}`]);
  await part(page, `${name}-1`, 'reason-toggle').press('Enter');
  await page.keyboard.type('because');
  await decide(2);
  expect(await focused(page)).toBe(`${name}-1 input`);
  await decide(1);
  await expect.poll(() => focused(page)).toBe(`${name}-1 card`);
  await part(page, `${name}-3`, 'reason-toggle').press('Enter');
  await page.evaluate((of) => window.gates[of]!.tick(Date.now() + 4_000_000), name);
  await expect.poll(() => focused(page)).toBe(`${name}-3 card`);
  await page.focus('#after');
  await page.evaluate(() => Object.values(window.gates).forEach((gate) => gate.tick(Date.now() + 4_000_000)));
  expect(await focused(page)).toBe('after');
});

test.each(FRAMEWORKS)(
  '%s: view="review" shows one call at a time, and sends marked decisions together',
  async (name) => {
    const page = await open('review');
    const list = page.locator('tool-approvals').filter({ has: page.locator(`[tool-call-id=${name}-1]`) });
    await list.locator('[part=call-at]').waitFor();
    expect(await list.getAttribute('view')).toBe('review');
    await part(page, `${name}-1`, 'approve').press('Enter');
    const pending = (): Promise<number> => page.evaluate((of) => window.gates[of]!.pending().length, name);
    expect(await pending()).toBe(3);
    await list.locator('[part=send-marked]').press('Enter');
    expect(await pending()).toBe(2);
  },
);
