/**
 * Presses that nobody meant: of a button that has just appeared under the pointer, or moved there. Keys, assistive
 * technology and scripts are never delayed.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shoot, violations } from './checks';
import { stage } from './stage';

const { open } = stage();

const TOO_SOON = 'Too soon. Press again.';

/** The middle of a part of a card, or of the list. */
const middle = (page: Page, selector: string, part: string): Promise<[x: number, y: number]> =>
  page.evaluate(
    ([host, name]) => {
      const found = document.querySelector(host!)!.shadowRoot!.querySelector(`[part~=${name}]`)!;
      const { left, top, width, height } = found.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    },
    [selector, part] as const,
  );

const APPROVE = ['[tool-call-id=c1]', 'approve'] as const;
const decided = (page: Page): Promise<number> => page.evaluate(() => window.page.decisions.length);
const problems = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('tool-approval, tool-approvals')]
      .flatMap((each) => [...each.shadowRoot!.querySelectorAll('[part=error]')])
      .map((each) => each.textContent)
      .join(''),
  );

/** Presses the pointer where it is. */
async function press(page: Page): Promise<void> {
  await page.mouse.down();
  await page.mouse.up();
}

/** Shows the cards again below a pointer that rests where Approve of the first call will be. */
async function appearBelow(page: Page, selector: string = APPROVE[0], part: string = APPROVE[1]): Promise<void> {
  const [x, y] = await middle(page, selector, part);
  await page.mouse.move(2, 2);
  await page.mouse.move(x, y);
  await page.evaluate(() => window.page.again());
  // "Approve all" takes the place of another button when the browser has reported which cards are in view.
  await page.waitForFunction(
    ([host, name]) => document.querySelector(host!)!.shadowRoot!.querySelector(`[part~=${name}]`),
    [selector, part] as const,
  );
}

test('a card that appears under the pointer: a press at once is refused and says so, a later one counts', async () => {
  const page = await open('plain');
  await appearBelow(page);
  await press(page);
  expect([await decided(page), await problems(page)]).toEqual([0, TOO_SOON]);
  await shoot(page, 'pressed-too-soon');
  expect(await violations(page)).toEqual([]);
  await page.waitForTimeout(800);
  await press(page);
  expect([await decided(page), await problems(page)]).toEqual([1, '']);
});

test('a button that a longer text moves under the pointer is not pressed', async () => {
  const page = await open('plain');
  const [x, y] = await middle(page, ...APPROVE);
  await page.waitForTimeout(800);
  await page.mouse.move(x, y + 60);
  await page.evaluate(() => {
    const text = Object.assign(document.createElement('p'), { textContent: 'streamed' });
    text.style.cssText = 'height: 60px; margin: 0 0 -12px';
    document.querySelector('main')!.insertBefore(text, window.page.list);
  });
  const moved = await middle(page, ...APPROVE);
  await page.mouse.move(moved[0], moved[1] - 200);
  await page.mouse.move(...moved);
  await page.evaluate(() => scrollBy(0, 1));
  await page.evaluate(() => {
    (document.querySelector('main p') as HTMLElement).style.height = '62px';
  });
  // The pointer has not moved since, and the button is not where it was.
  await press(page);
  expect([await decided(page), await problems(page)]).toEqual([0, TOO_SOON]);
});

test('a pointer that moves onto a new button presses it at once', async () => {
  const page = await open('plain');
  const place = await middle(page, ...APPROVE);
  await page.mouse.move(2, 2);
  await page.evaluate(() => window.page.again());
  await page.mouse.move(...place);
  await press(page);
  expect(await decided(page)).toBe(1);
});

test('a movement inside of a button that has just appeared does not count', async () => {
  const page = await open('plain');
  await appearBelow(page);
  const [x, y] = await middle(page, ...APPROVE);
  await page.mouse.move(x + 2, y + 1);
  await press(page);
  expect([await decided(page), await problems(page)]).toEqual([0, TOO_SOON]);
});

test('a press that began too soon does not count, however late it ends', async () => {
  const page = await open('plain');
  await appearBelow(page);
  await page.mouse.down();
  await page.waitForTimeout(800);
  await page.mouse.up();
  expect(await decided(page)).toBe(0);
});

test('a finger waits, too', async () => {
  const page = await open('plain', { hasTouch: true });
  const place = await middle(page, ...APPROVE);
  await page.evaluate(() => window.page.again());
  await page.touchscreen.tap(...place);
  expect([await decided(page), await problems(page)]).toEqual([0, TOO_SOON]);
  await page.waitForTimeout(800);
  await page.touchscreen.tap(...place);
  expect(await decided(page)).toBe(1);
});

test('keys, assistive technology and scripts are not delayed', async () => {
  const page = await open('plain');
  const press = (act: string): Promise<number> =>
    page.evaluate((how) => {
      window.page.again();
      const root = document.querySelector('[tool-call-id=c1]')!.shadowRoot!;
      const approve = root.querySelector<HTMLElement>('[part~=approve]')!;
      if (how === 'click') approve.click();
      else if (how === 'event') approve.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
      else approve.focus();
      return window.page.decisions.length;
    }, act);
  expect([await press('click'), await press('event')]).toEqual([1, 1]);
  await press('focus');
  await page.keyboard.press('Enter');
  expect(await decided(page)).toBe(1);
});

test('Approve all that appears under the pointer is not pressed', async () => {
  const page = await open('plain', { viewport: { width: 1400, height: 2000 } });
  await appearBelow(page, 'tool-approvals', 'approve-all');
  await press(page);
  expect([await decided(page), await problems(page)]).toEqual([0, TOO_SOON]);
  await page.waitForTimeout(800);
  await press(page);
  expect(await decided(page)).toBe(3);
});

test('a new button looks inactive, and is not disabled', async () => {
  const page = await open('plain');
  const look = () =>
    page.evaluate(() => {
      const approve = document.querySelector('[tool-call-id=c1]')!.shadowRoot!.querySelector('button.approve')!;
      const { borderStyle } = getComputedStyle(approve);
      return [borderStyle, approve.hasAttribute('disabled'), approve.getAttribute('aria-disabled')];
    });
  await page.evaluate(() => window.page.again());
  await expect.poll(look, { interval: 10 }).toEqual(['dashed', false, null]);
  await expect.poll(look).toEqual(['solid', false, null]);
});

test.each([
  [{ width: 380, height: 900 }, true, 44],
  [{ width: 1400, height: 900 }, false, 32],
])('%o, touch %s: the buttons and fields are large enough', async (viewport, hasTouch, least) => {
  const page = await open('asked', { viewport, hasTouch, isMobile: hasTouch });
  const heights = await page.evaluate(() =>
    [...document.querySelectorAll('tool-approval, tool-approvals')].flatMap((each) =>
      [...each.shadowRoot!.querySelectorAll<HTMLElement>('.buttons button, select, .check')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.offsetHeight),
    ),
  );
  expect(heights.length).toBeGreaterThan(10);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(least);
});
