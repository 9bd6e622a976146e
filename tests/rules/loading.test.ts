/** Rules of guarded chats while the core is loading. The first test loads it for the others. */
import { Chat } from '@ai-sdk/react';
import { expect, test, vi } from 'vitest';
import { gateOf, guard, whenReady } from 'toolgate/ai-sdk';
import { applyRules, coveredCalls } from 'toolgate/rules';
import { decisions, inSrc } from './support.js';

const call = { type: 'tool-edit', toolCallId: 'c1', state: 'approval-requested', input: { path: 'src/a' } };
const messages = [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
  { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, { ...call, approval: { id: 'x' } }] },
];
const transport = { sendMessages: () => new Promise<never>(() => {}), reconnectToStream: async () => null };
const guarded = (): Chat<never> => guard(new Chat({ messages: messages as never, transport })) as never;

test('rules begin when the core is loaded, unless they were stopped', async () => {
  const [chat, stopped, twice] = [guarded(), guarded(), guarded()];
  expect(() => gateOf(chat)).toThrow('loaded');
  const onAnswer = vi.fn();
  const handle = applyRules(chat, [], { onAnswer });
  handle.rules = [inSrc({ approved: false })];
  expect(handle.rules).toHaveLength(1);
  expect(() => coveredCalls(chat, inSrc())).toThrow(expect.objectContaining({ code: 'not-initialized' }));
  expect(() => applyRules(guarded(), [{}] as never)).toThrow(expect.objectContaining({ code: 'malformed-rules' }));
  applyRules(stopped, [inSrc()]).stop();
  const thrown: unknown[] = [];
  applyRules(twice, []);
  applyRules(twice, [inSrc()]);
  const original = globalThis.queueMicrotask;
  globalThis.queueMicrotask = (task) =>
    original(() => {
      try {
        task();
      } catch (error) {
        thrown.push(error);
      }
    });
  await Promise.all([chat, stopped, twice].map(whenReady));
  await new Promise((resolve) => setTimeout(resolve));
  globalThis.queueMicrotask = original;
  expect(onAnswer).toHaveBeenCalledTimes(1);
  expect([chat, stopped, twice].flatMap((one) => decisions(gateOf(one)))).toEqual([
    'c1 denied',
    'c1 asked',
    'c1 asked',
  ]);
  expect(thrown.map(String), 'the second rules of a chat').toEqual([expect.stringContaining('TypeError')]);
});

test('rules of a chat whose core is there begin at once', () => {
  const chat = guarded();
  const handle = applyRules(chat, [inSrc()]);
  expect(decisions(gateOf(chat))).toEqual(['c1 approved']);
  handle.stop();
});
