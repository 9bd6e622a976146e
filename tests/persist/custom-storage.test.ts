/**
 * A custom storage: a tab changes shared values while it holds a lock, which it always releases.
 */
import { expect, it } from 'vitest';

import { customStorage } from '../../src/ts/persist/storage/custom-storage.js';
import type { Platform } from '../../src/ts/persist/tabs/platform.js';
import { MemoryStorage } from './support.js';

it('a lock that is granted after the time limit is released at once, even if storage never answers', async () => {
  const storage = new MemoryStorage();
  storage.read = () => new Promise(() => {});
  let given!: () => Promise<unknown>;
  const request = (_: string, __: LockOptions, callback: (lock: unknown) => Promise<unknown>) =>
    new Promise((resolve, reject) => {
      given = () => callback({}).then(resolve, reject) as Promise<unknown>;
    });
  const platform = { locks: { request } } as unknown as Platform;
  const controller = new AbortController();
  const update = customStorage(storage, platform, async () => true).updateActions(
    'chat',
    () => 1,
    0,
    controller.signal,
  );
  controller.abort(new Error('its time is over'));
  void given();
  await expect(update).rejects.toThrow('its time is over');
});
