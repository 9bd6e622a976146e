/**
 * Two tabs of one browser: each approval gets one decision in one request, and the chat continues when the tab that
 * sends the requests is closed.
 */
import { describe, expect, it } from 'vitest';
import { answer, begin, crash, idle, leads, pending, stage, state, undelivered } from './tabs.js';

const test = stage();

describe.each(['indexeddb'])('%s', (storage) => {
  const two = async (name: string) => {
    const a = await test.open(name, storage);
    await leads(a);
    await begin(a, test.backend.calls);
    const b = await test.open(name, storage);
    await pending(b, test.backend.calls);
    expect(await b.evaluate(() => window.tab.persisted.state === 'leader')).toBe(false);
    return [a, b] as const;
  };

  it.each([
    [true, true],
    [false, false],
    [true, false],
    [false, true],
  ])('two tabs decide at the same moment, %s and %s', async (first, second) => {
    const name = `both-${storage}-${first}-${second}`;
    const [a, b] = await two(name);
    await Promise.all([answer(a, `ask-${name}-c1`, first), answer(b, `ask-${name}-c1`, second)]);
    await expect.poll(() => test.backend.decisionsOf(name).length).toBe(1);
    const approved = test.backend.decisionsOf(name)[0]?.decisions[`${name}-c1`] ?? false;
    expect([first, second]).toContain(approved);
    const shown = approved ? 'output-available' : 'output-denied';
    await state(a, `${name}-c1`, shown);
    await state(b, `${name}-c1`, shown);
    await idle(b);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
    expect(test.backend.ran[`${name}-c1`]).toBe(approved ? 1 : undefined);
    expect(await b.evaluate(() => window.tab.sent)).toEqual([]);
  });

  it('the leader sends a decision of the other tab, and both show the result', async () => {
    const name = `other-${storage}`;
    const [a, b] = await two(name);
    await answer(b, `ask-${name}-c1`, true);
    await state(b, `${name}-c1`, 'output-available');
    await state(a, `${name}-c1`, 'output-available');
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
    expect(await a.evaluate(() => window.tab.sent.length)).toBe(2);
    await b.evaluate(() => void window.tab.chat.sendMessage({ text: 'and again' }));
    await pending(b, 1);
    await pending(a, 1);
    expect(await b.evaluate(() => window.tab.sent)).toEqual([]);
  });

  it('the leader is closed, and the other tab decides', async () => {
    const name = `closed-${storage}`;
    test.backend.calls = 2;
    const [a, b] = await two(name);
    await answer(a, `ask-${name}-c1`, true);
    await a.close();
    await leads(b);
    await pending(b, 1);
    await answer(b, `ask-${name}-c2`, true);
    await state(b, `${name}-c2`, 'output-available');
    expect([test.backend.ran[`${name}-c1`], test.backend.ran[`${name}-c2`]]).toEqual([1, 1]);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
  });

  it('the leader is killed with a request in flight: the other tab does not send it again', async () => {
    const name = `orphan-${storage}`;
    const [a, b] = await two(name);
    const killed = new Promise<void>((resolve) => {
      test.backend.onDecision = async () => {
        await crash(a);
        resolve();
      };
    });
    await answer(b, `ask-${name}-c1`, true);
    await killed;
    test.backend.onDecision = undefined;
    await leads(b);
    expect(await undelivered(b)).toMatchObject([{ delivery: 'unconfirmed' }]);
    await idle(b);
    expect(test.backend.decisionsOf(name)).toHaveLength(1);
    const [item] = await undelivered(b);
    await b.evaluate((id) => window.tab.gate.retry(id), item?.id ?? '');
    await state(b, `${name}-c1`, 'output-available');
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
  });

  it('a decision while the leader hangs is not lost', async () => {
    const name = `between-${storage}`;
    const [a, b] = await two(name);
    // The tab hangs: it holds the lock, and receives no messages.
    await a.evaluate(() => {
      setTimeout(() => {
        const until = performance.now() + 60_000;
        while (performance.now() < until);
      });
    });
    await answer(b, `ask-${name}-c1`, true);
    expect(await b.evaluate(() => window.tab.chat.status)).toBe('submitted');
    await idle(b);
    expect(test.backend.decisionsOf(name)).toEqual([]);
    await a.close();
    await leads(b);
    await state(b, `${name}-c1`, 'output-available');
    expect(test.backend.ran[`${name}-c1`]).toBe(1);
  });

  it('three tabs are closed one after the other', async () => {
    const name = `three-${storage}`;
    const [a, b] = await two(name);
    const c = await test.open(name, storage);
    await pending(c, 1);
    await a.close();
    await expect
      .poll(
        async () =>
          (await b.evaluate(() => window.tab.persisted.state === 'leader')) ||
          (await c.evaluate(() => window.tab.persisted.state === 'leader')),
      )
      .toBe(true);
    const [leader, last] = (await b.evaluate(() => window.tab.persisted.state === 'leader')) ? [b, c] : [c, b];
    await leader.close();
    await leads(last);
    await answer(last, `ask-${name}-c1`, false);
    await state(last, `${name}-c1`, 'output-denied');
    expect(test.backend.ran).not.toHaveProperty(`${name}-c1`);
  });
});
