/**
 * A tab is the leader while the browser's lock manager has confirmed recently that it holds the lock.
 */
import { expect, it } from 'vitest';

import { Election } from '../../src/ts/persist/tabs/election.js';
import type { Platform } from '../../src/ts/persist/tabs/platform.js';
import type { TabBase } from '../../src/ts/persist/tabs/tab-base.js';
import { RELEASE } from '../../src/ts/persist/tabs/tab-channel.js';
import { turns } from '../lib/waiting.js';

/** An elected tab. The lock manager answers when the test calls a function of `answers`; `now` is the tab's clock. */
async function elected() {
  const browser = { now: 0, holder: 'this page', answers: [] as (() => void)[] };
  const locks = {
    request: (_: string, __: LockOptions, callback: (lock: unknown) => unknown) => Promise.resolve(callback({})),
    query: () => {
      const held = [
        { name: 'toolgate:chat', clientId: browser.holder },
        { name: `toolgate-tab:${RELEASE}:tab`, clientId: 'this page' },
      ];
      return new Promise<{ held: typeof held }>((resolve) => browser.answers.push(() => resolve({ held })));
    },
  };
  const platform = { locks, elapsed: () => browser.now, after: () => () => {} } as unknown as Platform;
  const noop = (): void => {};
  const election = new Election({
    platform,
    name: 'chat',
    id: 'tab',
    leaderMs: 1_000,
    onElected: noop,
    onLost: noop,
    onError: noop,
    onOtherRelease: noop,
  } as unknown as TabBase);
  await election.join();
  return { browser, election };
}

it('a page that was frozen during a query repeats the query', async () => {
  const { browser, election } = await elected();
  const holdsLock = election.holdsLock();
  // The page is frozen, and another one steals the lock.
  Object.assign(browser, { now: 900, holder: 'another page' });
  browser.answers.shift()!();
  await turns(5);
  browser.answers.shift()!();
  expect(await holdsLock).toBe(false);
});

it('a recent answer is valid', async () => {
  const { browser, election } = await elected();
  const holdsLock = election.holdsLock();
  browser.now = 400;
  browser.answers.shift()!();
  expect(await holdsLock).toBe(true);
  expect(browser.answers).toEqual([]);
});

it('if every answer is outdated, holdsLock rejects', async () => {
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
