// @vitest-environment happy-dom
/** `useGuardedChat` of `toolgate/svelte`: the AI SDK's `new Chat(options)` with a guarded chat. */
import { flushSync, mount as mountSvelte, unmount as unmountSvelte } from 'svelte';
import { dispose, gateOf, whenReady } from 'toolgate/ai-sdk';
import type { useGuardedChat } from 'toolgate/svelte';
import { beforeAll, expect, test } from 'vitest';

import { asks, gatekeeper, goesOn, says } from '../ai-sdk/support/transport';
import { turns, until } from '../lib/waiting';
import { initFromFile } from './support/gates';
import { freshId, scripted, textOf, user, via } from './support/guarded-chat';
import GuardedChats from './support/GuardedChats.svelte';
import { box } from './support/state.svelte';

type Options = Parameters<typeof useGuardedChat>[0];
type Chat = ReturnType<typeof useGuardedChat>;

beforeAll(initFromFile);

/** One task later, when an unused chat is disposed. */
const aTask = (): Promise<void> => new Promise((done) => setTimeout(done));

function mount(...list: Options[]) {
  const seen: Chat[] = [];
  const target = document.createElement('div');
  const app = mountSvelte(GuardedChats, { target, props: { list, seen, show: textOf } });
  flushSync();
  const text = (): string => {
    flushSync();
    return target.textContent.trim();
  };
  return { seen, text, unmount: () => unmountSvelte(app) };
}

test('a denial sends one response, and an approved call runs once', async () => {
  const transport = scripted(asks(['c1', 'c2']), goesOn({ c1: 42, c2: 'denied' }));
  const { seen, text, unmount } = mount(via(transport));
  const chat = seen[0]!;
  const { sendMessage, addToolApprovalResponse } = chat;
  await sendMessage({ text: 'hi' });
  expect(text()).toBe('ready:hi|tool-edit|tool-edit;2');
  await addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await addToolApprovalResponse({ id: 'ask-c2', approved: false });
  await addToolApprovalResponse({ id: 'ask-c2', approved: false });
  await until(() => transport.requests.length === 2 && chat.status === 'ready');
  await turns();
  expect(transport.requests).toHaveLength(2);
  expect(text()).toBe('ready:hi|tool-edit|tool-edit|done;0');
  expect(chat.lastMessage?.role).toBe('assistant');
  expect(await whenReady(chat)).toBe(gateOf(chat.chat));
  await unmount();
});

test('a chat that is disposed before its component is mounted is replaced by one with the same messages', async () => {
  const id = freshId();
  const transport = scripted(says('hello'), says('again', 'a2'));
  const first = mount({ id, ...via(transport) });
  await first.seen[0]!.sendMessage({ text: 'hi' });
  const before = first.seen[0]!.chat;
  // Rendered, and mounted by `flushSync`.
  const seen: Chat[] = [];
  const target = document.createElement('div');
  const app = mountSvelte(GuardedChats, { target, props: { list: [{ id, ...via(transport) }], seen, show: textOf } });
  expect(seen[0]!.chat).toBe(before);
  await dispose(before);
  flushSync();
  expect(target.textContent.trim()).toBe('ready:hi|hello;0');
  await seen[0]!.sendMessage({ text: 'more' });
  flushSync();
  expect(target.textContent.trim()).toBe('ready:hi|hello|more|again;0');
  expect(seen[0]!.chat).not.toBe(before);
  await unmountSvelte(app);
  await first.unmount();
});

test('components with one id share a chat, which is disposed a task after the last one', async () => {
  const id = freshId();
  const hold = gatekeeper();
  const transport = scripted([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)]);
  const { seen, text, unmount } = mount({ id }, { id, messages: [user('u0', 'old')], ...via(transport) });
  const { chat } = seen[0]!;
  expect(seen[1]!.chat).toBe(chat);
  expect(text()).toBe('ready:old;0ready:old;0');
  const sent = chat.sendMessage({ text: 'hi' });
  await until(() => chat.status === 'streaming');
  expect(text()).toContain('streaming:old|hi');
  await unmount();
  await aTask();
  expect(transport.requests[0]!.abortSignal!.aborted).toBe(false);
  hold.open();
  await sent;
  await until(() => gateOf(chat).getSnapshot().status === 'crashed');
  const again = mount({ id });
  expect(again.seen[0]!.chat).not.toBe(chat);
  await again.unmount();
});

test('a getter of options is read when they are needed, and another id is another chat', async () => {
  const [one, two] = [freshId(), freshId()];
  const [id, name] = [box(one), box('a')];
  const finished: string[] = [];
  const transport = scripted(says('hello'));
  const { seen, text, unmount } = mount(() => ({
    id: id.value,
    messages: [user('u0', `of ${id.value}`)],
    onFinish: (
      (current) => () =>
        void finished.push(current)
    )(name.value),
    ...via(transport),
  }));
  const chat = seen[0]!;
  const first = chat.chat;
  name.value = 'b';
  await chat.sendMessage({ text: 'hi' });
  expect([finished, chat.chat]).toEqual([['b'], first]);
  id.value = two;
  expect(text()).toBe(`ready:of ${two};0`);
  expect(chat.id).toBe(two);
  await until(() => gateOf(first).getSnapshot().status === 'crashed');
  chat.messages = [];
  expect(text()).toBe('ready:;0');
  await unmount();
  await aTask();
  await expect(chat.sendMessage({ text: 'late' })).rejects.toMatchObject({ code: 'crashed' });
});
