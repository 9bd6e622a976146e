/** User messages without content, or with parts that they cannot have, are refused before anything changes. */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';

import { asking } from './support.js';

it.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a text', 'hello'],
  ['a list', [{ type: 'text', text: 'hello' }]],
  ['an empty object', {}],
  ['an id alone', { id: 'm1' }],
  ['metadata alone', { metadata: { a: 1 } }],
  ['no parts', { parts: [] }],
  ['an empty text', { text: '' }],
  ['a text that is not a string', { text: 5 }],
  ['no text', { text: undefined }],
  ['parts that are not an array', { parts: 'hello' }],
  ['an array of values that are not parts', { parts: [null, 5, {}, { type: 1 }] }],
  ['parts without content', { parts: [{ type: 'text', text: '' }, { type: 'step-start' }] }],
  ['a message of the assistant', { role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }],
  ['a role that does not exist', { role: 'tool', text: 'hello' }],
  ['a role that is not a string', { role: {}, text: 'hello' }],
  [
    'a proxy that refuses',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('no');
        },
      },
    ),
  ],
])('refused: %s', (_, message) => {
  const { gate } = asking(['c1']);
  const before = gate.getSnapshot();
  expect(() => gate.sendUserMessage(message as never)).toThrow(TypeError);
  expect(() => gate.sendUserMessage(message as never)).toThrow(/\{ text \}/);
  expect(gate.getSnapshot()).toBe(before);
});

it.each([
  { type: 'tool-edit', toolCallId: 'c9', state: 'output-available', input: {}, output: 'done' },
  { type: 'dynamic-tool', toolName: 'edit', toolCallId: 'c9', state: 'input-available', input: {} },
])('refused: a part of a tool, $type', (part) => {
  const gate = new ToolGate();
  expect(() => gate.sendUserMessage({ parts: [{ type: 'text', text: 'see' }, part] } as never)).toThrow(/tool parts/);
  expect(gate.getSnapshot().messages).toEqual([]);
});

it.each<[string, object]>([
  ['a text', { text: 'hello' }],
  ['a space', { text: ' ' }],
  ['parts', { parts: [{ type: 'text', text: 'hello' }] }],
  ['a file alone', { parts: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,' }] }],
  [
    'a file with an empty text',
    {
      parts: [
        { type: 'file', mediaType: 'image/png', url: 'data:,' },
        { type: 'text', text: '' },
      ],
    },
  ],
  ['instructions', { role: 'system', text: 'hello' }],
  ['data', { parts: [{ type: 'data-place', data: { x: 1 } }] }],
])('%s is a message', (_, message) => {
  const gate = new ToolGate();
  expect(gate.sendUserMessage(message as never)).toBe('sent');
  expect(gate.outgoing()).toHaveLength(1);
});
