/** Another list of messages detaches the reply that streams: nothing of it is in the new list. */
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { turns, until } from '../lib/waiting';
import { type AnyChat, chats, type Message, stage } from './support/chats';
import { asks, type Chunk, gatekeeper, goesOn, says } from './support/transport';

const user = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: id }] });

/** A conversation that ends with an open approval. */
const branch = (name: string): Message[] => [
  user(`u-${name}`),
  {
    id: `a-${name}`,
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-edit',
        toolCallId: name,
        state: 'approval-requested',
        input: { file: name },
        approval: { id: `ask-${name}` },
      },
    ],
  },
];

const brief = (chat: AnyChat): string[] =>
  chat.messages.flatMap(({ id, parts }) =>
    parts.map(({ type, state }) => `${id} ${String(type === 'text' ? type : (state ?? type))}`),
  );

/** The reply, of which the chunks after the first `count` arrive when `opened` resolves. */
const cut = (reply: Chunk[], count: number, opened: Promise<void>): unknown[] => [
  ...reply.slice(0, count),
  () => opened,
  ...reply.slice(count),
];

/** The states of a request when the list is replaced: how many chunks of its reply have arrived. */
const moments = [0, 1, 3];

describe.each(chats)('$name', (kind) => {
  test.each(moments)('a message’s reply, after %d chunks: an empty list stays empty', async (count) => {
    const { opened, open } = gatekeeper();
    const { chat, transport, told } = await stage(kind, {
      replies: [cut(asks(['c1']), count, opened), says('two', 'a2')],
    });
    void chat.sendMessage({ text: 'old' });
    await until(() => transport.requests.length === 1);
    await turns();
    chat.messages = [];
    open();
    await until(() => chat.status === 'ready');
    await turns();
    expect(chat.messages).toEqual([]);
    expect(transport.requests[0]!.abortSignal!.aborted).toBe(true);
    expect(gateOf(chat).getSnapshot().turn.waitingFor).toEqual([]);
    expect(told.filter(({ name }) => name === 'onFinish')).toHaveLength(1);
    await chat.sendMessage({ text: 'new' });
    expect(transport.requests.at(-1)!.messages).toMatchObject([{ role: 'user', parts: [{ text: 'new' }] }]);
    expect(transport.requests).toHaveLength(2);
  });

  test.each(moments.flatMap((count) => [[count, 'a-one'] as const, [count, undefined] as const]))(
    'an approval’s reply, after %d chunks, with the message id %s: the other branch is untouched',
    async (count, id) => {
      const { opened, open } = gatekeeper();
      const reply = goesOn({ one: 'ran' }, 'a-one', 'Done.');
      const { chat, transport } = await stage(kind, {
        messages: branch('one'),
        replies: [
          cut([id ? reply[0]! : { type: 'start' }, ...reply.slice(1)], count, opened),
          goesOn({ two: 'ran' }, 'a-two'),
        ],
      });
      await chat.addToolApprovalResponse({ id: 'ask-one', approved: true });
      await until(() => transport.requests.length === 1);
      await turns();
      chat.messages = branch('two');
      open();
      await until(() => chat.status === 'ready');
      await turns();
      expect(brief(chat)).toEqual(['u-two text', 'a-two step-start', 'a-two approval-requested']);
      expect(gateOf(chat).getSnapshot().turn.waitingFor).toEqual([{ kind: 'user', approvalIds: ['ask-two'] }]);
      await chat.addToolApprovalResponse({ id: 'ask-two', approved: true });
      await until(() => transport.requests.length === 2 && chat.status === 'ready');
      expect(brief(chat)).toContain('a-two output-available');
    },
  );

  test.each(moments)('after %d chunks: a list with the reply’s message continues it', async (count) => {
    const { opened, open } = gatekeeper();
    const { chat, transport } = await stage(kind, { replies: [cut(says('one'), count, opened)] });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => transport.requests.length === 1);
    await turns();
    chat.messages = [user('before'), ...chat.messages];
    open();
    await sent;
    expect(brief(chat)).toEqual(['before text', expect.stringContaining('text'), 'a1 step-start', 'a1 text']);
  });
});
