/**
 * Opens a page that runs `scenario/page.js` in a real browser and plays the user: approves one call, denies the other.
 */
import { chromium } from 'playwright-core';
import { expect } from 'vitest';
import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';
import { serve } from '../../../pkg-scripts/lib/serve.mjs';

/** Serves the files of `folder` and plays the user at the page of that path. */
export async function playUser(folder: string, path = ''): Promise<void> {
  const server = await serve(folder);
  await playUserAt(new URL(path, server.url).href).finally(server.close);
}

/**
 * Opens a page, clicks Approve and Deny, and checks that one complete submission leaves after the second click and none
 * before. Fails on any error that the page raises.
 */
export async function playUserAt(url: string): Promise<void> {
  const executablePath = findChrome();
  if (!executablePath) throw new Error('no Chrome or Chromium; set CHROME_BIN');
  const browser = await chromium.launch({ executablePath, args: chromeFlags() });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(url);
    await page
      .locator('body[data-state=ready]')
      .waitFor({ timeout: 20_000 })
      .catch((error: Error) => {
        throw new Error(`the page did not start: ${[error.message, ...errors].join('\n')}`);
      });
    const sent = async () => JSON.parse((await page.locator('#sent').textContent()) ?? '') as unknown;
    // The button goes when the decision has reached the page: in a worker's page that is not at once.
    const press = async (name: string) => {
      const button = page.getByRole('button', { name });
      await button.click();
      await button.waitFor({ state: 'detached' });
    };

    expect(await sent()).toEqual([]);
    await press('Approve a.txt');
    expect(await sent()).toEqual([]);
    await press('Deny b.txt');
    expect(await sent()).toMatchObject([
      {
        approvalIds: ['approval-a', 'approval-b'],
        parts: [
          { state: 'approval-responded', approval: { id: 'approval-a', approved: true } },
          { state: 'approval-responded', approval: { id: 'approval-b', approved: false, reason: 'keep it' } },
        ],
      },
    ]);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
  }
}
