/**
 * A `sendAutomaticallyWhen` whose promise does not settle: the user's next command does not wait for it, and a later
 * result is ignored.
 */
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test, vi } from 'vitest';

import { turns, until } from '../lib/waiting';
import { type AnyChat, reactChats, stage } from './support/chats';
import { asks, goesOn, says } from './support/transport';

const part = (chat: AnyChat, id: string) =>
  chat.messages.flatMap(({ parts }) => parts).find(({ toolCallId }) => toolCallId === id);
const last = (requests: { messages: AnyChat['messages'] }[]): unknown[] =>
  requests.map(({ messages }) => messages.at(-1)!.role);

describe.each(reactChats)('$name', (kind) => {
  /** A chat with a decided step and a pending predicate. */
  async function thinking(replies = [asks(['c1']), goesOn({ c1: 1 }), says('x', 'a2')], options: object = {}) {
    const verdicts: { settle: (verdict: unknown) => void; fail: (error: unknown) => void }[] = [];
    const sendAutomaticallyWhen = () => new Promise((settle, fail) => void verdicts.push({ settle, fail }));
    const staged = await stage(kind, { replies, chat: { sendAutomaticallyWhen, ...options } });
    const { chat, transport } = staged;
    await chat.sendMessage({ text: 'hi' });
    const click = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect([transport.requests.length, verdicts.length, chat.status]).toEqual([1, 1, 'ready']);
    return { ...staged, gate: gateOf(chat), verdicts, click };
  }

  /** Asserts that a late result of the predicate changes nothing. */
  async function comesLate({ chat, transport, gate, verdicts }: Awaited<ReturnType<typeof thinking>>): Promise<void> {
    const before = [
      transport.requests.length,
      chat.status,
      JSON.stringify(chat.messages),
      JSON.stringify(gate.outgoing()),
    ];
    const uncaught = vi.fn();
    process.once('unhandledRejection', uncaught);
    for (const [n, { settle, fail }] of verdicts.slice(0, 1).entries()) (n % 2 ? fail : settle)(false);
    await turns();
    process.off('unhandledRejection', uncaught);
    expect([
      transport.requests.length,
      chat.status,
      JSON.stringify(chat.messages),
      JSON.stringify(gate.outgoing()),
    ]).toEqual(before);
    expect(uncaught).not.toHaveBeenCalled();
  }

  test('a message is sent after the step', async () => {
    const staged = await thinking();
    const { chat, transport, click } = staged;
    await chat.sendMessage({ text: 'go on' });
    await click;
    expect(last(transport.requests)).toEqual(['user', 'assistant', 'user']);
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available' });
    await comesLate(staged);
    await chat.sendMessage({ text: 'and more' });
    expect(transport.requests).toHaveLength(4);
  });

  test('sendMessage() sends the step', async () => {
    const staged = await thinking();
    await staged.chat.sendMessage(undefined, { body: { now: true } });
    await staged.click;
    expect(last(staged.transport.requests)).toEqual(['user', 'assistant']);
    expect(staged.transport.requests[1]).toMatchObject({ body: { now: true } });
    await comesLate(staged);
  });

  test('a message that is queued through the gate is sent after the step', async () => {
    const staged = await thinking();
    expect(staged.gate.sendUserMessage({ text: 'by the gate' })).toBe('queued');
    await until(() => staged.transport.requests.length === 3);
    await staged.click;
    expect(last(staged.transport.requests)).toEqual(['user', 'assistant', 'user']);
    await comesLate(staged);
  });

  test('stop holds the decision; a message closes it', async () => {
    const staged = await thinking();
    const { chat, transport, click } = staged;
    await chat.stop();
    await click;
    expect(part(chat, 'c1')).toMatchObject({ state: 'approval-responded', delivery: 'held' });
    await comesLate(staged);
    await chat.sendMessage({ text: 'go on' });
    expect(last(transport.requests)).toEqual(['user', 'user']);
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-error', outcome: { kind: 'interrupted' } });
  });

  test('regenerate discards the step and requests a new reply', async () => {
    const staged = await thinking([asks(['c1']), says('again', 'a2')]);
    const { chat, transport, click } = staged;
    await chat.regenerate();
    await click;
    expect(transport.requests.map(({ trigger }) => trigger)).toEqual(['submit-message', 'regenerate-message']);
    expect(chat.messages.at(-1)!.id).toBe('a2');
    await comesLate(staged);
  });

  test('gate.cancel() settles the step, and the chat remains usable', async () => {
    const staged = await thinking([asks(['c1']), says('next', 'a2')]);
    const { chat, transport, gate, click } = staged;
    gate.cancel();
    await click;
    expect(part(chat, 'c1')).toMatchObject({ outcome: { kind: 'cancelled' } });
    await comesLate(staged);
    await chat.sendMessage({ text: 'go on' });
    expect(last(transport.requests)).toEqual(['user', 'user']);
  });

  test('gate.resume() sends the step', async () => {
    const staged = await thinking();
    staged.gate.resume();
    await until(() => staged.transport.requests.length === 2);
    await staged.click;
    await comesLate(staged);
  });

  test('after stop, gate.resume() sends the step without another call of the predicate', async () => {
    const staged = await thinking([asks(['c1']), goesOn({ c1: 1 })]);
    const { chat, transport, gate, verdicts } = staged;
    await chat.stop();
    await staged.click;
    // The decision is held, and a command of the user releases it.
    gate.resume();
    await until(() => transport.requests.length === 2);
    expect(verdicts).toHaveLength(1);
    verdicts[0]!.fail(new Error('late'));
    await turns();
    expect(chat.status).toBe('ready');
  });

  test('replacing the history sends nothing, and the chat remains usable', async () => {
    const staged = await thinking([asks(['c1']), says('next', 'a2')]);
    const { chat, transport, click } = staged;
    chat.messages = [];
    await click;
    await comesLate(staged);
    await chat.sendMessage({ text: 'anew' });
    expect(transport.requests[1]!.messages).toHaveLength(1);
  });

  test('resumeStream() resolves while the predicate is pending', async () => {
    const { chat, transport } = await thinking();
    await chat.resumeStream();
    expect(transport.requests).toHaveLength(1);
  });

  test('a result before the next command counts', async () => {
    const { chat, transport, verdicts, click } = await thinking();
    verdicts[0]!.settle(true);
    await click;
    await until(() => transport.requests.length === 2);
    expect(part(chat, 'c1')).toMatchObject({ approval: { approved: true } });
  });
});

describe('resume after a veto', () => {
  test.each(reactChats)('$name: gate.resume() overrides it', async (kind) => {
    let asked = 0;
    const sendAutomaticallyWhen = () => (asked++, false);
    const { chat, transport } = await stage(kind, {
      replies: [asks(['c1']), goesOn({ c1: 1 })],
      chat: { sendAutomaticallyWhen },
    });
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    gateOf(chat).resume();
    await until(() => transport.requests.length === 2);
    expect(asked).toBe(1);
  });
});

test('a message queue continues while the predicate is pending', async () => {
  const kind = reactChats.find(({ version }) => version === 7)!;
  const sendAutomaticallyWhen = () => new Promise(() => {});
  const { chat, transport } = await stage(kind, {
    replies: [asks(['c1']), goesOn({ c1: 1 }), says('x', 'a2')],
    chat: { sendAutomaticallyWhen, experimental_queue: true },
  });
  await chat.sendMessage({ text: 'hi' });
  void chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await turns();
  await chat.sendMessage({ text: 'go on' });
  expect(last(transport.requests)).toEqual(['user', 'assistant', 'user']);
  expect(chat.experimental_queuedMessages).toEqual([]);
});

describe('other callbacks that never settle', () => {
  test.each(reactChats)('$name: stop ends a reply whose schema for metadata or data never settles', async (kind) => {
    for (const chunk of [
      { type: 'message-metadata', messageMetadata: { a: 1 } },
      { type: 'data-x', data: 1 },
    ]) {
      const schema = { '~standard': { version: 1, vendor: 'test', validate: () => new Promise(() => {}) } };
      const { chat, transport } = await stage(kind, {
        replies: [[...says('one').slice(0, 4), chunk, ...says('one').slice(4)], says('two', 'a2')],
        chat: { messageMetadataSchema: schema, dataPartSchemas: { x: schema, 'data-x': schema } },
      });
      const sent = chat.sendMessage({ text: '1' });
      await until(() => chat.status === 'streaming');
      await turns();
      await chat.stop();
      await sent;
      await chat.sendMessage({ text: '2' });
      expect(transport.requests).toHaveLength(2);
      expect(chat.status).toBe('ready');
    }
  });
});
