/** The methods of a guarded chat, for all six kinds of chats. `arguments.test.ts` tests their arguments. */
import { ToolGate } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { chats, type Message, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, calls, gatekeeper, goesOn, says } from './support/transport';

const user = (id: string, text = 'old'): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const states = (messages: Message[]): unknown[] =>
  messages.flatMap(({ parts }) => parts).flatMap((part) => ('toolCallId' in part ? [part['state']] : []));

describe.each(chats)('$name', (kind) => {
  test('guard returns the chat itself, also if it is already guarded', async () => {
    const { chat, bare } = await stage(kind, { messages: [user('u0')] });
    expect(chat).toBe(bare);
    expect(gateOf(chat)).toBeInstanceOf(ToolGate);
    const gate = gateOf(chat);
    expect(guard(chat)).toBe(chat);
    expect(gateOf(chat)).toBe(gate);
    expect(chat.messages).toEqual([user('u0')]);
    expect(gate.getSnapshot().messages).toBe(chat.messages);
  });

  test('a message is sent in the transport’s format, and the reply is shown', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('hello')] });
    await chat.sendMessage({ text: 'hi' }, { headers: { h: '1' }, body: { b: 2 }, metadata: { m: 3 } });
    const [request] = transport.requests;
    expect(Object.keys(request!)).toEqual([
      'chatId',
      'messages',
      'abortSignal',
      'metadata',
      'headers',
      'body',
      'trigger',
      'messageId',
    ]);
    expect(request).toMatchObject({
      chatId: 'chat-1',
      messages: [{ id: 'id-0', role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      metadata: { m: 3 },
      headers: { h: '1', 'Idempotency-Key': expect.stringMatching(/^.{8,}$/) },
      body: { b: 2 },
      trigger: 'submit-message',
      messageId: undefined,
    });
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage).toMatchObject({
      id: 'a1',
      role: 'assistant',
      parts: [{ type: 'step-start' }, { type: 'text', text: 'hello' }],
    });
  });

  test('a message whose id another message has keeps its text, and is sent by the next act of the user', async () => {
    const ids = ['u0', 'r1', 'r2', 'u2', 'r3'];
    const { chat, transport, told } = await stage(kind, {
      messages: [user('u0')],
      chat: { generateId: () => ids.shift() },
    });
    await chat.sendMessage({ text: 'new' }, { body: { b: 1 } });
    expect(chat.messages.flatMap(({ parts }) => parts.map(({ text }) => text))).toEqual(['old', 'new']);
    expect(new Set(chat.messages.map(({ id }) => id)).size).toBe(2);
    expect([chat.status, transport.requests.length]).toEqual(['error', 0]);
    expect(chat.error).toMatchObject({ name: 'ToolGateError', message: expect.stringContaining('has the id "u0"') });
    expect(told).toMatchObject([{ name: 'onError', value: chat.error }]);
    await chat.sendMessage();
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    expect(transport.requests).toMatchObject([
      { body: { b: 1 }, messages: [{ id: 'u0' }, { parts: [{ type: 'text', text: 'new' }] }] },
    ]);
  });

  test('a transport that returns no stream fails the request, and the error says so', async () => {
    const { chat, transport } = await stage(kind);
    const { sendMessages } = transport;
    transport.sendMessages = async () => null as never;
    await chat.sendMessage({ text: 'hi' });
    expect(chat.error).toMatchObject({ message: expect.stringContaining('returned no stream') });
    transport.sendMessages = sendMessages;
    await chat.sendMessage();
    expect([chat.status, transport.requests.length]).toEqual(['ready', 1]);
  });

  test('without a predicate, the decisions of a step are sent once, with their own idempotency key', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1', 'c2']), goesOn({ c1: 42, c2: 'denied' })] });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('ready');
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: false, reason: 'not now' });
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    expect(transport.requests[1]!.messages[1]!.parts.slice(1)).toMatchObject([
      { state: 'approval-responded', approval: { id: 'ask-c1', approved: true } },
      { state: 'approval-responded', approval: { id: 'ask-c2', approved: false, reason: 'not now' } },
    ]);
    expect(transport.requests[1]!.messageId).toBe('a1');
    expect(transport.requests[1]!.headers['Idempotency-Key']).not.toBe(
      transport.requests[0]!.headers['Idempotency-Key'],
    );
    expect(states(chat.messages)).toEqual(['output-available', 'output-denied']);
    expect(chat.messages[1]!.parts[2]).toMatchObject({ outcome: { kind: 'denied', reason: 'not now' } });
    expect(transport.requests).toHaveLength(2);
  });

  test('requests contain plain data, and the list of messages cannot be changed in place', async () => {
    const initial = [
      user('u0'),
      { id: 'a0', role: 'assistant', metadata: { deep: { er: 1 } }, parts: [{ type: 'text', text: 'x' }] },
    ];
    const { chat, transport } = await stage(kind, { messages: initial });
    await chat.sendMessage({ text: 'hi' });
    expect(transport.requests[0]!.messages.slice(0, 2)).toEqual(initial);
    expect(() => chat.messages.push(user('u9'))).toThrow(TypeError);
  });

  test('the transport gets its own array', async () => {
    const { chat, transport } = await stage(kind, { messages: [user('u0')] });
    const { sendMessages } = transport;
    transport.sendMessages = (request) => {
      const sent = sendMessages(request);
      request.messages.length = 0;
      return transport.requests.length === 1 ? Promise.reject(new Error('no')) : sent;
    };
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage();
    expect(transport.requests.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  test('only the gate can change the messages', async () => {
    const { chat } = await stage(kind, { messages: [user('u0')] });
    const { state } = chat as unknown as {
      state: { status: string; error: unknown; messages: unknown; pushMessage(message: unknown): void };
    };
    expect(() => (state.status = 'error')).toThrow(/guard/);
    expect(() => (state.error = new Error('x'))).toThrow(/guard/);
    expect(() => (state.messages = [])).toThrow(/guard/);
    expect(() => state.pushMessage(user('u1'))).toThrow(/guard/);
    expect([chat.status, chat.error, chat.messages]).toEqual(['ready', undefined, [user('u0')]]);
  });

  test('messages can be replaced', async () => {
    const { chat } = await stage(kind, { replies: [says('hello')] });
    await chat.sendMessage({ text: 'hi' });
    const [first] = chat.messages;
    chat.messages = chat.messages.slice(0, 1);
    expect(chat.messages).toHaveLength(1);
    expect(chat.messages[0]).toEqual(first);
    chat.messages = [...chat.messages, user('u7', 'more')];
    expect(
      gateOf(chat)
        .getSnapshot()
        .messages.map(({ id }) => id),
    ).toEqual([first!.id, 'u7']);
    expect(chat.lastMessage).toEqual(user('u7', 'more'));
    const { revision } = gateOf(chat).getSnapshot();
    chat.messages = chat.messages;
    expect(gateOf(chat).getSnapshot().revision).toBe(revision);
  });

  test('replacing messages does not add queued messages to the history', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [[...says('hello').slice(0, 4), () => gate.opened, ...says('hello').slice(4)]],
    });
    const sent = [chat.sendMessage({ text: '1' })];
    await until(() => chat.status === 'streaming');
    sent.push(chat.sendMessage({ text: '2' }));
    chat.messages = [user('u9'), ...chat.messages];
    expect(chat.messages.map(({ id }) => id)).toEqual(['u9', 'id-0', 'a1', 'id-2']);
    gate.open();
    await Promise.all(sent);
    expect(transport.requests[1]!.messages.map(({ id }) => id)).toEqual(['u9', 'id-0', 'a1', 'id-2']);
  });

  test('replacing messages preserves the identity of tool inputs', async () => {
    const { chat } = await stage(kind, { replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const input = chat.messages[1]!.parts[1]!['input'];
    chat.messages = [user('u9'), ...chat.messages];
    expect(chat.messages[2]!.parts[1]!['input']).toBe(input);
  });

  test('addToolOutput and addToolResult add a browser tool’s output', async () => {
    const { chat, transport } = await stage(kind, { replies: [calls(['c1', 'c2']), says('done', 'a1')] });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: { n: 1 } });
    await turns();
    expect(transport.requests).toHaveLength(1);
    await chat.addToolResult({ tool: 'pick', toolCallId: 'c2', state: 'output-error', errorText: 'no' });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect(transport.requests[1]!.messages[1]!.parts.slice(1)).toMatchObject([
      { state: 'output-available', output: { n: 1 } },
      { state: 'output-error', errorText: 'no' },
    ]);
  });

  test('stop ends the stream and keeps the received parts', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [[...says('hello').slice(0, 4), () => gate.opened, ...says('hello').slice(4)]],
    });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
    await chat.stop();
    await sent;
    gate.open();
    expect(transport.requests[0]!.abortSignal?.aborted).toBe(true);
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage?.parts[1]).toMatchObject({ type: 'text', text: 'hello' });
  });

  test('a failed request is shown, and sendMessage() sends it again', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [asks(['c1']), new Error('no backend'), goesOn({ c1: 42 })],
    });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({
      id: 'ask-c1',
      approved: true,
      options: { body: { a: 1 }, headers: { token: 'old' } },
    });
    await until(() => chat.status === 'error');
    expect(chat.error?.message).toBe('no backend');
    expect(chat.messages[1]!.parts[1]).toMatchObject({ delivery: 'failed' });
    chat.clearError();
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    await chat.sendMessage(undefined, { headers: { token: 'new' } });
    expect(transport.requests).toHaveLength(3);
    const [first, second] = transport.requests.slice(1);
    expect(second!.messages).toEqual(first!.messages);
    expect(second!.body).toEqual({ a: 1 });
    expect(second!.headers).toEqual({ ...first!.headers, token: 'new' });
    expect(states(chat.messages)).toEqual(['output-available']);
  });
});
