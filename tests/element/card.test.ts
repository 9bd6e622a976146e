// @vitest-environment happy-dom
/** `<tool-approval>`: the form, its decisions in the gate, and the status that the card shows. */
import { expect, test, vi } from 'vitest';
import type { DecisionDetail, DecisionErrorDetail } from 'toolgate/element';
import {
  asking,
  asks,
  callOf,
  card,
  choose,
  headingOf,
  part,
  parts,
  sendNext,
  settle,
  streaming,
  textOf,
  type,
} from './support';

test('shows the tool, its input and its status', () => {
  const element = card(asking([{ id: 'c1', input: { path: 'menu.md', force: true, tags: ['a', 'b'], limit: null } }]));
  expect(headingOf(element)).toBe('delete_file (Waiting for you)');
  expect(parts(element, 'key').map(({ textContent }) => textContent)).toEqual([
    'path',
    'force',
    'tags',
    '0',
    '1',
    'limit',
  ]);
  expect(parts(element, 'value').map(({ textContent }) => textContent)).toEqual(['menu.md', 'true', 'a', 'b', 'null']);
  expect(element.status).toBe('waiting');
});

test('Approve approves the shown input once and dispatches `decision`', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const respond = vi.spyOn(gate, 'respond');
  const element = card(gate);
  const events: DecisionDetail[] = [];
  document.body.addEventListener('decision', (event) => events.push((event as CustomEvent<DecisionDetail>).detail), {
    once: true,
  });
  const [pending] = gate.pending();
  part(element, 'approve').click();
  expect(respond.mock.calls).toEqual([[pending, { approved: true }]]);
  expect(events).toEqual([
    { approvalId: 'ask-c1', toolCallId: 'c1', toolName: 'delete_file', approved: true, result: 'accepted' },
  ]);
  expect(callOf(gate, 'c1')).toMatchObject({ state: 'approval-responded', approval: { approved: true } });
  expect(element.status).toBe('approved');
  expect(parts(element, 'decision')).toEqual([]);
});

/** A press of a key, as a browser reports it. */
const key = (name: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent('keydown', { key: name, bubbles: true, composed: true, cancelable: true, ...more });

test('Deny and the Enter key send the reason; Escape hides the field and keeps its text', () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  const toggle = part(element, 'reason-toggle');
  expect(parts(element, 'reason')).toEqual([]);
  toggle.click();
  expect(element.shadowRoot?.activeElement).toBe(part(element, 'reason'));
  type(part<HTMLInputElement>(element, 'reason'), 'not before June');
  part(element, 'reason').dispatchEvent(key('Escape'));
  expect(parts(element, 'reason')).toEqual([]);
  expect(toggle.getAttribute('aria-label')).toBe('Reason…: delete_file');
  expect(element.shadowRoot?.activeElement).toBe(toggle);
  toggle.click();
  const field = part<HTMLInputElement>(element, 'reason');
  expect(field.value).toBe('not before June');
  field.dispatchEvent(key('Enter', { isComposing: true }));
  expect(gate.pending()).toHaveLength(1);
  field.dispatchEvent(key('Enter'));
  expect(callOf(gate, 'c1')).toMatchObject({ outcome: { kind: 'denied', reason: 'not before June' } });
  expect(textOf(element)).toContain('Reason: not before June');
});

test('a hidden reason is not sent', () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  part(element, 'reason-toggle').click();
  type(part<HTMLInputElement>(element, 'reason'), 'because');
  part(element, 'reason-toggle').click();
  part(element, 'deny').click();
  expect(callOf(gate, 'c1').outcome).toEqual({ kind: 'denied' });
});

test.each([
  ['chatInput', { for: 'chat', scope: 'input' }, undefined],
  ['chatTool', { for: 'chat', scope: 'tool' }, 'every delete_file call in this chat'],
  ['alwaysInput', { for: 'always', scope: 'input' }, 'the same input, always'],
  ['alwaysTool', { for: 'always', scope: 'tool' }, 'every delete_file call, always'],
])('a decision can apply to later calls: %s', (choice, remembered, asked) => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate, { approvalId: 'ask-c1', remember: 'always' });
  choose(element, 'remember', choice);
  part(element, 'approve').click();
  if (asked !== undefined) {
    // A decision about calls that the user has not seen is confirmed in words, and no button has the focus.
    expect(gate.pending()).toHaveLength(1);
    expect(part(element, 'question').textContent).toBe(`You will not be asked again about: ${asked}`);
    expect(element.shadowRoot?.activeElement).toBe(part(element, 'question'));
    expect(parts(element, 'approve')).toEqual([]);
    part(element, 'question').dispatchEvent(key('Escape'));
    expect(element.shadowRoot?.activeElement).toBe(part(element, 'approve'));
    expect(gate.remembered()).toEqual([]);
    part(element, 'approve').click();
    expect(part(element, 'confirm').textContent).toBe(`Approve: ${asked}`);
    part(element, 'confirm').click();
  }
  expect(gate.remembered()).toMatchObject([{ ...remembered, approved: true, toolName: 'delete_file' }]);
});

test('the attribute `remember` sets the choices', () => {
  const values = (remember: 'none' | 'chat' | 'always') =>
    parts(card(asking([{ id: 'c1' }]), { approvalId: 'ask-c1', remember }), 'remember').flatMap((field) =>
      [...(field as HTMLSelectElement).options].map(({ value }) => value),
    );
  expect(values('none')).toEqual([]);
  expect(values('chat')).toEqual(['once', 'chatInput', 'chatTool']);
  expect(values('always')).toEqual(['once', 'chatInput', 'chatTool', 'alwaysInput', 'alwaysTool']);
});

test('the second click of a double click does not decide the next card', () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const [first, second] = [card(gate), card(gate, { approvalId: 'ask-c2' })];
  part(first, 'deny').dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }));
  part(second, 'approve').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
  expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['ask-c2']);
  part(second, 'approve').dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }));
  expect(gate.pending()).toEqual([]);
});

test('a decision made outside the card is shown, and a refused decision shows the error', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  const refused: DecisionErrorDetail[] = [];
  element.addEventListener('decision-error', (event) =>
    refused.push((event as CustomEvent<DecisionErrorDetail>).detail),
  );
  gate.respond('ask-c1', { approved: false, reason: 'elsewhere' });
  part(element, 'approve').click();
  expect(refused).toMatchObject([{ approvalId: 'ask-c1', error: { code: 'already-decided' } }]);
  expect(element.status).toBe('denied');
  expect(part(element, 'error').textContent).toBe('Already answered differently.');
});

test('the card shows the progress of a call: sending, running, done', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  part(element, 'approve').click();
  const seen = [element.status];
  const look = async () => {
    await settle();
    seen.push(element.status);
  };
  sendNext(gate);
  await look();
  gate.receive({ type: 'start' });
  await look();
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'removed\nmenu.md' });
  await look();
  expect(seen).toEqual(['approved', 'sending', 'working', 'done']);
  expect(part(element, 'note').textContent).toBe('removed menu.md');
});

test('an undelivered decision can be sent again', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  part(element, 'approve').click();
  gate.markFailed(sendNext(gate), 'offline');
  await settle();
  expect(element.status).toBe('undelivered');
  part(element, 'retry').click();
  expect(gate.outgoing()).toMatchObject([{ attempt: 2, approvalIds: ['ask-c1'] }]);
  await settle();
  expect(parts(element, 'retry')).toEqual([]);
});

test('a cancelled or expired call keeps its card', async () => {
  const gate = asking([{ id: 'c1' }]);
  const element = card(gate);
  gate.cancel('changed my mind');
  await settle();
  expect(element.status).toBe('cancelled');
  expect(textOf(element)).toContain('changed my mind');
  const late = asking([{ id: 'c1' }], { approvalTimeoutMs: 1000, now: () => 5000 });
  const expiring = card(late);
  late.tick(7000);
  await settle();
  expect(expiring.status).toBe('expired');
});

test('a card is hidden while it has no gate or its call does not exist', async () => {
  const gate = streaming([{ type: 'start', messageId: 'a1' }, { type: 'start-step' }]);
  const element = card(gate);
  expect(part(element, 'card').hidden).toBe(true);
  asks([{ id: 'c1' }])
    .slice(2)
    .forEach((chunk) => gate.receive(chunk));
  await settle();
  expect(part(element, 'card').hidden).toBe(false);
  element.gate = undefined;
  await settle();
  expect(part(element, 'card').hidden).toBe(true);
  element.gate = gate;
  element.approvalId = 'ask-none';
  await settle();
  expect(part(element, 'card').hidden).toBe(true);
  element.approvalId = undefined;
  element.toolCallId = 'c1';
  await settle();
  expect(element.status).toBe('waiting');
});

test('properties that were set before the element was defined are applied', () => {
  const template = document.createElement('div');
  const element = card(asking([{ id: 'c1' }]), {});
  // An element created before its definition has the values as own properties.
  element.remove();
  Object.defineProperty(element, 'approvalId', {
    value: 'ask-c1',
    configurable: true,
    writable: true,
    enumerable: true,
  });
  template.append(element);
  document.body.append(template);
  expect(Object.hasOwn(element, 'approvalId')).toBe(false);
  expect(element.getAttribute('approval-id')).toBe('ask-c1');
  expect(element.status).toBe('waiting');
});

test('a removed card does not listen to its gate', async () => {
  const gate = asking([{ id: 'c1' }]);
  const ends = vi.fn();
  const subscribe = vi.spyOn(gate, 'subscribe').mockImplementation(() => ends);
  const one = card(gate);
  expect(subscribe).toHaveBeenCalledTimes(1);
  expect(ends).not.toHaveBeenCalled();
  one.remove();
  expect(ends).toHaveBeenCalledTimes(1);
  expect(parts(one, 'decision')).toEqual([]);
  document.body.append(one);
  expect(parts(one, 'decision')).toHaveLength(1);
  expect(part(one, 'approve').getAttribute('aria-label')).toBe('Approve: delete_file');
});

test('an app can replace the texts', async () => {
  const element = card(asking([{ id: 'c1' }]), {
    approvalId: 'ask-c1',
    texts: { approve: 'Ja', chatTool: 'jedes {tool}', waiting: 'Wartet' },
  });
  expect(part(element, 'approve').getAttribute('aria-label')).toBe('Ja: delete_file');
  expect(part(element, 'status').textContent).toBe('Wartet');
  expect(part(element, 'deny').getAttribute('aria-label')).toBe('Deny: delete_file');
  element.texts = { deny: 'Nein' };
  await settle();
  expect(part(element, 'approve').getAttribute('aria-label')).toBe('Approve: delete_file');
  expect(part(element, 'deny').getAttribute('aria-label')).toBe('Nein: delete_file');
});

test('the input is shown while it streams', async () => {
  const gate = streaming([
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'write_file' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"path":"a.md","content":"Hello' },
  ]);
  const element = card(gate, { toolCallId: 'c1' });
  expect(element.status).toBe('drafting');
  expect(textOf(element)).toContain('Hello');
  gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: ' world' });
  await vi.waitFor(() => expect(textOf(element)).toContain('Hello world'));
  expect(parts(element, 'decision')).toEqual([]);
});

test('setting every property on each render does not discard the user’s entries', async () => {
  const gate = asking([{ id: 'c1' }]);
  const render = () =>
    ({
      gate,
      approvalId: 'ask-c1',
      texts: { deny: 'No' },
      validateInput: () => undefined,
      remember: 'chat',
      headingLevel: 3,
    }) as const;
  const element = card(gate, render());
  part(element, 'reason-toggle').click();
  const field = part<HTMLInputElement>(element, 'reason');
  type(field, 'because');
  Object.assign(element, render());
  await settle();
  expect(part(element, 'reason')).toBe(field);
  expect(element.shadowRoot?.activeElement).toBe(field);
  // Other texts and another place in the document create a new form with the old entries.
  element.texts = { deny: 'Nein' };
  await settle();
  expect(part<HTMLInputElement>(element, 'reason').value).toBe('because');
  document.body.append(document.createElement('p'), element);
  part(element, 'deny').click();
  expect(callOf(gate, 'c1').outcome).toEqual({ kind: 'denied', reason: 'because' });
  await settle();
  expect(parts(element, 'decision')).toEqual([]);
});
