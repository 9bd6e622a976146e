/** A browser, and a server for the page with the cards. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { chromeFlags, findChrome } from '../../pkg-scripts/lib/browser.mjs';
import { pageFiles } from './page-files.js';
// For the type of `window.page`.
import type {} from './page/page.js';

/**
 * The page of an app: its own fields before and after the cards, and a strict content security policy.
 */
const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:">
<title>starting</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"></head>
<body><main><h1>Chat</h1><h2>Reply</h2><button id="before">Before</button></main><footer><input id="after" aria-label="Message"></footer>
<script type="module" src="/page.js"></script></body></html>`;

const CSS =
  ':root { color-scheme: light dark; font-family: sans-serif } body { margin: 16px; background: light-dark(#fff, #111210); color: light-dark(#111, #eee) } article { display: grid; gap: 8px; margin-block: 20px } a { color: light-dark(#0f5f55, #6fcdbc) } main { max-width: 704px; margin: 0 auto; display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr) }';

/** Opens pages with a scenario. */
export interface Stage {
  open(scenario: string, options?: BrowserContextOptions): Promise<Page>;
}

/**
 * Starts the browser, and the server of page/`name`.ts, for a test file. After each test, checks that the pages had no
 * failed requests and no errors; a request to another server is an error.
 */
export function stage(name = 'page'): Stage {
  let browser: Browser;
  let close: () => void;
  let address: string;
  const problems: string[] = [];

  beforeAll(async () => {
    const files = await pageFiles(name);
    files.set('/', ['text/html', HTML.replace('page.js', `${name}.js`)]).set('/page.css', ['text/css', CSS]);
    const server = createServer((request, response) => {
      const [type, body] = files.get(new URL(request.url ?? '/', 'http://localhost').pathname) ?? [];
      if (type === undefined) problems.push(`asked for ${request.url}`);
      response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const executablePath = findChrome();
    if (!executablePath) throw new Error('Chrome or Chromium was not found. Set CHROME_BIN to its path.');
    browser = await chromium.launch({ executablePath, args: chromeFlags() });
    close = () => server.close();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    close();
  });

  return {
    open: async (scenario, options = {}) => {
      const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })).newPage();
      page.setDefaultTimeout(15_000);
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await page.goto(`${address}?scenario=${scenario}`);
      await page.waitForFunction(() => /\bready$/.test(document.title));
      return page;
    },
  };
}
