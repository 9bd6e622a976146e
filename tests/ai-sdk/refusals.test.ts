/** Errors of `guard`: the chat remains unchanged, and the core is not needed to throw them. */
import { guard } from 'toolgate/ai-sdk';
import { expect, test } from 'vitest';

import { reactChats } from './support/chats';
import { ScriptedTransport } from './support/transport';

const message = { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] };
const [kind] = reactChats;

test('guard throws for an unsupported object, and names the missing members', async () => {
  expect(() => guard({} as never)).toThrow(/not a supported chat/);
  const chat = kind!.create({ transport: new ScriptedTransport([]) });
  delete (chat as { sendMessage?: unknown }).sendMessage;
  expect(() => guard(chat)).toThrow(/sendMessage/);
});

test.each<[object, RegExp]>([
  [{ gates: {} }, /guard: unknown option `gates`\. Expected one of: gate, idempotencyHeader/],
  [{ idempotencyHeader: '' }, /invalid option `idempotencyHeader`/],
  [{ idempotencyHeader: 'two words' }, /idempotencyHeader/],
  [{ idempotencyHeader: true }, /idempotencyHeader/],
  [{ gate: { onDeny: 'never' } }, /guard: invalid option `onDeny`: "never"\. Expected one of: continue/],
  [{ gate: { protocol: 'acp' } }, /`protocol`.*The chat sets it/],
  [{ gate: { chatId: 'x' } }, /`chatId`.*The chat sets it/],
  [{ gate: { generateId: () => 'x' } }, /`generateId`.*The chat sets it/],
])('options %j throw, and the chat is unchanged', async (options, message) => {
  const chat = kind!.create({ transport: new ScriptedTransport([]) });
  const own = Object.getOwnPropertyDescriptors(chat);
  expect(() => guard(chat, options)).toThrow(TypeError);
  expect(() => guard(chat, options)).toThrow(message);
  expect(Object.getOwnPropertyDescriptors(chat)).toEqual(own);
});

test('guard throws for a chat with a request in flight', async () => {
  const chat = kind!.create({ transport: { sendMessages: () => new Promise(() => {}) } });
  void chat.sendMessage({ text: 'hi' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(chat.status).toBe('submitted');
  expect(() => guard(chat)).toThrow(/request in flight/);
});

test('a method that was captured before guard sends nothing and changes nothing', async () => {
  for (const { create } of reactChats) {
    const transport = new ScriptedTransport([]);
    const chat = create({ messages: [message], transport });
    const { sendMessage, regenerate, addToolApprovalResponse, addToolOutput, resumeStream } = chat;
    guard(chat);
    const acts = [
      () => sendMessage({ parts: [{ type: 'text', text: 'x' }] }),
      () => sendMessage(),
      () => regenerate(),
      () => resumeStream(),
    ];
    for (const act of acts) await expect(act()).rejects.toThrow(/captured before guard/);
    await Promise.allSettled([
      addToolApprovalResponse({ id: 'x', approved: true }),
      addToolOutput({ toolCallId: 'x', output: 1 }),
    ]);
    expect(transport.requests).toHaveLength(0);
    expect(transport.reconnects).toHaveLength(0);
    expect(chat.messages).toEqual([message]);
  }
});
