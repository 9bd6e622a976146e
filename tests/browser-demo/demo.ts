/**
 * Opens the built demo page in a real browser, for the tests of this folder, and reads what its backend recorded.
 * The page must have been built (`vite build www`); `./pkg-scripts/test` does that.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { preview } from 'vite';
import type { BackendRecord, PromptPart } from '../../www/src/backend/record';
import type { WireEntry } from '../../www/src/session/wire-log';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A browser and the served page. */
export interface Demo {
  open(scenario: string, options?: BrowserContextOptions): Promise<DemoPage>;
  close(): Promise<void>;
}

/** Serves the built page (or takes `url`) and starts the browser: `CHROME_BIN`, or Debian's Chromium. */
export async function startDemo(url?: string): Promise<Demo> {
  if (!existsSync(at('www/dist/index.html'))) throw new Error('www/dist is missing: build the page with `vite build www`.');
  const server = url
    ? undefined
    : await preview({ root: at('www'), configFile: at('www/vite.config.ts'), logLevel: 'warn', preview: { host: '127.0.0.1', port: 0 } });
  const base = url ?? server?.resolvedUrls?.local[0];
  if (!base) throw new Error('The page is not being served.');
  const browser = await chromium.launch({ executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  return {
    open: (scenario, options) => openPage(browser, `${base}?pace=instant&scenario=${scenario}`, options),
    close: async () => {
      await browser.close();
      await server?.close();
    },
  };
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<DemoPage> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const demo = new DemoPage(page);
  page.on('pageerror', (error) => demo.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') demo.problems.push(message.text());
  });
  await page.goto(url);
  await page.locator('.opening').waitFor();
  return demo;
}

/** One open page, with the acts and questions that the tests share. */
export class DemoPage {
  /** Errors and warnings that the page wrote to its console. Every test expects none. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {}

  /** Sends the scenario's first message, and waits until `cards` calls wait for the user. */
  async begin(cards: number): Promise<void> {
    await this.page.locator('.opening').click();
    await this.waiting(cards);
  }

  /** Waits until exactly `count` cards wait for the user and no reply is being received. */
  async waiting(count: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) =>
        document.querySelectorAll('[data-status="waiting"]').length === wanted &&
        document.querySelector('.chat')?.getAttribute('data-status') === 'ready',
      count,
    );
  }

  /** The card whose title is `title`, such as `Edit menu.md`. */
  card(title: string): Locator {
    return this.page.locator('.card', { has: this.page.getByRole('heading', { name: new RegExp(`^${title}`) }) });
  }

  /** Waits until a card has a status, such as `done` or `denied`. */
  async status(title: string, status: string): Promise<void> {
    await this.card(title).and(this.page.locator(`[data-status="${status}"]`)).waitFor();
  }

  /** Presses the button with this accessible name. */
  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Denies a call with a reason, the way a user does. */
  async denyWithReason(noun: string, reason: string): Promise<void> {
    await this.press(`Reason… for denying ${noun}`);
    await this.page.getByLabel('Why not?').fill(reason);
    await this.press(`Deny ${noun}`);
  }

  /** Waits for an assistant's text. */
  async says(text: string | RegExp): Promise<void> {
    await this.page.locator('.prose', { hasText: text }).waitFor();
  }

  /** The backend's own record. */
  record(): Promise<BackendRecord> {
    return this.page.evaluate(() => window.__backend!.record() as BackendRecord);
  }

  /** What left the page. */
  sent(): Promise<WireEntry[]> {
    return this.page.evaluate(() => window.__backend!.sent() as WireEntry[]);
  }

  /** The inspector's history of the gate. */
  log(): Promise<{ event: Record<string, unknown> }[]> {
    return this.page.evaluate(() => window.__backend!.log() as { event: Record<string, unknown> }[]);
  }

  /** Gives anything that would leave by itself the time to do so. */
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
  return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).filter(({ type }) => type === 'tool-result');
}

/** The tool calls of the last prompt that the model got, in order. */
export function callsOf(record: BackendRecord): PromptPart[] {
  const prompt = record.modelCalls.at(-1)?.prompt ?? [];
  return prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).filter(({ type }) => type === 'tool-call');
}
