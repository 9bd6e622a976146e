/** Each method of a guarded chat, on all six chats where the frameworks matter and on React's two where they don't. */
import { ToolGate, ToolGateError } from 'toolgate';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { chats, type Message, reactChats, stage } from './support/chats';
import { asks, calls, gatekeeper, goesOn, says, turns, until } from './support/transport';

const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    error => (error instanceof ToolGateError ? error.code : `${(error as Error).name}: ${(error as Error).message}`),
  );

const user = (id: string, text = 'old'): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const states = (messages: Message[]): unknown[] =>
  messages.flatMap(({ parts }) => parts).flatMap(part => ('toolCallId' in part ? [part['state']] : []));

describe.each(chats)('$name', kind => {
  test('guard returns the chat itself, and once guarded is guarded', async () => {
    const { chat, bare } = await stage(kind, { messages: [user('u0')] });
    expect(chat).toBe(bare);
    expect(gateOf(chat)).toBeInstanceOf(ToolGate);
    const gate = gateOf(chat);
    expect(guard(chat)).toBe(chat);
    expect(gateOf(chat)).toBe(gate);
    expect(chat.messages).toEqual([user('u0')]);
    expect(gate.getSnapshot().messages).toBe(chat.messages);
  });

  test('a message goes out as the transport expects it, and the reply comes back', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('hello')] });
    await chat.sendMessage({ text: 'hi' }, { headers: { h: '1' }, body: { b: 2 }, metadata: { m: 3 } });
    const [request] = transport.requests;
    expect(Object.keys(request!)).toEqual(['chatId', 'messages', 'abortSignal', 'metadata', 'headers', 'body', 'trigger', 'messageId']);
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
    expect(chat.lastMessage).toMatchObject({ id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'hello' }] });
  });

  test('an approval leaves once, with its own key, and no predicate is needed', async () => {
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
    expect(transport.requests[1]!.headers['Idempotency-Key']).not.toBe(transport.requests[0]!.headers['Idempotency-Key']);
    expect(states(chat.messages)).toEqual(['output-available', 'output-denied']);
    expect(chat.messages[1]!.parts[2]).toMatchObject({ outcome: { kind: 'denied', reason: 'not now' } });
    expect(transport.requests).toHaveLength(2);
  });

  test('what leaves is plain data, and the app may change the list', async () => {
    const initial = [user('u0'), { id: 'a0', role: 'assistant', metadata: { deep: { er: 1 } }, parts: [{ type: 'text', text: 'x' }] }];
    const { chat, transport } = await stage(kind, { messages: initial });
    await chat.sendMessage({ text: 'hi' });
    expect(transport.requests[0]!.messages.slice(0, 2)).toEqual(initial);
    expect(() => chat.messages.push(user('u9'))).toThrow(TypeError);
  });

  test('the list that the transport gets is its own', async () => {
    const { chat, transport } = await stage(kind, { messages: [user('u0')] });
    const { sendMessages } = transport;
    transport.sendMessages = request => {
      const sent = sendMessages(request);
      request.messages.length = 0;
      return transport.requests.length === 1 ? Promise.reject(new Error('no')) : sent;
    };
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage();
    expect(transport.requests.map(({ messages }) => messages.length)).toEqual([2, 2]);
  });

  test('nothing but the gate can change what is shown', async () => {
    const { chat } = await stage(kind, { messages: [user('u0')] });
    const { state } = chat as unknown as { state: { status: string; error: unknown; messages: unknown; pushMessage(message: unknown): void } };
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
    expect(gateOf(chat).getSnapshot().messages.map(({ id }) => id)).toEqual([first!.id, 'u7']);
    expect(chat.lastMessage).toEqual(user('u7', 'more'));
    const { revision } = gateOf(chat).getSnapshot();
    chat.messages = chat.messages;
    expect(gateOf(chat).getSnapshot().revision).toBe(revision);
  });

  test('messages that wait are not taken into the history when messages are replaced', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, { replies: [[...says('hello').slice(0, 4), () => gate.opened, ...says('hello').slice(4)]] });
    const sent = [chat.sendMessage({ text: '1' })];
    await until(() => chat.status === 'streaming');
    sent.push(chat.sendMessage({ text: '2' }));
    chat.messages = [user('u9'), ...chat.messages];
    expect(chat.messages.map(({ id }) => id)).toEqual(['u9', 'id-0', 'a1', 'id-2']);
    gate.open();
    await Promise.all(sent);
    expect(transport.requests[1]!.messages.map(({ id }) => id)).toEqual(['u9', 'id-0', 'a1', 'id-2']);
  });

  test('tool inputs stay the same objects when messages are replaced', async () => {
    const { chat } = await stage(kind, { replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const input = chat.messages[1]!.parts[1]!['input'];
    chat.messages = [user('u9'), ...chat.messages];
    expect(chat.messages[2]!.parts[1]!['input']).toBe(input);
  });

  test('a browser tool answers with addToolOutput, by either name', async () => {
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

  test('stop ends the stream and keeps what came', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, { replies: [[...says('hello').slice(0, 4), () => gate.opened, ...says('hello').slice(4)]] });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
    await chat.stop();
    await sent;
    gate.open();
    expect(transport.requests[0]!.abortSignal?.aborted).toBe(true);
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage?.parts[1]).toMatchObject({ type: 'text', text: 'hello' });
  });

  test('a failed request is shown, and sendMessage() sends the same again', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1']), new Error('no backend'), goesOn({ c1: 42 })] });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { body: { a: 1 }, headers: { token: 'old' } } });
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

describe.each(reactChats)('$name', kind => {
  test('messages in every form', async () => {
    const { chat, transport } = await stage(kind);
    const file = { type: 'file', mediaType: 'image/png', url: 'data:,' };
    await chat.sendMessage({ text: 't', files: [file], metadata: { k: 1 } });
    await chat.sendMessage({ files: [file] });
    await chat.sendMessage({ parts: [{ type: 'text', text: 'p' }], id: 'mine', metadata: 5, extra: 6 });
    const sent = transport.requests.map(({ messages }) => messages.at(-1));
    expect(sent[0]).toMatchObject({ role: 'user', parts: [file, { type: 'text', text: 't' }], metadata: { k: 1 } });
    expect(sent[1]).toMatchObject({ parts: [file] });
    expect(sent[2]).toMatchObject({ id: 'mine', parts: [{ type: 'text', text: 'p' }], metadata: 5, extra: 6 });
  });

  test('an edited message replaces the old one and all behind it', async () => {
    const { chat, transport } = await stage(kind, { messages: [user('u0'), user('u1')] });
    await chat.sendMessage({ text: 'new', messageId: 'u0' });
    expect(transport.requests[0]).toMatchObject({ messageId: 'u0', trigger: 'submit-message', messages: [{ id: 'u0', parts: [{ text: 'new' }] }] });
    expect(transport.requests[0]!.messages[0]).not.toHaveProperty('messageId');
    expect(transport.requests[0]!.messages).toHaveLength(1);
    expect(await code(chat.sendMessage({ text: 'x', messageId: 'nope' }))).toBe('Error: message with id nope not found');
    expect(await code(chat.sendMessage({ text: 'x', messageId: chat.lastMessage!.id }))).toMatch(/is not a user message$/);
    expect(transport.requests).toHaveLength(1);
  });

  test('files are read in their turn, and stop drops what is being read', async () => {
    const held = gatekeeper();
    class SlowReader {
      result = 'data:image/png;base64,AA==';
      onload?: () => void;
      readAsDataURL(): void {
        void held.opened.then(() => this.onload?.());
      }
    }
    const before = { FileList: globalThis.FileList, FileReader: globalThis.FileReader };
    const list = { 0: { name: 'a.png', type: 'image/png' }, length: 1 };
    Object.assign(globalThis, { FileList: { [Symbol.hasInstance]: (value: unknown): boolean => value === list }, FileReader: SlowReader });
    try {
      const { chat, transport } = await stage(kind);
      const first = chat.sendMessage({ text: 'first', files: list });
      const second = chat.sendMessage({ text: 'second' });
      await turns();
      expect(transport.requests).toHaveLength(0);
      held.open();
      await Promise.all([first, second]);
      expect(transport.requests.map(({ messages }) => messages.at(-1)!.parts.at(-1)!['text'])).toEqual(['first', 'second']);
      expect(transport.requests[0]!.messages[0]!.parts[0]).toEqual({ type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AA==' });
      const dropped = chat.sendMessage({ text: 'third', files: list });
      await chat.stop();
      await dropped;
      expect(transport.requests).toHaveLength(2);
    } finally {
      Object.assign(globalThis, before);
    }
  });

  test('regenerate asks again, from where it is told', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('one'), says('two', 'a2'), says('three', 'a3')] });
    await chat.sendMessage({ text: 'hi' });
    await chat.regenerate({ body: { z: 1 } });
    expect(transport.requests[1]).toMatchObject({ trigger: 'regenerate-message', messageId: undefined, body: { z: 1 } });
    expect(transport.requests[1]!.messages).toHaveLength(1);
    await chat.regenerate({ messageId: 'a2' });
    expect(transport.requests[2]).toMatchObject({ trigger: 'regenerate-message', messageId: 'a2' });
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a3']);
    expect(await code(chat.regenerate({ messageId: 'nope' }))).not.toBe('resolved');
    expect(transport.requests).toHaveLength(3);
  });

  test('regenerate during a request is refused and changes nothing', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, { replies: [[...says('x').slice(0, 4), () => gate.opened, ...says('x').slice(4)]] });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
    expect(await code(chat.regenerate())).toBe('busy');
    expect(await code(chat.sendMessage({ text: 'new', messageId: 'id-0' }))).toBe('busy');
    expect(await code(chat.sendMessage())).toBe('busy');
    gate.open();
    await sent;
    expect(transport.requests).toHaveLength(1);
    expect(chat.messages).toHaveLength(2);
  });

  test('what the gate refuses is rejected with its code', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1', 'c2'])] });
    await chat.sendMessage({ text: 'hi' });
    expect(await code(chat.addToolApprovalResponse({ id: 'nope', approved: true }))).toBe('unknown-approval');
    expect(await code(chat.addToolApprovalResponse({ id: 'c1', approved: true }))).toBe('unknown-approval');
    expect(await code(chat.addToolOutput({ toolCallId: 'nope', output: 1 }))).toBe('unknown-call');
    expect(await code(chat.addToolOutput({ toolCallId: 'c1', output: 1 }))).toBe('approval-pending');
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: 'false' as never }))).toMatch(/^TypeError/);
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: false, reason: 'no' }))).toBe('resolved');
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: false, reason: 'another' }))).toBe('resolved');
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe('already-decided');
    expect(await code(chat.addToolOutput({ toolCallId: 'c1', output: 1 }))).toBe('already-settled');
    expect(chat.messages[1]!.parts[1]).toMatchObject({ approval: { approved: false, reason: 'no' } });
    expect(await code(chat.sendMessage())).toBe('unknown-outgoing');
    expect(transport.requests).toHaveLength(1);
  });

  test('an unreadable reply stays a reply', async () => {
    const { chat, told } = await stage(kind, {
      replies: [[null, 7, { type: 'text-delta', id: 'none', delta: 'x' }, { type: 'tool-output-available', toolCallId: 'none', output: 1 }, { type: 'from-the-future' }, ...says('fine')]],
    });
    const anomalies: string[] = [];
    gateOf(chat).onEvent(event => event.type === 'anomaly' && anomalies.push(event.error.code));
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage?.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'fine' }]);
    expect(anomalies.length).toBeGreaterThanOrEqual(3);
    expect(told.map(({ name }) => name)).toEqual(['onFinish']);
  });

  test('dispose stops and closes the transport, where the chat has it', async () => {
    const { chat, transport } = await stage(kind);
    expect('dispose' in chat).toBe(kind.version === 7);
    await chat.dispose?.();
    expect(transport.isClosed).toBe(kind.version === 7);
  });
});
