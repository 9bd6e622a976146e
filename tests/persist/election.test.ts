/**
 * Whether a tab leads is what the browser says, as long as its answer is new.
 */
import { expect, it } from 'vitest';

import { Election } from '../../src/ts/persist/election.js';
import type { Platform } from '../../src/ts/persist/platform.js';
import { turns } from '../lib/waiting.js';

/** An elected tab, whose browser answers when `answer` is called, and has its clock in `now`. */
async function elected() {
  const browser = { now: 0, holder: 'this page', answers: [] as (() => void)[] };
  const locks = {
    request: (_: string, __: LockOptions, callback: (lock: unknown) => unknown) => Promise.resolve(callback({})),
    query: () => {
      const held = [
        { name: 'toolgate:chat', clientId: browser.holder },
        { name: 'toolgate:chat:tab', clientId: 'this page' },
      ];
      return new Promise<{ held: typeof held }>((resolve) => browser.answers.push(() => resolve({ held })));
    },
  };
  const platform = { locks, elapsed: () => browser.now, after: () => () => {} } as unknown as Platform;
  const noop = (): void => {};
  const election = new Election({
    platform,
    name: 'chat',
    tab: 'tab',
    timeoutMs: 1_000,
    onElected: noop,
    onLost: noop,
    onError: noop,
  });
  await election.join();
  return { browser, election };
}

it('an answer to a page that stood still since it asked says nothing: it asks again', async () => {
  const { browser, election } = await elected();
  const holdsLock = election.holdsLock();
  // The page stands still, and another one takes the lock from it.
  Object.assign(browser, { now: 900, holder: 'another page' });
  browser.answers.shift()!();
  await turns(5);
  browser.answers.shift()!();
  expect(await holdsLock).toBe(false);
});

it('a new answer counts', async () => {
  const { browser, election } = await elected();
  const holdsLock = election.holdsLock();
  browser.now = 400;
  browser.answers.shift()!();
  expect(await holdsLock).toBe(true);
  expect(browser.answers).toEqual([]);
});

it('where every answer is old it is not known whether the lock is held', async () => {
  const { browser, election } = await elected();
  const holdsLock = election.holdsLock().catch(String);
  for (let asked = 0; asked < 3; asked++) {
    browser.now += 900;
    browser.answers.shift()!();
    await turns(5);
  }
  expect(await holdsLock).toMatch(/did not answer within 500 ms/);
  expect(election.hasLease).toBe(false);
});
