/** `toolgate/inbox` with real gates and guarded chats: what it lists, when it notifies, and where a decision goes. */
import { Chat } from '@ai-sdk/react';
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ToolGate } from 'toolgate';
import { gateOf, guard, whenReady } from 'toolgate/ai-sdk';
import {
  Inbox,
  type ApprovalEntry,
  type ClosedChat,
  type ClosedHref,
  type InboxEntry,
  type UndeliveredEntry,
} from 'toolgate/inbox';
import { asking, countListeners, failToSend, initFromFile } from '../bindings/support/gates';

beforeAll(initFromFile);

/** The errors that were reported as uncaught. */
const uncaught: unknown[] = [];
beforeEach(() => {
  uncaught.length = 0;
  // The function under test throws in a microtask: only its errors are caught here.
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    void Promise.resolve().then(() => {
      try {
        task();
      } catch (error) {
        uncaught.push(error);
      }
    });
  });
  return () => void vi.restoreAllMocks();
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const say = (entry: InboxEntry): string =>
  `${entry.kind} ${entry.chatId} ${entry.kind === 'undelivered' ? entry.item.approvalIds.join() : entry.approval.approvalId}`;

const list = (inbox: Inbox): string[] => inbox.entries.map(say);

/** An inbox with two gates whose approvals have the same ids. */
function two() {
  vi.useFakeTimers({ now: 5_000, toFake: ['Date'] });
  const [inbox, one, other] = [new Inbox(), asking(['c1', 'c2'], 'one'), asking(['c1'], 'other')];
  vi.useRealTimers();
  const notify = vi.fn();
  inbox.subscribe(notify);
  // Not in the order of the list: that does not depend on when a chat was added.
  const removeOther = inbox.add(other, { id: 'other', href: (id) => `/other#${id}` });
  const removeOne = inbox.add(one, { id: 'one', title: 'One', href: '/one' });
  return { inbox, one, other, notify, removeOne, removeOther };
}

test('lists the approvals of all chats with titles and links, and counts them', () => {
  const { inbox, one } = two();
  expect(list(inbox)).toEqual(['approval one ask-c1', 'approval one ask-c2', 'approval other ask-c1']);
  expect(inbox.count).toBe(3);
  expect(inbox.entries[0]).toMatchObject({ title: 'One', href: '/one', approval: one.pending()[0] });
  expect(inbox.entries[2]).toMatchObject({ href: '/other#ask-c1' });
  expect(inbox.entries[2]).not.toHaveProperty('title');
  expect(new Set(inbox.entries.map(({ key }) => key)).size).toBe(3);
});

test('the oldest request is first, whichever chat it is in', () => {
  vi.useFakeTimers({ now: 2_000, toFake: ['Date'] });
  const newer = asking(['c1'], 'newer');
  vi.setSystemTime(1_000);
  const older = asking(['c1'], 'older');
  vi.useRealTimers();
  const inbox = new Inbox();
  inbox.add(newer, { id: 'newer' });
  inbox.add(older, { id: 'older' });
  expect(inbox.entries.map(({ chatId, since }) => [chatId, since])).toEqual([
    ['older', 1_000],
    ['newer', 2_000],
  ]);
});

test('two chats with the same approval id stay apart: a decision goes to the gate of its entry', () => {
  const { inbox, one, other } = two();
  const entry = inbox.entries[2] as ApprovalEntry;
  expect(inbox.gateOf(entry)).toBe(other);
  expect(inbox.respond(entry, { approved: false, reason: 'no' })).toBe('accepted');
  expect([one.pending().length, other.pending().length]).toEqual([2, 0]);
  expect(inbox.respond(entry, { approved: false, reason: 'no' })).toBe('duplicate');
  expect(() => inbox.respond(entry, { approved: true })).toThrow(expect.objectContaining({ code: 'already-decided' }));
  expect(list(inbox)).toEqual(['approval one ask-c1', 'approval one ask-c2']);
});

test('a decision is bound to the input that the entry shows', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const loadWith = (file: string) =>
    gate.load([
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
      {
        id: 'a',
        role: 'assistant',
        parts: [
          {
            type: 'tool-edit',
            toolCallId: 'c1',
            state: 'approval-requested',
            input: { file },
            approval: { id: 'ask-c1' },
          },
        ],
      },
    ]);
  loadWith('menu.md');
  const inbox = new Inbox();
  inbox.add(gate, { id: 'chat' });
  const shown = inbox.entries[0]!;
  loadWith('passwords.txt');
  expect(() => inbox.respond(shown, { approved: true })).toThrow(expect.objectContaining({ code: 'stale-input' }));
  expect(inbox.entries[0]).not.toBe(shown);
  expect(inbox.respond(inbox.entries[0]!, { approved: true })).toBe('accepted');
});

test('unchanged entries, lists and views are the same objects; a change of the transcript alone notifies nobody', async () => {
  const { inbox, one, notify } = two();
  await settled();
  expect(notify).toHaveBeenCalledTimes(1);
  const view = inbox.getSnapshot();
  const [first, second, third] = view.entries;
  const busy = new ToolGate({ chatId: 'busy' });
  inbox.add(busy, { id: 'busy' });
  busy.sendUserMessage({ text: 'go' });
  await settled();
  expect(inbox.getSnapshot()).toBe(view);
  expect(notify).toHaveBeenCalledTimes(1);
  one.respond('ask-c1', { approved: true });
  expect(inbox.entries).not.toBe(view.entries);
  expect(inbox.entries[0]).toBe(second);
  expect(inbox.entries[1]).toBe(third);
  expect(first).toMatchObject({ kind: 'approval', approval: { approvalId: 'ask-c1' } });
  await settled();
  expect(notify).toHaveBeenCalledTimes(2);
});

test('many changes of one task are one notification', async () => {
  const { inbox, one, other, notify } = two();
  await settled();
  notify.mockClear();
  one.respondAll({ approved: false });
  other.respondAll({ approved: true });
  await settled();
  expect([inbox.count, notify.mock.calls.length]).toEqual([0, 1]);
});

test('an effect that removes a chat and adds it again causes no notification, and keeps the entries', async () => {
  const { inbox, one, notify, removeOne } = two();
  await settled();
  expect(notify).toHaveBeenCalledTimes(1);
  const before = inbox.getSnapshot();
  removeOne();
  inbox.add(one, { id: 'one', title: 'One', href: '/one' });
  await settled();
  expect(notify).toHaveBeenCalledTimes(1);
  expect(inbox.getSnapshot()).toBe(before);
  removeOne();
  inbox.add(one, { id: 'one', title: 'Renamed', href: '/one' });
  expect(inbox.entries[0]).toMatchObject({ title: 'Renamed' });
  expect(inbox.entries[2]).toBe(before.entries[2]);
});

test('a removed chat leaves, and a second call of its function does nothing', async () => {
  const { inbox, one, removeOne, notify } = two();
  const listeners = countListeners(one);
  const remove = inbox.add(one, { id: 'one' });
  const [entry] = inbox.entries;
  remove();
  removeOne();
  removeOne();
  expect(listeners()).toBe(0);
  expect(list(inbox)).toEqual(['approval other ask-c1']);
  await settled();
  notify.mockClear();
  one.respond('ask-c2', { approved: true });
  await settled();
  expect(notify).not.toHaveBeenCalled();
  // Code that still shows the entry can answer it.
  expect(inbox.respond(entry!, { approved: true })).toBe('accepted');
});

test('a disposed chat leaves', async () => {
  const { inbox, one, notify } = two();
  await settled();
  const [entry] = inbox.entries;
  one.free();
  expect(list(inbox)).toEqual(['approval other ask-c1']);
  await settled();
  expect(notify).toHaveBeenCalledTimes(2);
  expect(() => inbox.respond(entry!, { approved: true })).toThrow(expect.objectContaining({ code: 'crashed' }));
});

test('of two additions with one id the last counts, and after its removal the first', () => {
  const { inbox, removeOne } = two();
  const again = asking(['c9'], 'one');
  const removeAgain = inbox.add(again, { id: 'one', title: 'Again' });
  expect(list(inbox)).toEqual(['approval other ask-c1', 'approval one ask-c9']);
  removeAgain();
  expect(inbox.count).toBe(3);
  removeOne();
  expect(inbox.count).toBe(1);
});

test('undelivered decisions are listed until they are sent again; a message without decisions is not', async () => {
  const { inbox, one } = two();
  one.respondAll({ approved: true });
  expect(list(inbox)).toEqual(['approval other ask-c1']);
  failToSend(one);
  const entry = inbox.entries.find(({ kind }) => kind === 'undelivered') as UndeliveredEntry;
  expect(say(entry)).toBe('undelivered one ask-c1,ask-c2');
  expect(entry.item).toMatchObject({ delivery: 'failed', error: 'no network' });
  const plain = new ToolGate({ chatId: 'plain' });
  inbox.add(plain, { id: 'plain' });
  plain.sendUserMessage({ text: 'go' });
  failToSend(plain);
  expect(plain.undelivered()).toHaveLength(1);
  expect(inbox.count).toBe(2);
  inbox.retry(entry);
  expect(list(inbox)).toEqual(['approval other ask-c1']);
  expect(one.outgoing()).toHaveLength(1);
});

test('a guarded chat appears when its core is loaded, with the approvals of its history', async () => {
  const messages = [
    { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'delete it' }] },
    {
      id: 'a0',
      role: 'assistant',
      parts: [
        {
          type: 'tool-delete',
          toolCallId: 'c1',
          state: 'approval-requested',
          input: { file: 'a.txt' },
          approval: { id: 'ask-c1' },
        },
      ],
    },
  ];
  const inbox = new Inbox();
  const never = new Chat({ messages: messages as never });
  expect(() => inbox.add(never as never, { id: 'unguarded' })).toThrow(TypeError);
  const chat = guard(new Chat({ messages: messages as never }));
  inbox.add(chat, { id: 'guarded' });
  await whenReady(chat);
  expect(list(inbox)).toEqual(['approval guarded ask-c1']);
  expect(inbox.gateOf(inbox.entries[0]!)).toBe(gateOf(chat));
});

test('a listener, a link and a gate that throw do not affect the others', async () => {
  const { inbox, one, notify } = two();
  inbox.subscribe(() => {
    throw new Error('listener');
  });
  const last = vi.fn();
  inbox.subscribe(last);
  inbox.add(asking(['c7'], 'bad'), {
    id: 'bad link',
    href: () => {
      throw new Error('link');
    },
  });
  const broken = asking(['c8'], 'broken');
  inbox.add(broken, { id: 'broken' });
  broken.getSnapshot = () => {
    throw new Error('gate');
  };
  broken.respond('ask-c8', { approved: true });
  expect(inbox.add(broken, { id: 'broken from the start' })).toBeTypeOf('function');
  one.respond('ask-c1', { approved: true });
  await settled();
  expect(list(inbox).sort()).toEqual(['approval bad link ask-c7', 'approval one ask-c2', 'approval other ask-c1']);
  expect(inbox.entries.find(({ chatId }) => chatId === 'bad link')).not.toHaveProperty('href');
  expect([notify.mock.calls.length, last.mock.calls.length]).toEqual([1, 1]);
  expect(new Set(uncaught.map(String))).toEqual(new Set(['Error: listener', 'Error: link', 'Error: gate']));
});

test('a listener that answers, adds and unsubscribes during its notification', async () => {
  const { inbox } = two();
  const end = inbox.subscribe(() => {
    end();
    for (const entry of inbox.entries) inbox.respond(entry, { approved: true });
    inbox.add(asking(['late'], 'late'), { id: 'late' });
  });
  await settled();
  expect(list(inbox)).toEqual(['approval late ask-late']);
});

test('ids are data', () => {
  const inbox = new Inbox();
  const ids = ['__proto__', 'constructor', '', '\n', '["a","b"]', 'x'.repeat(100_000)];
  for (const id of ids) inbox.add(asking(['c1'], 'chat'), { id });
  expect(inbox.entries.map(({ chatId }) => chatId).sort()).toEqual([...ids].sort());
  expect(new Set(inbox.entries.map(({ key }) => key)).size).toBe(ids.length);
});

test('add refuses anything but a chat, an id that is no string, and unknown options', () => {
  const inbox = new Inbox();
  const gate = asking(['c1'], 'chat');
  for (const chat of [null, undefined, {}, 'chat', { chat: { value: null } }]) {
    expect(() => inbox.add(chat as never, { id: 'a' })).toThrow(TypeError);
  }
  expect(() => inbox.add(gate, { id: 1 as never })).toThrow(TypeError);
  expect(() => inbox.add(gate, { id: 'a', url: '/a' } as never)).toThrow(/unknown option `url`/);
  expect(inbox.count).toBe(0);
  expect(() => inbox.respond({ kind: 'approval' } as never, { approved: true })).toThrow(/not an entry of this inbox/);
});

test('1,000 chats: each change reads one chat, and all decisions of a task are one notification', async () => {
  const inbox = new Inbox();
  const gates = Array.from({ length: 1_000 }, (_, n) => asking(['c1'], `chat-${n}`));
  let reads = 0;
  for (const [n, gate] of gates.entries()) {
    inbox.add(gate, { id: `chat-${n}` });
    const { getSnapshot } = gate;
    gate.getSnapshot = (() => (reads++, getSnapshot.call(gate))) as typeof getSnapshot;
  }
  const notify = vi.fn();
  inbox.subscribe(notify);
  expect(inbox.count).toBe(1_000);
  await settled();
  expect(notify).toHaveBeenCalledTimes(1);
  reads = 0;
  const before = inbox.entries;
  gates[500]!.respond('ask-c1', { approved: true });
  expect(inbox.count).toBe(999);
  // The gate itself also reads its view.
  expect(reads).toBeLessThan(5);
  expect(inbox.entries.filter((entry) => !before.includes(entry))).toEqual([]);
  for (const entry of inbox.entries) inbox.respond(entry, { approved: false });
  await settled();
  expect([inbox.count, notify.mock.calls.length]).toEqual([0, 2]);
});

test('with `keep`, the approvals of a chat that was closed stay, without inputs, and cannot be answered', async () => {
  const inbox = new Inbox();
  const gate = asking(['c1', 'c2'], 'chat');
  inbox.add(gate, { id: 'chat', title: 'Chat', href: (id) => `/chat#${id}`, keep: true });
  inbox.respond(inbox.entries[0]!, { approved: true });
  gate.free();
  expect(list(inbox)).toEqual(['closed chat ask-c2']);
  const [entry] = inbox.entries;
  expect(entry).toMatchObject({
    title: 'Chat',
    href: '/chat#ask-c2',
    approval: { toolName: 'edit', toolCallId: 'c2' },
  });
  expect(JSON.stringify(entry)).not.toContain('"input"');
  expect(inbox.gateOf(entry!)).toBeUndefined();
  expect(() => inbox.respond(entry!, { approved: true })).toThrow(expect.objectContaining({ code: 'not-initialized' }));
  expect(inbox.entries[0]).toBe(entry);
  // Opened again: what the gate says counts.
  const again = asking(['c3'], 'chat');
  const remove = inbox.add(again, { id: 'chat' });
  expect(list(inbox)).toEqual(['approval chat ask-c3']);
  remove();
  expect(list(inbox)).toEqual([]);
});

test('an inbox survives a reload as JSON; damaged and expired approvals are omitted', () => {
  const first = two().inbox;
  const saved = JSON.parse(JSON.stringify(first)) as ClosedChat[];
  const inbox = new Inbox();
  inbox.setClosed(saved);
  expect(list(inbox)).toEqual(['closed one ask-c1', 'closed one ask-c2', 'closed other ask-c1']);
  const { entries } = inbox;
  inbox.setClosed(JSON.parse(JSON.stringify(saved)) as ClosedChat[]);
  expect(inbox.entries).toBe(entries);
  expect(inbox.toJSON()).toEqual(saved);
  inbox.add(asking(['c5'], 'one'), { id: 'one' });
  inbox.setClosed(saved);
  expect(list(inbox).sort()).toEqual(['approval one ask-c5', 'closed other ask-c1']);
  const approval = saved[1]!.approvals[0]!;
  const damaged = [
    null,
    7,
    { id: 3, approvals: [] },
    { id: 'a' },
    { id: 'b', approvals: [null, { ...approval, toolName: 1 }, { ...approval, requestedAt: NaN }] },
    { id: 'c', approvals: [{ ...approval, expiresAt: 1 }] },
    { id: 'd', title: {}, approvals: [{ ...approval, href: 7, input: 'secret' }] },
  ];
  inbox.setClosed(damaged as never);
  expect(list(inbox).sort()).toEqual(['approval one ask-c5', 'closed d ask-c1']);
  expect(JSON.stringify(inbox)).not.toContain('secret');
  expect(() => inbox.setClosed('x' as never)).toThrow(TypeError);
});

test('closed approvals leave when they expire, by the clock of the gates, and listeners are notified', () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date', 'setTimeout', 'clearTimeout', 'queueMicrotask'] });
  try {
    const ahead = 3_600_000;
    const inbox = new Inbox();
    const gate = new ToolGate({ now: () => Date.now() + ahead });
    inbox.add(gate, { id: 'open' });
    const approval = { approvalId: 'a', toolCallId: 'c', toolName: 'delete', requestedAt: 1 };
    const approvals = [50, 90].map((ms) => ({ ...approval, approvalId: `a${ms}`, expiresAt: Date.now() + ahead + ms }));
    inbox.setClosed([{ id: 'closed', approvals }]);
    let calls = 0;
    const unsubscribe = inbox.subscribe(() => calls++);
    vi.advanceTimersByTime(0);
    expect([inbox.count, calls]).toEqual([2, 1]);
    vi.advanceTimersByTime(51);
    expect([inbox.count, calls]).toEqual([1, 2]);
    expect(inbox.toJSON()[0]!.approvals).toHaveLength(1);
    vi.advanceTimersByTime(50);
    expect([inbox.count, calls, inbox.toJSON()]).toEqual([0, 3, []]);
    unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

const stored = { approvalId: 'a', toolCallId: 'c', toolName: 'delete', requestedAt: 1 };
/** The link that an inbox shows for a stored one. */
function shownLink(href: unknown, hrefOf?: ClosedHref): string | undefined {
  const inbox = new Inbox();
  inbox.setClosed([{ id: 'b c/../d', approvals: [{ ...stored, href } as never] }], hrefOf);
  const [entry] = inbox.entries;
  expect(entry!.kind === 'closed' && entry!.approval.href).toBe(entry!.href);
  expect(JSON.stringify(inbox).includes('evil')).toBe(entry!.href?.includes('evil') ?? false);
  return entry!.href;
}
const links: [string, boolean][] = [
  ['javascript:alert(1)', false],
  [' java\nscript:alert(1)', false],
  ['JAVASCRIPT:alert(1)', false],
  ['data:text/html,x', false],
  ['https://a.example/7', false],
  ['\u0001//evil.example', false],
  ['/\t/evil.example', false],
  ['blob:https://a.example/1', false],
  ['//evil.example/7', false],
  ['/\\evil.example/7', false],
  ['\\\\evil.example', false],
  ['\t//evil.example', false],
  ['https://evil.example/7', false],
  ['https://a.example.evil.example/7', false],
  ['https://a.example@evil.example/7', false],
  ['http://', false],
  ['https://[', false],
  ['/chats/7#ask-1', true],
  ['chats/7', true],
  ['?chat=7', true],
  ['#7:8', true],
  ['', true],
];
test.each(links)('a stored link %j is shown: %s', (href, isShown) => {
  expect(shownLink(href)).toBe(isShown ? href : undefined);
});

test('no text that is shown as a link leads to another site, whatever it is', () => {
  const parts = [
    '/',
    '\\',
    ':',
    '\t',
    '\n',
    ' ',
    '\0',
    '\u0001',
    '.',
    '?',
    '#',
    '@',
    'evil.example',
    'javascript',
    'https',
    'a',
    'é',
  ];
  const base = 'https://a.example/inbox/';
  const isShown = (href: string): boolean => {
    const inbox = new Inbox();
    inbox.setClosed([{ id: 'closed', approvals: [{ ...stored, href }] }]);
    return inbox.entries[0]!.href !== undefined;
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), (texts) => {
      const href = texts.join('');
      if (isShown(href)) expect([href, new URL(href, base).origin]).toEqual([href, 'https://a.example']);
    }),
    { numRuns: 5000 },
  );
  for (const odd of [7, null, {}, []]) expect(shownLink(odd)).toBeUndefined();
});

test('with a function, links come from the app and not from storage: none is of another chat', () => {
  const href = (chatId: string, approvalId: string): string => `/chats/${encodeURIComponent(chatId)}#${approvalId}`;
  expect(shownLink('/chats/of-somebody', href)).toBe('/chats/b%20c%2F..%2Fd#a');
  expect(shownLink('/chats/of-somebody', () => undefined)).toBeUndefined();
});

test('a link function that throws is reported, and the approval is listed', async () => {
  const inbox = new Inbox();
  const href = (): never => {
    throw new Error('of the app');
  };
  inbox.setClosed([{ id: 'closed', approvals: [stored] }], href);
  await settled();
  expect([list(inbox), inbox.entries[0]!.href]).toEqual([['closed closed a'], undefined]);
  expect(uncaught.map(String)).toEqual(['Error: of the app']);
});

test('stored approvals expire by the clock of a gate that is added later, and after it was removed', () => {
  const approvals = [{ ...stored, expiresAt: 2_000 }];
  const inbox = new Inbox();
  inbox.setClosed([{ id: 'closed', approvals }]);
  expect([inbox.count, inbox.toJSON().length]).toEqual([0, 0]);
  let now = 1_999;
  const remove = inbox.add(new ToolGate({ now: () => now }), { id: 'open' });
  expect([inbox.count, inbox.toJSON().length]).toEqual([1, 1]);
  remove();
  expect(inbox.count).toBe(1);
  now = 2_000;
  inbox.setClosed([{ id: 'closed', approvals }]);
  expect([inbox.count, inbox.toJSON().length]).toEqual([0, 0]);
});
