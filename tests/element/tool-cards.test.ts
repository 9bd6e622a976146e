// @vitest-environment happy-dom
/** Summaries of the app, and tools whose decisions are never remembered. */
import { expect, test, vi } from 'vitest';
import type { ToolCards } from 'toolgate/element';
import { asking, asks, card, part, parts, settle, streaming, textOf } from './support';

interface Tools {
  readonly delete_file: { readonly input: { readonly path: string }; readonly output: boolean };
}

/** Errors that are reported as uncaught while `act` runs. */
function uncaught(act: () => void): unknown[] {
  const found: unknown[] = [];
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((call) => {
    try {
      call();
    } catch (error) {
      found.push(error);
    }
  });
  act();
  spy.mockRestore();
  return found;
}

test('the summary is shown beside the name and the input, which stay', async () => {
  const gate = asking([{ id: 'c1', title: 'Tidy up' }]);
  const tools: ToolCards<Tools> = { delete_file: { summary: ({ path }) => `Delete ${path}` } };
  const element = card(gate, { approvalId: 'ask-c1', tools });
  expect(part(element, 'summary').textContent).toBe('Delete c1.md');
  expect(part(element, 'tool-name').textContent).toBe('delete_file');
  expect(part(element, 'body').textContent).toContain('c1.md');
  // It stays when the call is decided, and changes with the app's tools.
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect(part(element, 'summary').textContent).toBe('Delete c1.md');
  element.tools = { delete_file: { summary: () => 'Remove it' } };
  await settle();
  expect(part(element, 'summary').textContent).toBe('Remove it');
  element.tools = null;
  await settle();
  expect(part(element, 'summary').hidden).toBe(true);
});

test('hidden characters in a summary are escaped, and HTML is text', () => {
  const gate = asking([{ id: 'c1', input: { path: 'invoice\u202efdp.exe<img src=x>' } }]);
  const element = card(gate, {
    approvalId: 'ask-c1',
    tools: { delete_file: { summary: ({ path }: Tools['delete_file']['input']) => `Delete ${path}` } },
  });
  const summary = part(element, 'summary');
  expect(summary.querySelector('.control')?.textContent).toBe('U+202E');
  expect(summary.textContent).toBe('Delete invoiceU+202Efdp.exe<img src=x>');
  expect(summary.querySelector('img')).toBe(null);
});

test.each([
  [
    'throws',
    () => {
      throw new Error('of the app');
    },
    'of the app',
  ],
  ['returns a value that is not a string', () => 7 as unknown as string, 'must be a string'],
])('a summary that %s is reported, and the card shows the plain input', (_, summary, message) => {
  const gate = asking([{ id: 'c1' }]);
  let element!: HTMLElement;
  const errors = uncaught(() => (element = card(gate, { approvalId: 'ask-c1', tools: { delete_file: { summary } } })));
  expect(errors.map(String).join()).toContain(message);
  expect(part(element, 'summary').hidden).toBe(true);
  expect(textOf(element)).toContain('c1.md');
});

test('a summary of nothing is not shown, and inherited names are not entries', () => {
  const gate = asking([{ id: 'c1', tool: 'toString' }, { id: 'c2' }]);
  for (const [approvalId, tools] of [
    ['ask-c1', {}],
    ['ask-c2', { delete_file: { summary: () => undefined } }],
    ['ask-c2', { delete_file: { summary: () => '  ' } }],
  ] as const)
    expect(part(card(gate, { approvalId, tools }), 'summary').hidden).toBe(true);
});

test('a summary is not asked for while the input streams', async () => {
  const summary = vi.fn((_input: unknown) => 'Delete it');
  const gate = streaming([
    ...asks([]),
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'delete_file' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"path":"a' },
  ]);
  const element = card(gate, { toolCallId: 'c1', tools: { delete_file: { summary } } });
  expect(summary).not.toHaveBeenCalled();
  gate.receive({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'delete_file', input: { path: 'a.md' } });
  gate.receive({ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'ask-c1' });
  await settle();
  expect(part(element, 'summary').textContent).toBe('Delete it');
  gate.respond('ask-c1', { approved: true });
  await settle();
  expect(summary.mock.calls.every(([input]: unknown[]) => (input as { path: string }).path === 'a.md')).toBe(true);
});

test('a tool whose decisions are never remembered has no choice', () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2', tool: 'read_file' }], { neverRemember: ['delete_file'] });
  expect(parts(card(gate), 'remember')).toEqual([]);
  expect(parts(card(gate, { approvalId: 'ask-c2' }), 'remember')).toHaveLength(1);
});
