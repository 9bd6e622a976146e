/**
 * Real tabs of a real browser, with one backend. Each test has its own browser context, with empty storage.
 */
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Backend } from './backend.js';
// For the type of `window.tab`.
import type {} from './page/page.js';

/** The context of a test. */
export interface Stage {
  backend: Backend;
  context: BrowserContext;
  /** The address of the page. */
  address: string;
  /** Opens the chat in a new tab, and waits until it is persisted. `at`: the path and query of the page. */
  open(name: string, storage: string, leader?: number, at?: string): Promise<Page>;
  /** Finds the process of a page: runs a busy loop in the page, and looks for the process that uses the processor. */
  processOf(page: Page): Promise<number>;
}

/**
 * Starts the browser and the backend of page/`name` for a test file. Use the returned context only inside tests.
 * `host`: the name of the computer in the page's address.
 */
export function stage(name?: string, host = '127.0.0.1'): Stage {
  let browser: Browser;
  const problems: string[] = [];
  const current = {
    processOf: async (page: Page): Promise<number> => {
      const session = await browser.newBrowserCDPSession();
      type Process = { readonly type: string; readonly id: number; readonly cpuTime: number };
      const renderers = async (): Promise<Process[]> => {
        const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as { processInfo: Process[] };
        return processInfo.filter(({ type }) => type === 'renderer');
      };
      const before = new Map((await renderers()).map(({ id, cpuTime }) => [id, cpuTime]));
      await page.evaluate(() => {
        const until = performance.now() + 500;
        while (performance.now() < until);
      });
      const worked = (await renderers()).map(({ id, cpuTime }) => ({ id, time: cpuTime - (before.get(id) ?? 0) }));
      await session.detach();
      return worked.sort((a, b) => b.time - a.time)[0]!.id;
    },
    open: async (name: string, storage: string, leader?: number, at = '?'): Promise<Page> => {
      const page = await current.context.newPage();
      page.setDefaultTimeout(15_000);
      page.on('pageerror', (error) => problems.push(String(error)));
      const more = leader === undefined ? '' : `&leader=${leader}`;
      await page.goto(`${current.address}${at}&name=${name}&storage=${storage}${more}`);
      await ready(page);
      return page;
    },
  } as Stage;

  beforeAll(async () => {
    current.backend = new Backend();
    current.address = (await current.backend.listen(name)).replace('127.0.0.1', host);
    browser = await chromium.launch({
      executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', `--host-resolver-rules=MAP ${host} 127.0.0.1`],
    });
    current.context = await browser.newContext();
  });
  afterEach(async () => {
    await current.context.close();
    current.context = await browser.newContext();
    current.backend.onDecision = undefined;
    current.backend.onReply = undefined;
    current.backend.calls = 1;
    const found = problems.splice(0);
    if (found.length > 0) throw new Error(`the page failed: ${found.join(', ')}`);
  });
  afterAll(async () => {
    await browser.close();
    await current.backend.close();
  });
  return current;
}

/** Waits until the page has started. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => document.title === 'ready');
}

/** Sends the first message from this tab, and waits until it has this many pending approvals. */
export async function begin(page: Page, approvals = 1): Promise<void> {
  await page.evaluate(() => void window.tab.chat.sendMessage({ text: 'tidy up' }));
  await pending(page, approvals);
}

/** Waits until this many approvals are pending, and no reply is streaming. */
export async function pending(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.tab.gate.pending().length === wanted && window.tab.chat.status === 'ready',
    count,
  );
}

/** Decides an approval. Returns the error code if the decision was refused. */
export function answer(page: Page, approvalId: string, approved: boolean): Promise<string | undefined> {
  return page.evaluate(
    async ([id, yes]) => {
      try {
        await window.tab.chat.addToolApprovalResponse({ id: id as string, approved: yes as boolean });
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code ?? String(error);
      }
    },
    [approvalId, approved],
  );
}

/** Waits until the call has this state in the tab. */
export async function state(page: Page, call: string, wanted: string): Promise<void> {
  await page.waitForFunction(
    ([id, expected]) =>
      window.tab.chat.status === 'ready' &&
      window.tab.chat.messages.some(({ parts }) =>
        parts.some(
          (part) => 'toolCallId' in part && part.toolCallId === id && 'state' in part && part.state === expected,
        ),
      ),
    [call, wanted],
  );
}

/** Waits until the tab is the leader. */
export async function leads(page: Page): Promise<void> {
  await page.waitForFunction(() => window.tab.persisted.state === 'leader');
}

/** The undelivered items of the tab: id, key and delivery. */
export function undelivered(page: Page): Promise<{ id: string; key: string; delivery: string }[]> {
  return page.evaluate(() => window.tab.gate.undelivered().map(({ id, key, delivery }) => ({ id, key, delivery })));
}

/** The texts of all approval cards of the tab, joined by line feeds. */
export function card(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('tool-approval')]
      .map(({ shadowRoot }) => shadowRoot?.querySelector('section')?.textContent ?? '')
      .join('\n'),
  );
}

/** Kills the page's process: no code of the page runs after that, not even `beforeunload` or `pagehide`. */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  void session.send('Page.crash').catch(() => {});
  await crashed;
}

/**
 * Waits 300 ms, in which the tab can process its timers and messages. Used to check that the tab sends no request.
 */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
}
