/** Scenarios that compare a guarded chat with an unguarded one. */
import type { AnyChat } from './chats';
import { turns } from '../../lib/waiting';
import { asks, calls, goesOn, type Reply, says } from './transport';

/** One scenario. */
export interface Scenario {
  readonly name: string;
  readonly replies?: readonly Reply[];
  readonly lost?: readonly (Reply | null)[];
  /** The app's calls. Default: one message is sent. */
  readonly act?: (chat: AnyChat) => Promise<unknown>;
  /** The callback that throws. */
  readonly throws?: 'onToolCall' | 'onFinish' | 'onError' | 'onData';
  readonly chat?: object;
}

const text = says('x');
const stop = Object.assign(new Error('stopped'), { name: 'AbortError' });
const manyDeltas: unknown[] = Array.from({ length: 40 }, () => [text[3], () => turns(2)]).flat();

/** Sends a message with all request options. */
export const send = (chat: AnyChat): Promise<void> =>
  chat.sendMessage({ text: 'hi' }, { body: { b: 1 }, metadata: { m: 1 } });

/** Scenarios without a difference. */
export const same: readonly Scenario[] = [
  { name: 'a text', replies: [text] },
  { name: 'a reply without ids', replies: [text.slice(1)] },
  { name: 'an empty stream', replies: [[]] },
  { name: 'a finish alone', replies: [[{ type: 'finish', finishReason: 'stop' }]] },
  { name: 'a start alone', replies: [[text[0]]] },
  {
    name: 'metadata',
    replies: [
      [
        { type: 'start', messageId: 'a1', messageMetadata: { a: { b: 1 } } },
        ...text.slice(1, 6),
        { type: 'finish', messageMetadata: { a: { c: 2 } } },
      ],
    ],
  },
  { name: 'an error chunk', replies: [[...text.slice(0, 4), { type: 'error', errorText: 'E' }, ...text.slice(4)]] },
  { name: 'an error in the stream', replies: [[...text.slice(0, 3), new Error('S')]] },
  { name: 'a lost connection', replies: [[...text.slice(0, 4), new TypeError('network error')]] },
  { name: 'a rejected request', replies: [new Error('R')] },
  { name: 'no connection', replies: [new TypeError('Failed to fetch')] },
  { name: 'a transport that throws a string', replies: [{ throws: 'str' }] },
  { name: 'a transport that aborts', replies: [stop] },
  {
    name: 'stop',
    replies: [[...text.slice(0, 4), ...manyDeltas]],
    act: async (chat) => {
      const sent = chat.sendMessage({ text: 'hi' });
      await turns(12);
      await chat.stop();
      await sent;
    },
  },
  { name: 'a tool call', replies: [calls(['c1'])] },
  { name: 'onFinish throws', replies: [text], throws: 'onFinish' },
  {
    name: 'data parts',
    replies: [
      [
        text[0],
        { type: 'data-w', id: '1', data: 1 },
        { type: 'data-w', id: '1', data: 3 },
        { type: 'data-w', data: 2, transient: true },
        text[6],
      ],
    ],
  },
  {
    name: 'a message with parts',
    replies: [text],
    act: (chat) => chat.sendMessage({ parts: [{ type: 'text', text: 'p' }], id: 'mine', metadata: 1, extra: 2 }),
  },
  {
    name: 'a message with files',
    replies: [text],
    act: (chat) => chat.sendMessage({ text: 't', files: [{ type: 'file', mediaType: 'x/y', url: 'data:,' }] }),
  },
  { name: 'invalid files', act: (chat) => chat.sendMessage({ text: 'a', files: { length: 0 } }) },
  { name: 'sendMessage() after a user message', replies: [text], act: (chat) => chat.sendMessage() },
  { name: 'an edited message', replies: [text], act: (chat) => chat.sendMessage({ text: 'new', messageId: 'u0' }) },
  {
    name: 'regenerate',
    replies: [text, says('y', 'a2')],
    act: async (chat) => {
      await send(chat);
      await chat.regenerate();
    },
  },
  { name: 'regenerate by id', replies: [text], act: (chat) => chat.regenerate({ messageId: 'u0', body: { z: 1 } }) },
  { name: 'nothing to resume', act: (chat) => chat.resumeStream() },
  { name: 'resume', lost: [text], act: (chat) => chat.resumeStream({ headers: { h: '1' } }) },
  { name: 'a rejected resume', lost: [new Error('X')], act: (chat) => chat.resumeStream() },
  {
    name: 'an error is cleared',
    replies: [new Error('R')],
    act: async (chat) => {
      await send(chat);
      chat.clearError();
    },
  },
  {
    name: 'a retry by regenerate',
    replies: [new Error('R'), text],
    act: async (chat) => {
      await send(chat);
      await chat.regenerate();
    },
  },
  {
    name: 'messages are replaced',
    replies: [text],
    act: async (chat) => {
      await send(chat);
      chat.messages = chat.messages.slice(0, 1);
    },
  },
  {
    name: 'two messages',
    replies: [text, says('y', 'a2')],
    act: async (chat) => {
      await send(chat);
      await chat.sendMessage({ text: 'again' });
    },
  },
];

/** Scenarios in which `lastAssistantMessageIsCompleteWithApprovalResponses` is `sendAutomaticallyWhen`. */
export const approvals: readonly Scenario[] = [
  {
    name: 'an approval',
    replies: [asks(['c1']), goesOn({ c1: 42 })],
    act: async (chat) => {
      await send(chat);
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await turns();
    },
  },
  {
    name: 'two approvals',
    replies: [asks(['c1', 'c2']), goesOn({ c1: 1, c2: 2 })],
    act: async (chat) => {
      await send(chat);
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { body: { one: 1 } } });
      await turns();
      await chat.addToolApprovalResponse({ id: 'ask-c2', approved: true, options: { body: { two: 2 } } });
      await turns();
    },
  },
  {
    name: 'an approval during the stream',
    replies: [
      [
        ...asks(['c1']).slice(0, 4),
        async () => {
          await turns(3);
        },
        ...asks(['c1']).slice(4),
      ],
      goesOn({ c1: 42 }),
    ],
    act: async (chat) => {
      const sent = send(chat);
      for (let n = 0; n < 200 && chat.lastMessage?.parts.at(-1)?.['state'] !== 'approval-requested'; n++)
        await Promise.resolve();
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await sent;
    },
  },
];
