/**
 * docs/migration.md: its function that creates chats by id returns the same object each time and frees the gates; its
 * statements about `messages` and a stored chat are true.
 */
import { Chat } from '@ai-sdk/react';
import { expect, it, vi } from 'vitest';
import { init } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { persist } from 'toolgate/persist';

import { freshName, MemoryStorage, quiet } from '../persist/support.js';
import { appOf } from './support/blocks.js';
import { run } from './support/run.js';

await init();

it('creates one chat for each id', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {}); // no storage is available
  const { chatOf, leaveChat } = await run('migration', appOf('docs/migration.md')['src/chats.ts'] as string);
  const chat = chatOf('one') as Chat<never>;
  expect(chatOf('one')).toBe(chat);
  expect(chatOf('two')).not.toBe(chat);
  expect(chat.id).toBe('one');
  await expect(persist(gateOf(chat), { name: 'one' })).rejects.toThrow('is already persisted');
  await leaveChat('one');
  const kept = await persist(gateOf(chat), { name: 'other' });
  kept.close();
  expect(chatOf('one')).not.toBe(chat);
  await Promise.all(['one', 'two', 'never'].map((id) => leaveChat(id)));
  told.mockRestore();
});

it('the messages of a new chat are used while nothing is stored', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const texts = async (text: string): Promise<string> => {
    const chat = guard(new Chat({ id: name, messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }] }));
    const kept = await persist(chat, { name, storage });
    await kept.flush();
    kept.close();
    await quiet();
    return JSON.stringify(chat.messages);
  };
  expect(await texts('first')).toContain('first');
  const second = await texts('second');
  expect([second.includes('first'), second.includes('second')]).toEqual([true, false]);
});

it('a transport that sends only the last messages sends a denial that was made by writing', async () => {
  const asked = [
    { type: 'start', messageId: 'a1' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'remove', input: {} },
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask' },
  ];
  const bodies: { messages: { role: string; parts: object[] }[] }[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    const events = bodies.length === 1 ? asked : [{ type: 'start', messageId: 'a2' }];
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });
  try {
    const code = appOf('docs/migration.md')['src/transport.ts'] as string;
    const { transport } = await run('migration', code);
    const chat = guard(new Chat({ transport: transport as never }));
    await chat.sendMessage({ text: 'one' });
    await chat.sendMessage({ text: 'never mind' });
    expect(bodies.map(({ messages }) => messages.map(({ role }) => role))).toEqual([['user'], ['assistant', 'user']]);
    expect(bodies[1]!.messages[0]!.parts).toMatchObject([{ toolCallId: 'c1', approval: { approved: false } }]);
  } finally {
    vi.unstubAllGlobals();
  }
});
