/** Runs a scenario on a chat and records everything that an app can observe, in order. */
import type { AnyChat, ChatKind } from './chats';
import { type Scenario, send } from './scenarios';
import { turns } from '../../lib/waiting';
import { type Chunk, ScriptedTransport } from './transport';

const ids = (messages: AnyChat['messages']): string =>
  messages
    .map(({ role, id, metadata, parts }) => {
      const list = parts.map(
        ({ type, text, state, data }) =>
          `${type}${text === undefined ? '' : `=${String(text)}`}${state === undefined ? '' : `.${String(state)}`}${data === undefined ? '' : `:${String(data)}`}`,
      );
      return `${role[0]}:${id}${metadata === undefined ? '' : JSON.stringify(metadata)}[${list.join(' ')}]`;
    })
    .join(' ');

/** Runs a scenario. `prepare` may guard the chat. Returns the trace. */
export async function trace(
  kind: ChatKind,
  scenario: Scenario,
  prepare: (chat: AnyChat) => AnyChat,
): Promise<string[]> {
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
  const finish = (report: {
    message: AnyChat['messages'][number];
    messages: AnyChat['messages'];
    [key: string]: unknown;
  }): string =>
    `${ids([report.message])} of ${report.messages.length} abort=${report['isAbort']} disconnect=${report['isDisconnect']} error=${report['isError']} reason=${report['finishReason']}`;
  chat = kind.create({
    id: 'C',
    messages: [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] }],
    transport: {
      sendMessages: (request: never) => {
        const { trigger, messageId, messages, body, metadata } = request as unknown as {
          [key: string]: unknown;
          messages: AnyChat['messages'];
        };
        log.push(
          `send ${trigger} ${messageId} ${ids(messages)} body=${JSON.stringify(body)} metadata=${JSON.stringify(metadata)} status=${chat.status} keys=${Object.keys(request)}`,
        );
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
