/**
 * Frozen tabs: a process that is stopped and continued, an open dialog, a stolen lock. The backend ignores idempotency
 * keys and counts what it runs.
 */
import type { Dialog, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, begin, card, idle, leads, pending, stage, state, undelivered } from './tabs.js';

const test = stage();

/** Processes that are stopped. */
const stopped = new Set<number>();

beforeEach(() => void (test.backend.checksKeys = false));
afterEach(() => {
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  stopped.clear();
  test.backend.checksKeys = true;
});

function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  stopped.add(pid);
}

function goOn(pid: number): void {
  process.kill(pid, 'SIGCONT');
  stopped.delete(pid);
}

/** Waits until the card shows this text. */
const says = (page: Page, text: RegExp): Promise<unknown> =>
  expect.poll(() => card(page), { timeout: 10_000 }).toMatch(text);

describe.each(['indexeddb'])('%s', (storage) => {
  /** Two tabs with their processes, and a pending call. */
  async function two(name: string, leader = 1_000) {
    const a = await test.open(name, storage, leader);
    await leads(a);
    await begin(a);
    const b = await test.open(name, storage, leader);
    await pending(b, 1);
    const [first, second] = [await test.processOf(a), await test.processOf(b)];
    expect(first).not.toBe(second);
    return { a, b, first, second, call: `${name}-c1`, ask: `ask-${name}-c1` };
  }

  it('the leader is stopped; the other tab approves and is reloaded: the approval is not pending again, and the call runs once', async () => {
    const { a, b, first, call, ask } = await two(`reload-${storage}`, 3_000);
    stop(first);
    expect(await answer(b, ask, true)).toBeUndefined();
    await says(b, /Approved.*Forwarded.*not confirmed.*can no longer be changed/s);
    expect(await card(b)).not.toContain('Sending your answer');
    await b.reload();
    await says(b, /Approved.*Forwarded/s);
    expect(await b.evaluate(() => window.tab.gate.pending().length)).toBe(0);
    // The call can no longer be denied, and the page shows that.
    expect(await answer(b, ask, false)).toBe('already-decided');
    expect(await card(b)).not.toContain('It will not run');
    await leads(b);
    await state(b, call, 'output-available');
    goOn(first);
    await state(a, call, 'output-available');
    await idle(a);
    await idle(b);
    expect(test.backend.ran[call]).toBe(1);
    expect(test.backend.decisionsOf(`reload-${storage}`)).toHaveLength(1);
    expect([
      await a.evaluate(() => window.tab.persisted.state),
      await b.evaluate(() => window.tab.persisted.state),
    ]).toEqual(['follower', 'leader']);
    expect(await b.evaluate(() => window.tab.errors.join())).toMatch(/takes over/);
  });

  it('the leader is stopped; the other tab denies: the call is shown as denied, and never runs', async () => {
    const { a, b, first, call, ask } = await two(`deny-${storage}`);
    stop(first);
    await answer(b, ask, false);
    await says(b, /Denied.*Forwarded/s);
    await leads(b);
    await state(b, call, 'output-denied');
    goOn(first);
    await state(a, call, 'output-denied');
    await idle(a);
    expect(test.backend.ran).not.toHaveProperty(call);
    expect(test.backend.decisionsOf(`deny-${storage}`)).toHaveLength(1);
  });

  it('a request of the stopped tab is unconfirmed in the other one, and neither sends it again', async () => {
    const name = `sent-${storage}`;
    const { a, b, first, call, ask } = await two(name);
    const arrived = new Promise<void>((resolve) => {
      test.backend.onDecision = async () => {
        // Chromium blocks the database for all tabs while a process is stopped in the middle of a transaction.
        await a.evaluate(() => window.tab.persisted.flush());
        await idle(a);
        stop(first);
        resolve();
      };
    });
    void answer(a, ask, true).catch(() => {});
    await arrived;
    test.backend.onDecision = undefined;
    // The other tab waits for a reply that no tab reads. It reports that, and takes over with the user's next action.
    await expect.poll(() => b.evaluate(() => window.tab.persisted.state), { timeout: 10_000 }).toBe('leaderless');
    await b.evaluate(() => void window.tab.chat.stop());
    await leads(b);
    expect(await undelivered(b)).toMatchObject([{ delivery: 'unconfirmed' }]);
    goOn(first);
    await expect.poll(() => a.evaluate(() => window.tab.persisted.state), { timeout: 10_000 }).toBe('follower');
    await idle(a);
    await idle(b);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
    expect(test.backend.ran[call]).toBe(1);
  });

  it('an open dialog freezes the leader: the other tab takes over, and the call runs once', async () => {
    const name = `alert-${storage}`;
    const { a, b, call, ask } = await two(name);
    const shown = new Promise<Dialog>((resolve) => a.once('dialog', resolve));
    void a.evaluate(() => alert('wait')).catch(() => {});
    const dialog = await shown;
    await answer(b, ask, true);
    await leads(b);
    await state(b, call, 'output-available');
    await dialog.dismiss();
    await state(a, call, 'output-available');
    await idle(a);
    expect(test.backend.ran[call]).toBe(1);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
  });

  it("a script of the site takes the lock: the leader stops, and leads again with the user's next action", async () => {
    const name = `stolen-${storage}`;
    const { a, b, call, ask } = await two(name);
    const thief = await test.context.newPage();
    await thief.goto(new URL('/page.js', a.url()).href);
    await thief.evaluate((lock) => {
      void navigator.locks.request(lock, { steal: true }, () => new Promise(() => {})).catch(() => {});
    }, `toolgate:${name}`);
    await expect.poll(() => a.evaluate(() => window.tab.persisted.state)).not.toBe('leader');
    expect(await a.evaluate(() => window.tab.gate.outgoing().length)).toBe(0);
    await Promise.all([answer(a, ask, true), answer(b, ask, true)]);
    await state(a, call, 'output-available');
    await state(b, call, 'output-available');
    const roles = [
      await a.evaluate(() => window.tab.persisted.state),
      await b.evaluate(() => window.tab.persisted.state),
    ];
    expect(roles.sort()).toEqual(['follower', 'leader']);
    await idle(a);
    expect(test.backend.ran[call]).toBe(1);
    await thief.close();
  });

  it('either tab is stopped, at any moment: every call runs at most once, and both tabs show its result', async () => {
    const shown = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(window.tab.chat.messages));
    for (let round = 0; round < 6; round++) {
      const name = `any-${storage}-${round}`;
      const { a, b, first, second, call, ask } = await two(name, 300);
      const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
      const pid = round % 2 === 0 ? first : second;
      void answer(b, ask, round % 3 !== 2).catch(() => {});
      void (round % 3 === 0 ? answer(a, ask, false).catch(() => {}) : undefined);
      await pause(round * 7);
      stop(pid);
      await pause(900);
      goOn(pid);
      await expect
        .poll(
          async () =>
            (await a.evaluate(() => window.tab.persisted.waiting)) +
            (await b.evaluate(() => window.tab.persisted.waiting)),
          { timeout: 15_000 },
        )
        .toBe(0);
      await expect.poll(async () => (await shown(a)) === (await shown(b)), { timeout: 15_000 }).toBe(true);
      await idle(a);
      const ran = test.backend.ran[call] ?? 0;
      expect(ran, name).toBeLessThanOrEqual(1);
      const text = await shown(a);
      if (text.includes('"approved":false')) expect(ran, name).toBe(0);
      if (text.includes('"state":"output-available"')) expect(ran, name).toBe(1);
      await a.close();
      await b.close();
    }
  });
});
