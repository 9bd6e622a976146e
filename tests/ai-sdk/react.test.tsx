// @vitest-environment happy-dom
/** In StrictMode, `useChat({ chat })` with a guarded chat renders only on changes. */
import { useChat as useChat7 } from '@ai-sdk/react';
import { useChat as useChat6 } from 'ai-sdk-react6';
import { act, memo, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { gateOf } from 'toolgate/ai-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type AnyChat, type Message, reactChats, stage } from './support/chats';
import { turns, until } from '../lib/waiting';
import { asks, gatekeeper, goesOn, says } from './support/transport';

type Helpers = AnyChat & { setMessages(update: Message[] | ((messages: Message[]) => Message[])): void };
type UseChat = (options: {
  chat: AnyChat;
  resume?: boolean;
  throttle?: number;
  experimental_throttle?: number;
}) => Helpers;

const old = { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'old' }] };
const errors: unknown[][] = [];

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  errors.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args) => void errors.push(args));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Waits outside `act`, which hides intermediate renders. */
async function freely(work: () => Promise<unknown>): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  await work();
  await turns();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
}

describe.each(reactChats)('$name', (kind) => {
  const useChat = (kind.version === 7 ? useChat7 : useChat6) as never as UseChat;

  async function mount(chat: AnyChat, options: { resume?: boolean; throttle?: number } = {}) {
    const renders: Record<string, number> = {};
    const seen: Helpers[] = [];
    const Row = memo(function Row({ message }: { message: Message }) {
      renders[message.id] = (renders[message.id] ?? 0) + 1;
      return <p>{message.parts.map((part) => part['text'] ?? part['state']).join('|')}</p>;
    });
    function App() {
      const helpers = useChat({
        chat,
        ...options,
        ...(options.throttle === undefined ? {} : { experimental_throttle: options.throttle }),
      });
      seen.push(helpers);
      return (
        <div>
          {helpers.status}:
          {helpers.messages.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </div>
      );
    }
    const element = document.createElement('div');
    const root = createRoot(element);
    await act(async () =>
      root.render(
        <StrictMode>
          <App />
        </StrictMode>,
      ),
    );
    return { element, renders, seen, root, helpers: () => seen.at(-1)! };
  }

  test('messages, status and errors are rendered as they change', async () => {
    const { chat, transport } = await stage(kind, {
      messages: [old],
      replies: [
        [...asks(['c1']).slice(0, 3), () => turns(10), ...asks(['c1']).slice(3)],
        goesOn({ c1: 42 }),
        new Error('R'),
      ],
    });
    const { element, renders, seen, helpers, root } = await mount(chat);
    expect(element.textContent).toBe('ready:old');
    expect(helpers().sendMessage).toBe(chat.sendMessage);
    const before = seen.length;
    await act(() => turns());
    expect(seen).toHaveLength(before);

    await freely(() => helpers().sendMessage({ text: 'hi' }));
    expect(element.textContent).toBe('ready:oldhi|approval-requested');
    expect(seen.some(({ status }) => status === 'submitted' || status === 'streaming')).toBe(true);
    // Twice in StrictMode: once for each of the two first renders.
    expect(renders['u0']).toBe(2);
    expect(helpers().messages).toBe(chat.messages);

    await act(async () => {
      await helpers().addToolApprovalResponse({ id: 'ask-c1', approved: true });
      await until(() => chat.status === 'ready' && transport.requests.length === 2);
    });
    expect(element.textContent).toBe('ready:oldhi|output-available||done');

    await act(() => helpers().sendMessage({ text: 'more' }));
    expect([helpers().status, helpers().error?.message]).toEqual(['error', 'R']);
    await act(async () => helpers().clearError());
    expect([helpers().status, helpers().error]).toEqual(['ready', undefined]);
    await act(async () => helpers().setMessages((messages) => messages.slice(0, 1)));
    expect(element.textContent).toBe('ready:old');
    expect(gateOf(chat).getSnapshot().messages).toHaveLength(1);
    expect(errors).toEqual([]);
    await act(async () => root.unmount());
  });

  test('resume in StrictMode reads the reply once', async () => {
    const { chat, transport } = await stage(kind, { messages: [old] });
    transport.lost.push(says('hello'), says('hello'));
    const { element, root } = await mount(chat, { resume: true });
    await act(() => turns());
    expect(element.textContent).toBe('ready:old|hello');
    expect(chat.messages).toHaveLength(2);
    expect(errors).toEqual([]);
    await act(async () => root.unmount());
  });

  test('a throttled view shows the last state', async () => {
    const hold = gatekeeper();
    const deltas = Array.from({ length: 40 }, (_, n) => [
      { type: 'text-delta', id: 't', delta: `${n} ` },
      () => turns(1),
    ]).flat();
    const { chat } = await stage(kind, {
      replies: [[...says('').slice(0, 3), ...deltas, () => hold.opened, ...says('').slice(4)]],
    });
    const { root, helpers } = await mount(chat, { throttle: 20 });
    await freely(async () => {
      const sent = helpers().sendMessage({ text: 'hi' });
      await turns(120);
      hold.open();
      await sent;
      await until(() => helpers().messages === chat.messages);
    });
    expect(helpers().messages.at(-1)!.parts[1]!['text']).toMatch(/^0 1 .*39 $/);
    await act(async () => root.unmount());
  });

  test('unmounting a component does not stop the chat', async () => {
    const hold = gatekeeper();
    const { chat, transport } = await stage(kind, {
      replies: [[...says('x').slice(0, 4), () => hold.opened, ...says('x').slice(4)]],
    });
    const { root } = await mount(chat);
    const sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
    await act(async () => root.unmount());
    hold.open();
    await sent;
    expect(transport.requests[0]!.abortSignal?.aborted).toBe(false);
    expect(chat.status).toBe('ready');
  });
});
