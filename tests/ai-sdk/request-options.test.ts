/** The request options of a guarded chat belong to the act that gave them. */
import { describe, expect, test } from 'vitest';

import { turns, until } from '../lib/waiting';
import { type AnyChat, reactChats, stage } from './support/chats';
import { asks, calls, goesOn, says } from './support/transport';

/** A reply with two approvals and a browser tool. */
const mixed = [...asks(['c1', 'c2']).slice(0, -2), ...calls(['p1']).slice(2)];

/** The acts that complete it. */
const acts: Record<string, (chat: AnyChat) => Promise<void>> = {
  c1: (chat) => chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { body: { by: 'c1' } } }),
  c2: (chat) =>
    chat.addToolApprovalResponse({ id: 'ask-c2', approved: true, options: { body: { by: 'c2' }, metadata: 2 } }),
  p1: (chat) =>
    chat.addToolOutput({
      tool: 'pick',
      toolCallId: 'p1',
      output: 1,
      options: { body: { by: 'p1' }, headers: { h: '1' } },
    }),
};

const orders = ['c1 p1 c2', 'c1 c2 p1', 'p1 c1 c2', 'c2 c1 p1', 'c2 p1 c1', 'p1 c2 c1'];

describe.each(reactChats)('$name', (kind) => {
  test.each(orders)('%s: the request has the options of the last act', async (order) => {
    const { chat, transport } = await stage(kind, { replies: [mixed, goesOn({ c1: 1, c2: 2 })] });
    await chat.sendMessage({ text: 'hi' }, { body: { by: 'message' } });
    for (const act of order.split(' ')) await acts[act]!(chat);
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect(transport.requests.map(({ body }) => body)).toEqual([{ by: 'message' }, { by: order.slice(-2) }]);
  });

  test.each([
    ['with options', { body: { by: 'message' } }],
    ['without options', undefined],
  ])('the options of an output that a message %s carried are not used again', async (_name, options) => {
    const { chat, transport } = await stage(kind, {
      replies: [mixed, asks(['c3'], 'a2'), goesOn({ c3: 1 }, 'a2')],
    });
    await chat.sendMessage({ text: 'hi' });
    await acts['p1']!(chat);
    await chat.sendMessage({ text: 'never mind' }, options);
    await turns();
    await chat.addToolApprovalResponse({ id: 'ask-c3', approved: true });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(transport.requests.map(({ body }) => body)).toEqual([undefined, options?.body ?? { by: 'p1' }, undefined]);
    expect(transport.requests[2]!.headers).not.toHaveProperty('h');
  });

  test('the options of an output are not sent with a repeated request that does not have it', async () => {
    const { chat, transport } = await stage(kind, { replies: [new Error('R'), calls(['p1']), says('x', 'a2')] });
    await chat.sendMessage({ text: 'hi' }, { body: { by: 'message' } });
    await chat.sendMessage();
    await acts['p1']!(chat);
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(transport.requests.map(({ body }) => (body as { by: string }).by)).toEqual(['message', 'message', 'p1']);
  });
});
