// @vitest-environment happy-dom
/** "Approve all" and "Deny all" below a list: what they decide, when they ask again, and what is announced. */
import { expect, test, vi } from 'vitest';
import type { ToolApprovalsElement } from 'toolgate/element';
import { asking, asks, callOf, list, part, parts, sendNext, settle, streaming, type Asked } from './support';

/** In happy-dom, a card cannot be rendered while an element of another shadow root has the focus. */
const blur = (element: HTMLElement): void => (element.shadowRoot?.activeElement as HTMLElement | null)?.blur();

/** How long a new approval is shown before the buttons include it, and some time more. */
const JOINED_MS = 1_100;

const three: readonly Asked[] = [{ id: 'c1' }, { id: 'c2' }, { id: 'c3', tool: 'send_mail' }];
const live = (element: HTMLElement): string => element.shadowRoot?.querySelector('[role=status]')?.textContent ?? '';
const isShown = (element: ToolApprovalsElement, name: string): boolean =>
  part(element, 'all').hidden === false && parts(element, name).some((one) => one.closest('[hidden]') === null);
const label = (element: ToolApprovalsElement, name: string): string => part(element, name).textContent ?? '';
const approvals = (gate: ReturnType<typeof asking>, ids: readonly string[]) =>
  ids.map((id) => callOf(gate, id).approval?.approved);

test('the buttons are shown from two pending approvals on, and say how many calls of which tools', async () => {
  const one = list(asking([{ id: 'c1' }]));
  expect(isShown(one, 'approve-all')).toBe(false);
  const gate = asking(three);
  const element = list(gate);
  expect(isShown(element, 'approve-all')).toBe(true);
  expect(label(element, 'approve-all')).toBe('Approve all 3');
  expect(label(element, 'deny-all')).toBe('Deny all 3');
  expect(label(element, 'all-tools')).toBe('delete_file ×2, send_mail');
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect(label(element, 'approve-all')).toBe('Approve all 2');
  gate.respond('ask-c2', { approved: true });
  await settle();
  expect(isShown(element, 'approve-all')).toBe(false);
});

test('all are approved with one request; the list announces it once, and dispatches an event for each', async () => {
  const gate = asking(three);
  const element = list(gate);
  const decisions: unknown[] = [];
  document.addEventListener('decision', (event) => decisions.push((event as CustomEvent).detail), { once: false });
  part(element, 'approve-all').focus();
  part(element, 'approve-all').click();
  expect(approvals(gate, ['c1', 'c2', 'c3'])).toEqual([true, true, true]);
  expect(gate.outgoing()).toHaveLength(1);
  expect(decisions).toEqual([
    { approvalId: 'ask-c1', toolCallId: 'c1', toolName: 'delete_file', approved: true, result: 'accepted' },
    { approvalId: 'ask-c2', toolCallId: 'c2', toolName: 'delete_file', approved: true, result: 'accepted' },
    { approvalId: 'ask-c3', toolCallId: 'c3', toolName: 'send_mail', approved: true, result: 'accepted' },
  ]);
  expect(label(element, 'all-result')).toBe('3 calls approved.');
  expect(element.shadowRoot?.activeElement).toBe(part(element, 'all-result'));
  await vi.waitFor(() => expect(live(element)).toContain('3 calls approved.'));
  for (const card of element.querySelectorAll<HTMLElement>('tool-approval')) expect(live(card)).toBe('');
});

test('the cards announce what follows, also if the request was sent before they were drawn', async () => {
  const gate = asking(three);
  const element = list(gate);
  part(element, 'approve-all').click();
  blur(element);
  sendNext(gate);
  await settle();
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'It is gone' });
  const first = element.querySelector<HTMLElement>('tool-approval')!;
  await vi.waitFor(() => expect(live(first)).toBe('delete_file: Done. It is gone'));
});

test('all are denied', () => {
  const gate = asking(three);
  const element = list(gate);
  part(element, 'deny-all').click();
  expect(approvals(gate, ['c1', 'c2', 'c3'])).toEqual([false, false, false]);
  expect(label(element, 'all-result')).toBe('3 calls denied.');
});

test('an approval that arrives after the buttons were shown is not decided, and joins them after a pause', async () => {
  const gate = streaming(asks([{ id: 'c1' }, { id: 'c2' }]));
  const element = list(gate);
  asks([{ id: 'c3' }])
    .slice(2)
    .forEach((chunk) => gate.receive(chunk));
  // Before the list has rendered, and after it.
  for (const wait of [() => Promise.resolve(), settle]) {
    await wait();
    expect(label(element, 'approve-all')).toBe('Approve all 2');
  }
  part(element, 'approve-all').click();
  expect(approvals(gate, ['c1', 'c2', 'c3'])).toEqual([true, true, undefined]);
  blur(element);
  await settle();
  asks([{ id: 'c4' }])
    .slice(2)
    .forEach((chunk) => gate.receive(chunk));
  await settle();
  expect(isShown(element, 'approve-all')).toBe(false);
  await vi.waitFor(() => expect(isShown(element, 'approve-all')).toBe(true), { timeout: JOINED_MS * 2 });
  part(element, 'approve-all').click();
  expect(approvals(gate, ['c3', 'c4'])).toEqual([true, true]);
});

test('a call that was answered since it was shown is not decided again, and the result says so', async () => {
  const gate = streaming(asks([{ id: 'c1' }, { id: 'c2' }]));
  const element = list(gate);
  gate.respond('ask-c1', { approved: false });
  part(element, 'approve-all').click();
  expect(approvals(gate, ['c1', 'c2'])).toEqual([false, true]);
  expect(label(element, 'all-result')).toBe('1 call approved. 1 call was changed or answered in the meantime.');
});

test('the second click of a double click does nothing', () => {
  const gate = asking(three);
  const element = list(gate);
  part(element, 'approve-all').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
  expect(gate.pending()).toHaveLength(3);
});

test.each([
  ['a dangerous tool', { delete_file: {}, send_mail: { isDangerous: true } }, 'send_mail'],
  [
    'an input that is dangerous',
    { delete_file: { isDangerous: (input: { path: string }) => input.path === 'c2.md' }, send_mail: {} },
    'delete_file',
  ],
  ['a tool that the app does not list', { delete_file: {} }, 'send_mail'],
  [
    'an app that cannot say',
    {
      delete_file: {},
      send_mail: {
        isDangerous: () => {
          throw new Error('of the app');
        },
      },
    },
    'send_mail',
  ],
])('%s is approved only after a second, deliberate activation', (_, tools, named) => {
  const errors = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
  const gate = asking(three);
  const element = list(gate);
  element.tools = tools;
  part(element, 'approve-all').focus();
  part(element, 'approve-all').click();
  expect(gate.pending()).toHaveLength(3);
  expect(label(element, 'all-question')).toBe(`Approve all 3? Check these first: ${named}`);
  // Not a button has the focus, so a key that is held down does not answer.
  expect(element.shadowRoot?.activeElement).toBe(part(element, 'all-question'));
  expect(isShown(element, 'approve-all')).toBe(false);
  part(element, 'all').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  expect(isShown(element, 'confirm-all')).toBe(false);
  part(element, 'approve-all').click();
  part(element, 'confirm-all').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
  expect(gate.pending()).toHaveLength(3);
  part(element, 'confirm-all').click();
  errors.mockRestore();
  expect(gate.pending()).toEqual([]);
});

test('tools that are all listed and harmless need one activation, and a denial never needs two', () => {
  const gate = asking(three);
  const element = list(gate);
  element.tools = { delete_file: { isDangerous: () => false }, send_mail: {} };
  part(element, 'approve-all').click();
  expect(gate.pending()).toEqual([]);
  blur(element);
  const other = asking(three);
  const denied = list(other);
  denied.tools = { delete_file: { isDangerous: true } };
  part(denied, 'deny-all').click();
  expect(other.pending()).toEqual([]);
});

test('the buttons of another gate do not show what became of the last one', async () => {
  const element = list(asking(three));
  part(element, 'approve-all').click();
  blur(element);
  await settle();
  element.gate = asking([{ id: 'd1' }]);
  await settle();
  expect(parts(element, 'all').map((all) => (all.hidden ? '' : all.outerHTML))).toEqual(['']);
});
