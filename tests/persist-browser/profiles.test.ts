/**
 * Profiles of a browser: a private window, a profile on a disk, and one on a disk that is full. The disk is a small
 * tmpfs, which only the browser sees.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { answer, begin, idle, leads, pending, ready, stage, state, undelivered } from './tabs.js';

const test = stage();

const BROWSER = process.env['CHROME_BIN'] ?? '/usr/bin/chromium';

/** An empty folder, until the test is over. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'toolgate-profile-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** A browser whose profile is in this folder. */
async function profile(path: string, executablePath = BROWSER): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(path, { executablePath, args: ['--no-sandbox'] });
  onTestFinished(() => context.close());
  return context;
}

async function open(context: BrowserContext, name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${test.address}?name=${name}&storage=indexeddb`);
  await ready(page);
  return page;
}

it('a private window: the chat survives a reload, and is gone with the window', async () => {
  const name = 'private';
  const page = await test.open(name, 'indexeddb');
  await begin(page);
  await page.evaluate(() => window.tab.persisted.flush());
  await page.reload();
  await ready(page);
  await pending(page, 1);
  await answer(page, `ask-${name}-c1`, true);
  await state(page, `${name}-c1`, 'output-available');
  expect(test.backend.ran[`${name}-c1`]).toBe(1);
  await test.context.close();
  test.context = await page.context().browser()!.newContext();
  const next = await test.open(name, 'indexeddb');
  expect(await next.evaluate(() => [window.tab.chat.messages, window.tab.errors])).toEqual([[], []]);
});

it('a profile on a disk: the chat survives the end of the browser', async () => {
  const [name, path] = ['profile', folder()];
  const first = await profile(path);
  const page = await open(first, name);
  await begin(page);
  await page.evaluate(() => window.tab.persisted.flush());
  await first.close();
  const next = await open(await profile(path), name);
  await pending(next, 1);
  await answer(next, `ask-${name}-c1`, true);
  await state(next, `${name}-c1`, 'output-available');
  expect(test.backend.ran[`${name}-c1`]).toBe(1);
});

it('a disk that is full: an approval that cannot be stored is not sent, and runs once when there is space again', async () => {
  const [name, path] = ['full', folder()];
  const script = join(folder(), 'browser');
  const mount = `mount -t tmpfs -o size=96m tmpfs '${path}' && exec '${BROWSER}' "$@"`;
  writeFileSync(
    script,
    `#!/bin/sh\nexec unshare --user --map-root-user --mount sh -c '${mount.replaceAll("'", `'\\''`)}' browser "$@"\n`,
  );
  chmodSync(script, 0o755);
  const page = await open(await profile(path, script), name);
  await begin(page);
  await page.evaluate(() => window.tab.persisted.flush());
  const filled = await page.evaluate(async () => {
    const request = indexedDB.open('filler');
    request.onupgradeneeded = () => request.result.createObjectStore('filler');
    await new Promise((resolve) => (request.onsuccess = resolve));
    let bytes = 0;
    for (let size = 8 << 20; size >= 256;) {
      const noise = new Uint8Array(size);
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));
      const transaction = request.result.transaction('filler', 'readwrite', { durability: 'strict' });
      const put = transaction.objectStore('filler').put(noise, bytes);
      put.onerror = (event) => event.preventDefault();
      const isStored = await new Promise((resolve) => {
        transaction.oncomplete = () => resolve(put.error === null);
        transaction.onabort = () => resolve(false);
      });
      if (isStored) bytes += size;
      else size /= 2;
    }
    request.result.close();
    return bytes;
  });
  expect(filled).toBeGreaterThan(1 << 20);
  await answer(page, `ask-${name}-c1`, true);
  await page.waitForFunction(() => window.tab.gate.undelivered().length > 0);
  await idle(page);
  expect(await undelivered(page)).toMatchObject([{ delivery: 'failed' }]);
  expect(test.backend.decisionsOf(name)).toEqual([]);
  expect(await page.evaluate(() => window.tab.errors.join())).not.toBe('');
  await page.evaluate(
    () => new Promise((resolve) => (indexedDB.deleteDatabase('filler').onsuccess = () => resolve(undefined))),
  );
  const [item] = await undelivered(page);
  await page.evaluate((id) => window.tab.gate.retry(id), item?.id ?? '');
  await state(page, `${name}-c1`, 'output-available');
  expect(test.backend.ran[`${name}-c1`]).toBe(1);
  await page.evaluate(() => window.tab.persisted.flush());
  await page.reload();
  await ready(page);
  await leads(page);
  await state(page, `${name}-c1`, 'output-available');
});
