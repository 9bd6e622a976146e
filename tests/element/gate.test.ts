// @vitest-environment happy-dom
/** The values that the property `gate` accepts. */
import { Chat } from '@ai-sdk/react';
import { expect, test, vi } from 'vitest';
import { ref } from 'vue';
import { guard, whenReady } from 'toolgate/ai-sdk';
import { asking, card, part, settle } from './support';

test('accepts a guarded chat', async () => {
  const chat = guard(new Chat({}));
  const element = card(null);
  element.gate = chat;
  const gate = await whenReady(chat);
  expect(element.gate).toBe(gate);
});

test('accepts a gate inside a Vue proxy', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(null);
  element.gate = ref(gate).value;
  expect(element.gate).toBe(gate);
  await settle();
  part(element, 'deny').click();
  expect(gate.getSnapshot().pending).toEqual([]);
});

test('accepts null, and has no status without a gate', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  expect(element.status).toBe('waiting');
  element.gate = null;
  expect(element.gate).toBeUndefined();
  await settle();
  expect(element.status).toBeUndefined();
});

test('throws for a chat that is not guarded', () => {
  const element = card(null);
  expect(() => (element.gate = new Chat({}))).toThrow(/Expected a ToolGate, a chat that guard\(\) returned/);
});

test('reports attributes that must be properties, once for each', () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const element = document.createElement('tool-approval');
  // React 18 sets attributes, and HTML writes their names in lower case.
  for (const name of ['gate', 'toolcallid', 'tool-call-id', 'theme']) element.setAttribute(name, '[object Object]');
  document.body.append(element);
  expect(reported.mock.calls.flat()).toEqual([
    expect.stringMatching(
      /^<tool-approval>: `gate` is a property, not an attribute. In React 18, use the components of/,
    ),
    expect.stringContaining('`toolCallId` is a property'),
  ]);
  vi.restoreAllMocks();
});
