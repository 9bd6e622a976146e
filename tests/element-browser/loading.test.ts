/**
 * Loading the core in a real browser: it is loaded late, blocked, or forbidden by the page's content security policy.
 * The page does not wait for it, and no request is sent without it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { chromeFlags, findChrome } from '../../pkg-scripts/lib/browser.mjs';
import { pageFiles } from './page-files.js';
// For the type of `window.loading`.
import type {} from './page/loading.js';

const HTML = `<!doctype html><html lang="en"><head><title>starting</title><link rel="icon" href="data:,"></head>
<body><main></main><script type="module" src="/loading.js"></script></body></html>`;

let browser: Browser;
let address: string;
let close: () => void;
/** The time that the server takes to serve the wasm file. */
let delayMs = 0;
let policy = "script-src 'self' 'wasm-unsafe-eval'";

beforeAll(async () => {
  const files = await pageFiles('loading');
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(HTML);
      return;
    }
    const [type, body] = files.get(path) ?? ['text/plain', 'nothing here'];
    const send = (): void => void response.writeHead(files.has(path) ? 200 : 404, { 'content-type': type }).end(body);
    setTimeout(send, path === '/toolgate.wasm' ? delayMs : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const executablePath = findChrome();
  if (!executablePath) throw new Error('Chrome or Chromium was not found. Set CHROME_BIN to its path.');
  browser = await chromium.launch({ executablePath, args: chromeFlags() });
  close = () => server.close();
});
afterEach(async () => {
  delayMs = 0;
  policy = "script-src 'self' 'wasm-unsafe-eval'";
  for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
  await browser.close();
  close();
});

/** Opens the page. `blocked`: the files whose requests fail. */
async function open(blocked?: RegExp): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(15_000);
  if (blocked) await page.route(blocked, (route) => route.abort());
  await page.goto(address);
  await page.waitForFunction(() => document.title === 'ready');
  return page;
}

const state = (page: Page) =>
  page.evaluate(() => {
    const { chat, requests } = window.loading;
    const error = chat.error as (Error & { code?: string }) | undefined;
    return {
      status: chat.status,
      shown: chat.messages.map(({ id }) => id),
      requests,
      code: error?.code,
      message: error?.message ?? '',
      cards: document.querySelectorAll('tool-approval').length,
    };
  });

/** Whether the page has loaded the script of the cards. */
const hasCardScript = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/views-')));

/** Approves, and sends a message without waiting for it. Returns how the approval settled. */
const act = (page: Page) =>
  page.evaluate(async () => {
    const { chat } = window.loading;
    const decided = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    void chat.sendMessage({ text: 'and then?' });
    return (decided as Promise<void>).then(
      () => 'decided',
      (error: { code: string }) => error.code,
    );
  });

test('the wasm file takes five seconds: the page is usable at once, and everything is sent afterwards', async () => {
  delayMs = 5_000;
  const page = await open();
  const decided = act(page);
  expect(await state(page)).toMatchObject({ status: 'submitted', shown: ['u0', 'a0', 'm0'], requests: [], cards: 0 });
  expect(await hasCardScript(page)).toBe(false);
  expect(await decided).toBe('decided');
  await page.waitForFunction(() => window.loading.requests.length === 2);
  expect((await state(page)).requests[0]).toEqual(['u0', 'a0']);
});

test.each([
  ['the wasm file is blocked', /toolgate\.wasm/, /toolgate\.wasm could not be read/],
  ['a script is blocked', /attach-/, /toolgate\/ai-sdk could not be loaded.*reload the page/s],
])(
  '%s: the error names a solution, no request is sent, and the next message is sent once',
  async (_what, file, says) => {
    const page = await open(file);
    expect(await act(page)).toBe('load-failed');
    const failed = await state(page);
    expect(failed).toMatchObject({
      status: 'error',
      code: 'load-failed',
      shown: ['u0', 'a0', 'm0'],
      requests: [],
      cards: 0,
    });
    expect(failed.message).toMatch(says);
    await page.unroute(file);
    await page.evaluate(() => window.loading.chat.sendMessage());
    const after = await state(page);
    // Browsers may remember that a script could not be loaded; the error is then reported again.
    if (file.source.includes('attach') && after.code) {
      expect(after).toMatchObject({ code: 'load-failed', requests: [], shown: ['u0', 'a0', 'm0'] });
      expect(after.message).toMatch(says);
      return;
    }
    expect(after).toMatchObject({ code: undefined, requests: [['u0', 'a0', 'm0']] });
  },
);

test('the error names a policy without wasm-unsafe-eval, and no request is sent', async () => {
  policy = "script-src 'self'";
  const page = await open();
  expect(await act(page)).toBe('load-failed');
  const failed = await state(page);
  expect(failed).toMatchObject({ status: 'error', code: 'load-failed', shown: ['u0', 'a0', 'm0'], requests: [] });
  expect(failed.message).toContain("add 'wasm-unsafe-eval' to its `script-src`");
  expect(await page.evaluate(() => window.loading.whenReady().catch((error: { code: string }) => error.code))).toBe(
    'load-failed',
  );
});

test('the script of the cards is loaded with the first card; if it is blocked, the page shows an error and a retry button', async () => {
  const script = /views-/;
  const page = await open(script);
  const list = page.locator('tool-approvals');
  await list.getByRole('alert').getByText('could not be loaded').waitFor();
  expect(await state(page)).toMatchObject({ status: 'ready', cards: 0 });
  await list.getByRole('button', { name: 'Load again' }).click();
  await list.getByRole('alert').waitFor();
  await page.unroute(script);
  await list.getByRole('button', { name: 'Load again' }).click();
  // Chrome remembers that a script could not be loaded, until the page is reloaded.
  const approve = page.getByRole('button', { name: /^Approve/ });
  await approve.or(list.getByText('reload the page')).waitFor();
  if ((await approve.count()) === 0) await page.reload();
  await approve.waitFor();
  expect(await list.getByRole('alert').count()).toBe(0);
  expect(await hasCardScript(page)).toBe(true);
  await approve.click();
  await page.waitForFunction(() => window.loading.requests.length === 1);
});

test('the cards appear when the core is loaded, and not in a chat without calls', async () => {
  const page = await open();
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  expect(await state(page)).toMatchObject({ status: 'ready', requests: [], cards: 1 });
  const empty = await (await browser.newContext()).newPage();
  await empty.goto(`${address}?empty`);
  await empty.waitForFunction(() => document.title === 'ready');
  await empty.evaluate(() => window.loading.whenReady());
  await empty.evaluate(() => window.loading.chat.sendMessage({ text: 'hi' }));
  expect(await hasCardScript(empty)).toBe(false);
});
