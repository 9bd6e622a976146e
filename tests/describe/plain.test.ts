/** `describeCall` for parts of plain AI SDK chats, of both major versions, and for hostile ones. */
import { expect, test } from 'vitest';
import { isToolUIPart, type DynamicToolUIPart, type InferUITools, type ToolUIPart, type UIMessage } from 'ai';
import { isToolUIPart as isToolUIPart6, type UIMessage as UIMessage6 } from 'ai6';
import { describeCall, type AnyToolPart, type ToolPart } from 'toolgate';

type Tools = { delete_file: { input: { path: string }; output: { deleted: string } } };

// The types of both versions are accepted, with and without the app's tools.
((_: AnyToolPart) => {})({} as ToolUIPart);
((_: AnyToolPart) => {})({} as ToolUIPart<Tools>);
((_: AnyToolPart) => {})({} as DynamicToolUIPart);
((_: AnyToolPart) => {})({} as ToolPart);
export type _Used = InferUITools<never>;

const parts = [
  { type: 'text', text: 'Sure.' },
  {
    type: 'tool-delete_file',
    toolCallId: 'a',
    state: 'approval-requested',
    input: { path: 'a.md' },
    approval: { id: 'ask-a' },
  },
  {
    type: 'tool-delete_file',
    toolCallId: 'b',
    state: 'output-denied',
    input: { path: 'b.md' },
    approval: { id: 'ask-b', approved: false, reason: 'keep it' },
  },
  {
    type: 'dynamic-tool',
    toolName: 'search',
    title: 'Search',
    toolCallId: 'c',
    state: 'output-available',
    input: {},
    output: ['x'],
  },
  // As a guarded chat stored it: the metadata says how the call ended.
  {
    type: 'tool-delete_file',
    toolCallId: 'd',
    state: 'approval-responded',
    input: { path: 'd.md' },
    callProviderMetadata: { toolgate: { outcome: 'skipped' } },
    approval: {
      id: 'ask-d',
      approved: false,
      reason: 'Error: Tool execution was skipped due to previous tool denial.',
    },
  },
  {
    type: 'tool-delete_file',
    toolCallId: 'e',
    state: 'output-error',
    input: { path: 'e.md' },
    errorText: 'Error: Tool execution was cancelled by user. It did not run. enough',
    callProviderMetadata: { toolgate: { outcome: 'cancelled', reason: 'enough' } },
  },
];

const EXPECTED = [
  ['delete_file', 'Waiting for you', '', undefined],
  ['delete_file', 'Denied', 'Reason: keep it', undefined],
  ['search', 'Done', '["x"]', undefined],
  ['delete_file', 'Skipped', 'It did not run because another call was denied.', undefined],
  ['delete_file', 'Cancelled', 'enough', undefined],
];

test.each([
  ['7', (message: object) => (message as UIMessage).parts.filter(isToolUIPart).map((part) => describeCall(part))],
  ['6', (message: object) => (message as UIMessage6).parts.filter(isToolUIPart6).map((part) => describeCall(part))],
])('parts of version %s', (_version, describe) => {
  const calls = describe({ id: 'm', role: 'assistant', parts });
  expect(calls.map(({ toolName, label, note, decidedBy }) => [toolName, label, note, decidedBy])).toEqual(EXPECTED);
  expect(calls.map(({ title }) => title)).toEqual([undefined, undefined, 'Search', undefined, undefined]);
});

test('metadata of another shape is ignored', () => {
  const part = { type: 'tool-x', toolCallId: 'a', state: 'output-error', input: {}, errorText: 'no' } as const;
  for (const toolgate of ['skipped', { outcome: 'executed' }, { outcome: 'toString' }, { outcome: {} }, null]) {
    expect(describeCall({ ...part, callProviderMetadata: { toolgate } })).toMatchObject({
      status: 'failed',
      note: 'no',
    });
  }
  for (const callProviderMetadata of [null, 1, 'skipped', []]) {
    expect(describeCall({ ...part, callProviderMetadata }).status).toBe('failed');
  }
});

test('long and invisible texts are made visible, on one line', () => {
  const part = { type: 'tool-x', toolCallId: 'a', state: 'output-available', input: {} } as const;
  expect(describeCall({ ...part, output: 'a\u202eb\n\nc' }).note).toBe('a[U+202E]b c');
  expect(describeCall({ ...part, output: 'x'.repeat(1e6) }).result).toHaveLength(200);
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  expect(describeCall({ ...part, output: circular }).note).toBe('');
});
