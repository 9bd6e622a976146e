/**
 * A browser that deletes a site's data under an open chat, a user who logs out, and names of chats that look like keys.
 * The backend counts what it runs.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { answer, begin, idle, leads, pending, ready, stage, state } from './tabs.js';

const test = stage();

/** The names under which the database has something, and all that it has, as text. */
const stored = (page: Page): Promise<{ keys: string[]; text: string }> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('toolgate');
      request.onsuccess = () => resolve(request.result);
    });
    if (!database.objectStoreNames.contains('kept')) {
      database.close();
      return { keys: [], text: '' };
    }
    const store = database.transaction('kept').objectStore('kept');
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    await new Promise((resolve) => (values.onsuccess = resolve));
    database.close();
    return { keys: keys.result.map((key) => JSON.stringify(key)), text: JSON.stringify(values.result) };
  });

const errors = (page: Page): Promise<string> => page.evaluate(() => window.tab.errors.join('\n'));

const ways: [string, (page: Page) => Promise<unknown>][] = [
  [
    'a script deletes the database',
    (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            indexedDB.deleteDatabase('toolgate').onsuccess = () => resolve(undefined);
          }),
      ),
  ],
  [
    'the user clears the site data',
    async (page) => {
      const session = await page.context().newCDPSession(page);
      const { origin } = new URL(page.url());
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    },
  ],
  [
    'a script empties the object store',
    (page) =>
      page.evaluate(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('toolgate');
            request.onsuccess = () => {
              const transaction = request.result.transaction('kept', 'readwrite');
              transaction.objectStore('kept').clear();
              transaction.oncomplete = () => {
                request.result.close();
                resolve(undefined);
              };
            };
          }),
      ),
  ],
];

it.each(ways)('%s, and then the user approves: after a reload the call is not asked again', async (_, empty) => {
  const name = `emptied-${ways.findIndex(([, way]) => way === empty)}`;
  const page = await test.open(name, 'indexeddb');
  await begin(page);
  await page.evaluate(() => window.tab.persisted.flush());
  await empty(page);
  await idle(page);
  expect(await page.evaluate(() => window.tab.persisted.state)).toBe('leader');
  expect(await answer(page, `ask-${name}-c1`, true)).toBeUndefined();
  await state(page, `${name}-c1`, 'output-available');
  await page.evaluate(() => window.tab.persisted.flush());
  expect(await errors(page)).toMatch(/was deleted/);
  await page.reload();
  await ready(page);
  await state(page, `${name}-c1`, 'output-available');
  expect(await page.evaluate(() => window.tab.gate.pending().length)).toBe(0);
  expect(test.backend.ran[`${name}-c1`]).toBe(1);
  expect(test.backend.decisionsOf(name)).toHaveLength(1);
});

it.each(ways)('%s: an open tab does not store the chat again by itself', async (_, empty) => {
  const name = `quiet-${ways.findIndex(([, way]) => way === empty)}`;
  const page = await test.open(name, 'indexeddb');
  await begin(page);
  const other = await test.open(name, 'indexeddb');
  await pending(other, 1);
  await page.evaluate(() => window.tab.persisted.flush());
  await empty(page);
  await page.evaluate(() => void window.tab.gate.receive({ type: 'data-x', data: { n: 1 } }));
  expect(await page.evaluate(() => window.tab.persisted.flush().catch((error) => error.code as string))).toBe(
    'emptied',
  );
  await page.close();
  await leads(other);
  await idle(other);
  expect((await stored(other)).keys).toEqual([]);
});

it('log-out: four tabs close, one of which is frozen; nothing is left, and the next user has an empty chat', async () => {
  const name = 'log-out';
  const pages = [await test.open(name, 'indexeddb')];
  await begin(pages[0]!);
  for (let n = 0; n < 3; n++) {
    pages.push(await test.open(name, 'indexeddb'));
    await pending(pages.at(-1)!, 1);
  }
  for (const frozen of [pages[0]!, pages[1]!]) {
    const session = await frozen.context().newCDPSession(frozen);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await pages[2]!.evaluate(() => window.logOut());
    for (const page of pages.slice(2)) await page.waitForFunction(() => window.tab.persisted.state === 'closed');
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await frozen.waitForFunction(() => window.tab.persisted.state === 'closed');
    await session.detach();
  }
  for (const page of pages) await page.evaluate(() => window.tab.gate.cancel());
  await idle(pages[0]!);
  const { keys, text } = await stored(pages[2]!);
  expect(keys.join()).not.toContain(name);
  expect(text).not.toContain('tidy up');
  for (const page of pages.slice(1)) await page.close();
  await pages[0]!.reload();
  await ready(pages[0]!);
  expect(await pages[0]!.evaluate(() => [window.tab.gate.getSnapshot().messages, window.tab.errors])).toEqual([[], []]);
});

it('log-out with the header Clear-Site-Data: an open tab stores nothing', async () => {
  const name = 'header';
  const page = await test.open(name, 'indexeddb');
  await begin(page);
  await page.evaluate(() => window.tab.persisted.flush());
  await page.route('**/log-out', (route) =>
    route.fulfill({ status: 200, headers: { 'clear-site-data': '"storage"' }, body: 'bye' }),
  );
  await page.evaluate(async () => {
    await window.logOut();
    await (await fetch('/log-out')).text();
  });
  await page.waitForFunction(() => window.tab.persisted.state === 'closed');
  await page.evaluate(() => window.tab.gate.cancel());
  await idle(page);
  expect((await stored(page)).text).not.toContain('tidy up');
});

it('names that look like keys of another chat', async () => {
  const names = ['notes', 'notes.journal.md', 'notes.leader.v1', 'notes","journal', 'notes.refused'];
  const pages: Page[] = [];
  for (const name of names) {
    const page = await test.open(encodeURIComponent(name), 'indexeddb');
    await begin(page);
    await page.evaluate(() => window.tab.persisted.flush());
    pages.push(page);
  }
  await pages[0]!.evaluate(() => window.tab.persisted.clear());
  for (const page of pages.slice(1)) {
    await page.reload();
    await ready(page);
    await pending(page, 1);
    expect(await errors(page)).toBe('');
  }
});
