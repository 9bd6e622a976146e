/** The chat's `sendAutomaticallyWhen` in a guarded chat, which can only veto. */
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { type AnyChat, reactChats, stage } from './support/chats';
import { turns } from '../lib/waiting';
import { asks, calls, gatekeeper, goesOn, says, type Reply, type ScriptedTransport } from './support/transport';

const part = (chat: AnyChat, id: string) =>
  chat.messages.flatMap(({ parts }) => parts).find(({ toolCallId }) => toolCallId === id);

describe.each(reactChats)('$name', (kind) => {
  const start = (
    sendAutomaticallyWhen: unknown,
    replies: Reply[] = [asks(['c1']), goesOn({ c1: 1 }), says('x', 'a2')],
  ) => stage(kind, { replies, chat: { sendAutomaticallyWhen } });

  test.each([
    ['at once', () => false],
    [
      'later',
      async () => {
        await turns(2);
        return false;
      },
    ],
  ])('a veto %s holds the decision until the next message', async (_name, predicate) => {
    const { chat, transport } = await start(predicate);
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(part(chat, 'c1')).toMatchObject({ state: 'approval-responded', delivery: 'held' });
    expect(chat.status).toBe('ready');
    await chat.sendMessage({ text: 'go on' });
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'assistant', 'user']);
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available' });
  });

  test.each<[string, unknown, (chat: AnyChat, transport: ScriptedTransport) => unknown]>([
    ['the app stops the gate', () => false, (chat) => gateOf(chat).stop()],
    [
      'a replay of the reply breaks off',
      () => false,
      (chat, { lost }) => {
        lost.push([...asks(['c1']).slice(0, 3), new TypeError('network error')]);
        return chat.resumeStream();
      },
    ],
    [
      'the predicate throws',
      () => {
        throw new Error('from the predicate');
      },
      () => {},
    ],
  ])('a message does not send a vetoed approval after %s', async (_, predicate, trouble) => {
    const approve = (): void => void gateOf(chat).respond('ask-c1', { approved: true });
    const { chat, transport } = await start(predicate, [[...asks(['c1']), approve]]);
    await chat.sendMessage({ text: 'hi' }).catch(() => {});
    await trouble(chat, transport);
    expect(part(chat, 'c1')).toMatchObject({ delivery: 'held' });
    await chat.sendMessage({ text: 'No, stop!' });
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'user']);
    expect(part(chat, 'c1')).toMatchObject({ outcome: { kind: 'interrupted' } });
  });

  test('sendMessage() overrides a veto', async () => {
    const { chat, transport } = await start(() => false);
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await chat.sendMessage(undefined, { body: { now: true } });
    expect(transport.requests[1]).toMatchObject({ trigger: 'submit-message', messageId: 'a1', body: { now: true } });
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available' });
  });

  test('the predicate cannot force a request', async () => {
    const { chat, transport } = await start(() => true, [asks(['c1', 'c2'])]);
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
  });

  test('the predicate is called with the messages, and again for each decision', async () => {
    const seen: unknown[] = [];
    const { chat, transport } = await start(
      ({ messages }: { messages: AnyChat['messages'] }) => {
        seen.push(messages.at(-1)!.parts.map(({ state }) => state));
        return seen.length > 1;
      },
      [asks(['c1']), asks(['c2'], 'a1'), goesOn({ c2: 2 })],
    );
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: false });
    await turns();
    expect(seen).toEqual([[undefined, 'approval-responded']]);
    expect(transport.requests).toHaveLength(1);
    await chat.sendMessage();
    await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true });
    await turns();
    expect(seen).toHaveLength(2);
    expect(transport.requests).toHaveLength(3);
  });

  test('a message during a pending call of the predicate overrides it', async () => {
    const answer = gatekeeper();
    const { chat, transport } = await start(async () => {
      await answer.opened;
      return false;
    });
    await chat.sendMessage({ text: 'hi' });
    const click = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    expect(transport.requests).toHaveLength(1);
    const next = chat.sendMessage({ text: 'go on' });
    await turns();
    answer.open();
    await Promise.all([click, next]);
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('stop during a pending call of the predicate withdraws the request', async () => {
    const answer = gatekeeper();
    const { chat, transport } = await start(async () => {
      await answer.opened;
      return true;
    });
    await chat.sendMessage({ text: 'hi' });
    const click = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    await chat.stop();
    answer.open();
    await click;
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(part(chat, 'c1')).toMatchObject({ delivery: 'held' });
  });

  test('a request that another caller claims meanwhile is not sent, unless it is retried', async () => {
    const answer = gatekeeper();
    const { chat, transport } = await start(async () => {
      await answer.opened;
      return true;
    });
    await chat.sendMessage({ text: 'hi' });
    const click = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    const gate = gateOf(chat);
    const [item] = gate.outgoing();
    expect(gate.claim(item!.id)).toBe(true);
    answer.open();
    await click;
    await turns();
    expect(transport.requests).toHaveLength(1);
    gate.markFailed(item!.id, 'no');
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(2);
    expect(part(chat, 'c1')).toMatchObject({ state: 'output-available' });
  });

  test('an error counts as a veto and rejects', async () => {
    const { chat, transport } = await stage(kind, {
      replies: [calls(['c1'])],
      chat: {
        sendAutomaticallyWhen: () => {
          throw new Error('from the predicate');
        },
        onToolCall: () => void chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: 1 }),
      },
    });
    await expect(chat.sendMessage({ text: 'hi' })).rejects.toThrow('from the predicate');
    expect(chat.status).toBe('ready');
    expect(gateOf(chat).outgoing()).toEqual([]);
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(2);
  });

  test("the SDK's predicate for plain tool calls works", async () => {
    const { chat, transport } = await start(lastAssistantMessageIsCompleteWithToolCalls, [
      calls(['c1', 'c2']),
      says('done', 'a1'),
    ]);
    await chat.sendMessage({ text: 'hi' });
    await chat.addToolOutput({ tool: 'pick', toolCallId: 'c1', output: 1 });
    await chat.addToolOutput({ tool: 'pick', toolCallId: 'c2', output: 2 });
    await turns();
    expect(transport.requests).toHaveLength(2);
  });
});
