/**
 * Opens a page with the scenario (`scenario/`) in a real browser and plays the user: approves one call, denies the
 * other, and looks at what the backend got.
 */
import { chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';
import { serve } from '../../../pkg-scripts/lib/serve.mjs';
import { startBackend } from './backend.js';

/**
 * How a page asks: with the buttons of its own (through a framework's bindings), or with the cards of
 * `toolgate/element`.
 */
export type Looks = 'buttons' | 'cards';

/** What is known of a page. */
export interface PageOptions {
  /** Default: buttons. */
  looks?: Looks;
  /** The page comes from a server, and the framework must take over what the server wrote. */
  isRendered?: boolean;
}

/** Serves the files of `folder` and plays the user at the page of that path. */
export async function playUser(folder: string, options?: PageOptions & { path?: string }): Promise<void> {
  const server = await serve(folder);
  await playUserAt(new URL(options?.path ?? '', server.url).href, options).finally(server.close);
}

/**
 * Opens a page, approves one call and denies the other. One complete request leaves after the second decision and none
 * before, and what the backend replies is shown. Fails on any error or warning that the page raises.
 */
export async function playUserAt(
  url: string,
  { looks = 'buttons', isRendered = false }: PageOptions = {},
): Promise<void> {
  const executablePath = findChrome();
  if (!executablePath) throw new Error('no Chrome or Chromium; set CHROME_BIN');
  const backend = await startBackend();
  const browser = await chromium.launch({ executablePath, args: chromeFlags() });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    // What a framework says of a page that it could not take over as it is, is a warning or an error.
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
    if (isRendered) await page.addInitScript(markServersElement);
    await page.goto(`${url}?backend=${encodeURIComponent(backend.url)}`);
    await page
      .locator('body[data-state=ready]')
      .waitFor()
      .catch((error: Error) => {
        throw new Error(`the page did not start: ${[error.message, ...problems].join('\n')}`);
      });
    // React clears its root and makes all anew when it cannot take over; the element would be another one.
    if (isRendered)
      expect(await page.evaluate(() => Object.hasOwn(document.querySelector('#status') ?? {}, 'isOfServer'))).toBe(
        true,
      );

    const { approve, deny } = looks === 'cards' ? byCards(page) : byButtons(page);
    await approve();
    expect(backend.received).toEqual([]);
    await deny();
    for (const [call, state] of [
      ['call-a', 'output-available'],
      ['call-b', 'output-denied'],
    ]) {
      await page.locator(`#${call}`, { hasText: state! }).waitFor();
    }
    expect(backend.received).toMatchObject([
      { key: expect.any(String), body: { messages: [{ role: 'user' }, { role: 'assistant', parts: ANSWERED }] } },
    ]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    await backend.close();
  }
}

/** Both calls as the one request must have them, behind the beginning of the step. */
const ANSWERED = [
  { type: 'step-start' },
  { toolCallId: 'call-a', state: 'approval-responded', approval: { id: 'approval-a', approved: true } },
  {
    toolCallId: 'call-b',
    state: 'approval-responded',
    approval: { id: 'approval-b', approved: false, reason: 'keep it' },
  },
];

/** The button goes when the decision has reached the page: in a worker's page that is not at once. */
function byButtons(page: Page) {
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name });
    await button.click();
    await button.waitFor({ state: 'detached' });
  };
  return { approve: () => press('Approve a.txt'), deny: () => press('Deny b.txt') };
}

/** The reason is typed, and Enter denies. */
function byCards(page: Page) {
  const card = (call: string, shows: string) => page.locator(`tool-approval[tool-call-id=${call}]`, { hasText: shows });
  return {
    approve: () =>
      card('call-a', 'a.txt')
        .getByRole('button', { name: /^Approve/ })
        .click(),
    deny: async () => {
      const second = card('call-b', 'b.txt');
      await second.getByRole('button', { name: /^Reason/ }).click();
      await second.getByRole('textbox').fill('keep it');
      await second.getByRole('textbox').press('Enter');
    },
  };
}

/**
 * Marks what the server wrote as soon as it is parsed, before any framework can have made it anew. Runs in the page.
 */
function markServersElement(): void {
  new MutationObserver((_changes, observer) => {
    const element = document.querySelector('#status');
    if (!element) return;
    Object.assign(element, { isOfServer: true });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}
