/** Functions that accept a gate also accept a guarded chat, and refuse other values with a message that names both. */
import { readFileSync } from 'node:fs';

import { Chat } from '@ai-sdk/react';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { inspect, record } from 'toolgate/inspector';
import { persist } from 'toolgate/persist';
import { expect, test, vi } from 'vitest';
import { init } from 'toolgate/slim';

await init(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url)));

const storage = () => {
  const kept = new Map<string, string>();
  return {
    read: async (name: string) => kept.get(name) ?? null,
    write: async (name: string, text: string) => void kept.set(name, text),
    remove: async (name: string) => void kept.delete(name),
  };
};

test('persist: a guarded chat is persisted through its gate', async () => {
  const chat = guard(new Chat({}));
  const kept = await persist(chat, { name: 'c', storage: storage() });
  await expect(persist(gateOf(chat), { name: 'c', storage: storage() })).rejects.toThrow('already persisted');
  kept.close();
});

test('record: a guarded chat is recorded through its gate', () => {
  const chat = guard(new Chat({}));
  const recorder = record(chat);
  gateOf(chat).stop();
  expect(recorder.recording()?.steps).toMatchObject([{ call: 'stop' }]);
  recorder.stop();
});

test('a value without a gate is refused, with a message that names what is expected', async () => {
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
  expect(() => record(undefined)).toThrow(TypeError);
});
