/**
 * Real tabs of one chat, and the actions of a user in them. A tab may be closed at any moment.
 */
import type { BrowserContext, Page } from 'playwright-core';

import type { GateView, Undelivered } from '../../../src/ts/types/index.js';
// For the type of `window.tab`.
import type {} from '../../persist-browser/page/page.js';

/** The shown state of a tab. */
export interface Shown {
  readonly view: GateView;
  readonly pending: readonly { readonly approvalId: string; readonly inputDigest: string; readonly n: number }[];
  readonly undelivered: readonly Undelivered[];
  readonly state: string;
  readonly waiting: number;
  readonly errors: readonly string[];
}

/** A tab. */
export interface Tab {
  readonly id: string;
  readonly page: Page;
  isGone: boolean;
  /** The errors of the tab when `look` last read them. */
  errors: readonly string[];
}

/** Opens a tab of the chat, and waits until it is ready. */
export async function openTab(context: BrowserContext, url: string, id: string): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  await page.waitForFunction(() => document.title === 'ready');
  return { id, page, isGone: false, errors: [] };
}

/** The shown state of a tab; undefined if the tab was closed. */
export async function look(tab: Tab): Promise<Shown | undefined> {
  const shown = await guarded(tab, () =>
    tab.page.evaluate(() => {
      const { gate, persisted, errors } = window.tab;
      const view = gate.getSnapshot();
      return JSON.parse(
        JSON.stringify({
          view,
          pending: gate
            .pending()
            .map(({ approvalId, inputDigest, input }) => ({ approvalId, inputDigest, n: (input as { n: number }).n })),
          undelivered: gate.undelivered(),
          state: persisted.state,
          waiting: persisted.waiting,
          errors,
        }),
      ) as unknown;
    }),
  );
  if (shown) tab.errors = (shown as Shown).errors;
  return shown as Shown | undefined;
}

/** A user's action in a tab. */
export type Act =
  | { readonly kind: 'answer'; readonly id: string; readonly approved: boolean }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'stop' | 'cancel' | 'resume' }
  | { readonly kind: 'all'; readonly approved: boolean }
  | { readonly kind: 'retry'; readonly id: string };

/**
 * Performs a user's action. Returns the numbers of the calls that the action decided, and the error if the tab refused
 * the action; undefined if the tab was closed before that.
 */
export function act(tab: Tab, what: Act): Promise<{ taken: number[]; refused?: string } | undefined> {
  return guarded(tab, () =>
    tab.page.evaluate(async (given) => {
      const { chat, gate } = window.tab;
      const before = [...gate.pending()];
      let refused: string | undefined;
      const late = (error: unknown): void => void window.tab.errors.push(String(error));
      const run = (): unknown => {
        switch (given.kind) {
          case 'answer':
            return chat.addToolApprovalResponse({ id: given.id, approved: given.approved });
          case 'all':
            return void gate.respondAll({ approved: given.approved });
          case 'say':
            return chat.sendMessage({ text: given.text });
          case 'stop':
            return chat.stop();
          case 'cancel':
            return gate.cancel();
          case 'resume':
            return gate.resume();
          case 'retry':
            return gate.retry(given.id);
        }
      };
      try {
        const result = run();
        // Not awaited: the promise of a message resolves only when its reply has ended.
        if (result instanceof Promise) result.catch(late);
      } catch (error) {
        refused = String(error);
        late(error);
      }
      const after = gate.pending().map(({ approvalId }) => approvalId);
      const isMeant = (id: string): boolean => given.kind === 'all' || (given.kind === 'answer' && given.id === id);
      const taken = before
        .filter(({ approvalId: id }) => !after.includes(id) && isMeant(id))
        .map(({ input }) => (input as { n: number }).n);
      return { taken, ...(refused !== undefined && { refused }) };
    }, what),
  );
}

/** Kills the tab's process, so that none of its code runs. */
export async function kill(tab: Tab): Promise<void> {
  tab.isGone = true;
  const session = await tab.page.context().newCDPSession(tab.page);
  const crashed = new Promise((resolve) => tab.page.once('crash', resolve));
  void session.send('Page.crash').catch(() => {});
  await crashed;
  await tab.page.close();
}

/** Freezes the tab for a while: its event loop stops. */
export function freeze(tab: Tab, ms: number): void {
  void tab.page
    .evaluate((time) => {
      setTimeout(() => {
        const until = performance.now() + time;
        while (performance.now() < until);
      });
    }, ms)
    .catch(() => {});
}

/** The next writes of the tab to its database fail, as with a full disk. */
export async function fillDisk(tab: Tab, writes: number): Promise<void> {
  await guarded(tab, () =>
    tab.page.evaluate((count) => {
      const { put } = IDBObjectStore.prototype;
      let left = count;
      IDBObjectStore.prototype.put = function (...args) {
        if (left-- > 0) throw new DOMException('Quota exceeded', 'QuotaExceededError');
        IDBObjectStore.prototype.put = put;
        return put.apply(this, args);
      };
    }, writes),
  );
}

/** Calls a function of a page. Returns undefined if the page was closed before it was done. */
async function guarded<T>(tab: Tab, call: () => Promise<T>): Promise<T | undefined> {
  if (tab.isGone) return undefined;
  try {
    return await call();
  } catch (error) {
    if (
      tab.isGone ||
      /Target page|has been closed|crashed|Execution context was destroyed|navigation/.test(String(error))
    )
      return undefined;
    throw error;
  }
}
