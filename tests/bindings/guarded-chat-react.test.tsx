// @vitest-environment happy-dom
/** `useGuardedChat` of `toolgate/react`: the AI SDK's `useChat(options)` with a guarded chat. */
import { APICallError, DefaultChatTransport } from 'ai';
import { StrictMode, version } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { dispose, gateOf, whenReady } from 'toolgate/ai-sdk';
import { GateProvider, useApprovals, useGateActions, useGuardedChat, useUndelivered } from 'toolgate/react';
import { beforeAll, expect, test, vi } from 'vitest';

import { act } from '../lib/act';
import { asks, calls, gatekeeper, goesOn, says, type ScriptedTransport } from '../ai-sdk/support/transport';
import { turns, until } from '../lib/waiting';
import { initFromFile } from './support/gates';
import { freshId, scripted, textOf, user, via } from './support/guarded-chat';
import { aTask, Chat, mount, type Helpers, type Options } from './support/react-chat';
import { collectReactErrors } from './support/react-errors';

const errors = collectReactErrors();

beforeAll(initFromFile);

test('in StrictMode a chat is created, started and used once', async () => {
  const transport = scripted(says('hello'));
  const seen: Helpers[] = [];
  const { text, unmount } = await mount(<Chat options={{ id: freshId(), ...via(transport) }} seen={seen} />);
  expect(new Set(seen.map(({ chat }) => chat)).size).toBe(1);
  await aTask();
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }));
  expect(text()).toBe('ready:hi|hello');
  expect(transport.requests).toHaveLength(1);
  expect(transport.requests[0]!.headers['Idempotency-Key']).toBeTypeOf('string');
  expect(errors).toEqual([]);
  await unmount();
});

test('a denial sends one response, and an approved call runs once', async () => {
  const transport = scripted(asks(['c1', 'c2']), goesOn({ c1: 42, c2: 'denied' }));
  const seen: Helpers[] = [];
  const { unmount } = await mount(<Chat options={{ id: freshId(), ...via(transport) }} seen={seen} />);
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }));
  const { addToolApprovalResponse } = seen.at(-1)!;
  await act(async () => {
    await addToolApprovalResponse({ id: 'ask-c1', approved: true });
    await addToolApprovalResponse({ id: 'ask-c1', approved: true });
  });
  expect(transport.requests).toHaveLength(1);
  await act(async () => {
    await addToolApprovalResponse({ id: 'ask-c2', approved: false, reason: 'no' });
    await addToolApprovalResponse({ id: 'ask-c2', approved: false, reason: 'no' });
    await until(() => transport.requests.length === 2 && seen.at(-1)!.chat.status === 'ready');
    await turns();
  });
  expect(transport.requests).toHaveLength(2);
  expect(transport.requests[1]!.messages.at(-1)!.parts.slice(1)).toMatchObject([
    { state: 'approval-responded', approval: { id: 'ask-c1', approved: true } },
    { state: 'approval-responded', approval: { id: 'ask-c2', approved: false, reason: 'no' } },
  ]);
  expect(seen.at(-1)!.messages.at(-1)!.parts).toMatchObject([
    {},
    { state: 'output-available', output: 42 },
    { state: 'output-denied' },
    {},
    { text: 'done' },
  ]);
  await unmount();
});

test('components with one id share a chat; each option is that of the last render that has it', async () => {
  const id = freshId();
  const transport = scripted(says('hello'));
  const [first, second]: [Helpers[], Helpers[]] = [[], []];
  const finished: string[] = [];
  const onFinish = (name: string) => () => void finished.push(name);
  const both = (name: string) => (
    <>
      <Chat options={{ id, onFinish: onFinish('first') }} seen={first} />
      <Chat
        options={{ id, messages: [user('u0', 'old')], onFinish: onFinish(name), ...via(transport) }}
        seen={second}
      />
      <Chat options={{ id }} seen={[]} />
    </>
  );
  const { render, text, unmount } = await mount(both('a'));
  expect(first.at(-1)!.chat).toBe(second.at(-1)!.chat);
  // The initial messages are those of the component that has some.
  expect(text()).toBe('ready:old'.repeat(3));
  await render(both('b'));
  await act(() => first.at(-1)!.sendMessage({ text: 'hi' }));
  expect(text()).toBe('ready:old|hi|hello'.repeat(3));
  expect(finished).toEqual(['b']);
  await unmount();
});

test('new options count without another chat, also during a reply', async () => {
  const hold = gatekeeper();
  const [before, after] = [
    scripted([...says('one').slice(0, 4), () => hold.opened, ...says('one').slice(4)]),
    scripted(),
  ];
  const seen: Helpers[] = [];
  const calls: string[] = [];
  const options = (name: string, transport: ScriptedTransport): Options => ({
    onFinish: () => void calls.push(`finish ${name}`),
    onError: () => void calls.push(`error ${name}`),
    generateId: () => `${name}-${freshId()}`,
    gate: { rewriteResult: () => `rewritten by ${name}` },
    ...via(transport),
  });
  const { render, unmount } = await mount(<Chat options={options('a', before)} seen={seen} />);
  const { chat, sendMessage } = seen.at(-1)!;
  let sent!: Promise<void>;
  await act(async () => {
    sent = sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
  });
  await render(<Chat options={options('b', after)} seen={seen} />);
  await act(async () => {
    hold.open();
    await sent;
  });
  expect(seen.at(-1)!.chat).toBe(chat);
  expect(calls).toEqual(['finish b']);
  after.replies.push(asks(['c1'], 'a2'));
  await act(() => seen.at(-1)!.sendMessage({ text: 'more' }));
  expect([before.requests.length, after.requests.length]).toEqual([1, 1]);
  expect(after.requests[0]!.messages.at(-1)!.id).toMatch(/^b-/);
  // A function of the gate is also the newest one.
  await render(<Chat options={options('c', after)} seen={seen} />);
  await act(async () => gateOf(chat).cancel());
  await act(() => seen.at(-1)!.sendMessage({ text: 'and' }));
  expect(JSON.stringify(after.requests[1]!.messages)).toContain('rewritten by c');
  await unmount();
});

test('another id is another chat, and the first one is disposed', async () => {
  const seen: Helpers[] = [];
  const [one, two] = [freshId(), freshId()];
  const options = (id: string | undefined): Options =>
    ({ id, messages: [user('u0', `of ${id}`)], ...via(scripted()) }) as Options;
  const { render, text, unmount } = await mount(<Chat options={options(one)} seen={seen} />);
  const first = seen.at(-1)!.chat;
  await render(<Chat options={options(two)} seen={seen} />);
  expect(text()).toBe(`ready:of ${two}`);
  expect(seen.at(-1)!.id).toBe(two);
  // No render shows the messages of the other chat.
  expect(
    seen.every((helpers) => helpers.messages[0] === undefined || textOf(helpers) === `ready:of ${helpers.id}`),
  ).toBe(true);
  await aTask();
  await expect(first.sendMessage({ text: 'late' })).rejects.toMatchObject({ code: 'crashed' });
  await render(<Chat options={options(undefined)} seen={seen} />);
  const generated = seen.at(-1)!.id;
  expect([one, two]).not.toContain(generated);
  // The generated id means the same chat, for a page that puts it into its address.
  const last = seen.at(-1)!.chat;
  await render(<Chat options={options(generated)} seen={seen} />);
  expect(seen.at(-1)!.chat).toBe(last);
  await unmount();
});

test('a chat is disposed a task after its last component, but not while a request is in flight', async () => {
  const id = freshId();
  const hold = gatekeeper();
  const transport = scripted([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)]);
  const [first, second]: [Helpers[], Helpers[]] = [[], []];
  const finished = vi.fn();
  const options = { id, onFinish: finished, ...via(transport) };
  const { render, unmount } = await mount(
    <>
      <Chat options={options} seen={first} />
      <Chat options={options} seen={second} />
    </>,
  );
  const { chat } = first.at(-1)!;
  await render(<Chat options={options} seen={first} />);
  await aTask();
  let sent!: Promise<void>;
  await act(async () => {
    sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
  });
  await unmount();
  await aTask();
  // The reply is still read. A component that is mounted meanwhile shows it.
  expect(transport.requests[0]!.abortSignal!.aborted).toBe(false);
  const again = await mount(<Chat options={options} seen={second} />);
  expect(second.at(-1)!.chat).toBe(chat);
  expect(again.text()).toBe('streaming:hi|hello');
  await again.unmount();
  hold.open();
  await sent;
  expect(finished).toHaveBeenCalledTimes(1);
  await until(() => gateStatus(chat) === 'crashed');
  await expect(chat.sendMessage({ text: 'late' })).rejects.toMatchObject({ code: 'crashed' });
  // The transport belongs to the component.
  expect(transport.isClosed).toBe(false);
  // Another component with the id gets a new chat.
  const fresh = await mount(<Chat options={options} seen={second} />);
  expect(second.at(-1)!.chat).not.toBe(chat);
  expect(fresh.text()).toBe('ready:');
  await fresh.unmount();
});

test('the callbacks of an unmounted component are called until another one is mounted', async () => {
  const id = freshId();
  const hold = gatekeeper();
  const transport = scripted([...says('hello').slice(0, 4), () => hold.opened, ...says('hello').slice(4)]);
  const finished = vi.fn();
  const seen: Helpers[] = [];
  const { unmount } = await mount(<Chat options={{ id, onFinish: finished, ...via(transport) }} seen={seen} />);
  const { chat } = seen.at(-1)!;
  let sent!: Promise<void>;
  await act(async () => {
    sent = chat.sendMessage({ text: 'hi' });
    await until(() => chat.status === 'streaming');
  });
  await unmount();
  const other = await mount(<Chat options={{ id }} seen={seen} />);
  await act(async () => {
    hold.open();
    await sent;
  });
  expect([seen.at(-1)!.chat, other.text()]).toEqual([chat, 'ready:hi|hello']);
  expect(finished).not.toHaveBeenCalled();
  await other.unmount();
});

const gateStatus = (chat: object): string => gateOf(chat).getSnapshot().status;

test('a chat whose decisions wait for a veto that is pending is not disposed', async () => {
  let answer!: (sends: boolean) => void;
  const veto = new Promise<boolean>((resolve) => (answer = resolve));
  const transport = scripted(asks(['c1']), goesOn({ c1: 42 }));
  const seen: Helpers[] = [];
  const { unmount } = await mount(
    <Chat options={{ id: freshId(), sendAutomaticallyWhen: () => veto, ...via(transport) }} seen={seen} />,
  );
  const { chat } = seen.at(-1)!;
  await act(() => chat.sendMessage({ text: 'hi' }));
  void chat.addToolApprovalResponse({ id: 'ask-c1', approved: true });
  await unmount();
  await aTask();
  answer(true);
  await until(() => transport.requests.length === 2 && gateStatus(chat) === 'crashed');
});

test('hooks, providers and functions accept what the hook returns', async () => {
  const transport = scripted(asks(['c1']), goesOn({ c1: 42 }), new Error('R'));
  const seen: Helpers[] = [];
  let renders = 0;
  function Approvals() {
    renders++;
    const { respond } = useGateActions();
    return useApprovals().map((approval) => (
      <button key={approval.approvalId} onClick={() => respond(approval, { approved: true })} />
    ));
  }
  function Page() {
    const chat = useGuardedChat(via(transport));
    seen.push(chat);
    return (
      <GateProvider gate={chat}>
        <Approvals />
        {useUndelivered(chat).length}
        {useApprovals(chat.chat).length}
      </GateProvider>
    );
  }
  const { text, unmount } = await mount(<Page />);
  const helpers = seen.at(-1)!;
  expect(await whenReady(helpers)).toBe(gateOf(helpers.chat));
  await act(() => helpers.sendMessage({ text: 'hi' }));
  expect(text()).toBe('01');
  expect(seen.at(-1)!.chat).toBe(helpers.chat);
  await act(async () => gateOf(helpers).respond('ask-c1', { approved: true }));
  await until(() => helpers.chat.status === 'ready' && transport.requests.length === 2);
  await act(() => helpers.sendMessage({ text: 'more' }));
  expect(text()).toBe('10');
  expect([seen.at(-1)!.status, seen.at(-1)!.error?.message]).toEqual(['error', 'R']);
  await act(async () => seen.at(-1)!.clearError());
  await act(async () => seen.at(-1)!.setMessages((messages) => messages.slice(0, 1)));
  expect(textOf(seen.at(-1)!)).toBe('ready:hi');
  expect(renders).toBeGreaterThan(0);
  await unmount();
  await dispose(helpers);
});

test('resume reads a running reply once in StrictMode', async () => {
  const transport = scripted();
  transport.lost.push(says('hello'), says('hello'));
  const seen: Helpers[] = [];
  const options = { id: freshId(), resume: true, messages: [user('u0', 'old')], ...via(transport) };
  const { text, unmount } = await mount(
    <>
      <Chat options={options} seen={seen} />
      <Chat options={options} seen={seen} />
    </>,
  );
  await act(() => turns());
  expect(text()).toBe('ready:old|hello'.repeat(2));
  // StrictMode mounts twice, and both components share each attempt.
  expect(transport.reconnects).toHaveLength(2);
  expect(seen.at(-1)!.messages).toHaveLength(2);
  await unmount();
});

test('throttle limits the renders of a reply, and the last state is shown', async () => {
  const hold = gatekeeper();
  const deltas = Array.from({ length: 40 }, (_, n) => [
    { type: 'text-delta', id: 't', delta: `${n} ` },
    () => turns(1),
  ]).flat();
  const transport = scripted([...says('').slice(0, 3), ...deltas, () => hold.opened, ...says('').slice(4)]);
  const seen: Helpers[] = [];
  const { text, unmount } = await mount(<Chat options={{ throttle: 60_000, ...via(transport) }} seen={seen} />);
  await act(async () => {
    const sent = seen.at(-1)!.sendMessage({ text: 'hi' });
    await turns(200);
    hold.open();
    await sent;
  });
  expect(text()).toContain('39 ');
  const streaming = seen.filter(({ status }) => status === 'streaming').map(textOf);
  expect(new Set(streaming).size).toBeLessThan(5);
  await unmount();
});

test('another `throttle` applies at once', async () => {
  const deltas = (from: number) =>
    Array.from({ length: 20 }, (_, n) => [
      { type: 'text-delta', id: 't', delta: `${from + n} ` },
      () => turns(1),
    ]).flat();
  const [hold, changed] = [gatekeeper(), gatekeeper()];
  const chunks = [...deltas(0), () => changed.open(), () => hold.opened, ...deltas(20)];
  const transport = scripted([...says('').slice(0, 3), ...chunks, ...says('').slice(4)]);
  const seen: Helpers[] = [];
  const options = { id: freshId(), ...via(transport) };
  const { render, text, unmount } = await mount(<Chat options={options} seen={seen} />);
  const rendered = (from: number): number => new Set(seen.slice(from).map(textOf)).size;
  let before = 0;
  await act(async () => {
    const sent = seen.at(-1)!.sendMessage({ text: 'hi' });
    await changed.opened;
    before = rendered(0);
    await render(<Chat options={{ ...options, throttle: 60_000 }} seen={seen} />);
    const from = seen.length;
    hold.open();
    await sent;
    expect(rendered(from)).toBeLessThan(5);
  });
  // React 18 renders nothing before `act` ends.
  if (!version.startsWith('18.')) expect(before).toBeGreaterThan(15);
  expect(text()).toContain('39 ');
  await unmount();
});

test('without a transport it sends the requests of the AI SDK', async () => {
  const requests: [string, RequestInit | undefined][] = [];
  const lines = says('hello').map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const body = [...lines, 'data: [DONE]\n\n'].join('');
  vi.stubGlobal('fetch', async (url: string, options?: RequestInit) => {
    requests.push([url, options]);
    if (options?.method !== 'POST') return new Response(null, { status: 204 });
    // Bytes that end in the middle of a line.
    const bytes = new TextEncoder().encode(body);
    const parts = [bytes.slice(0, 50), bytes.slice(50, 51), bytes.slice(51)];
    return requests.length > 2
      ? new Response('too many', { status: 429 })
      : new Response(new ReadableStream({ pull: (out) => (parts.length ? out.enqueue(parts.shift()) : out.close()) }));
  });
  const seen: Helpers[] = [];
  const { text, unmount } = await mount(<Chat options={{ id: 'a b' }} seen={seen} />);
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }, { body: { more: 1 } }));
  expect(text()).toBe('ready:hi|hello');
  const [url, { method, body: sent }] = requests[0] as [string, { method: string; body: string }];
  expect([url, method]).toEqual(['/api/chat', 'POST']);
  expect(JSON.parse(sent)).toMatchObject({
    id: 'a b',
    trigger: 'submit-message',
    more: 1,
    messages: [{ role: 'user' }],
  });
  await act(() => seen.at(-1)!.resumeStream());
  expect(requests[1]![0]).toBe('/api/chat/a%20b/stream');
  await act(() => seen.at(-1)!.sendMessage({ text: 'more' }));
  const error: unknown = seen.at(-1)!.error;
  expect(APICallError.isInstance(error)).toBe(true);
  // The same error as that of the AI SDK's transport.
  const theirs = await new DefaultChatTransport()
    .sendMessages({
      chatId: 'c',
      messages: [],
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    })
    .catch((thrown: unknown) => thrown);
  // The oldest releases of version 7 throw an `Error` with the same text.
  const keys = ['name', 'message', 'url', 'statusCode', 'responseBody', 'isRetryable'] as const;
  for (const key of APICallError.isInstance(theirs) ? keys : (['message'] as const))
    expect([key, (error as APICallError)[key]]).toEqual([key, (theirs as APICallError)[key]]);
  await unmount();
});

test('the first render of a page from a server shows what the server rendered', async () => {
  const id = freshId();
  const messages = [
    user('u0', 'old'),
    {
      id: 'a0',
      role: 'assistant' as const,
      parts: [{ type: 'tool-edit' as const, toolCallId: 'c1', state: 'input-streaming' as const, input: {} }],
    },
  ];
  const seen: Helpers[] = [];
  const options = { id, messages: messages as never, ...via(scripted()) };
  const page = (
    <StrictMode>
      <Chat options={options} seen={seen} />
      <Chat options={{ id }} seen={seen} />
    </StrictMode>
  );
  const html = renderToString(page);
  const element = document.createElement('div');
  element.innerHTML = html;
  const root = await act(async () => hydrateRoot(element, page));
  expect(errors).toEqual([]);
  expect(element.textContent).toBe('ready:old|tool-editready:old|tool-edit');
  // The gate has closed the call.
  expect(gateOf(seen.at(-1)!).getSnapshot().messages[1]!.parts[0]).toMatchObject({ outcome: { kind: 'interrupted' } });
  await act(async () => root.unmount());
});

test('a wrong option of the gate is a TypeError', async () => {
  function Wrong() {
    useGuardedChat({ gate: { onDeny: 'never' as never } });
    return null;
  }
  await expect(mount(<Wrong />)).rejects.toThrow(/useGuardedChat: invalid option `onDeny`/);
});

test('`needsApproval` asks about a call of the page, and a denied call sends its text only', async () => {
  const transport = scripted(calls(['c1']), goesOn({}));
  const seen: Helpers[] = [];
  const gate = { browserTools: ['pick'], needsApproval: () => true };
  const options = { id: freshId(), ...via(transport), gate };
  const { unmount } = await mount(<Chat options={options} seen={seen} />);
  await act(() => seen.at(-1)!.sendMessage({ text: 'hi' }));
  expect(gateOf(seen.at(-1)!.chat).pending()).toMatchObject([{ approvalId: 'c1', input: { of: 'c1' } }]);
  await act(async () => {
    await seen.at(-1)!.addToolApprovalResponse({ id: 'c1', approved: false });
    await until(() => transport.requests.length === 2 && seen.at(-1)!.chat.status === 'ready');
  });
  const [, part] = transport.requests[1]!.messages.at(-1)!.parts;
  expect(part).toMatchObject({ state: 'output-error', errorText: 'Error: Tool execution was denied by user.' });
  expect(part).not.toHaveProperty('approval');
  await unmount();
});
