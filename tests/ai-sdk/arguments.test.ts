/** Arguments and errors of the methods of a guarded chat, tested with React's `Chat` of AI SDK 6 and 7. */
import { ToolGateError } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type Message, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, gatekeeper, goesOn, says } from './support/transport';

const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error) => (error instanceof ToolGateError ? error.code : `${(error as Error).name}: ${(error as Error).message}`),
  );

const user = (id: string, text = 'old'): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] });
describe.each(reactChats)('$name', (kind) => {
  test('accepts messages in every form', async () => {
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

  test('an edited message replaces the old one and all messages after it', async () => {
    const { chat, transport } = await stage(kind, { messages: [user('u0'), user('u1')] });
    await chat.sendMessage({ text: 'new', messageId: 'u0' });
    expect(transport.requests[0]).toMatchObject({
      messageId: 'u0',
      trigger: 'submit-message',
      messages: [{ id: 'u0', parts: [{ text: 'new' }] }],
    });
    expect(transport.requests[0]!.messages[0]).not.toHaveProperty('messageId');
    expect(transport.requests[0]!.messages).toHaveLength(1);
    await chat.sendMessage({ parts: [{ type: 'text', text: 'newer' }], messageId: 'u0' });
    expect(transport.requests[1]!.messages).toMatchObject([{ id: 'u0', parts: [{ text: 'newer' }] }]);
    expect(transport.requests[1]!.messages[0]).not.toHaveProperty('messageId');
    expect(await code(chat.sendMessage({ text: 'x', messageId: 'nope' }))).toBe(
      'Error: message with id nope not found',
    );
    expect(await code(chat.sendMessage({ text: 'x', messageId: chat.lastMessage!.id }))).toMatch(
      /is not a user message$/,
    );
    expect(transport.requests).toHaveLength(2);
  });

  test('messages with files are sent in order, and stop discards one whose files are still being read', async () => {
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
    Object.assign(globalThis, {
      FileList: { [Symbol.hasInstance]: (value: unknown): boolean => value === list },
      FileReader: SlowReader,
    });
    try {
      const { chat, transport } = await stage(kind);
      const first = chat.sendMessage({ text: 'first', files: list });
      const second = chat.sendMessage({ text: 'second' });
      await turns();
      expect(transport.requests).toHaveLength(0);
      held.open();
      await Promise.all([first, second]);
      expect(transport.requests.map(({ messages }) => messages.at(-1)!.parts.at(-1)!['text'])).toEqual([
        'first',
        'second',
      ]);
      expect(transport.requests[0]!.messages[0]!.parts[0]).toEqual({
        type: 'file',
        mediaType: 'image/png',
        filename: 'a.png',
        url: 'data:image/png;base64,AA==',
      });
      const dropped = chat.sendMessage({ text: 'third', files: list });
      await chat.stop();
      await dropped;
      expect(transport.requests).toHaveLength(2);
    } finally {
      Object.assign(globalThis, before);
    }
  });

  test('regenerate requests a new reply for the given message', async () => {
    const { chat, transport } = await stage(kind, { replies: [says('one'), says('two', 'a2'), says('three', 'a3')] });
    await chat.sendMessage({ text: 'hi' });
    await chat.regenerate({ body: { z: 1 } });
    expect(transport.requests[1]).toMatchObject({
      trigger: 'regenerate-message',
      messageId: undefined,
      body: { z: 1 },
    });
    expect(transport.requests[1]!.messages).toHaveLength(1);
    await chat.regenerate({ messageId: 'a2' });
    expect(transport.requests[2]).toMatchObject({ trigger: 'regenerate-message', messageId: 'a2' });
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a3']);
    expect(await code(chat.regenerate({ messageId: 'nope' }))).not.toBe('resolved');
    expect(transport.requests).toHaveLength(3);
  });

  test('regenerate, an edit and sendMessage() reject during a request and change nothing', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [[...says('x').slice(0, 4), () => gate.opened, ...says('x').slice(4)]],
    });
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

  test('methods reject with the error of the gate, which has a code', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1', 'c2'])] });
    await chat.sendMessage({ text: 'hi' });
    expect(await code(chat.addToolApprovalResponse({ id: 'nope', approved: true }))).toBe('unknown-approval');
    expect(await code(chat.addToolApprovalResponse({ id: 'c1', approved: true }))).toBe('unknown-approval');
    expect(await code(chat.addToolOutput({ toolCallId: 'nope', output: 1 }))).toBe('unknown-call');
    expect(await code(chat.addToolOutput({ toolCallId: 'c1', output: 1 }))).toBe('approval-pending');
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: 'false' as never }))).toMatch(
      /^TypeError/,
    );
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: false, reason: 'no' }))).toBe('resolved');
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: false, reason: 'another' }))).toBe(
      'resolved',
    );
    expect(await code(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe('already-decided');
    expect(await code(chat.addToolOutput({ toolCallId: 'c1', output: 1 }))).toBe('already-settled');
    expect(chat.messages[1]!.parts[1]).toMatchObject({ approval: { approved: false, reason: 'no' } });
    expect(await code(chat.sendMessage())).toBe('unknown-outgoing');
    expect(transport.requests).toHaveLength(1);
  });

  test('chunks that cannot be read are reported as anomalies, and the rest of the reply is read', async () => {
    const { chat, told } = await stage(kind, {
      replies: [
        [
          null,
          7,
          { type: 'text-delta', id: 'none', delta: 'x' },
          { type: 'tool-output-available', toolCallId: 'none', output: 1 },
          { type: 'from-the-future' },
          ...says('fine'),
        ],
      ],
    });
    const anomalies: string[] = [];
    gateOf(chat).onEvent((event) => event.type === 'anomaly' && anomalies.push(event.error.code));
    await chat.sendMessage({ text: 'hi' });
    expect(chat.status).toBe('ready');
    expect(chat.lastMessage?.parts).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'fine' }]);
    expect(anomalies.length).toBeGreaterThanOrEqual(3);
    expect(told.map(({ name }) => name)).toEqual(['onFinish']);
  });

  test('dispose, which only version 7 has, closes the transport', async () => {
    const { chat, transport } = await stage(kind);
    expect('dispose' in chat).toBe(kind.version === 7);
    await chat.dispose?.();
    expect(transport.isClosed).toBe(kind.version === 7);
  });

  test.each<[string, string | false | undefined, string[]]>([
    ['the default', undefined, ['Idempotency-Key', 'x-app']],
    ['another name', 'X-Request-Key', ['X-Request-Key', 'x-app']],
    ['none', false, ['x-app']],
  ])('the header of idempotency keys: %s', async (_name, idempotencyHeader, expected) => {
    const options = {
      replies: [asks(['c1']), goesOn({ c1: 1 })],
      ...(idempotencyHeader !== undefined && { guard: { idempotencyHeader } }),
    };
    const { chat, transport } = await stage(kind, options);
    await chat.sendMessage({ text: 'hi' }, { headers: { 'x-app': '1' } });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { headers: { 'x-app': '1' } } });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    for (const { headers } of transport.requests) expect(Object.keys(headers).sort()).toEqual(expected);
  });

  test('an idempotency header of the app is not overwritten, in any letter case', async () => {
    const { chat, transport } = await stage(kind, { guard: { idempotencyHeader: 'X-Key' } });
    await chat.sendMessage({ text: 'hi' }, { headers: { 'x-key': 'mine' } });
    expect(transport.requests[0]!.headers).toEqual({ 'x-key': 'mine' });
  });
});
