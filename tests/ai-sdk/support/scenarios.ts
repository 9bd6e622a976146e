/**
 * What an app does with a chat, for the comparison of a guarded chat with an unguarded one: each scenario is run on
 * both, and everything that can be seen from outside is written down in order.
 */
import type { AnyChat, ChatKind } from './chats';
import { type Chunk, ScriptedTransport, asks, calls, goesOn, says, type Reply, turns } from './transport';

/** One scenario. */
export interface Scenario {
  readonly name: string;
  readonly replies?: readonly Reply[];
  readonly lost?: readonly (Reply | null)[];
  /** What the app does; by default it sends one message. */
  readonly act?: (chat: AnyChat) => Promise<unknown>;
  /** Callbacks that throw. */
  readonly throws?: 'onToolCall' | 'onFinish' | 'onError' | 'onData';
  readonly chat?: object;
}

const text = says('x');
const stop = Object.assign(new Error('stopped'), { name: 'AbortError' });
const manyDeltas: unknown[] = Array.from({ length: 40 }, () => [text[3], () => turns(2)]).flat();

/** Sends a message with everything that can come with it. */
const send = (chat: AnyChat): Promise<void> => chat.sendMessage({ text: 'hi' }, { body: { b: 1 }, metadata: { m: 1 } });

/** The scenarios in which a guarded chat does exactly what an unguarded one does. */
export const same: readonly Scenario[] = [
  { name: 'a text', replies: [text] },
  { name: 'a reply without ids', replies: [text.slice(1)] },
  { name: 'an empty stream', replies: [[]] },
  { name: 'a finish alone', replies: [[{ type: 'finish', finishReason: 'stop' }]] },
  { name: 'a start alone', replies: [[text[0]]] },
  { name: 'metadata', replies: [[{ type: 'start', messageId: 'a1', messageMetadata: { a: { b: 1 } } }, ...text.slice(1, 6), { type: 'finish', messageMetadata: { a: { c: 2 } } }]] },
  { name: 'an error chunk', replies: [[...text.slice(0, 4), { type: 'error', errorText: 'E' }, ...text.slice(4)]] },
  { name: 'an error in the stream', replies: [[...text.slice(0, 3), new Error('S')]] },
  { name: 'a lost connection', replies: [[...text.slice(0, 4), new TypeError('network error')]] },
  { name: 'a refused request', replies: [new Error('R')] },
  { name: 'no connection', replies: [new TypeError('Failed to fetch')] },
  { name: 'a transport that throws a string', replies: [{ throws: 'str' }] },
  { name: 'a transport that aborts', replies: [stop] },
  {
    name: 'stop',
    replies: [[...text.slice(0, 4), ...manyDeltas]],
    act: async chat => {
      const sent = chat.sendMessage({ text: 'hi' });
      await turns(12);
      await chat.stop();
      await sent;
    },
  },
  { name: 'a tool call', replies: [calls(['c1'])] },
  { name: 'onToolCall throws', replies: [calls(['c1'])], throws: 'onToolCall' },
  { name: 'onFinish throws', replies: [text], throws: 'onFinish' },
  { name: 'data parts', replies: [[text[0], { type: 'data-w', id: '1', data: 1 }, { type: 'data-w', id: '1', data: 3 }, { type: 'data-w', data: 2, transient: true }, text[6]]] },
  { name: 'a message with parts', replies: [text], act: chat => chat.sendMessage({ parts: [{ type: 'text', text: 'p' }], id: 'mine', metadata: 1, extra: 2 }) },
  { name: 'a message with files', replies: [text], act: chat => chat.sendMessage({ text: 't', files: [{ type: 'file', mediaType: 'x/y', url: 'data:,' }] }) },
  { name: 'files that are none', act: chat => chat.sendMessage({ text: 'a', files: { length: 0 } }) },
  { name: 'sendMessage() after a user message', replies: [text], act: chat => chat.sendMessage() },
  { name: 'an edited message', replies: [text], act: chat => chat.sendMessage({ text: 'new', messageId: 'u0' }) },
  { name: 'regenerate', replies: [text, says('y', 'a2')], act: async chat => { await send(chat); await chat.regenerate(); } },
  { name: 'regenerate by id', replies: [text], act: chat => chat.regenerate({ messageId: 'u0', body: { z: 1 } }) },
  { name: 'nothing to resume', act: chat => chat.resumeStream() },
  { name: 'resume', lost: [text], act: chat => chat.resumeStream({ headers: { h: '1' } }) },
  { name: 'a refused resume', lost: [new Error('X')], act: chat => chat.resumeStream() },
  { name: 'an error is cleared', replies: [new Error('R')], act: async chat => { await send(chat); chat.clearError(); } },
  { name: 'a retry by regenerate', replies: [new Error('R'), text], act: async chat => { await send(chat); await chat.regenerate(); } },
  { name: 'messages are replaced', replies: [text], act: async chat => { await send(chat); chat.messages = chat.messages.slice(0, 1); } },
  { name: 'two messages', replies: [text, says('y', 'a2')], act: async chat => { await send(chat); await chat.sendMessage({ text: 'again' }); } },
];

/** With the predicate that the AI SDK has for approvals. */
export const approvals: readonly Scenario[] = [
  {
    name: 'an approval',
    replies: [asks(['c1']), goesOn({ c1: 42 })],
    act: async chat => {
      await send(chat);
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await turns();
    },
  },
  {
    name: 'two approvals',
    replies: [asks(['c1', 'c2']), goesOn({ c1: 1, c2: 2 })],
    act: async chat => {
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
      [...asks(['c1']).slice(0, 4), async () => { await turns(3); }, ...asks(['c1']).slice(4)],
      goesOn({ c1: 42 }),
    ],
    act: async chat => {
      const sent = send(chat);
      for (let n = 0; n < 200 && chat.lastMessage?.parts.at(-1)?.['state'] !== 'approval-requested'; n++) await Promise.resolve();
      await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await sent;
    },
  },
];

/** Lines of a trace; a part of each is enough. */
type Lines = readonly string[] | Readonly<Record<6 | 7, readonly string[]>>;

/** A scenario in which a guarded chat does something else on purpose. */
export interface Difference extends Scenario {
  /** Why. */
  readonly because: string;
  /** What only the bare chat does, in order. */
  readonly bare: Lines;
  /** What only the guarded chat does. */
  readonly guarded: Lines;
}

const approve = (options: object) => async (chat: AnyChat): Promise<void> => {
  await send(chat);
  await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, ...options });
  await turns();
};

/** All differences that an app can see. */
export const differences: readonly Difference[] = [
  {
    name: 'an approval without a predicate',
    because: 'the gate knows when a step is complete; no predicate is needed',
    replies: [asks(['c1']), goesOn({ c1: 42 })],
    act: approve({}),
    bare: ['end ready'],
    guarded: ['status submitted', 'id g2', 'send submit-message a1', 'status streaming', 'status ready', 'onFinish a:a1', 'end ready'],
  },
  {
    name: 'an approval that does not exist',
    because: 'an answer is never dropped in silence',
    replies: [asks(['c1'])],
    act: approve({ id: 'c1' }),
    bare: ['resolved'],
    guarded: ['rejected: "c1" is the id of a tool call, not of an approval'],
  },
  {
    name: 'two messages at once',
    because: 'one request at a time; both messages are seen at once, and the second leaves when the reply ends',
    replies: [text, says('y', 'a2')],
    act: chat => Promise.all([chat.sendMessage({ text: '1' }), chat.sendMessage({ text: '2' })]),
    bare: [
      'send submit-message undefined u:u0[text=old] u:g0[text=1] u:g2[text=2] body',
      'onFinish a:a1[step-start text=x.done] of 5',
      'end ready error=undefined u:u0[text=old] u:g0[text=1] u:g2[text=2] a:a1[step-start text=x.done] a:a2[step-start text=y.done]',
    ],
    guarded: [
      'onFinish a:a1[step-start text=x.done] of 4',
      'status submitted',
      'send submit-message undefined u:u0[text=old] u:g0[text=1] a:a1[step-start text=x.done] u:g2[text=2] body',
      'status streaming',
      'status ready',
      'end ready error=undefined u:u0[text=old] u:g0[text=1] a:a1[step-start text=x.done] u:g2[text=2] a:a2[step-start text=y.done]',
    ],
  },
  {
    name: 'an edit of a message that does not exist',
    because: 'both versions refuse; 7 has a longer text',
    act: chat => chat.sendMessage({ text: 'new', messageId: 'nope' }),
    bare: { 6: [], 7: ['rejected: Invalid argument for parameter message.messageId: message with id nope not found'] },
    guarded: { 6: [], 7: ['rejected: message with id nope not found'] },
  },
  {
    name: 'onError throws',
    because: 'the chat must not stay in `submitted` for ever',
    replies: [new Error('R')],
    throws: 'onError',
    bare: ['onFinish a:g1[] of 2 abort=false disconnect=false error=true reason=undefined status=submitted', 'end submitted'],
    guarded: ['status error', 'onFinish a:g1[] of 2 abort=false disconnect=false error=true reason=undefined status=error', 'end error'],
  },
  {
    name: 'onData throws',
    because: 'a part is taken in as a whole or not at all',
    replies: [[text[0], { type: 'data-w', id: '1', data: 1 }, text[6]]],
    throws: 'onData',
    bare: ['onFinish a:a1[data-w:1]', 'end error error=onData threw u:u0[text=old] u:g0[text=hi] a:a1[data-w:1]'],
    guarded: ['onFinish a:a1[]', 'end error error=onData threw u:u0[text=old] u:g0[text=hi] a:a1[]'],
  },
  {
    name: 'a chunk that fits nothing',
    because: 'it becomes an anomaly, and the reply goes on',
    replies: [[text[0], { type: 'text-delta', id: 'none', delta: '?' }, ...text.slice(1)]],
    bare: ['onError', 'status error', 'onFinish', 'end error'],
    guarded: ['status streaming', 'status ready', 'onFinish', 'end ready'],
  },
  {
    name: 'a call that is told again',
    because: 'a browser tool must not run twice',
    replies: [[...calls(['c1']).slice(0, 3), ...calls(['c1']).slice(2)]],
    bare: ['onToolCall {"toolCall":{"type":"tool-input-available","toolCallId":"c1"'],
    guarded: [],
  },
];

const ids = (messages: AnyChat['messages']): string =>
  messages
    .map(({ role, id, metadata, parts }) => {
      const list = parts.map(({ type, text, state, data }) => `${type}${text === undefined ? '' : `=${String(text)}`}${state === undefined ? '' : `.${String(state)}`}${data === undefined ? '' : `:${String(data)}`}`);
      return `${role[0]}:${id}${metadata === undefined ? '' : JSON.stringify(metadata)}[${list.join(' ')}]`;
    })
    .join(' ');

/** Runs a scenario; `prepare` guards the chat, or does not. Returns everything that was seen. */
export async function trace(kind: ChatKind, scenario: Scenario, prepare: (chat: AnyChat) => AnyChat): Promise<string[]> {
  const log: string[] = [];
  const transport = new ScriptedTransport(scenario.replies ?? []);
  transport.lost.push(...(scenario.lost ?? []));
  let count = 0;
  let chat: AnyChat;
  const hook = (name: string, say: (value: never) => string) =>
    function (this: unknown, value: never) {
      log.push(`${name} ${say(value)} status=${chat.status} this=${this === chat}`);
      if (scenario.throws === name) throw new Error(`${name} threw`);
    };
  const finish = (report: { message: AnyChat['messages'][number]; messages: AnyChat['messages']; [key: string]: unknown }): string =>
    `${ids([report.message])} of ${report.messages.length} abort=${report['isAbort']} disconnect=${report['isDisconnect']} error=${report['isError']} reason=${report['finishReason']}`;
  chat = kind.create({
    id: 'C',
    messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] }],
    transport: {
      sendMessages: (request: never) => {
        const { trigger, messageId, messages, body, metadata } = request as unknown as { [key: string]: unknown; messages: AnyChat['messages'] };
        log.push(`send ${trigger} ${messageId} ${ids(messages)} body=${JSON.stringify(body)} metadata=${JSON.stringify(metadata)} status=${chat.status} keys=${Object.keys(request)}`);
        return transport.sendMessages(request);
      },
      reconnectToStream: (request: never) => {
        log.push(`reconnect ${Object.keys(request)} status=${chat.status}`);
        return transport.reconnectToStream(request);
      },
    },
    generateId: () => {
      log.push(`id g${count}`);
      return `g${count++}`;
    },
    onToolCall: hook('onToolCall', (event: { toolCall: Chunk }) => JSON.stringify(event)),
    onData: hook('onData', JSON.stringify),
    onFinish: hook('onFinish', finish),
    onError: hook('onError', String),
    ...scenario.chat,
  });
  chat = prepare(chat);
  let status = chat.status;
  (chat as never as { '~registerStatusCallback'(call: () => void): void })['~registerStatusCallback'](() => {
    if (chat.status !== status) log.push(`status ${(status = chat.status)}`);
  });
  try {
    await (scenario.act ?? send)(chat);
    log.push('resolved');
  } catch (error) {
    log.push(`rejected: ${(error as Error).message}`);
  }
  await turns();
  log.push(`end ${chat.status} error=${chat.error?.message ?? chat.error} ${ids(chat.messages)}`);
  return log;
}
