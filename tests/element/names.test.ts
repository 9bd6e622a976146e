// @vitest-environment happy-dom
/** A card always shows the tool's name. A title is untrusted text, and appears beside the name, not instead of it. */
import { describe, expect, test, vi } from 'vitest';
import { ToolGate } from 'toolgate';
import { asking, card, list, headingOf, part, parts, sendNext, settle } from './support';

const TITLE = 'Read file';
const two = [
  { id: 'c1', tool: 'delete_all_files', title: TITLE },
  { id: 'c2', tool: 'read_file', title: TITLE },
] as const;

const live = (element: HTMLElement): string => element.shadowRoot?.querySelector('[role=status]')?.textContent ?? '';

test('two tools with the same title are distinguishable in every text', async () => {
  const gate = asking(two);
  const [first, second] = [
    card(gate, { approvalId: 'ask-c1', remember: 'always' }),
    card(gate, { approvalId: 'ask-c2', remember: 'always' }),
  ];
  const said = (element: HTMLElement): string[] => [
    headingOf(element),
    ...['approve', 'deny', 'reason-toggle'].map((name) => part(element, name).getAttribute('aria-label') ?? ''),
    ...[...(part(element, 'remember') as HTMLSelectElement).options]
      .slice(2)
      .filter(({ value }) => value.endsWith('Tool'))
      .map(({ textContent }) => textContent ?? ''),
  ];
  expect(said(first)).toEqual([
    'delete_all_files “Read file” (Waiting for you)',
    'Approve: delete_all_files (“Read file”)',
    'Deny: delete_all_files (“Read file”)',
    'Reason…: delete_all_files (“Read file”)',
    'every delete_all_files call in this chat',
    'every delete_all_files call, always',
  ]);
  expect(said(second).every((text, index) => text !== said(first)[index] && text.includes('read_file'))).toBe(true);
  expect(part(first, 'tool-name').hidden).toBe(false);
  await vi.waitFor(() => expect(live(first)).toBe('Approval needed: delete_all_files (“Read file”).'));
});

test('statuses and announcements of the list contain the name too', async () => {
  const gate = asking([two[0]]);
  const element = list(gate);
  await vi.waitFor(() => expect(live(element)).toBe('Approval needed: delete_all_files (“Read file”).'));
  const [inner] = element.querySelectorAll('tool-approval');
  gate.respond('ask-c1', { approved: true });
  gate.markFailed(sendNext(gate), 'offline');
  await vi.waitFor(() => expect(live(inner!)).toMatch(/^delete_all_files \(“Read file”\): /));
});

test('a title equal to the name is shown once', () => {
  for (const title of [undefined, '', 'delete_file']) {
    const element = card(asking([{ id: 'c1', ...(title !== undefined && { title }) }]));
    expect(headingOf(element)).toBe('delete_file (Waiting for you)');
    expect(part(element, 'tool-title').hidden).toBe(true);
  }
});

test('a long title does not hide the name', () => {
  const element = card(asking([{ id: 'c1', tool: `rm_${'x'.repeat(2_000)}`, title: 'Read '.repeat(2_000) }]));
  expect(part(element, 'tool-name').textContent).toMatch(/^rm_x{190,200}…$/);
  expect(part(element, 'approve').getAttribute('aria-label')).toMatch(/^Approve: rm_x{90,100}… \(“(Read ?)+…”\)$/);
});

test('a title that looks like a name is shown as a title', () => {
  const element = card(asking([{ id: 'c1', tool: 'delete_all_files', title: 'read_file (read_file)' }]));
  expect(part(element, 'approve').getAttribute('aria-label')).toBe(
    'Approve: delete_all_files (“read_file (read_file)”)',
  );
});

describe('the type of a static part contains the tool name', () => {
  test.each(['toolName', 'name', 'title'])('its property `%s` is ignored', async (key) => {
    const gate = new ToolGate({ chatId: 'chat' });
    const part_ = {
      type: 'tool-delete_all_files',
      toolCallId: 'c1',
      state: 'approval-requested',
      input: {},
      approval: { id: 'ask-c1' },
      [key]: 'read_file',
    };
    gate.load([
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { id: 'a', role: 'assistant', parts: [part_] },
    ]);
    const element = card(gate);
    await settle();
    expect(part(element, 'title').textContent).toContain('delete_all_files');
    expect(part(element, 'deny').getAttribute('aria-label')).toContain('delete_all_files');
    expect(parts(element, 'remember')[0]?.textContent).toContain('every delete_all_files call in this chat');
  });
});
