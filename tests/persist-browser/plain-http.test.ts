/**
 * A page over plain http, such as a chat on a computer of the local network: the browser has no Web Locks there.
 */
import { expect, it } from 'vitest';
import { answer, begin, idle, leads, pending, stage, state } from './tabs.js';

const test = stage(undefined, 'chat.test');

it('two tabs share one chat: each approval has one decision and one request, and the other tab leads after the first', async () => {
  const name = 'plain';
  const a = await test.open(name, 'indexeddb', 1_000);
  expect(await a.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
  await leads(a);
  await begin(a);
  const b = await test.open(name, 'indexeddb', 1_000);
  await pending(b, 1);
  const roles = () => Promise.all([a, b].map((page) => page.evaluate(() => window.tab.persisted.state)));
  expect(await roles()).toEqual(['leader', 'follower']);
  await Promise.all([answer(a, `ask-${name}-c1`, true), answer(b, `ask-${name}-c1`, true)]);
  for (const page of [a, b]) await state(page, `${name}-c1`, 'output-available');
  await idle(b);
  expect([test.backend.ran[`${name}-c1`], test.backend.decisionsOf(name).length]).toEqual([1, 1]);
  await a.evaluate(() => window.tab.persisted.flush());
  await a.close();
  await b.evaluate(() => void window.tab.chat.sendMessage({ text: 'and again' }));
  await leads(b);
  await pending(b, 1);
  await answer(b, `ask-${name}-3-c1`, true);
  await state(b, `${name}-3-c1`, 'output-available');
  expect(test.backend.ran[`${name}-3-c1`]).toBe(1);
});
