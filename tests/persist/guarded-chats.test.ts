/**
 * Guarded chats in several tabs: a follower's chat shows incoming replies, and the leader sends the follower's requests
 * with the options that the app passed in the follower.
 */
import { expect, it } from 'vitest';
import { dispose, gateOf } from 'toolgate/ai-sdk';
import type { PersistedChat } from 'toolgate/persist';

import { chats, stage, type AnyChat, type ChatKind, type StageOptions } from '../ai-sdk/support/chats.js';
import { asks, gatekeeper, goesOn, says, ScriptedTransport } from '../ai-sdk/support/transport.js';
import { until } from '../lib/waiting.js';
import { freshName, persistGate, MemoryStorage, quiet } from './support.js';

interface ChatTab {
  readonly chat: AnyChat;
  readonly transport: ScriptedTransport;
  readonly persisted: PersistedChat;
  readonly errors: Error[];
  readonly told: readonly { name: string }[];
}

async function chatTab(
  kind: ChatKind,
  name: string,
  storage: MemoryStorage,
  options: StageOptions = {},
): Promise<ChatTab> {
  const { chat, transport, told } = await stage(kind, {
    ...options,
    chat: { generateId: () => crypto.randomUUID(), ...options.chat },
  });
  return { chat, transport, told, ...(await persistGate(gateOf(chat), name, storage)) };
}

async function twoChats(kind: ChatKind, options: StageOptions = {}): Promise<[ChatTab, ChatTab]> {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await chatTab(kind, name, storage, options);
  return [a, await chatTab(kind, name, storage, { replies: [new Error('a follower must not send')] })];
}

for (const kind of chats) {
  it(`${kind.name}: one tab sends, and the other tab's chat shows the reply`, async () => {
    const gate = gatekeeper();
    const [a, b] = await twoChats(kind, {
      replies: [[...says('half').slice(0, 4), () => gate.opened, ...says('half').slice(4)]],
    });
    expect(b.chat.status).toBe('ready');
    const sent = a.chat.sendMessage({ text: 'hello' });
    await until(() => b.chat.status === 'streaming');
    await until(() => b.chat.lastMessage?.parts.at(-1)?.['text'] === 'half');
    gate.open();
    await sent;
    await until(() => b.chat.status === 'ready');
    expect(b.chat.messages).toEqual(a.chat.messages);
    expect(b.transport.requests).toEqual([]);
    expect(b.told).toEqual([]);
  });

  it(`${kind.name}: a request of the other tab is sent by the leader, with its headers, body and metadata`, async () => {
    const [a, b] = await twoChats(kind, { replies: [asks(['c1']), goesOn({ c1: 'done' }), says('again', 'a2')] });
    await b.chat.sendMessage(
      { text: 'tidy up' },
      { headers: new Headers({ 'x-tab': 'b' }), body: { from: 'b' }, metadata: { at: new Date(3) } },
    );
    await until(() => a.transport.requests.length === 1 && a.chat.status === 'ready');
    expect(a.transport.requests[0]).toMatchObject({
      headers: { 'x-tab': 'b' },
      body: { from: 'b' },
      metadata: { at: new Date(3) },
    });
    await until(() => b.chat.lastMessage?.parts.at(-1)?.['state'] === 'approval-requested');
    await b.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { body: { because: 'b' } } });
    await until(() => a.transport.requests.length === 2 && a.chat.status === 'ready');
    expect(a.transport.requests[1]).toMatchObject({ body: { because: 'b' } });
    await until(() => b.chat.messages.length === 2 && b.chat.lastMessage?.parts.at(-1)?.['text'] === 'done');
    await b.chat.regenerate({ headers: { 'x-again': '1' } });
    await until(() => a.transport.requests.length === 3 && a.chat.status === 'ready');
    expect(a.transport.requests[2]).toMatchObject({ trigger: 'regenerate-message', headers: { 'x-again': '1' } });
    await b.persisted.flush();
    expect(b.transport.requests).toEqual([]);
    expect([...a.errors, ...b.errors]).toEqual([]);
  });

  it(`${kind.name}: a stop in a follower aborts the leader's request`, async () => {
    const never = gatekeeper();
    const [a, b] = await twoChats(kind, { replies: [[...says('half').slice(0, 4), () => never.opened]] });
    const sent = a.chat.sendMessage({ text: 'hello' });
    await until(() => b.chat.status === 'streaming');
    await b.chat.stop();
    await sent;
    expect(a.transport.requests[0]?.abortSignal?.aborted).toBe(true);
    expect(a.chat.status).toBe('ready');
    await until(() => b.chat.status === 'ready');
    never.open();
  });

  it(`${kind.name}: a retry in a follower is sent by the leader`, async () => {
    const [a, b] = await twoChats(kind, { replies: [new Error('no network'), says('ok')] });
    await a.chat.sendMessage({ text: 'hello' });
    await until(() => gateOf(b.chat).undelivered().length === 1);
    await b.chat.sendMessage(undefined, { headers: { 'x-try': '2' } });
    await until(() => a.transport.requests.length === 2 && a.chat.status === 'ready');
    expect(a.transport.requests[1]?.headers).toMatchObject({ 'x-try': '2' });
    expect(a.transport.requests[1]?.headers['Idempotency-Key']).toBe(
      a.transport.requests[0]?.headers['Idempotency-Key'],
    );
  });

  it(`${kind.name}: the leader's sendAutomaticallyWhen is called; sendMessage() in a follower overrides it`, async () => {
    const asked: string[] = [];
    const predicate = (who: string) => ({ chat: { sendAutomaticallyWhen: () => (asked.push(who), false) } });
    const [name, storage] = [freshName(), new MemoryStorage()];
    const a = await chatTab(kind, name, storage, {
      replies: [asks(['c1']), goesOn({ c1: 'done' })],
      ...predicate('a'),
    });
    const b = await chatTab(kind, name, storage, predicate('b'));
    await a.chat.sendMessage({ text: 'tidy up' });
    await until(() => gateOf(b.chat).pending().length === 1);
    await b.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await b.persisted.flush();
    expect(asked).toEqual(['a']);
    expect(a.transport.requests).toHaveLength(1);
    await quiet();
    await b.chat.sendMessage();
    await until(() => a.transport.requests.length === 2);
    expect(b.transport.requests).toEqual([]);
  });

  it(`${kind.name}: when the leader's chat is disposed, the other tab leads and sends`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const a = await chatTab(kind, name, storage, { replies: [asks(['c1'])] });
    await a.chat.sendMessage({ text: 'tidy up' });
    const b = await chatTab(kind, name, storage, { replies: [goesOn({ c1: 'done' })] });
    expect([a.persisted.state, b.persisted.state]).toEqual(['leader', 'follower']);
    await dispose(a.chat as never);
    expect(a.persisted.state).toBe('closed');
    await until(() => b.persisted.state === 'leader');
    await b.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => b.chat.lastMessage?.parts.at(-1)?.['text'] === 'done');
    expect([...a.errors, ...b.errors]).toEqual([]);
  });

  it(`${kind.name}: only the leader reconnects to a reply`, async () => {
    const [a, b] = await twoChats(kind);
    b.transport.lost.push(says('not here'));
    await b.chat.resumeStream();
    expect(b.transport.reconnects).toEqual([]);
    a.transport.lost.push(says('here'));
    await a.chat.resumeStream();
    expect(a.transport.reconnects).toHaveLength(1);
    await until(() => b.chat.messages.length === 1);
  });

  it(`${kind.name}: the next leader sends the requests that the closed tab had not sent`, async () => {
    const [name, storage] = [freshName(), new MemoryStorage()];
    const veto = { chat: { sendAutomaticallyWhen: () => false } };
    const a = await chatTab(kind, name, storage, { replies: [asks(['c1', 'c2'])], ...veto });
    const b = await chatTab(kind, name, storage, { replies: [goesOn({ c1: 'done', c2: 'denied' })] });
    await a.chat.sendMessage({ text: 'tidy up' });
    await until(() => gateOf(b.chat).pending().length === 2);
    await b.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await b.persisted.flush();
    a.persisted.close();
    await b.chat.addToolApprovalResponse({ id: 'ask-c2', approved: false, options: { body: { late: true } } });
    await until(() => b.transport.requests.length === 1 && b.chat.status === 'ready');
    expect(b.transport.requests[0]).toMatchObject({ body: { late: true } });
    expect(a.transport.requests).toHaveLength(1);
    expect(b.chat.lastMessage?.parts.at(-1)).toMatchObject({ text: 'done' });
  });
}

it('headers of the app are forwarded, and never stored', async () => {
  const kind = chats[1];
  if (!kind) throw new Error('no chat');
  const [name, storage] = [freshName(), new MemoryStorage()];
  const a = await chatTab(kind, name, storage);
  const b = await chatTab(kind, name, storage);
  const stored: string[] = [];
  const write = storage.write.bind(storage);
  storage.write = (key: string, value: unknown) => {
    stored.push(JSON.stringify(value));
    return write(key, value);
  };
  await b.chat.sendMessage({ text: 'hello' }, { headers: { authorization: 'a secret' }, body: { from: 'b' } });
  await until(() => a.transport.requests.length === 1);
  expect(a.transport.requests[0]).toMatchObject({ headers: { authorization: 'a secret' }, body: { from: 'b' } });
  await b.persisted.flush();
  expect(stored.some((text) => text.includes('"from":"b"'))).toBe(true);
  expect(stored.filter((text) => text.includes('a secret'))).toEqual([]);
});

it('the leader sends messages that are queued in a follower', async () => {
  const kind = chats[1];
  if (!kind) throw new Error('no chat');
  const [name, storage] = [freshName(), new MemoryStorage()];
  const options = { chat: { experimental_queue: true } };
  const a = await chatTab(kind, name, storage, {
    replies: [asks(['c1']), goesOn({ c1: 'done' }), says('last', 'a2')],
    ...options,
  });
  const b = await chatTab(kind, name, storage, options);
  await a.chat.sendMessage({ text: 'tidy up' });
  await until(() => gateOf(b.chat).pending().length === 1);
  void b.chat.sendMessage({ text: 'and then' });
  await quiet();
  await b.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await until(() => a.transport.requests.length === 3 && a.chat.status === 'ready');
  expect(a.chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(b.transport.requests).toEqual([]);
});
