/**
 * Opens a page with the scenario (`scenario/`) in a real browser, approves one call like a user, denies the other, and
 * checks the backend's requests.
 */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { serve } from '../../../pkg-scripts/lib/serve.mjs';
import { startBackend } from './backend.js';
import { inBrowser } from './browser.js';

/**
 * How a page shows approvals: with its own buttons (through a framework's bindings), or with the cards of
 * `toolgate/element`.
 */
export type Looks = 'buttons' | 'cards';

/** The options of a page. */
export interface PageOptions {
  /** Default: buttons. */
  looks?: Looks;
  /** The page is rendered by a server, and the framework must hydrate it. */
  isRendered?: boolean;
}

/** Serves the files of `folder`, opens the page at `options.path` and performs the user's actions. */
export async function playUser(folder: string, options?: PageOptions & { path?: string }): Promise<void> {
  const server = await serve(folder);
  await playUserAt(new URL(options?.path ?? '', server.url).href, options).finally(server.close);
}

/**
 * Opens a page, approves one call and denies the other. One complete request is sent after the second decision and none
 * before, and the backend's reply is shown. Fails on any error or warning that the page raises.
 */
export async function playUserAt(
  url: string,
  { looks = 'buttons', isRendered = false }: PageOptions = {},
): Promise<void> {
  const backend = await startBackend();
  const play = inBrowser(async (page) => {
    if (isRendered) await page.addInitScript(markServersElement);
    await page.goto(`${url}?backend=${encodeURIComponent(backend.url)}`);
    await page.locator('body[data-state=ready]').waitFor();
    // If React cannot hydrate its root, it clears and renders it again, which replaces the element.
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
  });
  await play.finally(backend.close);
}

/** The two calls that the request must contain after the start of the step. */
const ANSWERED = [
  { type: 'step-start' },
  { toolCallId: 'call-a', state: 'approval-responded', approval: { id: 'approval-a', approved: true } },
  {
    toolCallId: 'call-b',
    state: 'approval-responded',
    approval: { id: 'approval-b', approved: false, reason: 'keep it' },
  },
];

/**
 * Approves and denies with the page's own buttons. A button disappears when the decision has reached the page, which
 * takes longer with a worker.
 */
function byButtons(page: Page) {
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name });
    await button.click();
    await button.waitFor({ state: 'detached' });
  };
  return { approve: () => press('Approve a.txt'), deny: () => press('Deny b.txt') };
}

/** Approves and denies with the cards. To deny, it types a reason and presses Enter. */
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
 * Marks the server's elements as soon as they are parsed, before a framework can replace them. Runs in the page.
 */
function markServersElement(): void {
  new MutationObserver((_changes, observer) => {
    const element = document.querySelector('#status');
    if (!element) return;
    Object.assign(element, { isOfServer: true });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}
