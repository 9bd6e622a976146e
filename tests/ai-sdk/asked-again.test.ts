/**
 * A user who asks for another reply in a new page gets another one. The page has loaded the same history, because the
 * first reply was stopped or not saved; the server has the first reply with its idempotency key.
 */
import { DefaultChatTransport as Transport7 } from 'ai';
import { DefaultChatTransport as Transport6 } from 'ai6';
import { ToolGate } from 'toolgate';
import { guard } from 'toolgate/ai-sdk';
import { respondOnce } from 'toolgate/server';
import { beforeAll, describe, expect, test } from 'vitest';

import { ClockedStore } from '../server/records/clocked-store.js';
import { reactChats, type AnyChat, type ChatKind } from './support/chats';
import { initFromFile } from './support/init';
import { until } from '../lib/waiting';

beforeAll(initFromFile);

const HISTORY = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
  { id: 'r1', role: 'assistant', parts: [{ type: 'text', text: 'Hi.', state: 'done' }] },
];

/** A server that answers each key once. Returns a function that opens a page with the history. */
function serverOf(kind: ChatKind): () => AnyChat {
  const store = new ClockedStore();
  let replies = 0;
  const reply = (): Response => {
    const id = String(++replies);
    const chunks = [
      { type: 'start', messageId: `again-${id}` },
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: `answer ${id}` },
      { type: 'text-end', id },
      { type: 'finish' },
    ];
    const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
    return new Response(lines.map((line) => `data: ${line}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
  const fetch = ((_: unknown, { headers }: RequestInit) =>
    respondOnce(store, { user: 'ann', key: new Headers(headers).get('idempotency-key')! }, reply)) as never;
  const Transport = kind.version === 7 ? Transport7 : (Transport6 as never as typeof Transport7);
  return () =>
    guard(
      kind.create({ id: 'chat', messages: structuredClone(HISTORY), transport: new Transport({ api: '/api', fetch }) }),
    );
}

async function answerTo(chat: AnyChat, ask: (chat: AnyChat) => Promise<void>): Promise<string | undefined> {
  await ask(chat);
  await until(() => chat.status === 'ready' || chat.status === 'error');
  return chat.lastMessage?.parts.find(({ type }) => type === 'text')?.['text'] as string | undefined;
}

describe.each(reactChats)('$name', (kind) => {
  test.each<[string, (chat: AnyChat) => Promise<void>]>([
    ['regenerate', (chat) => chat.regenerate()],
    ['the same edit', (chat) => chat.sendMessage({ text: 'Hello?', messageId: 'u1' })],
  ])('%s in a new page', async (_, ask) => {
    const open = serverOf(kind);
    expect([await answerTo(open(), ask), await answerTo(open(), ask)]).toEqual(['answer 1', 'answer 2']);
  });
});

describe('a request for another reply', () => {
  const gateWith = (): ToolGate => {
    const gate = new ToolGate({ chatId: 'chat' });
    gate.load(structuredClone(HISTORY) as never);
    return gate;
  };
  const keyOf = (gate: ToolGate): string => gate.outgoing()[0]!.key;

  test.each<[string, (gate: ToolGate) => void]>([
    ['regenerate', (gate) => gate.regenerate()],
    ['edit', (gate) => gate.sendUserMessage(HISTORY[0] as never, { replace: 'u1' })],
  ])('%s: its key is part of the saved state, claimed or not, and of the log', (_, ask) => {
    const gate = gateWith();
    ask(gate);
    const key = keyOf(gate);
    expect(keyOf(ToolGate.restore(gate.toJSON()))).toBe(key);
    expect(gate.auditLog().at(-1)).toMatchObject({ type: 'delivery', to: 'ready', key });
    gate.claim(gate.outgoing()[0]!.id);
    expect(ToolGate.restore(gate.toJSON()).undelivered()[0]!.key).toBe(key);
    const other = gateWith();
    ask(other);
    expect(keyOf(other)).not.toBe(key);
  });

  test('a message of the app has the same key in each page, whatever its id is', () => {
    const keys = ['trigger', 'id', 'user'].map((id) => {
      const [one, other] = [gateWith(), gateWith()];
      for (const gate of [one, other]) gate.sendUserMessage({ ...HISTORY[0], id } as never);
      expect(keyOf(one)).toBe(keyOf(other));
      return keyOf(one);
    });
    expect(new Set(keys).size).toBe(3);
  });

  test('a decision has the same key in each page, also after one has asked again', () => {
    const keys = [false, true].map((asksAgain) => {
      const gate = gateWith();
      if (asksAgain) gate.regenerate();
      gate.load([
        HISTORY[0],
        {
          id: 'trigger',
          role: 'assistant',
          parts: [
            {
              type: 'tool-run',
              toolCallId: 'id',
              state: 'approval-requested',
              input: {},
              approval: { id: 'trigger' },
            },
          ],
        },
      ] as never);
      gate.respond('trigger', { approved: true });
      return gate.outgoing().map(({ key }) => key);
    });
    expect(keys[0]).toHaveLength(1);
    expect(keys[1]).toEqual(keys[0]);
  });
});
