/**
 * A browser, and a server for a page with a guarded chat that loads its core: page/loading.ts, or another one. Tests
 * choose the page's content security policy, how long the wasm file takes, and which files are blocked.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { chromeFlags, findChrome } from '../../pkg-scripts/lib/browser.mjs';
import { pageFiles } from './page-files.js';
// For the type of `window.loading`.
import type {} from './page/loading.js';

/** How the page is served. */
export interface Serving {
  /** The headers of the page. By default a policy that allows what the page needs. */
  headers?: Record<string, string>;
  /** The attributes of the page's script. */
  script?: string;
  /** The time in ms that the wasm file takes. */
  delayMs?: number;
  /** Requests that fail. */
  blocked?: RegExp;
  /** The query of the address. */
  query?: string;
}

const html = (name: string, script: string): string =>
  `<!doctype html><html lang="en"><head><title>starting</title><link rel="icon" href="/icon.svg"></head>
<body><main></main><script type="module" src="/${name}.js" ${script}></script></body></html>`;

const ALLOWED = { 'content-security-policy': "script-src 'self' 'wasm-unsafe-eval'" };

/** Returns a function that opens the page. After each test all pages are closed. */
export function loadingStage(name = 'loading'): (serving?: Serving) => Promise<Page> {
  let browser: Browser;
  let address: string;
  let close: () => void;
  let current: Serving = {};

  beforeAll(async () => {
    const files = await pageFiles(name);
    files.set('/icon.svg', ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']);
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      if (path === '/') {
        const { headers = ALLOWED, script = '' } = current;
        response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html(name, script));
        return;
      }
      const [type, body] = files.get(path) ?? ['text/plain', 'nothing here'];
      const send = (): void => void response.writeHead(files.has(path) ? 200 : 404, { 'content-type': type }).end(body);
      setTimeout(send, path === '/toolgate.wasm' ? (current.delayMs ?? 0) : 0);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const executablePath = findChrome();
    if (!executablePath) throw new Error('Chrome or Chromium was not found. Set CHROME_BIN to its path.');
    browser = await chromium.launch({ executablePath, args: chromeFlags() });
    close = () => server.close();
  });
  afterEach(async () => {
    current = {};
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    close();
  });

  return async (serving = {}) => {
    current = serving;
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(15_000);
    if (serving.blocked) await page.route(serving.blocked, (route) => route.abort());
    await page.addInitScript(() => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        violations.push(`${effectiveDirective} ${blockedURI}`),
      );
      // Otherwise zod, which the AI SDK imports, probes `new Function`: docs/csp.md.
      Object.assign(window, { violations, __zod_globalConfig: { jitless: true } });
    });
    await page.goto(`${address}${serving.query ?? ''}`);
    // Not `waitForFunction`: Playwright evaluates a text for it, which a policy can refuse.
    await expect.poll(() => page.title()).toBe('ready');
    return page;
  };
}

/** What the policy of the page refused: the directive and what was blocked. */
export const violationsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { violations: string[] }).violations);

/** The chat, as the page shows it. */
export const state = (page: Page) =>
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
