/** The user of a starter (www/starters): asks, approves with a double click, and denies with a reason. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { SCREENS } from '../../lib/screens';
import { inBrowser } from './browser.js';
import type { Server } from './rig.js';

/** Uses the starter at this path of the server. With `SHOTS=<folder>`, also writes screenshots under this name. */
export async function playStarter(server: Server, name: string, path = ''): Promise<void> {
  const ran = (): string[] => server.printed().filter((line) => line.startsWith('deleted '));
  await inBrowser(async (page) => {
    const keys: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/chat')) keys.push(request.headers()['idempotency-key'] ?? 'none');
    });
    // The core is loaded when the page has hydrated. Before, the form would be sent to the server.
    const isHydrated = page.waitForResponse(/toolgate\S*\.wasm/);
    await page.goto(new URL(path, server.url).href);
    await isHydrated;
    await say(page, 'Delete notes.txt');
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    expect([ran(), keys.length]).toEqual([[], 1]);
    await page.getByRole('button', { name: /^Approve/ }).dblclick();
    await page.getByText('I was told: “notes.txt is deleted”.').waitFor();
    expect([ran(), keys.length]).toEqual([['deleted notes.txt'], 2]);

    await say(page, 'Delete a.txt and b.txt');
    await page.getByRole('button', { name: /^Deny/ }).nth(1).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await shoot(page, name);
    await page
      .getByRole('button', { name: /^Approve/ })
      .last()
      .click();
    await page.getByRole('button', { name: /^Reason/ }).click();
    await page.getByRole('textbox', { name: 'Why not?' }).fill('I need it');
    await page.getByRole('button', { name: /^Deny/ }).click();
    await page.getByText('I was told no: “I need it”.').waitFor();
    expect(ran()).toEqual(['deleted notes.txt', 'deleted b.txt']);
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
  });
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const [colorScheme, width] of SCREENS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300); // the colours change slowly
    await page.screenshot({ path: `${process.env.SHOTS}/starter-${name}-${width}-${colorScheme}.png` });
  }
}
