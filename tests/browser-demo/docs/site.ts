/**
 * Opens the whole static site in a real browser: the documentation, and the pages beside it. `./pkg-scripts/test demo`
 * builds it before. A {@link SitePage} records requests to other servers, failed requests, and console messages.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromeFlags, findChrome } from '../../../pkg-scripts/lib/browser.mjs';
import { serve } from '../../../pkg-scripts/lib/serve.mjs';
import { at } from '../../../pkg-scripts/lib/shell.mjs';

const dist = at('www/dist');

/** The built pages by their path below /docs/, such as `api/react.html`. */
export function builtPages(): string[] {
  if (!existsSync(join(dist, 'docs/index.html')))
    throw new Error('www/dist/docs is missing: build it with `./pkg-scripts/test demo`.');
  return readdirSync(join(dist, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html') && entry.name !== '404.html')
    .map((entry) => relative(join(dist, 'docs'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** A browser and the served documentation. */
export interface Site {
  open(options?: BrowserContextOptions): Promise<SitePage>;
  close(): Promise<void>;
}

/**
 * Starts the browser, and serves the demo, the museum and the documentation as static files. `under` is the path of the
 * site on the server, such as `some/folder/`; the rest of the server is empty.
 */
export async function startSite(under = ''): Promise<Site> {
  builtPages();
  const executablePath = findChrome();
  if (!executablePath) throw new Error('Chrome or Chromium was not found. Set CHROME_BIN to its path.');
  const root = under ? placed(under) : dist;
  const served = await serve(root);
  const browser: Browser = await chromium.launch({ executablePath, args: chromeFlags() });
  return {
    open: async (options) => {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        reducedMotion: 'reduce',
        ...options,
      });
      return new SitePage(await context.newPage(), served.url + under);
    },
    close: async () => {
      await browser.close();
      await served.close();
      if (root !== dist) rmSync(root, { recursive: true });
    },
  };
}

/** A new folder that has the site at the path `under`. */
function placed(under: string): string {
  const root = mkdtempSync(join(tmpdir(), 'toolgate-site-'));
  const place = join(root, under);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(dist, place.replace(/\/$/, ''), 'junction');
  return root;
}

/** One tab. */
export class SitePage {
  /**
   * The problems: console errors and warnings, failed requests, and requests to other servers. Every test expects none.
   */
  readonly problems: string[] = [];

  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
        this.problems.push(`asked for ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.problems.push(`${response.status()} for ${response.url()}`);
    });
  }

  /** Opens a page of the documentation, such as `api/react.html`, and waits until it is hydrated. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}docs/${path}`);
    await this.page.locator('h1').waitFor();
    // VitePress hydrates the whole page at once; its root element has an application afterwards.
    await this.page.waitForFunction(() => '__vue_app__' in document.querySelector('#app')!);
  }

  /** Opens a page beside the documentation, such as `museum.html`. */
  async goBeside(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
    await this.page.locator('header.top').waitFor();
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
