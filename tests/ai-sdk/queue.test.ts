/**
 * The message queue of AI SDK 7.0.173 in a guarded chat: `experimental_queue`, and chats without it. Of the six chats,
 * only React's for version 7 uses a version of `ai` that has the queue.
 */
import type { GuardOptions } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, chats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, gatekeeper, goesOn, says } from './support/transport';

const kind = chats.find(({ framework, version }) => framework === 'react' && version === 7)!;
const start = (replies: unknown[][], guard: GuardOptions = {}) =>
  stage(kind, { replies, guard, chat: { experimental_queue: true } });
const held = () => {
  const gate = gatekeeper();
  return { gate, reply: [...says('one').slice(0, 4), () => gate.opened, ...says('one').slice(4)] };
};
const ids = (messages: AnyChat['messages'] | undefined): string[] => (messages ?? []).map(({ id }) => id);
const texts = (requests: { messages: AnyChat['messages'] }[]): unknown[] =>
  requests.map(({ messages }) => messages.at(-1)!.parts.at(-1)!['text']);

describe('experimental_queue', () => {
  test('messages wait outside the history and are sent one at a time, each with its own options', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply, says('two', 'a2'), says('three', 'a3')]);
    const sent = [chat.sendMessage({ text: '1' })];
    await until(() => chat.status === 'streaming');
    sent.push(chat.sendMessage({ text: '2' }, { body: { n: 2 } }), chat.sendMessage({ text: '3' }, { body: { n: 3 } }));
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2', 'id-3']);
    expect(ids(chat.messages)).toEqual(['id-0', 'a1']);
    gate.open();
    await Promise.all(sent);
    expect(texts(transport.requests)).toEqual(['1', '2', '3']);
    expect(transport.requests.map(({ body }) => body)).toEqual([undefined, { n: 2 }, { n: 3 }]);
    expect(transport.atOnce).toBe(1);
    expect(chat.experimental_queuedMessages).toEqual([]);
  });

  test('changes of the queue are signalled while a reply streams', async () => {
    const { gate, reply } = held();
    const { chat } = await start([reply, says('two', 'a2'), says('three', 'a3')]);
    const seen: string[][] = [];
    const subscribe = '~registerQueuedMessagesCallback';
    const react = chat as unknown as Record<typeof subscribe, (callback: () => void) => () => void>;
    const end = react[subscribe](() => void seen.push(ids(chat.experimental_queuedMessages)));
    const sent = [chat.sendMessage({ text: '1' })];
    await until(() => chat.status === 'streaming');
    for (const text of ['2', '3', '4']) sent.push(chat.sendMessage({ text }));
    chat.experimental_removeQueuedMessage?.('id-3');
    expect(seen).toEqual([['id-2'], ['id-2', 'id-3'], ['id-2', 'id-3', 'id-4'], ['id-2', 'id-4']]);
    gate.open();
    await until(() => chat.status === 'ready' && seen.length === 6);
    expect(seen.slice(4)).toEqual([['id-4'], []]);
    end();
  });

  test('a message can be removed', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply]);
    const sent = chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    chat.experimental_removeQueuedMessage?.('nope');
    chat.experimental_removeQueuedMessage?.('id-2');
    expect(chat.experimental_queuedMessages).toEqual([]);
    gate.open();
    await sent;
    expect(texts(transport.requests)).toEqual(['1']);
  });

  test('a message can be sent now: this stops the reply, and the other messages follow', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply, says('three', 'a3'), says('two', 'a2')]);
    void chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    void chat.sendMessage({ text: '3' });
    await chat.experimental_sendQueuedMessageNow?.('id-3');
    gate.open();
    expect(texts(transport.requests)).toEqual(['1', '3', '2']);
    await chat.experimental_sendQueuedMessageNow?.('nope');
    expect(transport.requests).toHaveLength(3);
  });

  test('the queue waits while the assistant waits for a decision', async () => {
    const { chat, transport } = await start([asks(['c1']), goesOn({ c1: 1 }), says('two', 'a2')]);
    await chat.sendMessage({ text: '1' });
    await chat.sendMessage({ text: '2' });
    expect(transport.requests).toHaveLength(1);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('the queue waits while the page runs an approved call', async () => {
    const { chat, transport } = await start([asks(['c1']), says('done', 'a1'), says('two', 'a2')], {
      gate: { browserTools: ['edit'] },
    });
    await chat.sendMessage({ text: '1' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await chat.sendMessage({ text: '2' });
    expect(transport.requests).toHaveLength(1);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
    await chat.addToolOutput({ toolCallId: 'c1', output: 1 });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('stop and errors pause the queue, and the next message resumes it', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply, new Error('no') as never, says('b', 'a2'), says('c', 'a3')]);
    void chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    await chat.stop();
    gate.open();
    await turns();
    expect(transport.requests).toHaveLength(1);
    void chat.sendMessage({ text: '3' });
    await until(() => chat.status === 'error');
    await turns();
    expect(texts(transport.requests)).toEqual(['1', '2']);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-3']);
    await chat.sendMessage({ text: '4' });
    expect(texts(transport.requests)).toEqual(['1', '2', '3', '4']);
  });

  test('stop pauses the queue also while the assistant waits for a decision', async () => {
    const { chat, transport } = await start([asks(['c1']), goesOn({ c1: 1 })]);
    await chat.sendMessage({ text: '1' });
    await chat.sendMessage({ text: '2' });
    await chat.stop();
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    await turns();
    expect(transport.requests).toHaveLength(2);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
  });

  test('a message that should be sent now stays in the queue if stop() is called meanwhile', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply]);
    void chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    await Promise.all([chat.experimental_sendQueuedMessageNow?.('id-2'), chat.stop()]);
    gate.open();
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
  });

  test('a queue that a message has resumed waits again while an approval is pending', async () => {
    const hold = gatekeeper();
    const { chat, transport } = await start([
      [...asks(['c1']).slice(0, 3), () => hold.opened, ...asks(['c1']).slice(3)],
    ]);
    await chat.stop();
    const sent = chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    hold.open();
    await sent;
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
  });

  test('a message sends vetoed decisions first, and a stalled step does not block the queue', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [asks(['c1']), says('no result', 'a1'), says('two', 'a2'), says('three', 'a3')],
      chat: { experimental_queue: true, sendAutomaticallyWhen: () => false },
    });
    await chat.sendMessage({ text: '1' });
    void chat.sendMessage({ text: '2' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    await chat.sendMessage({ text: '3' });
    await until(() => transport.requests.length === 4 && chat.status === 'ready');
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual([
      'user',
      'assistant',
      'user',
      'user',
    ]);
    expect(texts(transport.requests).slice(2)).toEqual(['2', '3']);
  });

  test('messages after a failed request: the first waits for it, and the next one gives it up', async () => {
    const { chat, transport } = await start([asks(['c1']), new Error('no') as never, says('two', 'a2')]);
    await chat.sendMessage({ text: '1' });
    void chat.sendMessage({ text: '2' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'error');
    void chat.sendMessage({ text: '3' });
    await turns();
    expect(texts(transport.requests)).toEqual(['1', undefined]);
    await chat.sendMessage({ text: '4' });
    await until(() => chat.experimental_queuedMessages?.length === 0 && chat.status === 'ready');
    const said = chat.messages.filter(({ role }) => role === 'user').map(({ parts }) => parts[0]!['text']);
    expect([said, chat.messages.at(-1)?.role]).toEqual([['1', '2', '3', '4'], 'assistant']);
    expect(transport.requests.slice(2).map(({ messages }) => messages.at(-1)!.role)).not.toContain('assistant');
  });

  test.each(['skip-rest', 'end-turn'] as const)('a denial with %s does not block the queue', async (onDeny) => {
    const { chat, transport } = await start([asks(['c1', 'c2']), says('two', 'a2'), says('three', 'a3')], {
      gate: { onDeny },
    });
    await chat.sendMessage({ text: '1' });
    void chat.sendMessage({ text: '2' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: false });
    await until(() => chat.experimental_queuedMessages?.length === 0 && chat.status === 'ready');
    expect(texts(transport.requests).at(-1)).toBe('2');
  });

  test('a step without a result does not block the queue', async () => {
    const { chat, transport } = await start([asks(['c1']), says('no result', 'a1'), says('two', 'a2')]);
    await chat.sendMessage({ text: '1' });
    await chat.sendMessage({ text: '2' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(texts(transport.requests).at(-1)).toBe('2');
  });

  test('a message that the gate rejects returns to the queue', async () => {
    const { chat, transport } = await start([asks(['c1']), goesOn({ c1: 1 })], { gate: { onUserMessage: 'block' } });
    await chat.sendMessage({ text: '1' });
    await chat.stop();
    await expect(chat.sendMessage({ text: '2' })).rejects.toMatchObject({ code: 'message-blocked' });
    expect(ids(chat.experimental_queuedMessages)).toEqual(['id-2']);
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    await chat.sendMessage({ text: '3' });
    expect(texts(transport.requests).slice(2)).toEqual(['2', '3']);
    expect(chat.experimental_queuedMessages).toEqual([]);
  });

  test('an edit or a regeneration clears the queue and stops the reply', async () => {
    const { gate, reply } = held();
    const { chat, transport } = await start([reply]);
    void chat.sendMessage({ text: '1' });
    await until(() => chat.status === 'streaming');
    void chat.sendMessage({ text: '2' });
    await chat.regenerate();
    gate.open();
    expect(transport.requests.map(({ trigger }) => trigger)).toEqual(['submit-message', 'regenerate-message']);
    expect(transport.requests[0]!.abortSignal?.aborted).toBe(true);
    expect(chat.experimental_queuedMessages).toEqual([]);
  });
});

test('without `experimental_queue`, its members do nothing, and waiting messages are in the history', async () => {
  const { gate, reply } = held();
  const { chat } = await stage(kind, { replies: [reply] });
  const sent = [chat.sendMessage({ text: '1' })];
  await until(() => chat.status === 'streaming');
  sent.push(chat.sendMessage({ text: '2' }));
  expect(chat.experimental_queuedMessages).toEqual([]);
  expect(ids(chat.messages)).toEqual(['id-0', 'a1', 'id-2']);
  chat.experimental_removeQueuedMessage?.('id-2');
  await chat.experimental_sendQueuedMessageNow?.('id-2');
  expect(ids(chat.messages)).toEqual(['id-0', 'a1', 'id-2']);
  gate.open();
  await Promise.all(sent);
});

describe.each(chats)('$name', (other) => {
  test('has the members for the queue exactly if the unguarded chat has them', async () => {
    const { chat } = await stage(other);
    const bare = other.create({});
    for (const name of [
      'experimental_queuedMessages',
      'experimental_removeQueuedMessage',
      'experimental_sendQueuedMessageNow',
    ]) {
      expect(name in chat).toBe(name in bare);
    }
  });
});
