/**
 * `useGuardedChat({ persist })` in a page with two components of the chat, in StrictMode: a pending approval survives a
 * reload and the unmounting of both components, and its decision is sent once.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { idle, ready, stage } from './tabs.js';

const test = stage('hook.tsx');

const approve = (page: Page) => page.getByRole('button', { name: /^Approve/ });
const parts = (page: Page, text: string) => page.locator('#parts', { hasText: text }).waitFor();
const timesPersisted = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { counts: { persisted: number } }).counts.persisted);

async function open(name: string): Promise<Page> {
  const page = await test.open(name, 'indexeddb');
  await page.getByRole('button', { name: 'Send' }).click();
  await approve(page).waitFor();
  expect(await timesPersisted(page)).toBe(1);
  return page;
}

async function approveOnce(page: Page, name: string): Promise<void> {
  await approve(page).waitFor();
  expect(await approve(page).count()).toBe(1);
  await approve(page).dblclick();
  await parts(page, 'tool-delete:output-available');
  await idle(page);
  expect(test.backend.ran).toMatchObject({ [`${name}-c1`]: 1 });
  expect(test.backend.decisionsOf(name)).toHaveLength(1);
}

it('an approval is pending after a reload, and its decision is sent once', async () => {
  const page = await open('hook-reload');
  await page.reload();
  await ready(page);
  await approveOnce(page, 'hook-reload');
  await page.reload();
  await ready(page);
  await parts(page, 'tool-delete:output-available');
  expect(test.backend.requests.filter(({ chat }) => chat === 'hook-reload')).toHaveLength(2);
});

it('an approval is pending after both components were unmounted, at once and later', async () => {
  const page = await open('hook-leave');
  const leave = page.getByRole('button', { name: 'Leave' });
  const enter = page.getByRole('button', { name: 'Open' });
  // In one task: the chat is not disposed.
  await page.evaluate(async () => {
    const button = document.querySelector('button')!;
    button.click();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    if (button.textContent !== 'Open') throw new Error('still mounted');
    button.click();
  });
  expect(await timesPersisted(page)).toBe(1);
  await approve(page).waitFor();
  await leave.click();
  await idle(page);
  await enter.click();
  await approve(page).waitFor();
  expect(await timesPersisted(page)).toBe(2);
  // As soon as possible: the storing of the old chat has hardly ended.
  await leave.click();
  await enter.click();
  await approveOnce(page, 'hook-leave');
});

it('the second tab follows, decides, and leads when the first tab has left the chat', async () => {
  const first = await open('hook-tabs');
  const second = await test.open('hook-tabs', 'indexeddb');
  await approve(second).waitFor();
  await first.getByRole('button', { name: 'Leave' }).click();
  await approveOnce(second, 'hook-tabs');
});
