/** Delivery faults of the AI SDK's client do not happen in a guarded chat: React's `Chat` of AI SDK 6 and 7. */
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete7 } from 'ai';
import { lastAssistantMessageIsCompleteWithApprovalResponses as complete6 } from 'ai6';
import { ToolGateError } from 'toolgate';
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, type Message, reactChats, stage, type StageOptions } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, gatekeeper, goesOn, says } from './support/transport';

const refused = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error) => (error instanceof ToolGateError ? error.code : error),
  );

const parts = (chat: AnyChat): Message['parts'] =>
  chat.messages.flatMap((message) => message.parts).filter((part) => 'toolCallId' in part);

describe.each(reactChats)('$name', (kind) => {
  /** Stages a chat whose `sendAutomaticallyWhen` is the AI SDK's predicate, as in most apps, or that of `options`. */
  const start = (options: StageOptions) =>
    stage(kind, {
      ...options,
      chat: { sendAutomaticallyWhen: kind.version === 7 ? complete7 : complete6, ...options.chat },
    });

  test('a double click sends once, also while a predicate is pending', async () => {
    const { chat, transport } = await start({
      replies: [asks(['c1']), goesOn({ c1: 1 })],
      chat: {
        sendAutomaticallyWhen: async () => {
          await turns(3);
          return true;
        },
      },
    });
    await chat.sendMessage({ text: 'hi' });
    const clicks = [
      chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }),
      chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }),
      chat.addToolApprovalResponse({ id: 'ask-c1', approved: false }),
    ];
    expect(await Promise.all(clicks.map(refused))).toEqual(['resolved', 'resolved', 'already-decided']);
    await turns();
    expect(transport.requests).toHaveLength(2);
    expect(await refused(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe('resolved');
    await turns();
    expect(transport.requests).toHaveLength(2);
  });

  test.each([
    ['nothing at all', []],
    [
      'no content',
      [
        { type: 'start', messageId: 'a1' },
        { type: 'finish', finishReason: 'stop' },
      ],
    ],
    ['a text, but no result', says('hm', 'a1')],
  ])('a reply with %s does not cause another request', async (_name, reply) => {
    const { chat, transport } = await start({ replies: [asks(['c1']), reply, goesOn({ c1: 1 })] });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns(60);
    expect(transport.requests).toHaveLength(2);
    expect(chat.status).toBe('ready');
    expect(gateOf(chat).getSnapshot().status).toBe('stalled');
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(3);
    expect(transport.requests[2]!.messages).toEqual(transport.requests[1]!.messages);
    expect(transport.requests[2]!.headers).toEqual(transport.requests[1]!.headers);
    expect(parts(chat)).toMatchObject([{ state: 'output-available' }]);
  });

  test('a denied call remains denied, whatever events arrive later', async () => {
    const { chat, transport } = await start({
      replies: [
        asks(['c1']),
        [
          { type: 'start', messageId: 'a1' },
          { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' },
          { type: 'tool-output-available', toolCallId: 'c1', output: 'ran' },
          ...says('ok').slice(1),
        ],
      ],
    });
    const anomalies: string[] = [];
    gateOf(chat).onEvent((event) => event.type === 'anomaly' && anomalies.push(event.error.code));
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: false, reason: 'no' });
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    expect(parts(chat)).toMatchObject([
      { state: 'output-denied', approval: { approved: false, reason: 'no' }, outcome: { kind: 'denied' } },
    ]);
    expect(parts(chat)[0]).not.toHaveProperty('output');
    expect(anomalies.length).toBeGreaterThan(0);
    await turns();
    expect(transport.requests).toHaveLength(2);
  });

  test('an output of the page does not replace a result of the server', async () => {
    const { chat } = await start({ replies: [asks(['c1']), goesOn({ c1: 'real' })] });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'ready');
    expect(await refused(chat.addToolOutput({ tool: 'edit', toolCallId: 'c1', output: 'fake' }))).toBe(
      'already-settled',
    );
    expect(parts(chat)).toMatchObject([{ output: 'real' }]);
  });

  test('one request at a time: messages are shown immediately, wait, and are sent together', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await start({
      replies: [[...says('one').slice(0, 4), () => gate.opened, ...says('one').slice(4)], says('two', 'a2')],
    });
    const sent = [chat.sendMessage({ text: '1' })];
    await until(() => chat.status === 'streaming');
    sent.push(
      chat.sendMessage({ text: '2' }, { body: { n: 2 } }),
      chat.sendMessage({ text: '3' }, { headers: { n: '3' } }),
    );
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    const shown = chat.messages;
    expect(chat.messages).toBe(shown);
    gate.open();
    await Promise.all(sent);
    expect(transport.atOnce).toBe(1);
    expect(transport.requests.map(({ messages }) => messages.length)).toEqual([1, 4]);
    expect(transport.requests[1]).toMatchObject({ body: { n: 2 }, headers: { n: '3' } });
    expect(chat.messages.map(({ id }) => id)).toEqual(['id-0', 'a1', 'id-2', 'id-3', 'a2']);
  });

  test('a message is sent after the request of an earlier decision', async () => {
    const { chat, transport } = await start({ replies: [asks(['c1']), goesOn({ c1: 1 }), says('sure', 'a2')] });
    await chat.sendMessage({ text: 'hi' });
    const click = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    const next = chat.sendMessage({ text: 'and then?' });
    await Promise.all([click, next]);
    expect(transport.atOnce).toBe(1);
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'assistant', 'user']);
    expect(parts(chat)).toMatchObject([{ state: 'output-available', output: 1 }]);
    expect(new Set(chat.messages.map(({ id }) => id)).size).toBe(chat.messages.length);
  });

  test('a message while approvals are pending denies them in the same request', async () => {
    const { chat, transport } = await start({ replies: [asks(['c1', 'c2']), says('sure', 'a2')] });
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage({ text: 'never mind' });
    expect(transport.requests).toHaveLength(2);
    expect(transport.requests[1]!.messages[1]!.parts.slice(1)).toMatchObject([
      { state: 'output-denied', approval: { approved: false } },
      { state: 'output-denied', approval: { approved: false } },
    ]);
    expect(await refused(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).not.toBe('resolved');
  });

  test('the gate’s options apply: a blocked message rejects', async () => {
    const { chat, transport } = await start({ replies: [asks(['c1'])], guard: { gate: { onUserMessage: 'block' } } });
    await chat.sendMessage({ text: 'hi' });
    expect(await refused(chat.sendMessage({ text: 'next' }))).toBe('message-blocked');
    expect(chat.messages).toHaveLength(2);
    expect(transport.requests).toHaveLength(1);
  });

  test('deciding an approval of an earlier message rejects', async () => {
    const asked = {
      type: 'tool-edit',
      toolCallId: 'c1',
      state: 'approval-requested',
      input: {},
      approval: { id: 'ask-c1' },
    };
    const { chat, transport } = await start({
      messages: [
        { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, asked] },
        { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'else' }] },
        { id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'sure' }] },
      ],
    });
    expect(await refused(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe('superseded');
    expect(parts(chat)[0]!['state']).not.toBe('approval-requested');
    await turns();
    expect(transport.requests).toHaveLength(0);
  });

  test('a loaded approval can be decided; a loaded decision is not sent automatically', async () => {
    const part = (id: string, more: object) => ({ type: 'tool-edit', toolCallId: id, input: {}, ...more });
    const asked = part('c1', { state: 'approval-requested', approval: { id: 'ask-c1' } });
    const first = await start({
      messages: [{ id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, asked] }],
      replies: [goesOn({ c1: 1 })],
    });
    await first.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => first.chat.status === 'ready' && first.transport.requests.length === 1);
    expect(parts(first.chat)).toMatchObject([{ state: 'output-available' }]);

    const answered = part('c1', { state: 'approval-responded', approval: { id: 'ask-c1', approved: true } });
    const second = await start({
      messages: [{ id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, answered] }],
      replies: [goesOn({ c1: 1 })],
    });
    await turns();
    expect(second.transport.requests).toHaveLength(0);
    expect(parts(second.chat)).toMatchObject([{ delivery: 'unconfirmed' }]);
    await second.chat.sendMessage();
    expect(second.transport.requests).toHaveLength(1);
    expect(second.transport.requests[0]!.messageId).toBe('a1');
  });

  test('a repeated call in the history is shown and sent once', async () => {
    const call = { type: 'tool-edit', toolCallId: 'c1', state: 'output-available', input: {}, output: 1 };
    const { chat, transport } = await start({
      messages: [
        { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, call] },
        { id: 'a2', role: 'assistant', parts: [{ type: 'step-start' }, call, { type: 'text', text: 'x' }] },
      ],
    });
    await chat.sendMessage({ text: 'hi' });
    expect(
      transport.requests[0]!.messages.flatMap((message) => message.parts).filter(
        ({ toolCallId }) => toolCallId === 'c1',
      ),
    ).toHaveLength(1);
  });

  test('stop holds decisions until the next decision or message', async () => {
    const gate = gatekeeper();
    const { chat, transport } = await start({
      replies: [
        [...asks(['c1', 'c2']).slice(0, 6), () => gate.opened, ...asks(['c1']).slice(4)],
        goesOn({ c1: 1, c2: 2 }),
      ],
    });
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => parts(chat).filter(({ state }) => state === 'approval-requested').length === 2);
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await chat.stop();
    gate.open();
    await sent;
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(parts(chat)[0]).toMatchObject({ delivery: 'held' });
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(2);
  });

  test('equal decisions have equal idempotency keys, and different ones do not', async () => {
    const keys: string[] = [];
    for (const approved of [true, true, false]) {
      const { chat, transport } = await start({ replies: [asks(['c1']), goesOn({ c1: 1 })] });
      await chat.sendMessage({ text: 'hi' });
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved });
      await turns();
      keys.push(transport.requests[1]!.headers['Idempotency-Key']!);
    }
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('an idempotency key that the app sets is not overwritten', async () => {
    const { chat, transport } = await start({});
    await chat.sendMessage({ text: 'hi' }, { headers: new Headers({ 'idempotency-key': 'mine' }) });
    expect(transport.requests[0]!.headers).toEqual({ 'idempotency-key': 'mine' });
  });

  test('the chat of a crashed gate shows an error and sends no more requests', async () => {
    const { chat, transport } = await start({ replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const shown = chat.messages;
    gateOf(chat).free();
    expect(chat.status).toBe('error');
    expect(chat.error).toBeInstanceOf(ToolGateError);
    expect(chat.error).toMatchObject({ code: 'crashed' });
    expect(chat.messages).toEqual(shown);
    expect(await refused(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe('crashed');
    expect(await refused(chat.sendMessage({ text: 'x' }))).toBe('crashed');
    expect(await refused(chat.sendMessage())).toBe('crashed');
    expect(await refused(chat.regenerate())).toBe('crashed');
    chat.clearError();
    expect(chat.status).toBe('error');
    expect(transport.requests).toHaveLength(1);
  });
});
