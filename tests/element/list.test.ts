// @vitest-environment happy-dom
/**
 * `<tool-approvals>`: its cards, the focus and the announcements; editing an input; and importing the entry on a
 * server.
 */
import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { ToolGate } from 'toolgate';
import type { ToolApprovalElement } from 'toolgate/element';
import { asking, asks, callOf, card, list, part, parts, sendNext, settle, type } from './support';
import { genkit } from 'toolgate/protocols/genkit';

const cards = (element: HTMLElement) => [...element.querySelectorAll<ToolApprovalElement>('tool-approval')];
const statuses = (element: HTMLElement) => cards(element).map(({ toolCallId, status }) => `${toolCallId}: ${status}`);

test('shows a card for each approval in call order until the next step begins', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }]);
  const element = list(gate);
  expect(statuses(element)).toEqual(['c1: waiting', 'c2: waiting', 'c3: waiting']);
  const before = cards(element);
  gate.respond('ask-c2', { approved: false });
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect(statuses(element)).toEqual(['c1: approved', 'c2: denied', 'c3: waiting']);
  expect(cards(element).every((each, index) => each === before[index])).toBe(true);
  gate.respond('ask-c3', { approved: true });
  sendNext(gate);
  for (const chunk of [
    { type: 'start', messageId: 'a1' },
    { type: 'tool-output-available', toolCallId: 'c1', output: 1 },
    { type: 'tool-output-denied', toolCallId: 'c2' },
    { type: 'tool-output-available', toolCallId: 'c3', output: 3 },
  ])
    gate.receive(chunk);
  await settle();
  expect(statuses(element)).toEqual(['c1: done', 'c2: denied', 'c3: done']);
  asks([{ id: 'c4' }])
    .slice(1)
    .forEach((chunk) => gate.receive(chunk));
  await settle();
  expect(statuses(element)).toEqual(['c4: waiting']);
});

test('a decision focuses the next waiting card; after the last one the focus stays', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const element = list(gate);
  const [first, second] = cards(element) as [ToolApprovalElement, ToolApprovalElement];
  const button = part(first, 'approve');
  button.focus();
  button.click();
  expect(document.activeElement).toBe(second);
  expect(second.shadowRoot?.activeElement).toBe(part(second, 'card'));
  const deny = part(second, 'deny');
  deny.focus();
  deny.click();
  expect(document.activeElement === second || document.activeElement === element).toBe(true);
});

test('a decision made outside the list does not move the focus', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  list(gate);
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect(document.activeElement).toBe(field);
});

test('the list announces new approvals once, together; each card announces its progress', async () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const element = list(gate);
  const live = (each: HTMLElement): string => each.shadowRoot?.querySelector('[role=status]')?.textContent ?? '';
  await vi.waitFor(() => expect(live(element)).toBe('2 approvals needed.'));
  const [first] = cards(element) as [ToolApprovalElement];
  expect(live(first)).toBe('');
  gate.respond('ask-c1', { approved: false, reason: 'no' });
  await vi.waitFor(() => expect(live(first)).toBe('delete_file: Denied. Reason: no'));
});

test('a single card announces its approval', async () => {
  const element = card(asking([{ id: 'c1', title: 'Delete a file' }]));
  await vi.waitFor(() =>
    expect(element.shadowRoot?.querySelector('[role=status]')?.textContent).toBe(
      'Approval needed: delete_file (“Delete a file”).',
    ),
  );
});

test('of a hundred cards, a decision changes one', async () => {
  const gate = asking(Array.from({ length: 100 }, (_, index) => ({ id: `c${index}` })));
  const element = list(gate);
  expect(cards(element)).toHaveLength(100);
  const isSettling = (): boolean => cards(element).some((each) => each.shadowRoot?.querySelector('[data-settling]'));
  for (const is of [true, false]) await vi.waitFor(() => expect(isSettling()).toBe(is), { timeout: 10_000 });
  const changed = new Set<Element>();
  const observers = cards(element).map((each) => {
    const observer = new MutationObserver(() => changed.add(each));
    observer.observe(each.shadowRoot as ShadowRoot, {
      childList: true,
      subtree: true,
      attributes: true,
      characterData: true,
    });
    return observer;
  });
  gate.respond('ask-c50', { approved: true });
  await settle();
  await settle();
  expect([...changed]).toEqual([cards(element)[50]]);
  observers.forEach((observer) => observer.disconnect());
});

/** A gate with a protocol that accepts edited inputs. */
async function editable(input: unknown): Promise<ToolGate> {
  const own = new ToolGate({ protocol: genkit, chatId: 'chat' });
  own.load([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
    {
      id: 'a1',
      role: 'assistant',
      parts: [
        { type: 'tool-delete_file', toolCallId: 'c1', state: 'approval-requested', input, approval: { id: 'ask-c1' } },
      ],
    },
  ]);
  return own;
}

test('a protocol without edited inputs has no editor', () => {
  expect(parts(card(asking([{ id: 'c1' }])), 'edit')).toEqual([]);
});

test('an input is edited as JSON; text that is not valid JSON is not sent', async () => {
  const gate = await editable({ path: 'menu.md', force: true });
  const respond = vi.spyOn(gate, 'respond');
  const element = card(gate);
  part(element, 'edit').click();
  const field = part<HTMLTextAreaElement>(element, 'editor');
  expect(JSON.parse(field.value)).toEqual({ path: 'menu.md', force: true });
  expect(element.shadowRoot?.activeElement).toBe(field);
  expect(part(element, 'approve').getAttribute('aria-label')).toBe('Approve as edited: delete_file');
  expect(part<HTMLSelectElement>(element, 'remember').disabled).toBe(true);
  for (const [text, problem] of [
    ['{"path": ', 'Not valid JSON'],
    ['[1]', 'The input must be an object'],
    ['null', 'The input must be an object'],
  ] as const) {
    type(field, text);
    part(element, 'approve').click();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(element.shadowRoot?.getElementById('editor-problem')?.textContent).toContain(problem);
  }
  expect(respond).not.toHaveBeenCalled();
  type(field, '{"path":"old.md","force":false}');
  expect(field.hasAttribute('aria-invalid')).toBe(false);
  const [pending] = gate.pending();
  part(element, 'approve').click();
  expect(respond.mock.calls).toEqual([[pending, { approved: true, input: { path: 'old.md', force: false } }]]);
});

test('a discarded edit, or one without a change, is not sent', async () => {
  const gate = await editable({ path: 'menu.md' });
  const respond = vi.spyOn(gate, 'respond');
  const element = card(gate);
  part(element, 'edit').click();
  type(part<HTMLTextAreaElement>(element, 'editor'), '{"path":"other"}');
  part(element, 'edit').click();
  expect(parts(element, 'editor')).toEqual([]);
  part(element, 'edit').click();
  type(part<HTMLTextAreaElement>(element, 'editor'), '{ "path" : "menu.md" }');
  part(element, 'approve').click();
  expect(respond.mock.calls[0]?.[1]).not.toHaveProperty('input');
  expect(callOf(gate, 'c1')).toMatchObject({ approval: { approved: true } });
});

test('an app can reject an edit', async () => {
  const gate = await editable({ path: 'menu.md' });
  const element = card(gate, {
    approvalId: 'ask-c1',
    validateInput: (input) => ((input as { path?: unknown }).path === '/' ? 'not the root' : undefined),
  });
  part(element, 'edit').click();
  type(part<HTMLTextAreaElement>(element, 'editor'), '{"path":"/"}');
  part(element, 'approve').click();
  expect(element.shadowRoot?.getElementById('editor-problem')?.textContent).toBe('not the root');
  expect(gate.pending()).toHaveLength(1);
});

test('the entry can be imported on a server and defines nothing there', () => {
  const code =
    "import { defineToolApproval, ToolApprovalElement } from 'toolgate/element'; defineToolApproval(); console.log(typeof ToolApprovalElement, typeof customElements)";
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim()).toBe(
    'function undefined',
  );
});
