// @vitest-environment happy-dom
/** The option `persist` of `useGuardedChat`: a chat is stored while it is used, and restored when it is used again. */
import { gateOf } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';
import { beforeAll, expect, test } from 'vitest';

import { asks, goesOn, says } from '../ai-sdk/support/transport';
import { act } from '../lib/act';
import { turns, until } from '../lib/waiting';
import { MemoryStorage } from '../persist/memory-storage';
import { initFromFile } from './support/gates';
import { freshId, scripted, textOf, via } from './support/guarded-chat';
import { aTask, Chat, mount, type Helpers, type Options } from './support/react-chat';
import { collectReactErrors } from './support/react-errors';

const reactErrors = collectReactErrors();

beforeAll(initFromFile);

/** The options of a chat that is stored. `calls` counts the calls of `persist`. */
function stored(id: string, storage: MemoryStorage, calls: string[] = []): Options {
  return {
    id,
    persist: (chat) => {
      calls.push(chat.id);
      return persist(chat, { name: id, storage });
    },
  };
}

test('two components in StrictMode: stored once, restored after both are unmounted, and decided once', async () => {
  const [id, storage, calls] = [freshId(), new MemoryStorage(), [] as string[]];
  const before = scripted(asks(['c1']));
  const first: Helpers[] = [];
  const page = await mount(
    <>
      <Chat options={{ ...stored(id, storage, calls), ...via(before) }} seen={first} />
      <Chat options={stored(id, storage, calls)} seen={[]} />
    </>,
  );
  await act(() => first.at(-1)!.sendMessage({ text: 'hi' }));
  expect(calls).toEqual([id]);
  const old = first.at(-1)!.chat;
  await page.unmount();
  await aTask();
  await act(() => turns());

  const after = scripted(goesOn({ c1: 42 }));
  const second: Helpers[] = [];
  const again = await mount(<Chat options={{ ...stored(id, storage, calls), ...via(after) }} seen={second} />);
  await act(() => until(() => second.at(-1)!.messages.length === 2));
  const { chat, addToolApprovalResponse } = second.at(-1)!;
  expect(chat).not.toBe(old);
  expect(calls).toEqual([id, id]);
  expect(gateOf(chat).pending()).toHaveLength(1);
  await act(async () => {
    await addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => after.requests.length === 1 && chat.status === 'ready');
    await turns();
  });
  expect(after.requests).toHaveLength(1);
  expect(before.requests).toHaveLength(1);
  expect(textOf(chat)).toBe('ready:hi|tool-edit|done');
  await again.unmount();
  expect(reactErrors).toEqual([]);
});

test('a message that is sent before the stored chat is restored follows it', async () => {
  const [id, storage] = [freshId(), new MemoryStorage()];
  const first: Helpers[] = [];
  const page = await mount(<Chat options={{ ...stored(id, storage), ...via(scripted(says('one'))) }} seen={first} />);
  await act(() => first.at(-1)!.sendMessage({ text: 'hi' }));
  await page.unmount();
  await aTask();
  await act(() => turns());

  const transport = scripted(says('two', 'a2'));
  const read = storage.read.bind(storage);
  storage.read = async (name) => turns().then(() => read(name));
  const second: Helpers[] = [];
  const again = await mount(<Chat options={{ ...stored(id, storage), ...via(transport) }} seen={second} />);
  await act(() => second.at(-1)!.sendMessage({ text: 'more' }));
  expect(again.text()).toBe('ready:hi|one|more|two');
  expect(transport.requests[0]!.messages).toHaveLength(3);
  await again.unmount();
});

test.each([
  ['rejects', () => Promise.reject(new Error('no storage')), /no storage/],
  ['throws', () => persist({} as never, { name: 'x' }), /expected a/i],
  ['returns nothing', () => {}, /must return/],
])('a function that %s: `onError` is called, and the chat works', async (_, option, problem) => {
  const errors: Error[] = [];
  const seen: Helpers[] = [];
  const options = { persist: option as never, onError: (error: Error) => void errors.push(error) };
  const page = await mount(
    <Chat options={{ id: freshId(), ...options, ...via(scripted(says('hello'))) }} seen={seen} />,
  );
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }));
  expect(page.text()).toBe('ready:hi|hello');
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(problem) })]);
  await page.unmount();
});
