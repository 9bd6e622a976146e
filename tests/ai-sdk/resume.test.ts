/** Reconnecting: only the last attempt counts, a replay duplicates nothing, and a new request ends the attempt. */
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, type Message, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, gatekeeper, goesOn, says } from './support/transport';

const texts = (chat: AnyChat): unknown[] =>
  chat.messages.flatMap(({ parts }) => parts).flatMap(({ type, text }) => (type === 'text' ? [text] : []));
const lost = new TypeError('network error');

describe.each(reactChats)('$name', (kind) => {
  test('a replay of an interrupted reply duplicates nothing', async () => {
    const { chat, transport, told } = await stage(kind, { replies: [[...says('hello').slice(0, 4), lost]] });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('error');
    transport.lost.push(says('hello'));
    await chat['~resumeStreamIfDisconnected']!();
    expect(chat.status).toBe('ready');
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a1']);
    expect(texts(chat)).toEqual(['hi', 'hello']);
    expect(
      told
        .filter(({ name }) => name === 'onFinish')
        .map(({ value }) => (value as { isDisconnect: boolean }).isDisconnect),
    ).toEqual([true, false]);
    await chat['~resumeStreamIfDisconnected']!();
    expect(transport.reconnects).toHaveLength(1);
  });

  test('decisions before the disconnect are sent after the replay, once', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [[...asks(['c1']).slice(0, 4), () => turns(5), lost], goesOn({ c1: 1 })],
    });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.lastMessage?.parts[1]?.['state'] === 'approval-requested');
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await sent;
    await turns();
    expect(transport.requests).toHaveLength(1);
    transport.lost.push(asks(['c1']));
    await chat.resumeStream();
    await turns();
    expect(transport.requests).toHaveLength(2);
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a1']);
    expect(chat.messages[1]!.parts.filter(({ toolCallId }) => toolCallId === 'c1')).toMatchObject([
      { state: 'output-available' },
    ]);
  });

  test('after a reload, a replayed reply replaces its saved beginning', async () => {
    const saved: Message[] = [
      { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'hel' }] },
    ];
    const { chat, transport } = await stage(kind, { messages: saved });
    transport.lost.push(says('hello'));
    await chat.resumeStream();
    expect(chat.messages.map(({ id }) => id)).toEqual(['u0', 'a1']);
    expect(texts(chat)).toEqual(['hi', 'hello']);
  });

  test('a reply that names another message is added after the last one', async () => {
    const saved: Message[] = [
      { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { id: 'a0', role: 'assistant', parts: [{ type: 'text', text: 'the answer before' }] },
    ];
    const { chat, transport } = await stage(kind, { messages: saved, replies: [goesOn({ c1: 1 })] });
    transport.lost.push(asks(['c1']));
    await chat.resumeStream();
    expect(chat.status).toBe('ready');
    expect(chat.messages.map(({ id }) => id)).toEqual(['u0', 'a0', 'a1']);
    expect(texts(chat)).toEqual(['hi', 'the answer before']);
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(chat.messages.map(({ id }) => id)).toEqual(['u0', 'a0', 'a1']);
    expect(chat.lastMessage!.parts.find(({ toolCallId }) => toolCallId === 'c1')).toMatchObject({
      state: 'output-available',
    });
  });

  test('the last of two attempts counts', async () => {
    const { chat, transport } = await stage(kind, {
      messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
    transport.lost.push(says('hello'), says('hello'));
    await Promise.all([chat.resumeStream(), chat.resumeStream()]);
    expect(transport.reconnects.map(({ abortSignal }) => abortSignal?.aborted)).toEqual([true, false]);
    expect(texts(chat)).toEqual(['hi', 'hello']);
    expect(chat.status).toBe('ready');
  });

  test('a second attempt replaces one whose reply is being read', async () => {
    const hold = gatekeeper();
    const { chat, transport } = await stage(kind, {
      messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
    transport.lost.push([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)], says('hello'));
    const first = chat.resumeStream();
    await until(() => chat.status === 'streaming');
    await chat.resumeStream();
    await first;
    hold.open();
    expect(texts(chat)).toEqual(['hi', 'hello']);
    expect(chat.messages).toHaveLength(2);
    expect(chat.status).toBe('ready');
  });

  test('a call whose input the second attempt interrupted is completed', async () => {
    const hold = gatekeeper();
    const input = [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"a"' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: { a: 1 } },
      { type: 'finish-step' },
      { type: 'finish' },
    ];
    const { chat, transport } = await stage(kind, {
      messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
    transport.lost.push([...input.slice(0, 4), () => hold.opened], input);
    const first = chat.resumeStream();
    await until(() => chat.status === 'streaming');
    await chat.resumeStream();
    await first;
    hold.open();
    const calls = chat.messages[1]!.parts.filter(({ toolCallId }) => toolCallId === 'c1');
    expect(calls).toMatchObject([{ state: 'input-available', input: { a: 1 } }]);
    expect(calls[0]).not.toHaveProperty('outcome');
  });

  test('resume does nothing during a request; a request ends an attempt', async () => {
    const hold = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [[...says('x').slice(0, 4), () => hold.opened, ...says('x').slice(4)]],
    });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
    await chat.resumeStream();
    expect(transport.reconnects).toHaveLength(0);
    hold.open();
    await sent;

    const slow = gatekeeper();
    const reconnect = transport.reconnectToStream;
    transport.reconnectToStream = async (request) => {
      await slow.opened;
      return reconnect(request);
    };
    transport.lost.push(says('stale', 'old'));
    const attempt = chat.resumeStream();
    await chat.sendMessage({ text: 'next' });
    slow.open();
    await attempt;
    await turns();
    expect(texts(chat)).not.toContain('stale');
    expect(transport.atOnce).toBe(1);
  });

  test('a reply that an attempt found is not read after a request has started', async () => {
    const hold = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [asks(['c1']), goesOn({ c1: 1 }), asks(['c2'], 'a2')],
    });
    await chat.sendMessage({ text: 'hi' });
    const again = asks(['c1']);
    transport.lost.push([again[0], () => hold.opened, ...again.slice(1)], again);
    const first = chat.resumeStream();
    await until(() => chat.status === 'submitted');
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    const sent = chat.sendMessage({ text: 'next' });
    await Promise.all([first, chat.resumeStream(), sent]);
    hold.open();
    await turns();
    expect(transport.requests).toHaveLength(3);
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a1', 'id-3', 'a2']);
    expect(chat.lastMessage?.parts[1]).toMatchObject({ state: 'approval-requested' });
  });

  test('stop ends an attempt whose reply is being read', async () => {
    const hold = gatekeeper();
    const { chat, transport, told } = await stage(kind, {
      messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
    transport.lost.push([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)]);
    const resumed = chat.resumeStream();
    await until(() => chat.status === 'streaming');
    await chat.stop();
    await resumed;
    hold.open();
    expect(chat.status).toBe('ready');
    expect(told.at(-1)).toMatchObject({ name: 'onFinish', value: { isAbort: true } });
    expect(gateOf(chat).getSnapshot().status).not.toBe('streaming');
  });

  test('a failed attempt is an error and does not change the messages', async () => {
    const { chat, transport, told } = await stage(kind);
    transport.lost.push(new Error('no'));
    await chat.resumeStream();
    expect([chat.status, chat.error?.message]).toEqual(['error', 'no']);
    expect(told.map(({ name, status }) => `${name} ${status}`)).toEqual(['onError ready']);
    await chat.resumeStream();
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
  });

  test('an attempt that a request replaced does not affect that request', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('hello')] });
    const gate = gateOf(chat);
    const hold = gatekeeper();
    const seen: unknown[] = [];
    const { sendMessages, reconnectToStream } = transport;
    transport.sendMessages = async (request) => {
      await hold.opened;
      return sendMessages(request);
    };
    // A transport that ends as `fetch` does when its signal is aborted.
    transport.reconnectToStream = (request) =>
      new Promise((_, reject) => {
        void reconnectToStream(request);
        const { abortSignal } = request as { abortSignal?: AbortSignal };
        abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
      });
    gate.subscribe(() => void seen.push(...gate.undelivered()));
    const resumed = chat.resumeStream();
    const sent = chat.sendMessage({ text: 'hi' });
    await resumed;
    await turns();
    hold.open();
    await sent;
    expect(seen).toEqual([]);
    expect(texts(chat)).toEqual(['hi', 'hello']);
    expect(gate.getSnapshot().turn.waitingFor).toEqual([]);
  });
});
