/** What a page with the registry's components is checked for: accessibility, its layout, and the focus. */
import type { Page } from 'playwright-core';
import type { ToolGate } from 'toolgate';

declare global {
  interface Window {
    gate: ToolGate;
  }
}

/** What is cut off, sticks out of the page or of its card, or overlaps something else; one line each. */
export const misplaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const named = (element: Element): string => `${element.tagName} ${element.textContent.slice(0, 30)}`;
    const isSeen = (element: Element): boolean => element.getBoundingClientRect().width > 1;
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is too wide');
    for (const element of document.querySelectorAll('main *')) {
      const { overflowX, display } = getComputedStyle(element);
      const isCut = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
      if (isCut && display !== 'inline' && overflowX !== 'auto') found.push(`cut: ${named(element)}`);
    }
    for (const card of document.querySelectorAll('[data-status]')) {
      const around = card.getBoundingClientRect();
      const boxes = [...card.querySelectorAll('button, h3, p, pre, input, textarea, header > span')].filter(isSeen);
      for (const [at, one] of boxes.entries()) {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (left < around.left - 1 || right > around.right + 1) found.push(`outside of its card: ${named(one)}`);
        for (const other of boxes.slice(at + 1)) {
          if (one.contains(other)) continue;
          const box = other.getBoundingClientRect();
          const isBeside =
            box.left >= right - 1 || box.right <= left + 1 || box.top >= bottom - 1 || box.bottom <= top + 1;
          if (!isBeside) found.push(`overlap: ${named(one)} / ${named(other)}`);
        }
      }
    }
    return found;
  });

/** What has the focus: `card 1` (the second one), a button's name, another element's tag, or `body`. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const at = [...document.querySelectorAll('[data-status]')].indexOf(element);
    if (at >= 0) return `card ${at - document.querySelectorAll('[data-status]:not(section *)').length}`;
    const own = element.tagName === 'BUTTON' ? element.textContent.trim() : element.tagName.toLowerCase();
    return element.getAttribute('aria-label') ?? own;
  });

/** Whether the focused element has an outline. */
export const outlined = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });

/** Waits until the page has shown all that follows from the last change. */
export const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The decisions of the step: the call, whether it is approved, and the reason. */
export const decided = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    (window.gate.getSnapshot().messages.at(-1)?.parts ?? []).flatMap((part) =>
      'toolCallId' in part ? [[part.toolCallId, part.approval?.approved, part.outcome?.reason]] : [],
    ),
  );
