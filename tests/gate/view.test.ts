/**
 * The view: unchanged content is the same object as before, values are returned by reference, listeners are
 * notified once of each change, and a listener that throws does not affect others.
 */
import { expect, it, vi } from 'vitest';
import { ToolGate } from 'toolgate';

import { uncaughtIn } from '../lib/uncaught';
import { ask, asking, reply, send } from './support.js';

it('is the same object until something changes; then only changed content is new', () => {
  const { gate } = asking(['c1', 'c2', 'c3']);
  const before = gate.getSnapshot();
  expect(gate.getSnapshot()).toBe(before);
  gate.respond('approve-c2', { approved: true });
  const after = gate.getSnapshot();
  expect(after).not.toBe(before);
  expect(after.messages[0]).toBe(before.messages[0]);
  expect(after.messages[1]).not.toBe(before.messages[1]);
  const changed = after.messages[1]?.parts.map((part, at) => part !== before.messages[1]?.parts[at]);
  expect(changed).toEqual([false, false, true, false]);
  expect(after.pending.map((entry) => entry.approvalId)).toEqual(['approve-c1', 'approve-c3']);
  expect(after.pending[0]).toBe(before.pending[0]);
  expect(before.pending).toHaveLength(3);
});

it('makes a new list of pending approvals only when a call has changed', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const receive = (chunks: object[]): void => chunks.forEach((chunk) => gate.receive(chunk));
  const calls = (view = gate.getSnapshot()): string[] => view.pending.map(({ toolCallId }) => toolCallId);
  receive([
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'text-start', id: 't' },
    ...ask('c1'),
    ...ask('c2'),
  ]);
  const early = gate.getSnapshot();
  receive([{ type: 'text-delta', id: 't', delta: 'Well' }]);
  const pending = gate.pending();
  receive([{ type: 'text-delta', id: 't', delta: ' then' }]);
  expect(gate.pending()).toBe(pending);
  expect(early.pending).toBe(pending);

  gate.respond('approve-c1', { approved: true });
  const unread = gate.getSnapshot();
  receive(ask('c3'));
  expect(calls()).toEqual(['c2', 'c3']);
  // An earlier view has its own approvals, even if its list is read later.
  expect(calls(unread)).toEqual(['c2']);
  expect(calls(early)).toEqual(['c1', 'c2']);
  gate.load([]);
  expect(calls()).toEqual([]);
});

it('shows a streaming input as an object, which later text does not change in earlier views', () => {
  const gate = new ToolGate();
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' });
  const seen = ['{"path":"a.t', 'xt","lines":[1,', '2]', '}'].map((inputTextDelta) => {
    gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta });
    return (gate.getSnapshot().messages[0]?.parts[0] as { input: unknown }).input;
  });
  expect(seen).toEqual([
    { path: 'a.t' },
    { path: 'a.txt', lines: [1] },
    { path: 'a.txt', lines: [1, 2] },
    { path: 'a.txt', lines: [1, 2] },
  ]);
});

it('returns values by reference', () => {
  const input = { b: undefined, a: 10n, nan: NaN, at: new Date(5), deep: [{ z: 1, y: 2 }] };
  const output = Object.assign(Object.create(null) as object, { ['__proto__']: 1 });
  const gate = new ToolGate();
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    ...ask('c1', input),
    { type: 'tool-input-available', toolCallId: 'c2', toolName: 'read', input: {} },
    { type: 'tool-output-available', toolCallId: 'c2', output },
  ]);
  const parts = gate.getSnapshot().messages[0]?.parts as { input: unknown; output?: unknown }[];
  expect(parts[0]?.input).toBe(input);
  expect(gate.pending()[0]?.input).toBe(input);
  expect(parts[1]?.output).toBe(output);
});

it('requests contain no properties that Toolgate added', () => {
  const { gate } = asking(['c1', 'c2']);
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false, reason: 'no' });
  const body = JSON.stringify(gate.outgoing()[0]?.body);
  expect(body).not.toMatch(/"outcome"|"delivery"/);
  expect(JSON.parse(body)).toMatchObject({
    id: 'chat',
    trigger: 'submit-message',
    messageId: 'a1',
    messages: [
      { role: 'user' },
      {
        parts: [
          { type: 'step-start' },
          { toolCallId: 'c1', state: 'approval-responded', approval: { id: 'approve-c1', approved: true } },
          {
            toolCallId: 'c2',
            state: 'approval-responded',
            approval: { id: 'approve-c2', approved: false, reason: 'no' },
          },
        ],
      },
    ],
  });
});

it('notifies listeners once after each change', () => {
  const { gate } = asking(['c1']);
  const seen: number[] = [];
  const stop = gate.subscribe(() => seen.push(gate.getSnapshot().pending.length));
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c1', { approved: true });
  stop();
  gate.cancel();
  expect(seen).toEqual([0]);
});

it('an error of a listener does not affect other listeners or the gate', async () => {
  const { gate } = asking(['c1']);
  const other = vi.fn();
  gate.subscribe(() => {
    throw new Error('of the app');
  });
  gate.subscribe(other);
  const uncaught = await uncaughtIn(() => gate.respond('approve-c1', { approved: true }));
  expect(other).toHaveBeenCalledOnce();
  expect(uncaught).toEqual([new Error('of the app')]);
  expect(gate.getSnapshot().status).not.toBe('crashed');
});

it('uses a default if generateId or now throws', async () => {
  const failing = () => {
    throw new Error('of the app');
  };
  const uncaught = await uncaughtIn(() => {
    const gate = new ToolGate({ generateId: failing, now: failing });
    expect(gate.sendUserMessage({ text: 'hello' })).toBe('sent');
    expect(send(gate)).toBe('out-1');
    expect(gate.getSnapshot().messages[0]?.id).toMatch(/^.{16}$/);
  });
  expect(uncaught.length).toBeGreaterThan(0);
});

it('logs decisions and deliveries', () => {
  const { gate } = asking(['c1', 'c2'], { now: () => 42 });
  gate.respond('approve-c1', { approved: true });
  gate.respond('approve-c2', { approved: false, reason: 'no' });
  const log = gate
    .auditLog()
    .filter(({ type }) => type !== 'settled' && type !== 'transition')
    .slice(-5);
  expect(log).toMatchObject([
    { at: 42, type: 'requested', approvalId: 'approve-c1', toolCallId: 'c1', toolName: 'edit' },
    { at: 42, type: 'requested', approvalId: 'approve-c2' },
    { type: 'decided', approvalId: 'approve-c1', approved: true, by: 'user', toolName: 'edit' },
    { type: 'decided', approvalId: 'approve-c2', approved: false, reason: 'no', by: 'user' },
    {
      type: 'delivery',
      to: 'ready',
      attempt: 1,
      approvalIds: ['approve-c1', 'approve-c2'],
      key: gate.outgoing()[0]?.key,
    },
  ]);
});

it('a streaming input that ends by a denial is a plain value for the model and in a snapshot', () => {
  const gate = new ToolGate({ chatId: 'chat' });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"path":"hal' },
    { type: 'tool-output-denied', toolCallId: 'c1' },
  ]);
  const input = { path: 'hal' };
  expect(gate.getSnapshot().messages[1]?.parts[0]).toMatchObject({ state: 'output-denied', input });
  expect(JSON.stringify(gate.assemble())).toContain(JSON.stringify(input));
  expect(ToolGate.restore(gate.toJSON()).assemble()).toEqual(gate.assemble());
});

it('a part that was added and removed between two reads is not shown', () => {
  const gate = new ToolGate();
  gate.sendUserMessage({ text: 'Hi' });
  gate.claim(gate.outgoing()[0]?.id as string);
  for (const type of ['start', 'start-step']) gate.receive({ type, messageId: 'm1' });
  expect(gate.getSnapshot().messages.at(-1)?.parts).toHaveLength(1);
  gate.receive({ type: 'text-start', id: 't1' });
  gate.receive({ type: 'text-delta', id: 't1', delta: 'gone' });
  gate.receive({ type: 'reset-step' });
  const { messages } = gate.getSnapshot();
  expect(messages).toEqual(ToolGate.restore(gate.toJSON()).getSnapshot().messages);
  expect(messages.at(-1)?.parts).toEqual([{ type: 'step-start' }]);
});
