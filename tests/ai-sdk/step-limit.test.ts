/** A server that stops at a step limit: the app’s `sendAutomaticallyWhen` continues the turn, or the user. */
import { lastAssistantMessageIsCompleteWithToolCalls as complete7 } from 'ai';
import { lastAssistantMessageIsCompleteWithToolCalls as complete6 } from 'ai6';
import { gateOf } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import { turns, until } from '../lib/waiting';
import { reactChats, stage } from './support/chats';
import { calls, says } from './support/transport';

/** One step of the model, with the result of its call. */
const step = (id: string, messageId = 'a1') => [
  ...calls([id], messageId).slice(0, 3),
  { type: 'tool-output-available', toolCallId: id, output: 1 },
  ...calls([id], messageId).slice(3),
];

describe.each(reactChats)('$name', (kind) => {
  const complete = kind.version === 7 ? complete7 : complete6;
  const start = async (sendAutomaticallyWhen: unknown, options = {}) => {
    const staged = await stage(kind, {
      replies: [step('c1'), step('c2'), says('done')],
      chat: { ...options, ...(sendAutomaticallyWhen ? { sendAutomaticallyWhen } : {}) },
    });
    return { ...staged, waitingFor: () => gateOf(staged.chat).getSnapshot().turn.waitingFor };
  };

  test.each([
    ['the AI SDK’s predicate', complete],
    ['an async predicate', async (state: never) => (await turns(2), complete(state))],
  ])('%s continues the turn, step by step, with the options of the message', async (_name, predicate) => {
    const { chat, transport, waitingFor } = await start(predicate);
    await chat.sendMessage({ text: 'hi' }, { body: { of: 'message' } });
    expect(transport.requests).toHaveLength(3);
    expect(transport.requests.map(({ body, messageId, trigger }) => [body, messageId, trigger])).toEqual([
      [{ of: 'message' }, undefined, 'submit-message'],
      [{ of: 'message' }, 'a1', 'submit-message'],
      [{ of: 'message' }, 'a1', 'submit-message'],
    ]);
    expect(chat.lastMessage!.parts.map(({ type }) => type)).toEqual([
      ...['step-start', 'tool-pick', 'step-start', 'tool-pick', 'step-start', 'text'],
    ]);
    expect(waitingFor()).toEqual([]);
  });

  test.each([
    ['without a predicate', undefined],
    ['after a veto', () => false],
    ['after a late veto', async () => (await turns(2), false)],
  ])('%s the user continues, one request at a time', async (_name, predicate) => {
    const { chat, transport, waitingFor } = await start(predicate);
    await chat.sendMessage({ text: 'hi' });
    await turns();
    expect([transport.requests.length, waitingFor(), chat.status]).toEqual([1, [{ kind: 'resume' }], 'ready']);
    await chat.sendMessage();
    await turns();
    expect([transport.requests.length, waitingFor()]).toEqual([2, [{ kind: 'resume' }]]);
    gateOf(chat).resume();
    await until(() => transport.requests.length === 3 && chat.status === 'ready');
    expect(waitingFor()).toEqual([]);
  });

  test.each([
    ['a message', 'sendMessage'],
    ['stop', 'stop'],
  ] as const)('%s does not wait for a predicate, and takes the place of the request', async (_name, act) => {
    const { chat, transport, waitingFor } = await start(() => new Promise(() => {}));
    void chat.sendMessage({ text: 'hi' });
    await until(() => transport.requests.length === 1 && chat.status === 'ready');
    if (act === 'stop') {
      await chat.stop();
      expect([transport.requests.length, waitingFor()]).toEqual([1, [{ kind: 'resume' }]]);
    }
    void chat.sendMessage({ text: 'something else' });
    await until(() => transport.requests.length === 2);
    expect(transport.requests[1]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('after a veto a message is sent alone', async () => {
    const { chat, transport } = await start(() => false);
    await chat.sendMessage({ text: 'hi' });
    await chat.sendMessage({ text: 'more' });
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.role)).toEqual(['user', 'user']);
  });

  test.runIf(kind.version === 7)('a queued message does not wait for the user to continue', async () => {
    const { chat, transport } = await start(() => false, { experimental_queue: true });
    const first = chat.sendMessage({ text: 'hi' });
    void chat.sendMessage({ text: 'queued' });
    await first;
    await until(() => transport.requests.length === 2);
  });
});
