// @vitest-environment happy-dom
/** The card says who decided, where the page knows it: the user here, another tab, the server or a policy. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { ToolGate, type ToolPart } from 'toolgate';
import type { ToolApprovalElement } from 'toolgate/element';
import { asking, asks, card, list, part, parts, sendNext, settle, streaming } from './support';
import { persist, type PersistedChat } from 'toolgate/persist';
import { MemoryStorage } from '../persist/memory-storage.js';

const decidedBy = (element: HTMLElement): string => {
  const found = part(element, 'decided-by');
  return found.hidden ? '' : (found.textContent ?? '');
};

test('the user, here: with the buttons or by the app', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const [first, second] = [card(gate), card(gate, { approvalId: 'ask-c2' })];
  expect(decidedBy(first)).toBe('');
  part(first, 'approve').click();
  gate.respondAll({ approved: false });
  await settle();
  expect([decidedBy(first), decidedBy(second)]).toEqual(['', '']);
});

test('a decision that the gate refused is not the user’s', async () => {
  const gate = streaming(asks([{ id: 'c1' }]));
  const element = card(gate);
  expect(() => gate.respond('ask-c1', { approved: true, inputDigest: 'other' })).toThrow();
  gate.receive({ type: 'tool-approval-response', approvalId: 'ask-c1', approved: true });
  await settle();
  expect(decidedBy(element)).toBe('Answered elsewhere.');
});

test('the server’s own policy', async () => {
  const gate = streaming([
    ...asks([]),
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'read', input: {} },
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1', isAutomatic: true },
    { type: 'tool-approval-response', approvalId: 'ask-c1', approved: true },
  ]);
  const element = card(gate, { toolCallId: 'c1' });
  await settle();
  expect(decidedBy(element)).toBe('Decided on the server.');
});

test('another client of the server; a result without a decision has no approval any more, so nothing is said', async () => {
  const gate = streaming(asks([{ id: 'c1' }, { id: 'c2' }]));
  const [first, second] = [card(gate), card(gate, { approvalId: 'ask-c2' })];
  gate.receive({ type: 'tool-approval-response', approvalId: 'ask-c1', approved: false });
  gate.receive({ type: 'tool-output-available', toolCallId: 'c2', output: 1 });
  await settle();
  const elsewhere = 'Answered elsewhere.';
  expect([decidedBy(first), decidedBy(second)]).toEqual([elsewhere, '']);
  const live = () => first.shadowRoot?.querySelector('[role=status]')?.textContent ?? '';
  await vi.waitFor(() => expect(live()).toContain(elsewhere));
});

test('a request that the backend withdrew: the list keeps its card, without buttons, and says what is known', async () => {
  const gate = streaming(asks([{ id: 'c1' }, { id: 'c2' }]));
  const listed = list(gate);
  await settle();
  gate.receive({ type: 'tool-approval-withdrawn', approvalId: 'ask-c1' });
  await settle();
  const [first, second] = [...listed.querySelectorAll<ToolApprovalElement>('tool-approval')];
  expect([first?.status, second?.status]).toEqual(['checking', 'waiting']);
  expect([parts(first!, 'approve'), parts(second!, 'approve').length]).toEqual([[], 1]);
  gate.receive({ type: 'tool-approval-response', approvalId: 'ask-c1', approved: true });
  await settle();
  expect(decidedBy(first!)).toBe('Answered elsewhere.');
});

test('a card on its own announces that its request was withdrawn', async () => {
  const gate = streaming(asks([{ id: 'c1' }]));
  const element = card(gate);
  await settle();
  gate.receive({ type: 'tool-approval-withdrawn', approvalId: 'ask-c1' });
  const live = () => element.shadowRoot?.querySelector('[role=status]')?.textContent ?? '';
  await vi.waitFor(() => expect(live()).toContain('The server decides about this call.'));
});

test('a policy: the user wrote a message instead, and the note says so', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  gate.sendUserMessage({ text: 'never mind' });
  await settle();
  expect(decidedBy(element)).toBe('');
  expect(part(element, 'note').textContent).toContain('You sent a message instead of answering.');
});

test('nothing is said about an expired or cancelled call, a remembered decision, and one from before the page', async () => {
  const cancelled = asking([{ id: 'c1' }]);
  const element = card(cancelled);
  cancelled.cancel();
  await settle();
  expect(decidedBy(element)).toBe('');
  const gate = asking([{ id: 'c1' }]);
  gate.respond('ask-c1', { approved: true, remember: 'chat' });
  expect(decidedBy(card(gate))).toBe('');
  sendNext(gate);
  const restored = ToolGate.restore(gate.toJSON());
  expect(decidedBy(card(restored))).toBe('');
});

test('a denial that the server’s history overrules: the card shows what ran, and that it was approved elsewhere', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  part(element, 'deny').click();
  expect(element.status).toBe('denied');
  const [asked, reply] = structuredClone(gate.getSnapshot().messages);
  const { outcome: _, delivery: __, ...call } = reply!.parts.find(({ type }) => type.startsWith('tool-')) as ToolPart;
  const ran = { ...call, state: 'output-available', output: 'ok', approval: { id: 'ask-c1', approved: true } };
  gate.load([asked, { ...reply, parts: [ran] }]);
  await settle();
  expect(element.status).toBe('done');
  expect(decidedBy(element)).toBe('Already answered differently. Answered elsewhere.');
});

test('two tabs: each says where the decision was made', async () => {
  const storage = new MemoryStorage();
  const open = async (): Promise<{ gate: ToolGate; persisted: PersistedChat }> => {
    const gate = new ToolGate({ chatId: 'chat' });
    const persisted = await persist(gate, { name: `decided by ${process.pid}`, storage });
    onTestFinished(() => persisted.close());
    return { gate, persisted };
  };
  const leader = await open();
  leader.gate.sendUserMessage({ text: 'go' });
  sendNext(leader.gate);
  for (const chunk of asks([{ id: 'c1' }, { id: 'c2' }])) leader.gate.receive(chunk);
  const follower = await open();
  expect([leader.persisted.state === 'leader', follower.persisted.state === 'leader']).toEqual([true, false]);
  await vi.waitFor(() => expect(follower.gate.pending()).toHaveLength(2));
  const [here, there] = [leader, follower].map(({ gate }) => [card(gate), card(gate, { approvalId: 'ask-c2' })]);
  leader.gate.respond('ask-c1', { approved: true });
  follower.gate.respond('ask-c2', { approved: true });
  await vi.waitFor(() => expect(decidedBy(there![0]!)).toBe('Answered elsewhere.'));
  expect(decidedBy(here![0]!)).toBe('');
  await vi.waitFor(() => expect(decidedBy(here![1]!)).toBe('Answered in another tab.'));
  await vi.waitFor(() => expect(decidedBy(there![1]!)).toBe(''));
});

test('two tabs that answer differently: the card of the tab whose answer does not count says so', async () => {
  const storage = new MemoryStorage();
  const open = async (): Promise<ToolGate> => {
    const gate = new ToolGate({ chatId: 'chat' });
    const persisted = await persist(gate, { name: `overruled ${process.pid}`, storage, onError: () => undefined });
    onTestFinished(() => persisted.close());
    return gate;
  };
  const leader = await open();
  leader.sendUserMessage({ text: 'go' });
  sendNext(leader);
  for (const chunk of asks([{ id: 'c1' }])) leader.receive(chunk);
  const follower = await open();
  await vi.waitFor(() => expect(follower.pending()).toHaveLength(1));
  const [here, there] = [card(leader), card(follower)];
  part(here, 'approve').click();
  part(there, 'deny').click();
  await vi.waitFor(() => expect(decidedBy(there)).toBe('Already answered differently. Answered elsewhere.'));
  expect(decidedBy(here)).toBe('');
});
