/**
 * Opens the built demo page in a real browser, for the tests of this folder, and reads its backend's record. The
 * page must have been built (`vite build www`); `./pkg-scripts/test` does that. The backend is the Node server, from
 * which the record is read, or a part of the page (`static`).
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { preview } from 'vite';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { chromeFlags, findChrome } from '../../pkg-scripts/lib/browser.mjs';
import type { BackendRecord, PromptPart } from '../../www/src/backend/record';
import { startDemoServer } from '../../www/server/start.mjs';
import type { ToolApprovalElement } from 'toolgate/element';
import { seeAll } from '../element-browser/checks';
import type { WireEntry } from '../../www/src/session/wire-log';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Options of a page, which is opened in a browser context of its own. */
export interface OpenOptions extends BrowserContextOptions {
  /** `natural`: at a speed that a person can follow. Default: `instant`. */
  pace?: 'natural' | 'instant';
  /** The framework of the page. Default: `React`. */
  page?: 'React' | 'Svelte' | 'Vue';
}

/** A browser and the served page. */
export interface Demo {
  /** The page's address. */
  readonly url: string;
  open(scenario: string, options?: OpenOptions): Promise<DemoPage>;
  close(): Promise<void>;
}

interface Served {
  url: string;
  close(): Promise<void>;
}

/**
 * The demo for the tests of one file: started before the first of them, closed after the last. After each test, every
 * opened page is closed, and must have had no problem. `cut`: the tests cut connections, so the browser's reports about
 * that do not count as problems.
 */
export function useDemo(
  backend: 'server' | 'static' = 'server',
  connections: 'sound' | 'cut' = 'sound',
): Pick<Demo, 'url' | 'open'> {
  const pages: DemoPage[] = [];
  let demo: Demo | undefined;
  beforeAll(async () => {
    demo = await startDemo(backend, pages);
  });
  afterAll(() => demo?.close());
  afterEach(async () => {
    const opened = pages.splice(0);
    const problems = opened.flatMap((page) => (connections === 'cut' ? page.ownProblems() : page.problems));
    for (const page of opened) await page.close();
    expect(problems).toEqual([]);
  });
  return {
    get url() {
      return demo!.url;
    },
    open: (scenario, options) => demo!.open(scenario, options),
  };
}

/** Starts the browser and serves the built page: by the Node server, or as static files with the backend inside. */
async function startDemo(backend: 'server' | 'static', pages: DemoPage[]): Promise<Demo> {
  if (!existsSync(at('www/dist/index.html')))
    throw new Error('www/dist is missing: build the page with `vite build www`.');
  const served = await (backend === 'server' ? startServer() : startStatic());
  const executablePath = findChrome();
  if (!executablePath) throw new Error('Chrome or Chromium was not found. Set CHROME_BIN to its path.');
  const browser = await chromium.launch({ executablePath, args: chromeFlags() });
  return {
    url: served.url,
    open: (scenario, { pace = 'instant', page = 'React', ...options } = {}) => {
      const file = page === 'React' ? 'demo.html' : `${page.toLowerCase()}.html`;
      return openPage(
        browser,
        `${served.url}${file}?${pace === 'instant' ? 'pace=instant&' : ''}scenario=${scenario}`,
        options,
        pages,
      );
    },
    close: async () => {
      await browser.close();
      await served.close();
    },
  };
}

/** Starts the Node server of the demo, with the scripted model. */
export function startServer(): Promise<Served & { model: string }> {
  return startDemoServer({ port: 0 });
}

async function startStatic(): Promise<Served> {
  const server = await preview({
    root: at('www'),
    configFile: at('www/vite.config.ts'),
    logLevel: 'warn',
    preview: { host: '127.0.0.1', port: 0 },
  });
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  pages: DemoPage[],
): Promise<DemoPage> {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  return openTab(context, url, pages);
}

async function openTab(context: BrowserContext, url: string, pages: DemoPage[]): Promise<DemoPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const demo = new DemoPage(page, pages);
  pages.push(demo);
  await page.goto(url);
  await page.locator('.chat').waitFor();
  return demo;
}

/** One open page, with the actions and queries that the tests share. */
export class DemoPage {
  /** Errors and warnings that the page wrote to its console. Every test expects none. */
  readonly problems: string[] = [];

  /** `pages`: the list to which another tab is added. */
  constructor(
    readonly page: Page,
    private readonly pages: DemoPage[],
  ) {
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
    });
  }

  /** The same chat in another tab of the same window. */
  tab(): Promise<DemoPage> {
    return openTab(this.page.context(), this.page.url(), this.pages);
  }

  /** Loads the page again, as a user does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.chat').waitFor();
  }

  /** Sends the scenario's first message, and waits until `cards` calls wait for the user. */
  async begin(cards: number): Promise<void> {
    await this.page.locator('.opening').click();
    await this.waiting(cards);
  }

  /** Waits until exactly `count` cards wait for the user and no reply is being received. */
  async waiting(count: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('tool-approval')].filter(({ status }) => status === 'waiting').length ===
          wanted && document.querySelector('.chat')?.getAttribute('data-status') === 'ready',
      count,
    );
  }

  /** The card whose heading begins with `title`, such as `Edit menu.md`. */
  card(title: string): Locator {
    const heading = this.page.getByRole('heading', { name: new RegExp(`^${title}`) });
    return this.page.locator('tool-approval', { has: heading });
  }

  /** Waits until a card has a status, such as `done` or `denied`. */
  async status(title: string, status: string): Promise<void> {
    const card = this.card(title);
    await expect.poll(() => card.evaluate((it: ToolApprovalElement) => it.status), { timeout: 15_000 }).toBe(status);
  }

  /** Waits until the note of a card contains a text. */
  async notes(title: string, text: string): Promise<void> {
    await this.card(title).locator('[part=note]', { hasText: text }).waitFor();
  }

  /** Waits until an element has announced a text to screen readers, where it stays for ten seconds. */
  async announces(text: string): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' });
  }

  /** Presses a button of a card whose name begins with `name`. */
  async decide(title: string, name: string): Promise<void> {
    await this.card(title)
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
  }

  approve(title: string): Promise<void> {
    return this.decide(title, 'Approve');
  }

  deny(title: string): Promise<void> {
    return this.decide(title, 'Deny');
  }

  /** Denies a call with a reason, as a user does. */
  async denyWithReason(title: string, reason: string): Promise<void> {
    await this.decide(title, 'Reason…');
    await this.card(title).getByLabel('Why not?').fill(reason);
    await this.decide(title, 'Deny with this reason');
  }

  /** Looks at all cards, and approves their calls together. */
  async approveAll(): Promise<void> {
    await seeAll(this.page);
    // The cards have just moved, so the pointer must move onto the button.
    await this.page.mouse.move(0, 0);
    await this.page.getByRole('button', { name: /^Approve all \d$/ }).click();
  }

  /** Denies all calls together. */
  async denyAll(): Promise<void> {
    await this.page.getByRole('button', { name: /^Deny all \d$/ }).click();
  }

  /** Opens the inspector at the foot of the page, and waits until it appears. */
  async inspect(): Promise<Locator> {
    await this.press('Inspector');
    const inspector = this.page.getByRole('region', { name: 'Toolgate inspector' });
    await inspector.waitFor();
    return inspector;
  }

  /** Presses the button with this accessible name. */
  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** The name of the focused element, also inside a shadow tree: its label, or else its text. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const { labels } = element as HTMLElement & { labels?: NodeListOf<HTMLLabelElement> };
      return (element?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element?.textContent ?? '').trim();
    });
  }

  /** Presses Tab, or Shift and Tab, until an element with this name has the focus. */
  async tabTo(name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let presses = 0; presses < 90; presses++) {
      await this.page.keyboard.press(key);
      const now = await this.focused();
      if (name.test(now)) return;
      passed.push(now.slice(0, 30));
    }
    throw new Error(`${key} does not reach ${String(name)}, only: ${passed.join(' | ')}`);
  }

  /** Writes a message and sends it. */
  async write(text: string): Promise<void> {
    await this.page.getByLabel('Message', { exact: true }).fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** The card of the latest call. */
  lastCard(): Locator {
    return this.page.locator('tool-approval').last();
  }

  /** Waits until the assistant has written this many texts, and no reply is being received. */
  async replies(count: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) =>
        document.querySelectorAll('.prose').length === wanted &&
        document.querySelector('.chat')?.getAttribute('data-status') === 'ready',
      count,
    );
  }

  /** The chat's id. */
  id(): Promise<string> {
    return this.page.evaluate(() => window.__backend!.id);
  }

  /** Waits until the page has stored its whole state. */
  async kept(): Promise<void> {
    await this.page.evaluate(() => window.__backend!.kept());
  }

  /** Problems of the page, except for the browser's own reports of a cut connection. */
  ownProblems(): string[] {
    return this.problems.filter((problem) => !problem.includes('net::ERR_'));
  }

  /** Waits for an assistant's text. */
  async says(text: string | RegExp): Promise<void> {
    await this.page.locator('.prose', { hasText: text }).waitFor();
  }

  /** The backend's own record, read from the server if there is one. */
  async record(): Promise<BackendRecord> {
    const [id, backend] = await this.page.evaluate(() => [
      window.__backend!.id,
      document.querySelector<HTMLMetaElement>('meta[name="toolgate-backend"]')!.content,
    ]);
    if (backend === 'embedded') return this.page.evaluate(() => window.__backend!.record() as BackendRecord);
    return (await fetch(new URL(`${backend}/record?id=${id}`, this.page.url()))).json() as Promise<BackendRecord>;
  }

  /** Waits until the backend's record meets the condition, and returns it. */
  async recordWith(isAsWanted: (record: BackendRecord) => boolean): Promise<BackendRecord> {
    return vi.waitFor(
      async () => {
        const record = await this.record();
        if (!isAsWanted(record))
          throw new Error(`the record is ${JSON.stringify({ ...record, modelCalls: record.modelCalls.length })}`);
        return record;
      },
      { timeout: 15_000, interval: 50 },
    );
  }

  /** The requests that the page sent. */
  sent(): Promise<WireEntry[]> {
    return this.page.evaluate(() => window.__backend!.sent() as WireEntry[]);
  }

  /** The inspector's history of the gate. */
  log(): Promise<{ event: Record<string, unknown> }[]> {
    return this.page.evaluate(() => window.__backend!.log() as { event: Record<string, unknown> }[]);
  }

  /** Waits long enough for automatic requests. */
  async idle(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** The tool results of the last prompt that the model got, in order. */
export function resultsOf(record: BackendRecord): PromptPart[] {
  const prompt = record.modelCalls.at(-1)?.prompt ?? [];
  return prompt
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool-result');
}

/** The tool calls of the last prompt that the model got, in order. */
export function callsOf(record: BackendRecord): PromptPart[] {
  const prompt = record.modelCalls.at(-1)?.prompt ?? [];
  return prompt
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool-call');
}
