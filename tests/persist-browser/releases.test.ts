/**
 * Tabs of this release and of the next one in one browser, and a deployment that is rolled back. The backend ignores
 * idempotency keys and counts what it runs.
 */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { nextRelease } from './next-release.js';
import { answer, begin, idle, leads, pending, stage, state } from './tabs.js';

const test = stage();

const NEXT = 'next?';
const FRESH = '?outdated=fresh';

beforeAll(() => test.backend.serve('/next', [nextRelease]));
beforeEach(() => void (test.backend.checksKeys = false));

const open = (name: string, at?: string): Promise<Page> => test.open(name, 'indexeddb', 1_000, at);
const role = (page: Page): Promise<string> => page.evaluate(() => window.tab.persisted.state);
const errors = (page: Page): Promise<string> => page.evaluate(() => window.tab.errors.join('\n'));
const saved = (page: Page): Promise<void> => page.evaluate(() => window.tab.persisted.flush());

it('an older build leads, and its newer tab takes the lead when the user says "Use here": the call runs once', async () => {
  const name = 'use-here';
  const older = await open(name);
  await begin(older);
  await saved(older);
  const newer = await open(name, NEXT);
  await newer.waitForFunction(() => window.tab.persisted.state === 'leaderless');
  expect(await errors(newer)).toMatch(/earlier release/);
  expect(await answer(newer, `ask-${name}-c1`, true)).toBeUndefined();
  await newer.waitForTimeout(1_500);
  expect([await role(older), test.backend.decisionsOf(name)]).toEqual(['leader', []]);
  await newer.evaluate(() => window.tab.persisted.lead());
  await state(newer, `${name}-c1`, 'output-available');
  await older.waitForFunction(() => window.tab.persisted.state === 'closed');
  expect(await errors(older)).toMatch(/Reload this page/);
  await answer(older, `ask-${name}-c1`, false);
  await idle(older);
  expect(test.backend.decisionsOf(name)).toHaveLength(1);
  expect(test.backend.ran[`${name}-c1`]).toBe(1);
});

it('a rollback: the older build waits or continues beside what the newer one has stored, and changes nothing of it', async () => {
  const name = 'rollback';
  const newer = await open(name, NEXT);
  await begin(newer);
  await saved(newer);
  await newer.close();

  const waits = await open(name);
  expect([await role(waits), await errors(waits)]).toEqual(['closed', expect.stringMatching(/Reload this page/)]);
  await waits.evaluate(() => void window.tab.chat.sendMessage({ text: 'hello?' }));
  await idle(waits);
  expect(test.backend.requests.filter(({ chat }) => chat === name)).toHaveLength(1);

  const fresh = await open(name, FRESH);
  await leads(fresh);
  expect(await fresh.evaluate(() => window.tab.chat.messages)).toEqual([]);
  await begin(fresh);
  await answer(fresh, `ask-${name}-2-c1`, true);
  await state(fresh, `${name}-2-c1`, 'output-available');
  await saved(fresh);
  await fresh.close();
  await waits.close();

  const again = await open(name, NEXT);
  await leads(again);
  await pending(again, 1);
  await answer(again, `ask-${name}-c1`, true);
  await state(again, `${name}-c1`, 'output-available');
  expect(await again.evaluate(() => JSON.stringify(window.tab.chat.messages))).not.toContain('rollback-2');
  expect([test.backend.ran[`${name}-c1`], test.backend.ran[`${name}-2-c1`]]).toEqual([1, 1]);
  const beside = await open(name, `${NEXT}beside`);
  await state(beside, `${name}-2-c1`, 'output-available');
});
