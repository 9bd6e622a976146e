// @vitest-environment happy-dom
/** Guarded Svelte chats of AI SDK 6 and 7: rendering, plain data, one chat for each guard, no repeated effects. */
import { flushSync, mount, tick, unmount } from 'svelte';
import { gateOf, guard } from 'toolgate/ai-sdk';
import { describe, expect, test } from 'vitest';

import ChatView from './support/Chat.svelte';
import { type AnyChat, chats, stage } from './support/chats';
import { derive, watch } from './support/effects.svelte';
import { turns, until } from '../lib/waiting';
import { asks, goesOn, says } from './support/transport';

const old = { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] };

describe.each(chats.filter(({ framework }) => framework === 'svelte'))('$name', (kind) => {
  test('messages, status and errors are rendered as they change', async () => {
    const { chat, transport } = await stage(kind, {
      messages: [old],
      replies: [asks(['c1']), goesOn({ c1: 42 }), new Error('R')],
    });
    const renders: Record<string, number> = {};
    const statuses: string[] = [];
    const target = document.createElement('div');
    const app = mount(ChatView, { target, props: { chat, renders } });
    const end = watch(() => void statuses.push(chat.status));
    flushSync();
    expect(target.textContent).toBe('ready:1:old');

    await chat.sendMessage({ text: 'hi' });
    await tick();
    expect(target.textContent).toBe('ready:3:oldhi|approval-requested');
    expect(renders['u0']).toBe(1);
    expect(statuses[0]).toBe('ready');
    expect(statuses.some((status) => status === 'submitted' || status === 'streaming')).toBe(true);

    await chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await until(() => chat.status === 'ready' && transport.requests.length === 2);
    await tick();
    expect(target.textContent).toBe('ready:3:oldhi|output-available||done');

    await chat.sendMessage({ text: 'more' });
    await tick();
    expect(target.textContent).toMatch(/^error:4:R/);
    chat.clearError();
    chat.messages = chat.messages.slice(0, 1);
    await tick();
    expect(target.textContent).toBe('ready:1:old');
    end();
    await unmount(app);
  });

  test('$state values of the app become plain data', async () => {
    const { chat, transport } = await stage(kind, {
      messages: [{ ...old, metadata: { at: new Date(0), deep: { list: [1] } } }],
      replies: [says('x')],
    });
    expect(() => structuredClone(chat.messages)).not.toThrow();
    await chat.sendMessage({ parts: [{ type: 'text', text: 'hi' }] });
    expect(transport.requests[0]!.messages[0]).toMatchObject({ metadata: { at: new Date(0), deep: { list: [1] } } });
    const [first] = gateOf(chat).getSnapshot().messages;
    expect(chat.messages[0]).toBe(first);
  });

  test.each(['an effect', 'a derived value'])('guard() inside %s makes one chat', async (where) => {
    const { transport } = await stage(kind);
    const made: AnyChat[] = [];
    const make = (): AnyChat => {
      made.push(guard(kind.create({ id: 'one', transport, messages: [old] })));
      return made.at(-1)!;
    };
    const end = where === 'an effect' ? watch(() => void make()) : derive(make);
    flushSync();
    await made[0]!.sendMessage({ parts: [{ type: 'text', text: 'hi' }] });
    await tick();
    flushSync();
    expect(made).toHaveLength(1);
    expect(made[0]!.messages).toHaveLength(3);
    end();
  });

  test('an effect that sends a message runs once', async () => {
    const { chat, transport } = await stage(kind, { messages: [old] });
    let runs = 0;
    const end = watch(() => {
      runs++;
      if (runs < 20) void chat.sendMessage({ parts: [{ type: 'text', text: 'auto' }] });
    });
    flushSync();
    await turns();
    flushSync();
    expect(runs).toBe(1);
    expect(transport.requests).toHaveLength(1);
    end();
  });
});
