/** Disposal of a guarded chat: `chat.dispose()` in version 7, `dispose(chat)` in both. */
import { ToolGate, ToolGateError } from 'toolgate';
import { dispose, gateOf, guard } from 'toolgate/ai-sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { freshName, persistGate, MemoryStorage, quiet } from '../persist/support.js';
import { turns, until } from '../lib/waiting';
import { type AnyChat, chats, reactChats, stage } from './support/chats';
import { asks, calls, goesOn, says } from './support/transport';

afterEach(() => void vi.useRealTimers());

const refused = { code: 'crashed', message: expect.stringContaining('was disposed') as unknown };

describe.each(chats)('$name', (kind) => {
  test('frees the gate, and the chat keeps its state without an error', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const [gate, shown] = [gateOf(chat), chat.messages];
    await dispose(chat);
    expect(gate.getSnapshot().status).toBe('crashed');
    expect([chat.status, chat.error, chat.messages]).toEqual(['ready', undefined, shown]);
    expect(transport.isClosed).toBe(true);
    expect(guard(chat)).toBe(chat);
  });

  test('from the call on, messages, decisions and outputs reject', async () => {
    const { chat, transport } = await stage(kind, { replies: [asks(['c1'])] });
    await chat.sendMessage({ text: 'hi' });
    const acts = (): Promise<unknown>[] => [
      chat.sendMessage({ text: 'more' }),
      chat.sendMessage(),
      chat.regenerate(),
      chat.addToolApprovalResponse({ id: 'ask-c1', approved: true }),
      chat.addToolOutput({ tool: 'edit', toolCallId: 'c1', output: 1 }),
    ];
    const over = dispose(chat);
    const during = acts().map((act) => expect(act).rejects.toMatchObject(refused));
    await Promise.all([over, ...during]);
    await Promise.all(acts().map((act) => expect(act).rejects.toBeInstanceOf(ToolGateError)));
    // A framework may call these methods when it cleans up. They do nothing.
    await Promise.all([chat.stop(), chat.resumeStream(), dispose(chat), chat.dispose?.()]);
    chat.clearError();
    expect(transport.requests).toHaveLength(1);
    expect(transport.reconnects).toHaveLength(0);
  });
});

describe.each(reactChats)('$name', (kind) => {
  test('during a reply: stops it, calls onFinish, and sends no queued message', async () => {
    const { chat, transport, told } = await stage(kind, {
      replies: [[...says('one').slice(0, 4), () => new Promise(() => {})]],
    });
    const sent = chat.sendMessage({ text: 'hi' });
    void chat.sendMessage({ text: 'queued' });
    await until(() => chat.status === 'streaming');
    await dispose(chat);
    await sent;
    expect(told.at(-1)).toMatchObject({ name: 'onFinish', value: { isAbort: true } });
    await turns();
    expect(transport.requests).toHaveLength(1);
    expect(chat.status).toBe('ready');
    expect(chat.messages[1]!.parts.at(-1)).toMatchObject({ text: 'one' });
  });

  test('does not wait for a pending callback or predicate', async () => {
    const waiting = await stage(kind, { replies: [calls(['c1'])], chat: { onToolCall: () => new Promise(() => {}) } });
    void waiting.chat.sendMessage({ text: 'hi' });
    await until(() => waiting.chat.messages.length === 2);
    await dispose(waiting.chat);

    const thinking = await stage(kind, {
      replies: [asks(['c1']), goesOn({ c1: 1 })],
      chat: { sendAutomaticallyWhen: () => new Promise(() => {}) },
    });
    await thinking.chat.sendMessage({ text: 'hi' });
    const click = thinking.chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await turns();
    await dispose(thinking.chat);
    await click;
    expect(thinking.transport.requests).toHaveLength(1);
  });

  test('removes all timers, so pending approvals do not expire', async () => {
    vi.useFakeTimers();
    const before = vi.getTimerCount();
    const { chat } = await stage(kind, { replies: [asks(['c1'])], guard: { gate: { approvalTimeoutMs: 60_000 } } });
    const gate = gateOf(chat);
    const ends = vi.fn();
    const subscribe = gate.subscribe.bind(gate);
    gate.subscribe = (listener) => {
      const end = subscribe(listener);
      return () => (ends(), end());
    };
    await chat.sendMessage({ text: 'hi' });
    expect(vi.getTimerCount()).toBeGreaterThan(before);
    await dispose(chat);
    expect(vi.getTimerCount()).toBe(before);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(chat.messages[1]!.parts.at(-1)).toMatchObject({ state: 'approval-requested' });
  });

  test('ends its subscriptions to the gate, also of a gate that is not freed', async () => {
    let open = 0;
    for (const name of ['subscribe', 'onEvent'] as const) {
      const original = ToolGate.prototype[name] as ToolGate['onEvent'];
      vi.spyOn(ToolGate.prototype, name as 'onEvent').mockImplementation(function (this: ToolGate, listener) {
        const end = original.call(this, listener);
        open++;
        return () => (open--, end());
      });
    }
    const { chat } = await stage(kind);
    expect(open).toBeGreaterThan(0);
    await dispose(chat);
    expect(open).toBe(0);
    vi.restoreAllMocks();
  });

  test('frees the gate even if closing the transport fails', async () => {
    const { chat, transport } = await stage(kind);
    transport.close = () => {
      throw new Error('no');
    };
    await expect(dispose(chat)).rejects.toThrow('no');
    expect(gateOf(chat).getSnapshot().status).toBe('crashed');
  });
});

test('a chat can be disposed before its persistence is closed, and is restored completely', async () => {
  const [name, storage] = [freshName(), new MemoryStorage()];
  const { chat } = await stage(reactChats[0]!, { replies: [asks(['c1'])] });
  const { persisted, errors } = await persistGate(gateOf(chat), name, storage);
  await chat.sendMessage({ text: 'hi' });
  await dispose(chat);
  persisted.close();
  await quiet();
  expect(errors).toEqual([]);
  const again = await stage(reactChats[0]!);
  const second = await persistGate(gateOf(again.chat), name, storage);
  expect(again.chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(gateOf(again.chat).pending()).toHaveLength(1);
  second.persisted.close();
});

test('throws for a chat that is not guarded', () => {
  expect(() => dispose({})).toThrow(/not guarded/);
  const chat: AnyChat = reactChats[0]!.create({ transport: {} });
  expect(() => dispose(chat)).toThrow(TypeError);
});
