/**
 * The quick starts of docs/, as their reader makes them: the pages' own files, built and served by Vite, with their own server
 * behind. A user approves and denies in a browser; what the server printed is the record of what ran.
 */
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromeFlags, findChrome } from '../../pkg-scripts/lib/browser.mjs';
import { appOf } from '../docs/support/blocks.js';
import { startServer } from './support/rig.js';
import { startProject } from './support/start.js';

let browser: Browser;
beforeAll(async () => {
  const executablePath = findChrome();
  if (!executablePath) throw new Error('no Chrome or Chromium; set CHROME_BIN');
  browser = await chromium.launch({ executablePath, args: chromeFlags() });
});
afterAll(() => browser?.close());

/** A page, the requests that it made of the server, and what went wrong in it. */
async function open(url: string) {
  const page = await browser.newPage();
  const errors: string[] = [];
  const keys: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => request.url().endsWith('/api/chat') && keys.push(request.headers()['idempotency-key'] ?? 'none'));
  await page.goto(url);
  return { page, errors, keys };
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

const reply = (page: Page, text: string) => page.getByLabel('assistant').getByText(text).waitFor();

/** Approves one call, with a double click, and denies another one with a reason. */
async function playUser(url: string, printed: () => string[]): Promise<void> {
  const { page, errors, keys } = await open(url);
  try {
    const before = printed().length;
    await say(page, 'Delete notes.txt');
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    expect([keys.length, printed().slice(before)]).toEqual([1, []]);
    await page.getByRole('button', { name: /^Approve/ }).dblclick();
    await reply(page, '"notes.txt is deleted"');
    expect([keys.length, printed().slice(before)]).toEqual([2, ['deleted notes.txt']]);

    await say(page, 'Delete taxes.pdf');
    await page.getByRole('button', { name: /^Reason/ }).click();
    await page.getByRole('textbox', { name: 'Why not?' }).fill('I need it');
    await page.getByRole('button', { name: /^Deny/ }).click();
    await reply(page, '"execution-denied","reason":"I need it"');
    expect([keys.length, printed().slice(before)]).toEqual([4, ['deleted notes.txt']]);
    expect(new Set(keys).size).toBe(4);
    expect(errors).toEqual([]);
  } catch (error) {
    throw new Error(`${String(error)}\nthe page: ${errors.join('\n')}\nthe server: ${printed().join('\n')}\n${await page.content()}`);
  } finally {
    await page.close();
  }
}

describe.each(['react', 'svelte', 'vue'])('the quick start for %s', (name) => {
  test('runs while it is developed, and when it is built', async () => {
    const project = await startProject(name);
    const dev = await startServer(project, 'vite', (port) => ['--host', '127.0.0.1', '--port', port, '--strictPort', '--logLevel', 'warn']);
    await playUser(dev, project.printed);
    expect(await project.run('vite', 'build', '--logLevel', 'warn')).toBe('');
    const built = await startServer(project, 'vite', (port) => ['preview', '--host', '127.0.0.1', '--port', port, '--strictPort']);
    await playUser(built, project.printed);
  });
});

test('all quick starts have the same server', () => {
  const [react, ...others] = ['react', 'svelte', 'vue'].map((name) => appOf(`docs/start-${name}.md`)['server.js']);
  expect(react).toContain('createServer');
  for (const other of others) expect(other).toBe(react);
});
