// @vitest-environment happy-dom
/**
 * docs/persistence.md, the usual chat: its server, on SQLite, has the history. One device has `useGuardedChat` with
 * the page's `keepChat`, and others open the same chat. Each device has a storage of its own. The tool runs are read
 * from the tool's own record.
 */
import { Chat as AiChat } from '@ai-sdk/react';
import { isToolUIPart, validateUIMessages, type UIMessage } from 'ai';
import Database from 'better-sqlite3';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { persist, type PersistOptions } from 'toolgate/persist';
import { recordSchema, sqliteStore } from 'toolgate/server';
import { afterEach, expect, test, vi } from 'vitest';

import { initFromFile } from '../bindings/support/gates';
import { aTask, Chat, mount, type Helpers } from '../bindings/support/react-chat';
import type { Reply } from '../interop/rig';
import { collectReactErrors } from '../bindings/support/react-errors';
import { act } from '../lib/act';
import { turns, until } from '../lib/waiting';
import { MemoryStorage } from '../persist/memory-storage';
import { appOf } from './support/blocks.js';
import { run } from './support/run.js';

// What follows needs the core when it is imported.
await initFromFile();
const { CALL, world } = await import('./support/world.js');

const reactErrors = collectReactErrors();

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  expect(reactErrors).toEqual([]);
});

const file = (path: string): string => appOf('docs/persistence.md')[path] as string;

/** Starts the server of the page, which all devices use. */
async function serve(replies: readonly Reply[], hold?: Promise<void>) {
  const database = new Database(':memory:');
  database.exec(recordSchema);
  const { given, ran, prompts } = world([CALL, ...replies], hold);
  const remove = { ...given.tools['remove_file'], needsApproval: true };
  const tools = { remove_file: remove } as typeof given.tools;
  const names = { ...given, tools, database, store: sqliteStore(database), userOf: async () => 'ann' };
  const { GET, POST } = await run('persistence', file('server/chat.ts'), names);
  const fetch = async (path: string, init: RequestInit = {}): Promise<Response> =>
    (init.method === 'POST' ? POST : GET)(new Request(`http://127.0.0.1${path}`, init));
  vi.stubGlobal('fetch', fetch);
  const history = async (id: string): Promise<UIMessage[]> => (await fetch(`/api/chat?id=${id}`)).json();
  return { ran, prompts, tools, history };
}

/** `keepChat` in a browser of its own. */
async function browser(name: string) {
  const storage = new MemoryStorage();
  const kept = (chat: Parameters<typeof persist>[0], options: PersistOptions) =>
    persist(chat, { name: `${name} ${options.name}`, storage });
  const code = file('src/keep-chat.ts').replace("import { persist } from 'toolgate/persist';\n", '');
  const { keepChat } = await run('persistence', code, { persist: kept });
  return keepChat as (chat: object) => Promise<{ close(): void }>;
}

type Device = Pick<AiChat<UIMessage>, 'messages' | 'status' | 'sendMessage' | 'addToolApprovalResponse'>;

/** Opens the chat with `useGuardedChat`, as the page does. */
async function openPage(id: string, keepChat: Awaited<ReturnType<typeof browser>>) {
  const seen: Helpers[] = [];
  const page = await mount(<Chat options={{ id, persist: keepChat as never }} seen={seen} />);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await page.unmount();
    isOpen = false;
    await aTask();
    await act(() => turns());
  };
  ends.push(close);
  await act(() => turns(100));
  const chat = seen.at(-1)!.chat as unknown as Device;
  return { chat, close };
}

/** Opens the chat on another device. */
async function openElsewhere(id: string, name = 'other'): Promise<Device> {
  const chat = guard(new AiChat({ id }));
  const { close } = await (await browser(name))(chat);
  ends.push(close);
  return chat;
}

const callsOf = (messages: readonly UIMessage[]) => messages.flatMap(({ parts }) => parts).filter(isToolUIPart);
/** The states of the calls, with their outputs. */
const shown = (messages: readonly UIMessage[]): string[] =>
  callsOf(messages).map(({ state, output }) => [state, output].filter(Boolean).join(' '));
const textsOf = (messages: readonly UIMessage[]): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));

async function answer(chat: Device, approved: boolean): Promise<void> {
  const [call] = callsOf(chat.messages);
  await act(async () => {
    await chat.addToolApprovalResponse({ id: call!.approval!.id, approved });
    await until(() => chat.status === 'ready' || chat.status === 'error');
    await turns();
  });
}

let chats = 0;
const newId = (): string => `devices-${chats++}`;

test('a second device shows what was asked, decided and run on the first', async () => {
  const { ran, history } = await serve([{ text: 'Done.' }]);
  const id = newId();
  const { chat } = await openPage(id, await browser('first'));
  await act(() => chat.sendMessage({ text: 'Tidy up' }));
  expect(shown(await history(id))).toEqual(['approval-requested']);
  await answer(chat, true);
  expect(shown(chat.messages)).toEqual(['output-available removed /a']);

  const other = await openElsewhere(id);
  expect(shown(other.messages)).toEqual(['output-available removed /a']);
  expect(textsOf(other.messages)).toEqual(['Tidy up', 'Done.']);
  expect(callsOf(other.messages)[0]!.approval).toMatchObject({ approved: true });
  expect(gateOf(other).pending()).toEqual([]);
  expect(gateOf(other).outgoing()).toEqual([]);
  expect(other.messages.map((message) => message.id)).toEqual(chat.messages.map((message) => message.id));
  expect(ran).toEqual(['/a']);
});

const LATER: Record<string, (chat: Device) => Promise<void>> = {
  'approves it too': (chat) => answer(chat, true),
  'denies it': (chat) => answer(chat, false),
  'writes a message instead': (chat) => act(() => chat.sendMessage({ text: 'And then?' })),
  'is looked at': () =>
    act(async () => {
      document.dispatchEvent(new Event('visibilitychange'));
      await turns();
    }),
  'is reloaded': async () => {},
};

test.each(Object.keys(LATER))('an open approval is answered elsewhere, and the first device %s', async (later) => {
  const { ran, tools, history } = await serve([{ text: 'Done.' }, { text: 'It is gone.' }]);
  const [id, keepChat] = [newId(), await browser('first')];
  let first = await openPage(id, keepChat);
  await act(() => first.chat.sendMessage({ text: 'Tidy up' }));
  const other = await openElsewhere(id);
  await answer(other, true);
  expect(shown(other.messages)).toEqual(['output-available removed /a']);
  expect(shown(first.chat.messages)).toEqual(['approval-requested']);

  if (later === 'is reloaded') {
    await first.close();
    first = await openPage(id, keepChat);
  }
  await LATER[later]!(first.chat);
  const { chat } = first;
  expect(ran).toEqual(['/a']);
  expect(chat.status).toBe('ready');
  expect(gateOf(chat).undelivered()).toEqual([]);
  expect(gateOf(chat).pending()).toEqual([]);

  const stored = await history(id);
  expect(shown(stored)).toEqual(['output-available removed /a']);
  expect(textsOf(stored)).toEqual(expect.arrayContaining(['Tidy up', 'Done.']));
  await validateUIMessages({ messages: stored, tools: tools as never });
  // What was denied here, but ran, is shown with the server's history: at once if the server said so in its reply, else
  // as soon as the page is looked at.
  if (later === 'denies it') await act(() => turns());
  else await LATER['is looked at']!(chat);
  expect(shown(chat.messages)).toEqual(['output-available removed /a']);
  expect(callsOf(chat.messages)[0]!.approval).toMatchObject({ approved: true });
  expect(textsOf(chat.messages)).toEqual(textsOf(stored));
  const third = await openElsewhere(id, 'third');
  expect(shown(third.messages)).toEqual(['output-available removed /a']);
  expect(textsOf(third.messages)).toEqual(textsOf(stored));
});

test.each(['approves', 'denies'])('one device approves, and another %s while it runs', async (how) => {
  let release!: () => void;
  const hold = new Promise<void>((resolve) => (release = resolve));
  const { ran, history } = await serve([{ text: 'One.' }, { text: 'Two.' }], hold);
  const id = newId();
  const { chat } = await openPage(id, await browser('first'));
  await act(() => chat.sendMessage({ text: 'Tidy up' }));
  const other = await openElsewhere(id);
  const second = (device: Device, approved: boolean) =>
    device.addToolApprovalResponse({ id: callsOf(device.messages)[0]!.approval!.id, approved });
  await second(other, true);
  await until(() => ran.length === 1);
  await act(async () => {
    await second(chat, how === 'approves');
    // An equal answer has the same key, and gets the same reply at the end.
    if (how === 'denies') await until(() => chat.status === 'ready');
    release();
    await until(() => chat.status === 'ready' && other.status === 'ready');
    await turns();
  });
  expect(ran).toEqual(['/a']);
  expect(shown(other.messages)).toEqual(['output-available removed /a']);
  expect(shown(await history(id))).toEqual(['output-available removed /a']);
});
