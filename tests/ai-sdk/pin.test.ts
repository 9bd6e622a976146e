/**
 * Pins the AI SDK's private names. A guard replaces, reads or disables members of a chat that the AI SDK may change in
 * any release. These tests fail if an installed version has a member that is not in these lists, lacks a required one,
 * or if React's `useChat` reads an unknown one. Then adapt `guard.ts`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { AbstractChat as AbstractChat7 } from 'ai';
import { AbstractChat as AbstractChat6 } from 'ai6';
import { describe, expect, test } from 'vitest';

import { chats } from './support/chats';

/**
 * An app's own chat class on the newest `ai` of each major version. The frameworks' packages usually use an older one.
 */
const ownChats = [AbstractChat6, AbstractChat7].map((AbstractChat, index) => ({
  name: `AbstractChat ${6 + index}`,
  create: (options: object): object => {
    const Base = AbstractChat as never as new (options: object) => object;
    return new (class Chat extends Base {})({ ...options, state: { messages: [], status: 'ready', error: undefined } });
  },
}));

/** Own members that a guard replaces. The last four are missing in some versions. */
const REPLACED = [
  'sendMessage',
  'regenerate',
  'stop',
  'resumeStream',
  'clearError',
  'addToolApprovalResponse',
  'addToolOutput',
  'addToolResult',
  '~resumeStreamIfDisconnected',
  'dispose',
  'experimental_removeQueuedMessage',
  'experimental_sendQueuedMessageNow',
];
const IN_EVERY_VERSION = [...REPLACED.slice(0, 8), 'state', 'transport', 'generateId'];
/** Own members that a guard reads on each use. */
const READ = [
  'state',
  'transport',
  'generateId',
  'id',
  '_id',
  'messageMetadataSchema',
  'dataPartSchemas',
  'onError',
  'onToolCall',
  'onFinish',
  'onData',
  'sendAutomaticallyWhen',
  'queueEnabled',
];
/** Own members of the chat's request loop, which throw in a guarded chat. */
const DEAD = [
  'activeResponse',
  'activeResumeRequest',
  'resumableStreamState',
  'jobExecutor',
  'activeStopCount',
  'stopGeneration',
  'pendingApprovalMessageId',
  'queuedMessagesFallback',
  'queuedMessageOptions',
  'isQueuePaused',
  'pendingAutomaticDecisions',
  'deferredApprovalSend',
  'pendingMessagePreparations',
  'interruptedMessageIds',
];
/** React's subscriptions, which observe the state object that a guard writes its signals to. */
const SUBSCRIPTIONS = [
  '~registerMessagesCallback',
  '~registerStatusCallback',
  '~registerErrorCallback',
  '~registerQueuedMessagesCallback',
];
/** Members of the prototype: getters that read `state`, and the request loop. */
const GETTERS = ['id', 'status', 'error', 'messages', 'lastMessage', 'experimental_queuedMessages'];
const LOOP = [
  'constructor',
  'setStatus',
  'setQueuedMessages',
  'resumeQueue',
  'clearQueueForHistoryChange',
  'isRequestInProgress',
  'isWaitingForUser',
  'hasUnsentApprovalResponse',
  'settleQueue',
  'shouldSendAutomatically',
  'runAutomaticRequest',
  'makeRequestForToolApproval',
  'makeRequest',
  'makeRequestImpl',
];
/** Members of the request loop that a guard disables. */
const DISABLED = [
  'makeRequest',
  'makeRequestImpl',
  'makeRequestForToolApproval',
  'runAutomaticRequest',
  'resumeQueue',
  'settleQueue',
  'setQueuedMessages',
  'clearQueueForHistoryChange',
];

const own = new Set([...REPLACED, ...READ, ...DEAD, ...SUBSCRIPTIONS]);
const inherited = new Set([...GETTERS, ...LOOP]);

describe.each([...chats, ...ownChats])('$name', ({ create }) => {
  const chat = create({ transport: {}, messages: [] }) as unknown as Record<string, unknown>;
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(chat)) as object;

  test('every own member is known', () => {
    expect(Object.getOwnPropertyNames(chat).filter((name) => !own.has(name))).toEqual([]);
  });

  test('the required members exist and are configurable', () => {
    for (const name of IN_EVERY_VERSION) {
      expect(Object.getOwnPropertyDescriptor(chat, name), name).toMatchObject({ writable: true, configurable: true });
    }
  });

  test('every inherited member is known', () => {
    expect(Object.getOwnPropertyNames(prototype).filter((name) => !inherited.has(name))).toEqual([]);
  });

  test('the getters read the state, and members that start a request are disabled', () => {
    for (const name of ['status', 'error', 'messages', 'lastMessage']) {
      expect(String(Object.getOwnPropertyDescriptor(prototype, name)?.get), name).toMatch(/this\.state\./);
    }
    const methods = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    const requests = methods.filter((name) =>
      /transport\.(sendMessages|reconnectToStream)/.test(
        String(Object.getOwnPropertyDescriptor(prototype, name)?.value),
      ),
    );
    expect(requests.filter((name) => !DISABLED.includes(name))).toEqual([]);
    expect(requests).toHaveLength(1);
  });

  test('the state object has the members for signals', () => {
    const { state } = chat as { state: object };
    for (const name of ['messages', 'status', 'error']) expect(name in state, name).toBe(true);
  });
});

test.each(chats.filter(({ framework }) => framework === 'vue'))(
  '$name: reading the refs of the state does not subscribe',
  ({ create }) => {
    const { state } = create({ transport: {}, messages: [] }) as unknown as {
      state: Record<string, Record<string, unknown>>;
    };
    for (const name of ['messagesRef', 'statusRef', 'errorRef']) {
      const ref = state[name];
      expect(Object.keys(ref ?? {}), name).toEqual(expect.arrayContaining(['_rawValue', '_value']));
      expect(ref?.['_value']).toBe(ref?.['value']);
    }
  },
);

describe.each(['@ai-sdk/react', 'ai-sdk-react6'])('useChat of %s', (name) => {
  test('reads known members only', () => {
    const require = createRequire(import.meta.url);
    const code = readFileSync(require.resolve(name), 'utf8');
    const begin = code.search(/automaticResumeStates\s*=/);
    const end = code.indexOf('src/use-completion', begin);
    expect(begin).toBeGreaterThan(0);
    const body = code.slice(begin, end > 0 ? end : undefined);
    const reads = [
      ...body.matchAll(/\b(?:chat|resumableChat|chatRef\.current)(?:\.([\w$]+)|\[["'](~?[\w$]+)["']\])/g),
    ].map((match) => (match[1] ?? match[2])!);
    const known = new Set([...own, ...inherited, 'react']);
    expect([...new Set(reads)].filter((read) => !known.has(read))).toEqual([]);
    expect(reads).toEqual(
      expect.arrayContaining(['sendMessage', 'status', '~registerMessagesCallback', '~resumeStreamIfDisconnected']),
    );
  });
});
