/**
 * A page that is reloaded or killed at a critical moment: decisions are not lost, and each tool runs once.
 */
import { describe, expect, it } from 'vitest';
import { answer, begin, crash, idle, leads, pending, ready, stage, state, undelivered } from './tabs.js';

const test = stage();

describe.each(['indexeddb', 'no-locks'])('%s', (storage) => {
  it('a pending approval is pending after a reload, and runs once', async () => {
    const name = `reload-${storage}`;
    const page = await test.open(name, storage);
    await begin(page);
    await page.reload();
    await ready(page);
    await pending(page, 1);
    expect(await answer(page, `ask-${name}-c1`, true)).toBe(undefined);
    await state(page, `${name}-c1`, 'output-available');
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
    await page.reload();
    await ready(page);
    await state(page, `${name}-c1`, 'output-available');
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
  });

  it('one of two decisions is made before the reload: both are sent together after it', async () => {
    const name = `half-${storage}`;
    test.backend.calls = 2;
    const page = await test.open(name, storage);
    await begin(page, 2);
    await answer(page, `ask-${name}-c1`, false);
    await page.reload();
    await ready(page);
    await pending(page, 1);
    expect(await answer(page, `ask-${name}-c1`, true)).toBe('already-decided');
    await answer(page, `ask-${name}-c2`, true);
    await state(page, `${name}-c2`, 'output-available');
    expect(test.backend.decisionsOf(name).map(({ decisions }) => decisions)).toEqual([
      { [`${name}-c1`]: false, [`${name}-c2`]: true },
    ]);
    expect(test.backend.ran).not.toHaveProperty(`${name}-c1`);
  });

  it('a decision in flight is unconfirmed after a reload; retried with its key it runs once', async () => {
    const name = `flight-${storage}`;
    const page = await test.open(name, storage);
    await begin(page);
    const arrived = new Promise<void>((resolve) => {
      test.backend.onDecision = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    await answer(page, `ask-${name}-c1`, true);
    await arrived;
    await page.reload();
    await ready(page);
    // The browser fails the request before it unloads the page; whether the request arrived stays unknown.
    expect(await undelivered(page)).toMatchObject([{ delivery: 'unconfirmed' }]);
    await idle(page);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
    test.backend.onDecision = undefined;
    const [item] = await undelivered(page);
    await page.evaluate((id) => window.tab.gate.retry(id), item?.id ?? '');
    await state(page, `${name}-c1`, 'output-available');
    const keys = test.backend.decisionsOf(name).map(({ key }) => key);
    expect(keys).toEqual([item?.key, item?.key]);
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
  });

  it('a page that is killed while its request arrives does not send it again', async () => {
    const name = `killed-${storage}`;
    const page = await test.open(name, storage);
    await begin(page);
    const killed = new Promise<void>((resolve) => {
      test.backend.onDecision = async () => {
        await crash(page);
        resolve();
      };
    });
    await answer(page, `ask-${name}-c1`, true);
    await killed;
    test.backend.onDecision = undefined;
    await page.close();
    const next = await test.open(name, storage);
    await leads(next);
    expect(await undelivered(next)).toMatchObject([{ delivery: 'unconfirmed' }]);
    await idle(next);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
  });

  it('a page that is killed during a claim: the call runs once, whether the claim was stored or not', async () => {
    const name = `claim-${storage}`;
    const page = await test.open(name, storage);
    await begin(page);
    let kill = (): void => {};
    const killed = new Promise<void>((resolve) => (kill = () => void crash(page).then(resolve)));
    await page.exposeFunction('onClaim', () => kill());
    // The page is killed before it can report the request as sent.
    void answer(page, `ask-${name}-c1`, true).catch(() => {});
    await killed;
    await page.close();
    const next = await test.open(name, storage);
    await leads(next);
    await idle(next);
    const [item] = await undelivered(next);
    if (item) {
      expect(item.delivery).toBe('unconfirmed');
      await next.evaluate((id) => window.tab.gate.retry(id), item.id);
    }
    await state(next, `${name}-c1`, 'output-available');
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
    expect(new Set(test.backend.decisionsOf(name).map(({ key }) => key)).size).toBe(1);
  });

  it('the last action before the page is unloaded is stored', async () => {
    const name = `last-${storage}`;
    test.backend.calls = 2;
    const page = await test.open(name, storage);
    await begin(page, 2);
    // IndexedDB is not written synchronously.
    const reloaded = page.waitForEvent('load');
    void page
      .evaluate(async (id) => {
        window.tab.gate.respond(id, { approved: false, reason: 'in the last moment' });
        await window.tab.persisted.flush();
        location.reload();
      }, `ask-${name}-c1`)
      .catch(() => {});
    await reloaded;
    await ready(page);
    await pending(page, 1);
    const shown = await page.evaluate(() => JSON.stringify(window.tab.chat.messages));
    expect(shown).toContain('in the last moment');
  });

  it('clear deletes the stored chat, and the next page starts an empty one', async () => {
    const name = `forget-${storage}`;
    const page = await test.open(name, storage);
    await begin(page);
    await page.evaluate(() => window.tab.persisted.clear());
    await page.reload();
    await ready(page);
    expect(await page.evaluate(() => window.tab.chat.messages.length)).toBe(0);
    expect(await page.evaluate(() => window.tab.errors)).toEqual([]);
  });
});
