/** `<tool-question>` in a browser: its native validation, keyboard, accessibility, and hostile schemas. */
import { describe, expect, test } from 'vitest';
import { SCREENS } from '../lib/screens';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';
// For the type of `window.questionPage`.
import type {} from './page/questions.js';

const { open } = stage('questions');

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  const screen = { colorScheme, viewport: { width, height: 900 } };

  test('axe finds no problem, and no element is wider than the screen: asked, refused, answered', async () => {
    const page = await open('whole', screen);
    const check = async (name: string): Promise<void> => {
      await shoot(page, `question-${name}-${colorScheme}-${width}`);
      expect(await violations(page), name).toEqual([]);
      expect(await fits(page), name).toBe(true);
    };
    const send = page.getByRole('button', { name: 'Send answer: ask_user (“Release assistant”)' });
    await send.waitFor();
    await check('asked');
    await send.click();
    await check('refused');
    await page.getByLabel('Your name').fill('Zoë');
    await page.getByLabel('Production').check();
    await page.getByLabel('unit').check();
    await send.click();
    await page.getByText('Answered', { exact: true }).waitFor();
    await check('answered');
  });

  test('axe finds no problem in the questions of a coding agent: asked, answered', async () => {
    const page = await open('agents', screen);
    const send = page.getByRole('button', { name: /^Send answer/ });
    await send.waitFor();
    await shoot(page, `question-agents-${colorScheme}-${width}`);
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.getByLabel('SQLite').check();
    await page.getByLabel('Lint').check();
    await page.getByLabel('Another answer').nth(1).fill('Types');
    await page.getByLabel('How should the service be called?').fill('bookings');
    await page.keyboard.press('Enter');
    await page.getByText('Answered', { exact: true }).waitFor();
    expect(await answers(page)).toMatchObject([
      { answer: { content: { db: 'SQLite', checks: ['Lint', 'Types'], name: 'bookings' } } },
    ]);
    await shoot(page, `question-agents-answered-${colorScheme}-${width}`);
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
  });

  test.each(['hostile', 'unsupported'])('axe finds no problem in a question that is %s', async (scenario) => {
    const page = await open(scenario, screen);
    await page.getByRole('button', { name: /^Decline/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    expect(await page.evaluate(() => [window.hit, document.images.length])).toEqual([undefined, 0]);
    await shoot(page, `question-${scenario}-${colorScheme}-${width}`);
  });
});

const answers = (page: Awaited<ReturnType<typeof open>>) => page.evaluate(() => window.questionPage.answers);

test('keyboard alone: the user fills in the form, corrects it, and sends it with Enter', async () => {
  const page = await open('whole', { timezoneId: 'America/New_York' });
  await page.getByLabel('Your name').waitFor();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const active = () =>
    page.evaluate(() => {
      const inner = document.activeElement?.shadowRoot?.activeElement as HTMLInputElement | null;
      return inner?.labels?.[0]?.textContent ?? inner?.getAttribute('part');
    });
  await page.focus('#before');
  await press('Tab');
  expect(await active()).toBe('Your name');
  await page.keyboard.type('Z');
  // Enter in a field sends the form. The first wrong field gets the focus.
  await press('Enter');
  expect(await active()).toBe('Your name');
  const alerts = page.getByRole('alert').filter({ hasText: /./ });
  expect(await alerts.allTextContents()).toEqual(['Fields to check: 3.']);
  const name = page.getByLabel('Your name');
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  await expect
    .poll(() =>
      name.evaluate((field) =>
        (field as HTMLInputElement).ariaDescribedByElements?.map(({ textContent }) => textContent),
      ),
    )
    .toEqual(['As in the changelog.', 'Enter at least 2 characters.']);
  await page.keyboard.type('oë');
  expect(await name.getAttribute('aria-invalid')).toBeNull();
  await press('Tab');
  expect(await active()).toBe('E-mail (optional)');
  await page.keyboard.type('zoe@');
  await press('Enter');
  expect(await active()).toBe('E-mail (optional)');
  await page.getByText('Enter an e-mail address').waitFor();
  await page.keyboard.type('example.org');
  await page.getByRole('radiogroup', { name: 'Stage' }).getByLabel('Development').focus();
  await press('Space', 'ArrowDown');
  expect(await active()).toBe('Production');
  await press('Tab');
  expect(await active()).toBe('Region (optional)');
  await page.keyboard.type('Region c');
  await press('Tab', 'Tab', 'Space');
  expect(await active()).toBe('unit');
  await press('Enter');
  expect(await answers(page)).toEqual([
    {
      toolCallId: 'c1',
      toolName: 'ask_user',
      answer: {
        action: 'accept',
        content: {
          name: 'Zoë',
          mail: 'zoe@example.org',
          site: 'https://example.org',
          day: '2026-12-01',
          // Shown as 05:30 in New York.
          at: '2026-12-01T10:30:00.000Z',
          copies: 2,
          notify: true,
          stage: 'prod',
          region: 'c',
          checks: ['unit'],
        },
      },
    },
  ]);
  // The card itself has the focus: Enter again does nothing.
  await expect.poll(active).toBe('card card-done');
  await press('Enter');
  expect(await answers(page)).toHaveLength(1);
});

test('the browser checks addresses, numbers and times', async () => {
  const page = await open('whole', { timezoneId: 'America/New_York' });
  await page.getByLabel('Release page').fill('example');
  await page.getByLabel('Copies').fill('10');
  expect(await page.getByLabel('Time').inputValue()).toMatch(/^2026-12-01T05:30/);
  await page.getByLabel('Day').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: /^Send/ }).click();
  const texts = [
    'Enter a complete address',
    'Enter 9 or less.',
    'Enter a complete date.',
    'Choose at least 1.',
    'Choose one.',
  ];
  for (const text of texts) expect(await page.getByText(text).count(), text).toBe(1);
  expect(await answers(page)).toEqual([]);
});

test('a wrong choice is marked as a whole, and the radio button with the focus has its ring', async () => {
  const page = await open('whole');
  await page.getByLabel('Your name').fill('Zoë');
  await page.keyboard.press('Enter');
  await page.getByText('Choose one.').waitFor();
  const outline = (element: SVGElement | HTMLElement): string[] => {
    const { outlineWidth, outlineStyle } = getComputedStyle(element);
    return [outlineWidth, outlineStyle, element.matches(':focus') ? 'focused' : ''];
  };
  expect(await page.getByRole('radiogroup', { name: 'Stage' }).evaluate(outline)).toEqual(['1px', 'solid', '']);
  expect(await page.getByLabel('Development').evaluate(outline)).toEqual(['2px', 'solid', 'focused']);
});

test('the question and the answer are announced', async () => {
  const page = await open('short');
  const status = page.getByRole('status').filter({ hasText: /./ });
  await expect.poll(() => status.allTextContents()).toEqual(['ask_user (“Release assistant”) asks: Which colour?']);
  await page.getByRole('button', { name: /^Dismiss/ }).click();
  await expect
    .poll(() => status.allTextContents())
    .toEqual(['ask_user (“Release assistant”): Dismissed. You closed this without an answer.']);
  expect(await answers(page)).toMatchObject([{ answer: { action: 'cancel' } }]);
});

test('the script of the form is loaded with the first question', async () => {
  const page = await open('short');
  await page.getByRole('button', { name: /^Send/ }).waitFor();
  const [first, later] = await page.evaluate(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    return [names.slice(0, names.indexOf('/toolgate.wasm')), names.slice(names.indexOf('/toolgate.wasm'))];
  });
  expect(first.filter((name) => name.includes('question-view'))).toEqual([]);
  expect(later.filter((name) => name.includes('question-view'))).toHaveLength(1);
});

test('from right to left: boxes come before their labels, and English labels begin at the right edge', async () => {
  const page = await open('whole');
  await page.evaluate(() => void (window.questionPage.element.texts = { language: 'ar' } as object));
  const row = page.locator('label', { hasText: 'Notify the team' });
  await expect.poll(() => row.evaluate((label) => getComputedStyle(label).direction)).toBe('rtl');
  const box = async (selector: string) => (await row.locator(selector).boundingBox())!;
  expect((await box('input')).x).toBeGreaterThan((await box('span[dir]')).x);
  const ends = await page.getByText('Your name', { exact: true }).evaluate((label) => {
    const range = new Range();
    range.selectNodeContents(label);
    return label.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  expect(ends).toBeLessThan(3);
  await shoot(page, 'question-ar');
  expect(await violations(page)).toEqual([]);
});
