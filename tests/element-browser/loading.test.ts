/**
 * Loading the core in a real browser: it is loaded late, blocked, or forbidden by the page's content security policy.
 * The page does not wait for it, and no request is sent without it.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { loadingStage, state } from './loading-stage.js';

const open = loadingStage();

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
  const page = await open({ delayMs: 5_000 });
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
    const page = await open({ blocked: file });
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
  const page = await open({ headers: { 'content-security-policy': "script-src 'self'" } });
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
  const page = await open({ blocked: script });
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
  const empty = await open({ query: '?empty' });
  await empty.evaluate(() => window.loading.whenReady());
  await empty.evaluate(() => window.loading.chat.sendMessage({ text: 'hi' }));
  expect(await hasCardScript(empty)).toBe(false);
});
