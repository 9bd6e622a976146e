// @vitest-environment happy-dom
/**
 * A form keeps the user's entries while its approval request has the same content, even if the request becomes a new
 * object.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { ToolGate, type GateMessage, type ToolPart } from 'toolgate';
import type { ToolApprovalElement } from 'toolgate/element';
import { asking, asks, callOf, card, choose, part, parts, settle, streaming, type } from './support';
import { genkit } from 'toolgate/protocols/genkit';

afterEach(() => void vi.useRealTimers());

const waiting = (input: unknown, extra: object = {}): object[] => [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      {
        type: 'tool-delete_file',
        toolCallId: 'c1',
        state: 'approval-requested',
        input,
        approval: { id: 'ask-c1' },
        ...extra,
      },
    ],
  },
];

/** A gate with a protocol that supports edited inputs. */
async function editable(input: unknown): Promise<ToolGate> {
  const gate = new ToolGate({ protocol: genkit, chatId: 'chat' });
  gate.load(waiting(input) as GateMessage[]);
  return gate;
}

/** Fills in every field of a form. */
function fillIn(element: ToolApprovalElement): void {
  choose(element, 'remember', 'chatTool');
  part(element, 'edit').click();
  type(part<HTMLTextAreaElement>(element, 'editor'), '{"path":"other.md"}');
  part(element, 'reason-toggle').click();
  type(part<HTMLInputElement>(element, 'reason'), 'not before June');
}

/** The entries of a form whose reason is open. The rest is shown after the way back. */
function filled(element: ToolApprovalElement): unknown[] {
  const reason = part<HTMLInputElement>(element, 'reason').value;
  part(element, 'reason-toggle').click();
  const rest = [
    parts(element, 'reason').length,
    part<HTMLSelectElement>(element, 'remember').value,
    parts(element, 'editor').map((field) => (field as HTMLTextAreaElement).value),
    part(element, 'approve').getAttribute('aria-label'),
  ];
  part(element, 'reason-toggle').click();
  return [reason, ...rest];
}

const WHOLE = ['not before June', 0, 'chatTool', ['{"path":"other.md"}'], 'Approve as edited: delete_file'];

test('a new object for the same request keeps the form and its focus', async () => {
  const gate = await editable({ path: 'menu.md' });
  const element = card(gate);
  fillIn(element);
  const [before, field] = [gate.pending()[0], part(element, 'reason')];
  gate.load(waiting({ path: 'menu.md' }, { callProviderMetadata: { mine: { status: 'ready' } } }));
  await settle();
  expect(gate.pending()[0]).not.toBe(before);
  expect(part(element, 'reason')).toBe(field);
  expect(element.shadowRoot?.activeElement).toBe(field);
  expect(filled(element)).toEqual(WHOLE);
  const respond = vi.spyOn(gate, 'respond');
  part(element, 'reason-toggle').click();
  part(element, 'approve').click();
  expect(respond.mock.calls[0]).toMatchObject([
    { approvalId: 'ask-c1', inputDigest: before!.inputDigest },
    { approved: true, input: { path: 'other.md' } },
  ]);
});

test('moving the card, or removing and inserting it, keeps the entries', async () => {
  const element = card(await editable({ path: 'menu.md' }));
  fillIn(element);
  document.body.prepend(element);
  expect(filled(element)).toEqual(WHOLE);
  element.remove();
  await settle();
  document.body.append(document.createElement('p'), element);
  expect(filled(element)).toEqual(WHOLE);
});

test('the form keeps the entries when its texts change', async () => {
  const element = card(await editable({ path: 'menu.md' }));
  fillIn(element);
  element.texts = { denyWithReason: 'Nein' };
  await settle();
  expect(filled(element)).toEqual(WHOLE);
  expect(part(element, 'deny').textContent).toBe('Nein');
});

test('a hidden reason stays hidden and keeps its text', async () => {
  const element = card(await editable({ path: 'menu.md' }));
  part(element, 'reason-toggle').click();
  type(part<HTMLInputElement>(element, 'reason'), 'because');
  part(element, 'reason-toggle').click();
  document.body.prepend(element);
  expect(parts(element, 'reason')).toEqual([]);
  part(element, 'reason-toggle').click();
  expect(part<HTMLInputElement>(element, 'reason').value).toBe('because');
});

test('a new input discards the edit and the choice of what to remember, but not the reason', async () => {
  const gate = await editable({ path: 'menu.md' });
  const element = card(gate);
  fillIn(element);
  gate.load(waiting({ path: '/etc/passwd' }));
  await settle();
  expect(filled(element)).toEqual(['not before June', 0, 'once', [], 'Approve: delete_file']);
});

test('while the reason is open, nothing approves, and what is hidden does not apply', async () => {
  const gate = await editable({ path: 'menu.md' });
  const element = card(gate);
  const decisions: unknown[] = [];
  element.addEventListener('decision', (event) => decisions.push((event as CustomEvent).detail));
  fillIn(element);
  const shown = (): unknown[] =>
    ['approve', 'edit', 'remember', 'editor'].map((name) => parts(element, name).length > 0);
  expect(shown()).toEqual([false, false, false, false]);

  part(element, 'reason-toggle').click();
  expect(shown()).toEqual([true, true, true, true]);
  part(element, 'edit').click();
  part(element, 'reason-toggle').click();
  expect(part<HTMLInputElement>(element, 'reason').value).toBe('not before June');
  part(element, 'deny').click();
  expect(decisions).toEqual([
    expect.objectContaining({ approvalId: 'ask-c1', approved: false, reason: 'not before June', result: 'accepted' }),
  ]);
  expect(decisions[0]).not.toHaveProperty('remember');
  expect(gate.remembered()).toEqual([]);
});

test('after the way back, a denial has the chosen scope and no reason', async () => {
  const gate = await editable({ path: 'menu.md' });
  const element = card(gate);
  fillIn(element);
  part(element, 'reason-toggle').click();
  part(element, 'edit').click();
  part(element, 'deny').click();
  expect(gate.pending()).toHaveLength(1);
  expect(part(element, 'question').textContent).toBe(
    'You will not be asked again about: every delete_file call in this chat',
  );
  expect(part(element, 'confirm').textContent).toBe('Deny: every delete_file call in this chat');
  part(element, 'confirm').click();
  expect(callOf(gate, 'c1').outcome).toEqual({ kind: 'denied' });
  expect(gate.remembered()).toMatchObject([{ approved: false, scope: 'tool' }]);
});

test('another request creates an empty form', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const element = card(gate);
  part(element, 'reason-toggle').click();
  type(part<HTMLInputElement>(element, 'reason'), 'because');
  element.approvalId = 'ask-c2';
  await settle();
  expect(parts(element, 'reason')).toEqual([]);
  part(element, 'reason-toggle').click();
  expect(part<HTMLInputElement>(element, 'reason').value).toBe('');
  part(element, 'deny').click();
  expect(callOf(gate, 'c2').outcome).toEqual({ kind: 'denied' });
});

test('the countdown uses the gate’s clock', async () => {
  vi.useFakeTimers();
  let now = 5_000_000;
  const gate = asking([{ id: 'c1' }], { approvalTimeoutMs: 90_000, now: () => now });
  const element = card(gate);
  expect(part(element, 'countdown').textContent).toBe('Expires in 1:30');
  now += 60_000;
  await vi.advanceTimersByTimeAsync(300);
  expect(part(element, 'countdown').textContent).toBe('Expires in 0:30');
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(300);
  expect(part(element, 'countdown').textContent).toBe('Expires in 0:30');
  const timers = vi.getTimerCount();
  element.remove();
  expect(vi.getTimerCount()).toBeLessThan(timers);
});

test('the user can have more time, as often as needed', async () => {
  vi.useFakeTimers();
  let now = 5_000_000;
  const gate = asking([{ id: 'c1' }], { approvalTimeoutMs: 90_000, now: () => now });
  const element = card(gate);
  document.body.append(element);
  const more = part(element, 'more-time');
  expect(more.getAttribute('aria-label')).toMatch(/^More time: /);
  more.focus();
  for (const [waits, shown] of [
    [80_000, 'Expires in 1:30'],
    // As much as there was at first, each time.
    [85_000, 'Expires in 1:30'],
  ] as const) {
    now += waits;
    more.click();
    await vi.advanceTimersByTimeAsync(300);
    expect(part(element, 'countdown').textContent).toBe(shown);
    expect(element.shadowRoot?.activeElement).toBe(more);
  }
  gate.tick(5_000_000 + 80_000 + 90_000);
  expect(gate.pending()).toHaveLength(1);
});

test('a deadline of the backend has no button for more time', () => {
  const gate = asking([{ id: 'c1' }]);
  const chunk = { type: 'tool-approval-request', toolCallId: 'c2', approvalId: 'ask-c2' };
  gate.receive({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'delete_file', input: {} });
  gate.receive({ ...chunk, expiresAt: Date.now() + 60_000 });
  const element = card(gate);
  element.approvalId = 'ask-c2';
  expect(element.shadowRoot?.querySelector('[part~=more-time]')).toBeNull();
});

test('`message-id` selects the call if call ids repeat', async () => {
  const gate = new ToolGate({ chatId: 'chat' });
  const id = { type: 'tool-delete_file', toolCallId: 'call_0', input: {} };
  const call = (state: string, more: object): object => ({ ...id, state, ...more });
  const history = [
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'one' }] },
    { id: 'a1', role: 'assistant', parts: [call('output-available', { output: 'first' })] },
    { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'two' }] },
    { id: 'a2', role: 'assistant', parts: [call('approval-requested', { approval: { id: 'ask-2' } })] },
  ];
  gate.load(history);
  // This view contains both calls. The gate itself stores only the first of two equal ids.
  const newestIn = ({ messages }: { messages: readonly GateMessage[] }) =>
    messages.at(-1)!.parts.find((one): one is ToolPart => 'toolCallId' in one);
  vi.spyOn(gate, 'part').mockImplementation(() => newestIn(gate.getSnapshot()) as never);
  const view = { ...gate.getSnapshot(), messages: history, pending: [] } as never;
  vi.spyOn(gate, 'getSnapshot').mockReturnValue(view);
  const [first, second, newest] = [
    card(gate, { toolCallId: 'call_0', messageId: 'a1' }),
    card(gate, { toolCallId: 'call_0', messageId: 'a2' }),
    card(gate, { toolCallId: 'call_0' }),
  ];
  expect([first.status, second.status === 'done', newest.status === 'done']).toEqual(['done', false, false]);
  vi.spyOn(gate, 'getSnapshot').mockReturnValue({ ...(view as object), messages: history.slice(0, 2) } as never);
  const again = card(gate, { toolCallId: 'call_0' });
  expect(again.status).toBe('done');
});

test('opened sections stay open while the reply streams', async () => {
  const gate = streaming(asks([{ id: 'c1', input: { text: 'x'.repeat(5_000) } }]));
  const element = card(gate);
  part(element, 'more').click();
  gate.receive({ type: 'text-start', id: 't' });
  await settle();
  expect(part(element, 'more').textContent).toBe('Show less');
});
