/** Whatever works on a gate takes a guarded chat as well, and says so about anything else. */
import { readFileSync } from 'node:fs';

import { Chat } from '@ai-sdk/react';
import { Chat as VueChat } from '@ai-sdk/vue';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { inspect, record } from 'toolgate/inspector';
import { persist } from 'toolgate/persist';
import { expect, test, vi } from 'vitest';
import { initSync } from 'toolgate/slim';
import { registerTools } from 'toolgate/tools';
import { reactive } from 'vue';

initSync(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

const storage = () => {
  const kept = new Map<string, string>();
  return {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, text: string) => void kept.set(name, text),
    remove: async (name: string) => void kept.delete(name),
  };
};

test('persist: a guarded chat is kept by its gate', async () => {
  const chat = guard(new Chat({}));
  const kept = await persist(chat, { name: 'c', storage: storage() });
  await expect(persist(gateOf(chat), { name: 'c', storage: storage() })).rejects.toThrow('already persisted');
  kept.close();
});

test('record: a guarded chat is recorded by its gate', () => {
  const chat = guard(new Chat({}));
  const recorder = record(chat);
  gateOf(chat).stop();
  expect(recorder.recording()?.steps).toMatchObject([{ call: 'stop' }]);
  recorder.stop();
});

test('registerTools: a guarded chat, behind a proxy of Vue too', () => {
  const chat = guard(new VueChat({}));
  const gate = gateOf(chat);
  expect(gateOf(reactive({ chat }).chat)).toBe(gate);
  const end = registerTools(reactive({ chat }).chat, { locate: { execute: () => 1 } });
  expect(() => registerTools(gate, { locate: { execute: () => 2 } })).toThrow('is registered on this gate already');
  end();
});

test('what has no gate is refused by name', async () => {
  const unguarded = new Chat({});
  const sentence = 'Expected a ToolGate, a chat that guard() returned';
  await expect(persist(unguarded, { name: 'c', storage: storage() })).rejects.toThrow(sentence);
  expect(() => record(unguarded)).toThrow(sentence);
  vi.stubGlobal('document', {});
  expect(() => inspect(unguarded)).toThrow(sentence);
  vi.unstubAllGlobals();
  // @ts-expect-error there is no gate
  await expect(persist(null, { name: 'c' })).rejects.toThrow(TypeError);
  // @ts-expect-error there is no gate
  expect(() => record(undefined)).toThrow('record: there is no gate');
  // @ts-expect-error there is no gate
  expect(() => registerTools(null, {})).toThrow('registerTools: there is no gate');
});
