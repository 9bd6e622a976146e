/**
 * The page fits at the widths it is made for, light and dark: nothing is wider than the screen, and the text box and
 * the waiting buttons can be seen. Takes a picture of each into `TOOLGATE_SHOTS`, or the system's folder for
 * temporary files, to look at.
 */
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDemo, type Demo, type DemoPage } from './demo';

const folder = process.env['TOOLGATE_SHOTS'] ?? join(tmpdir(), 'toolgate-demo');

let demo: Demo;
let chat: DemoPage;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  demo = await startDemo();
});
afterAll(() => demo.close());

afterEach(async () => {
  expect(chat.problems).toEqual([]);
  await chat.close();
});

const SIZES = [
  [380, 780],
  [1000, 760],
  [1400, 900],
] as const;

test.each(SIZES.flatMap(([width, height]) => (['light', 'dark'] as const).map((scheme) => [width, height, scheme] as const)))(
  '%i × %i, %s',
  async (width, height, colorScheme) => {
    chat = await demo.open('three-edits', { colorScheme, viewport: { width, height } });
    await shoot('1-intro');
    await chat.begin(3);
    expect(await inSight('[data-status="waiting"] .button.primary')).toBe(true);
    expect(await inSight('textarea')).toBe(true);
    await shoot('2-asked');
    await chat.press('Approve edit of hours.md');
    await chat.denyWithReason('edit of menu.md', 'There is no ice machine');
    await chat.waiting(1);
    await shoot('3-held');
    await chat.press('Approve edit of prices.json');
    await chat.says('I left menu.md as it is');
    await shoot('4-done');
    if (width < 860) {
      await chat.page.getByRole('button', { name: 'Inspector' }).click();
      await shoot('5-inspector');
    }
    for (const [name, tab] of [['6-saw', 'What the model saw'], ['7-transitions', 'Transitions']] as const) {
      await chat.page.getByRole('tab', { name: tab }).click();
      await shoot(name);
    }
    if (width < 860) {
      await chat.page.getByRole('button', { name: 'Files' }).click();
      await shoot('8-files');
    }

    /** Whether the middle of the first such element can be seen, with nothing in front of it. */
    function inSight(selector: string): Promise<boolean> {
      return chat.page.evaluate((wanted) => {
        const element = document.querySelector(wanted)!;
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }, selector);
    }

    async function shoot(name: string): Promise<void> {
      const tooWide = await chat.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.page *')]
          .filter((element) => {
            const box = element.getBoundingClientRect();
            return box.width > 0 && box.right > innerWidth + 1 && !element.closest('.tab-strip, .hidden, pre');
          })
          .map((element) => element.className),
      );
      expect(tooWide).toEqual([]);
      const path = join(folder, `${width}-${colorScheme}-${name}.png`);
      await chat.page.screenshot({ path });
      expect(statSync(path).size).toBeGreaterThan(5000);
    }
  },
);
