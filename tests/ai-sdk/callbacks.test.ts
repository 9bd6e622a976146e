/** The callbacks of a guarded chat: the methods that they may call, when they are called, schemas and ids. */
import { jsonSchema as schema7 } from 'ai';
import { jsonSchema as schema6 } from 'ai6';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { type AnyChat, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, calls, goesOn, says } from './support/transport';

const part = (chat: AnyChat, id: string) =>
  chat.messages.flatMap(({ parts }) => parts).find(({ toolCallId }) => toolCallId === id);

describe.each(reactChats)('$name', (kind) => {
  test('onToolCall may add an output and await it', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [calls(['c1']), says('done', 'a1')],
      chat: {
        onToolCall: async ({ toolCall }: { toolCall: { toolCallId: string } }) => {
          await chat.addToolOutput({ tool: 'pick', toolCallId: toolCall.toolCallId, output: 'picked' });
        },
      },
    });
    await chat.sendMessage({ text: 'hi' });
    expect(transport.requests).toHaveLength(2);
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available', output: 'picked' });
    expect(chat.status).toBe('ready');
  });

  test('onToolCall may send a message and await it, or stop', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [calls(['c1']), says('two', 'a2')],
      chat: { onToolCall: () => chat.sendMessage({ text: 'from the tool' }) },
    });
    await chat.sendMessage({ text: 'hi' });
    expect(transport.requests).toHaveLength(2);
    expect(transport.atOnce).toBe(1);

    const stopped = await stage(kind, {
      replies: [calls(['c1', 'c2'])],
      chat: { onToolCall: () => stopped.chat.stop() },
    });
    await stopped.chat.sendMessage({ text: 'hi' });
    expect(stopped.chat.status).toBe('ready');
    expect(part(stopped.chat, 'c2')).toBeUndefined();
  });

  test.each([
    ['never resolves', () => new Promise(() => {}), []],
    ['rejects', () => Promise.reject(new Error('no permission')), ['no permission']],
    [
      'throws',
      () => {
        throw new Error('no permission');
      },
      ['no permission'],
    ],
  ])('an onToolCall that %s neither holds nor ends the reply', async (_name, onToolCall, errors) => {
    const [first, second] = [calls(['c1'], 'a1', 'where'), asks(['c2'])];
    const { chat, transport, told } = await stage(kind, {
      replies: [[...first.slice(0, 3), ...second.slice(2)], goesOn({ c2: 1 })],
      chat: {
        onToolCall: ({ toolCall }: { toolCall: { toolName: string } }) => toolCall.toolName === 'where' && onToolCall(),
      },
    });
    await chat.sendMessage({ text: 'hi' });
    expect(part(chat, 'c2')).toMatchObject({ state: 'approval-requested' });
    expect(chat.status).toBe('ready');
    expect(told.flatMap(({ name, value }) => (name === 'onError' ? [(value as Error).message] : []))).toEqual(errors);
    await chat.addToolOutput({ tool: 'where', toolCallId: 'c1', output: 'here' });
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
  });

  test('onToolCall is called once for a repeated call', async () => {
    const again = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: { file: 'c1' } };
    const { chat, told } = await stage(kind, {
      replies: [asks(['c1']), [{ type: 'start', messageId: 'a1' }, again, ...goesOn({ c1: 1 }).slice(1)]],
    });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'ready');
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available' });
    expect(told.filter(({ name }) => name === 'onToolCall')).toHaveLength(1);
  });

  test('onFinish may send the next message', async () => {
    let more = 2;
    const { chat, transport } = await stage(kind, {
      chat: { onFinish: () => void (more-- > 0 && chat.sendMessage({ text: `more ${more}` })) },
    });
    await chat.sendMessage({ text: 'hi' });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(transport.atOnce).toBe(1);
  });

  test('an error in onFinish or onError rejects the promise of sendMessage, and the chat remains usable', async () => {
    let throws = true;
    const { chat, transport } = await stage(kind, {
      replies: [new Error('R'), says('fine')],
      chat: {
        onError: () => {
          if (throws) throw new Error('from onError');
        },
        onFinish: () => {
          if (throws) throw new Error('from onFinish');
        },
      },
    });
    await expect(chat.sendMessage({ text: 'hi' })).rejects.toThrow('from onFinish');
    expect([chat.status, chat.error?.message]).toEqual(['error', 'R']);
    throws = false;
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(2);
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  });

  test.each([
    [
      "the SDK's own",
      (kind.version === 7 ? schema7 : schema6)({}, {
        validate: (value: unknown) =>
          (value as { a?: number }).a === 1 ? { success: true, value } : { success: false, error: new Error('not 1') },
      } as never),
    ],
    [
      'a lazy one',
      () =>
        (kind.version === 7 ? schema7 : schema6)({}, {
          validate: (value: unknown) =>
            (value as { a?: number }).a === 1
              ? { success: true, value }
              : { success: false, error: new Error('not 1') },
        } as never),
    ],
    ['a standard one', z.object({ a: z.literal(1) }).loose()],
  ])('metadata must match its schema: %s', async (_name, messageMetadataSchema) => {
    const reply = (metadata: unknown) => [
      { type: 'start', messageId: 'a1', messageMetadata: { a: 1 } },
      { type: 'message-metadata', messageMetadata: metadata },
      ...says('x').slice(1),
    ];
    const { chat, told } = await stage(kind, {
      replies: [reply({ b: 2 }), reply({ a: 2 })],
      chat: { messageMetadataSchema },
    });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('ready');
    await chat.regenerate();
    expect(chat.status).toBe('error');
    expect(told.find(({ name }) => name === 'onError')?.value).toMatchObject({ name: 'AI_TypeValidationError' });
    expect(chat.lastMessage?.parts).toEqual([]);
  });

  test('data parts must match their schema; the version determines whether its key begins with `data-`', async () => {
    const key = 'queueEnabled' in kind.create({}) ? 'w' : 'data-w';
    const reply = (data: unknown) => [says('x')[0], { type: 'data-w', id: '1', data }, ...says('x').slice(1)];
    const { chat, told } = await stage(kind, {
      replies: [reply(1), reply('one')],
      chat: { dataPartSchemas: { [key]: z.number() } },
    });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('ready');
    await chat.regenerate();
    expect(chat.status).toBe('error');
    expect(told.filter(({ name }) => name === 'onData').map(({ value }) => (value as { data: unknown }).data)).toEqual([
      1,
    ]);
  });

  test('each reply calls generateId once', async () => {
    const { chat } = await stage(kind, { replies: [says('x').slice(1), says('y', 'a2')] });
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'id-1', 'id-2', 'a2']);
    await chat.sendMessage({ text: 'hi' });
    expect(chat.messages.at(-2)!.id).toBe('id-4');
  });

  test('an automatic request has the options of the previous request, and the request of a decision has the options of that decision', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [calls(['c1']), asks(['c2']), says('done')],
      chat: {
        onToolCall: ({ toolCall }: { toolCall: { toolCallId: string; toolName: string } }) =>
          void (
            toolCall.toolName === 'pick' &&
            chat.addToolOutput({ tool: 'pick', toolCallId: toolCall.toolCallId, output: 1 })
          ),
      },
    });
    await chat.sendMessage({ text: 'hi' }, { body: { of: 'message' }, headers: { h: 'm' }, metadata: 'm' });
    expect(transport.requests[1]).toMatchObject({ body: { of: 'message' }, headers: { h: 'm' }, metadata: 'm' });
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true, options: { body: { of: 'decision' } } });
    await turns();
    expect(transport.requests[2]).toMatchObject({ body: { of: 'decision' }, metadata: undefined });
    expect(transport.requests[2]!.headers).not.toHaveProperty('h');
  });
});
