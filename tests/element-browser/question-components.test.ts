/** `<ToolQuestion>` of each binding in a browser: accessibility, the keyboard, and the answers. */
import { describe, expect, test } from 'vitest';
import { SCREENS } from '../lib/screens';
import { fits, shoot, violations } from './checks';
import { stage } from './stage';
// For the type of `window.answers`.
import type {} from './page/question-components.js';

const { open } = stage('question-components');

const FRAMEWORKS = ['react', 'vue', 'svelte'];

describe.each(SCREENS)('%s, %i px', (colorScheme, width) => {
  test('axe finds no problem, and no element is wider than the screen', async () => {
    const page = await open('', { colorScheme, viewport: { width, height: 900 } });
    for (const name of FRAMEWORKS) await page.locator('[part~=message]', { hasText: `the ${name} app` }).waitFor();
    await shoot(page, `question-components-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
  });
});

test('keyboard alone: the user answers all three questions', async () => {
  const page = await open('');
  await page.getByRole('button', { name: /^Send/ }).nth(2).waitFor();
  for (const [at, name] of FRAMEWORKS.entries()) {
    await page.getByRole('radio', { name: 'Development' }).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`for ${name}`);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('Answered', { exact: true }).count()).toBe(at + 1);
  }
  expect(await page.evaluate(() => window.answers)).toEqual(
    FRAMEWORKS.map((name) => ({
      toolCallId: `${name}-1`,
      toolName: 'ask_user',
      answer: { action: 'accept', content: { stage: 'prod', notes: `for ${name}` } },
    })),
  );
});
