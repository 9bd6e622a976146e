/** The page of a quick start in a real browser, and what a user does in it. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';

/** A page of a quick start. */
export interface StartPage {
  readonly page: Page;
  /** Uncaught errors, and errors in the console. */
  readonly errors: string[];
  /** The keys of the requests to the server, in order; `none` for a request without a key. */
  readonly keys: string[];
}

/** Opens pages in one browser, which is started for the test file. */
export interface StartPages {
  /** An empty page. */
  empty(): Promise<Page>;
  /** The page at this address. */
  open(url: string): Promise<StartPage>;
}

/** Starts a browser for a test file. Use what it returns only inside tests. */
export function startPages(): StartPages {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = findChrome();
    if (!executablePath) throw new Error('no Chrome or Chromium; set CHROME_BIN');
    browser = await chromium.launch({ executablePath, args: chromeFlags() });
  });
  afterAll(() => browser?.close());
  return { empty: () => browser.newPage(), open: async (url) => openPage(await browser.newPage(), url) };
}

async function openPage(page: Page, url: string): Promise<StartPage> {
  const errors: string[] = [];
  const keys: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isIcon) errors.push(message.text());
  });
  page.on(
    'request',
    (request) => request.url().endsWith('/api/chat') && keys.push(request.headers()['idempotency-key'] ?? 'none'),
  );
  await page.goto(url);
  return { page, errors, keys };
}

/** Sends a message. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Waits until the assistant has said this. */
export const reply = (page: Page, text: string): Promise<void> =>
  page.getByLabel('assistant').getByText(text).waitFor();
