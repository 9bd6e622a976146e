/** A page in a real browser whose errors and warnings fail the test. */
import { chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';

/**
 * Opens an empty page and calls `use` with it. Fails on any error or warning that the page raises: a framework reports
 * a page that it could not hydrate with one of them. If `use` fails, its error lists them too. `expected`: a message
 * that `use` causes on purpose.
 */
export async function inBrowser(use: (page: Page) => Promise<void>, expected?: RegExp): Promise<void> {
  const executablePath = findChrome();
  if (!executablePath) throw new Error('no Chrome or Chromium; set CHROME_BIN');
  const browser = await chromium.launch({ executablePath, args: chromeFlags() });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
    await use(page).catch((error: Error) => {
      throw new Error([error.message, `at ${page.url()}`, ...problems].join('\n'), { cause: error });
    });
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
  } finally {
    await browser.close();
  }
}
