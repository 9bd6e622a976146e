/** A guarded chat before its core is loaded. No `init()` is needed, and nothing is sent without a gate. */
import { afterEach, describe, expect, test, vi } from 'vitest';

import { uncaughtIn } from '../lib/uncaught';
import { turns, until } from '../lib/waiting';
import { chats, reactChats, type Message } from './support/chats';
import { freshPackage, waitingChat } from './support/loading';
import { calls, goesOn, says, ScriptedTransport } from './support/transport';

afterEach(() => vi.unstubAllGlobals());

const text = (id: string, words: string, role = 'user'): Message => ({
  id,
  role,
  parts: [{ type: 'text', text: words }],
});
const asking = (input: object = { file: 'a' }): Message => ({
  id: 'a0',
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    { type: 'tool-edit', toolCallId: 'c1', state: 'approval-requested', input, approval: { id: 'ask-c1' } },
  ],
});
const history = [text('u0', 'old'), asking()];
const texts = (messages: readonly Message[]): unknown[] => messages.map(({ parts }) => parts.at(-1)?.text);
const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => error,
  );

describe.each(chats)('$name', (kind) => {
  test('guard returns at once; the messages are shown, and a second call changes nothing', async () => {
    const { chat, guard, gateOf, whenReady, arrive, transport } = await waitingChat(kind, { messages: history });
    const { sendMessage } = chat;
    expect([chat.status, chat.error, chat.messages]).toEqual(['ready', undefined, history]);
    expect(guard(chat)).toBe(chat);
    expect(chat.sendMessage).toBe(sendMessage);
    expect(() => gateOf(chat)).toThrow(expect.objectContaining({ code: 'not-initialized' }));
    expect(() => gateOf(chat)).toThrow(/whenReady/);
    const ready = whenReady(chat);
    await arrive();
    expect(await ready).toBe(gateOf(chat));
    expect(gateOf(chat).pending()).toHaveLength(1);
    expect(guard(chat).sendMessage).toBe(sendMessage);
    expect(transport.requests).toEqual([]);
  });

  test('a message is shown at once, and is sent once when the core is loaded', async () => {
    const { chat, arrive, transport } = await waitingChat(kind, { messages: [text('u0', 'old')] });
    const sent = chat.sendMessage({ text: 'hi' }, { body: { a: 1 } });
    expect([chat.status, texts(chat.messages), chat.lastMessage?.id]).toEqual(['submitted', ['old', 'hi'], 'id-0']);
    await turns();
    expect(transport.requests).toEqual([]);
    await arrive();
    await sent;
    expect(transport.requests).toHaveLength(1);
    expect(transport.requests[0]).toMatchObject({ body: { a: 1 }, trigger: 'submit-message' });
    expect(transport.requests[0]!.messages.map(({ id }) => id)).toEqual(['u0', 'id-0']);
    expect([chat.status, texts(chat.messages)]).toEqual(['ready', ['old', 'hi', 'ok']]);
  });

  test('a decision is shown only when the core is loaded, and is sent once', async () => {
    const { chat, arrive, transport } = await waitingChat(kind, {
      messages: history,
      replies: [goesOn({ c1: 1 }, 'a0')],
    });
    const decided = chat.addToolApprovalResponse({ id: 'ask-c1', approved: true, options: { body: { b: 2 } } });
    await turns();
    expect([chat.status, chat.messages]).toEqual(['ready', history]);
    await arrive();
    await decided;
    await until(() => chat.status === 'ready' && transport.requests.length === 1);
    expect(transport.requests[0]!.body).toEqual({ b: 2 });
    expect(transport.requests[0]!.messages[1]!.parts[1]).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'ask-c1', approved: true },
    });
  });

  test('an approval that is not shown cannot be decided', async () => {
    const { chat, arrive, transport } = await waitingChat(kind);
    const decided = settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }));
    chat.messages = history;
    await arrive();
    expect(await decided).toMatchObject({ code: 'unknown-approval' });
    expect(transport.requests).toEqual([]);
  });

  test('queued actions run in the order in which they were called', async () => {
    const { chat, arrive, transport } = await waitingChat(kind, {
      messages: history,
      replies: [goesOn({ c1: 1 }, 'a0'), says('one', 'a1')],
    });
    const all = [
      chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }),
      chat.sendMessage({ text: 'first' }),
      chat.sendMessage({ text: 'second' }),
    ];
    expect(texts(chat.messages).slice(2)).toEqual(['first', 'second']);
    await arrive();
    await Promise.all(all);
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect(transport.atOnce).toBe(1);
    expect(transport.requests.map(({ messages }) => messages.map(({ id }) => id))).toEqual([
      ['u0', 'a0'],
      ['u0', 'a0', 'id-0', 'id-1'],
    ]);
  });

  test('`messages = …` accepts only an array, which is shown at once', async () => {
    const { chat, arrive, whenReady } = await waitingChat(kind, { messages: [text('u0', 'old')] });
    expect(() => (chat.messages = { error: 'no' } as never)).toThrow(/expected an array/);
    chat.messages = [text('u1', 'new')];
    expect(texts(chat.messages)).toEqual(['new']);
    await arrive();
    expect((await whenReady(chat)).getSnapshot().messages.map(({ id }) => id)).toEqual(['u1']);
    expect(texts(chat.messages)).toEqual(['new']);
  });

  test('stop() removes queued actions; a shown message stays in the history but is not sent', async () => {
    const { chat, arrive, transport, whenReady } = await waitingChat(kind, { messages: history });
    const decided = settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }));
    const answered = settled(chat.addToolOutput({ toolCallId: 'c1', output: 1 }));
    const sent = settled(chat.sendMessage({ text: 'hi' }));
    const again = settled(chat.regenerate());
    await chat.stop();
    expect(await Promise.all([sent, again])).toEqual(['resolved', 'resolved']);
    for (const dropped of [decided, answered]) expect(await dropped).toMatchObject({ code: 'not-initialized' });
    expect([chat.status, texts(chat.messages).at(-1)]).toEqual(['ready', 'hi']);
    await arrive();
    await turns();
    expect(transport.requests).toEqual([]);
    expect(texts((await whenReady(chat)).getSnapshot().messages as never).at(-1)).toBe('hi');
    expect(texts(chat.messages).at(-1)).toBe('hi');
    await chat.sendMessage();
    expect(transport.requests).toHaveLength(1);
    expect(transport.requests[0]!.messages.at(-1)!.id).toBe('id-0');
  });

  test('dispose() ends the chat: no gate is attached and no request is sent', async () => {
    const { chat, arrive, transport, whenReady, dispose, gateOf } = await waitingChat(kind, { messages: history });
    const decided = settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }));
    const sent = settled(chat.sendMessage({ text: 'hi' }));
    const ready = settled(whenReady(chat));
    expect(dispose(chat)).toBe(dispose(chat));
    await dispose(chat);
    expect([await sent, await decided, await ready]).toMatchObject([
      'resolved',
      { code: 'crashed' },
      { code: 'crashed' },
    ]);
    await arrive();
    await turns();
    expect([transport.requests, transport.isClosed, chat.status]).toEqual([[], true, 'ready']);
    expect(texts(chat.messages).at(-1)).toBe('hi');
    expect(() => gateOf(chat)).toThrow(/not loaded/);
    expect(await settled(chat.sendMessage({ text: 'x' }))).toMatchObject({ code: 'crashed' });
  });

  test('a core that cannot be loaded: queued decisions are removed, and the next sendMessage() sends the messages', async () => {
    const { chat, breakDown, transport, errors, whenReady } = await waitingChat(kind, { messages: history });
    const ready = settled(whenReady(chat));
    const decided = settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }));
    const answered = settled(chat.addToolOutput({ toolCallId: 'c1', output: 1 }));
    const sent = settled(chat.sendMessage({ text: 'hi' }));
    await breakDown();
    for (const lost of [decided, answered, ready]) expect(await lost).toMatchObject({ code: 'load-failed' });
    expect(await sent).toBe('resolved');
    expect([chat.status, chat.error]).toMatchObject(['error', { code: 'load-failed' }]);
    expect(errors).toEqual([chat.error]);
    expect(texts(chat.messages).at(-1)).toBe('hi');
    // A decision does not send the shown message; only the next `sendMessage()` does.
    expect(await settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }))).toBe(chat.error);
    await turns();
    expect(transport.requests).toEqual([]);

    await chat.sendMessage();
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    expect(transport.requests).toHaveLength(1);
    const { messages } = transport.requests[0]!;
    expect(messages.map(({ id }) => id)).toEqual(['u0', 'a0', 'id-0']);
    expect(JSON.stringify(messages[1])).not.toContain('"approved":true');
  });

  test('after a failure the next message sends the earlier one first', async () => {
    const { chat, breakDown, transport } = await waitingChat(kind);
    void chat.sendMessage({ text: 'one' });
    await breakDown();
    await chat.sendMessage({ text: 'two' });
    await until(() => transport.requests.length === 2 && chat.status === 'ready');
    expect(transport.requests.map(({ messages }) => messages.at(-1)!.id)).toEqual(['id-0', 'id-1']);
  });

  test('after a failure without an undelivered message, the next decision loads the core', async () => {
    const { chat, breakDown, transport } = await waitingChat(kind, { messages: history });
    await breakDown();
    expect(chat.status).toBe('error');
    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => transport.requests.length === 1);
    expect(chat.error).toBeUndefined();
  });
});

test('a decision applies only to the input that was shown when it was made', async () => {
  for (const kind of reactChats) {
    const asked = asking();
    const { chat, arrive, transport } = await waitingChat(kind, { messages: [text('u0', 'old'), asked] });
    const decided = settled(chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }));
    (asked.parts[1]!['input'] as { file: string }).file = 'secret';
    await arrive();
    expect(await decided).toMatchObject({ code: 'stale-input' });
    await turns();
    expect(transport.requests).toEqual([]);
    expect(chat.messages[1]!.parts[1]).toMatchObject({ state: 'approval-requested', input: { file: 'secret' } });
  }
});

test('after `await init()` the gate exists at once', async () => {
  for (const kind of chats) {
    const { init, guard, gateOf } = await freshPackage();
    await init();
    const chat = guard(kind.create({ messages: history, transport: new ScriptedTransport([]) }));
    expect(gateOf(chat).pending()).toHaveLength(1);
  }
});

test('after `await init()` the gate exists at once, also if `toolgate/ai-sdk` is imported later', async () => {
  vi.resetModules();
  const { init } = await import('toolgate');
  const first = init();
  const { guard, gateOf } = await import('toolgate/ai-sdk');
  await Promise.all([first, init()]);
  const chat = guard(reactChats[0]!.create({ transport: new ScriptedTransport([]) }));
  expect(gateOf(chat).getSnapshot().status).toBe('idle');
});

test('on a server the core is not loaded until a method of the chat is called', async () => {
  const { guard, isInitialized, whenReady } = await freshPackage();
  for (const kind of chats) {
    const chat = guard(kind.create({ messages: history, transport: new ScriptedTransport([]) }));
    expect([chat.messages, chat.status]).toEqual([history, 'ready']);
    chat.messages = [];
    await turns();
    expect(isInitialized()).toBe(false);
  }
  const transport = new ScriptedTransport([]);
  const chat = guard(reactChats[0]!.create({ transport }));
  await chat.sendMessage({ text: 'hi' });
  expect([transport.requests.length, isInitialized()]).toEqual([1, true]);
  expect((await whenReady(chat)).getSnapshot().messages).toHaveLength(2);
});

test('in a page the core is loaded at once, from the source that `init` gets in the same task', async () => {
  const { guard, init, whenReady, isInitialized } = await freshPackage();
  vi.stubGlobal('document', {});
  const chat = guard(reactChats[0]!.create({ transport: new ScriptedTransport([]) }));
  await until(isInitialized);
  await whenReady(chat);

  const other = await freshPackage();
  const second = other.guard(reactChats[0]!.create({ transport: new ScriptedTransport([]) }));
  const error = await settled(other.init('file:///nowhere/toolgate.wasm'));
  await turns();
  expect([error, second.error]).toMatchObject([{ code: 'load-failed' }, { code: 'load-failed' }]);
  expect(String(second.error)).toContain('/nowhere/toolgate.wasm');
  await init();
});

test('a chat whose core could not be loaded continues when `init()` has loaded it', async () => {
  const { chat, breakDown, init, gateOf } = await waitingChat(reactChats[0]!, { messages: history });
  await breakDown();
  expect(chat.status).toBe('error');
  await init();
  await turns();
  expect([chat.status, chat.error, gateOf(chat).pending().length]).toEqual(['ready', undefined, 1]);
});

test('the error names `wasm-unsafe-eval` if the content security policy lacks it', async () => {
  const { chat, breakDown } = await waitingChat(reactChats[0]!);
  const what = "WebAssembly.compile(): violates the following Content Security policy directive: script-src 'self'";
  await breakDown(new WebAssembly.CompileError(what));
  expect(chat.error?.message).toContain("add 'wasm-unsafe-eval' to its `script-src`");
});

test('whenReady and gateOf refuse a chat that is not guarded', async () => {
  const { whenReady, gateOf } = await freshPackage();
  await expect(whenReady({})).rejects.toThrow(/not guarded/);
  expect(() => gateOf({})).toThrow(/not guarded/);
});

test('in React the state of the gate is shown after the first subscription, so that hydration matches', async () => {
  // The gate closes an approval that a later message superseded, so its first view differs from the server's HTML.
  const old = [...history, text('u1', 'new')];
  for (const kind of reactChats) {
    const { chat, arrive } = await waitingChat(kind, { messages: old });
    await arrive();
    expect(chat.messages).toEqual(old);
    const seen: unknown[] = [];
    const subscribe = (chat as never as Record<string, (listener: () => void) => () => void>)[
      '~registerMessagesCallback'
    ]!;
    const end = subscribe(() => seen.push(chat.messages));
    expect(chat.messages).not.toEqual(old);
    expect(chat.messages).toHaveLength(3);
    expect(seen).toEqual([chat.messages]);
    end();
  }
});

test('in Vue and Svelte, all reads of one rendering see the same state', async () => {
  const old = [...history, text('u1', 'new')];
  for (const kind of chats.filter(({ framework }) => framework !== 'react')) {
    const { chat, arrive } = await waitingChat(kind, { messages: old });
    await arrive();
    expect(chat.messages).toEqual(old);
    expect(chat.messages).toEqual(old);
    await Promise.resolve();
    await turns(1);
    expect(chat.messages).not.toEqual(old);
  }
});

test('queued actions run after `persist` has restored the state', async () => {
  const stored = new Map<string, unknown>();
  const storage = {
    read: (name: string) => stored.get(name),
    write: (name: string, value: unknown) => void stored.set(name, structuredClone(value)),
    remove: (name: string) => void stored.delete(name),
  };
  const earlier = await waitingChat(reactChats[1]!);
  const { persist: persistFirst } = await import('toolgate/persist');
  await earlier.arrive();
  const first = await persistFirst(earlier.chat as never, { name: 'chat', storage });
  await earlier.chat.sendMessage({ text: 'stored' });
  await first.flush();
  first.close();
  await turns();

  const { chat, arrive, transport } = await waitingChat(reactChats[1]!, {
    chat: { generateId: () => 'new-id' },
    replies: [says('answer', 'a9')],
  });
  const { persist } = await import('toolgate/persist');
  await expect(persist(chat as never, { nam: 'x' } as never)).rejects.toThrow(/unknown option/);
  const persisting = persist(chat as never, { name: 'chat', storage });
  const sent = chat.sendMessage({ text: 'hi' });
  await arrive();
  const persisted = await persisting;
  await sent;
  expect(transport.requests).toHaveLength(1);
  expect(texts(transport.requests[0]!.messages as never)).toEqual(['stored', 'ok', 'hi']);
  persisted.close();
});

test('tools can be registered before the core is loaded, and run', async () => {
  const { chat, arrive, transport } = await waitingChat(reactChats[1]!, {
    replies: [calls(['c1'], 'a1', 'pick'), goesOn({}, 'a1')],
    guard: { gate: { browserTools: ['pick'] } },
  });
  const { registerTools } = await import('toolgate/tools');
  const pick = { execute: async () => 'picked' };
  const dispose = registerTools(chat as never, { pick } as never);
  expect(() => registerTools(chat as never, { pick } as never)).toThrow(/registered on this gate already/);
  expect(dispose.running).toEqual([]);
  dispose();
  registerTools(chat as never, { pick } as never);
  const sent = chat.sendMessage({ text: 'hi' });
  await arrive();
  await sent;
  await until(() => transport.requests.length === 2);
  expect(transport.requests[1]!.messages.at(-1)!.parts[1]).toMatchObject({
    state: 'output-available',
    output: 'picked',
  });
  expect(() => registerTools(chat as never, { pick } as never)).toThrow(/registered on this gate already/);
});

test('a tool that needs approval and is not in `browserTools` keeps no chat from starting, and never runs', async () => {
  const { chat, arrive, transport } = await waitingChat(reactChats[1]!, { replies: [calls(['c1'], 'a1', 'pick')] });
  const { registerTools } = await import('toolgate/tools');
  const runs: unknown[] = [];
  const pick = { needsApproval: true, execute: (input: unknown) => runs.push(input) };
  registerTools(chat as never, { pick } as never);
  const sent = chat.sendMessage({ text: 'hi' });
  expect(await uncaughtIn(arrive)).toMatchObject([
    { name: 'TypeError', message: expect.stringMatching(/"pick".*`browserTools`/) },
  ]);
  await sent;
  await turns();
  expect([transport.requests.length, runs]).toEqual([1, []]);
});

test('functions that need the gate at once throw an error that says how to wait for it', async () => {
  const { chat } = await waitingChat(reactChats[1]!);
  const { record } = await import('toolgate/inspector');
  expect(() => record(chat as never)).toThrow(expect.objectContaining({ code: 'not-initialized' }));
  expect(() => record(chat as never)).toThrow(/await whenReady\(chat\)/);
});

test('with a message queue, the messages after the first are shown in the queue', async () => {
  const { chat, arrive, transport } = await waitingChat(reactChats[1]!, { chat: { experimental_queue: true } });
  if (!('experimental_queuedMessages' in chat)) return;
  const all = ['one', 'two', 'three'].map((words) => chat.sendMessage({ text: words }));
  expect([texts(chat.messages), texts(chat.experimental_queuedMessages!)]).toEqual([['one'], ['two', 'three']]);
  chat.experimental_removeQueuedMessage!('id-1');
  expect(texts(chat.experimental_queuedMessages!)).toEqual(['three']);
  await arrive();
  await Promise.all(all);
  await until(() => transport.requests.length === 2 && chat.status === 'ready');
  expect(transport.requests.map(({ messages }) => messages.at(-1)!.id)).toEqual(['id-0', 'id-2']);
});
