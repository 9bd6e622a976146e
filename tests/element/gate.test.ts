// @vitest-environment happy-dom
/** What an element takes as its gate. */
import { Chat } from '@ai-sdk/react';
import { expect, test } from 'vitest';
import { ref } from 'vue';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { asking, card, part, settle } from './support';

test('a guarded chat, by its gate', () => {
  const chat = guard(new Chat({}));
  const element = card(null);
  element.gate = chat;
  expect(element.gate).toBe(gateOf(chat));
});

test('a gate behind a proxy of Vue', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(null);
  element.gate = ref(gate).value;
  expect(element.gate).toBe(gate);
  await settle();
  part(element, 'deny').click();
  expect(gate.getSnapshot().pending).toEqual([]);
});

test('nothing, as long as there is none', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  expect(element.status).toBe('waiting');
  element.gate = null;
  expect(element.gate).toBeUndefined();
  await settle();
  expect(element.status).toBeUndefined();
});

test('a chat that is not guarded is refused', () => {
  const element = card(null);
  expect(() => (element.gate = new Chat({}))).toThrow(/Expected a ToolGate, a chat that guard\(\) returned/);
});
