/**
 * Only a malformed part itself is lost: a `null` anywhere in a reply loses only text of its own event, and the content
 * before the malformed part is kept.
 */
import { describe, expect, it, test } from 'vitest';
import type { GateEvent } from 'toolgate';
import { lostBy } from './one-null';
import { replies } from './replies';
import { gateFor, type Data } from './support';
import { type ProtocolName } from './all.js';

const CALLS = [
  { id: 'call-1', name: 'edit', input: { path: 'a b.txt', lines: [1, 2] } },
  { id: 'call-2', name: 'remove', input: { path: 'c d.txt' } },
];

const THOUGHT = 'First I have to see which files there are at all.';
const TEXT = 'I am going to tidy up these two files, if you let me do so.';

describe.each(Object.keys(replies) as (keyof typeof replies)[])('a reply of %s', (protocol) => {
  test.each([
    ['text', { text: TEXT }],
    ['thought and text', { thought: THOUGHT, text: TEXT }],
    ['text and calls', { text: TEXT, calls: CALLS }],
    ['all of it', { thought: THOUGHT, text: TEXT, calls: CALLS }],
  ])('%s', (_, reply) => {
    expect(lostBy(protocol, [{ events: JSON.parse(JSON.stringify(replies[protocol](reply))) }])).toEqual([]);
  });
});

/** Events with several independent parts. */
const parts = (text: string): Data[] => [
  { text: `${text} one, ` },
  { text: `${text} two, ` },
  { functionCall: { id: `c-${text}`, name: 'edit', args: {} } },
];

const together: readonly (readonly [ProtocolName, Data[]])[] = [
  [
    'adk',
    [
      { author: 'agent', partial: true, content: { parts: [{ text: 'Hello, ' }, { text: 'dear ' }] } },
      { author: 'agent', partial: true, content: { parts: [{ text: 'world of ' }, { text: 'tools. ' }] } },
      { author: 'agent', content: { parts: [{ text: 'Hello, dear world of tools. ' }] } },
      { author: 'agent', content: { parts: parts('Part') } },
    ],
  ],
  [
    'gemini',
    [
      { candidates: [{ content: { parts: parts('First') } }] },
      { candidates: [{ content: { parts: parts('Second') }, finishReason: 'STOP' }] },
    ],
  ],
  [
    'openai-chat',
    ['Hello, ', 'my dear, ', 'how are '].map((content, index) => ({
      choices: [
        {
          index: 0,
          delta: {
            content,
            tool_calls: [{ index, id: `c${index}`, function: { name: 'edit', arguments: '{"a b":1}' } }],
          },
        },
      ],
    })),
  ],
  [
    'claude-managed-agents',
    [
      {
        type: 'agent.message',
        id: 'm1',
        content: [
          { type: 'text', text: 'Hello, ' },
          { type: 'text', text: 'my dear, ' },
        ],
      },
      { type: 'agent.message', id: 'm2', content: [{ type: 'text', text: 'and once more.' }] },
    ],
  ],
];

test.each(together)('%s: several parts in one event', (protocol, events) => {
  expect(lostBy(protocol, [{ events }])).toEqual([]);
});

it.each<[ProtocolName, Data]>([
  ['adk', { author: 'agent', partial: true, content: { parts: [{ text: 'Hello ' }, null] } }],
  ['gemini', { candidates: [{ content: { parts: [{ text: 'Hello ' }, null] } }] }],
  ['openai-chat', { choices: [{ delta: { content: 'Hello ', tool_calls: [{ index: 0, id: 'x' }] } }] }],
])('%s: content before the malformed part is kept, and one anomaly reports the rest', (protocol, event) => {
  const gate = gateFor(protocol);
  const events: GateEvent[] = [];
  gate.onEvent((happened) => events.push(happened));
  gate.receive(event);
  expect(gate.getSnapshot().messages).toMatchObject([
    { role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello ' }] },
  ]);
  expect(events.filter(({ type }) => type === 'anomaly')).toMatchObject([{ error: { code: 'malformed-event' } }]);
});

it('an event’s getter may read its gate, but not pass another event to it', () => {
  const gate = gateFor('gemini');
  const say = (text: () => unknown): Data => ({
    candidates: [
      {
        content: {
          parts: [
            { text: 'so ' },
            {
              get text() {
                return text();
              },
            },
            { text: 'on ' },
          ],
        },
      },
    ],
  });
  gate.receive(say(() => `${gate.getSnapshot().messages.length} `));
  let thrown: unknown;
  gate.receive(
    say(() => {
      try {
        gate.receive(say(() => 'never '));
      } catch (error) {
        thrown = error;
      }
      return 'and ';
    }),
  );
  expect(thrown).toMatchObject({ code: 'busy' });
  const texts = gate
    .getSnapshot()
    .messages.flatMap(({ parts: of }) => of.map((part) => ('text' in part ? part.text : '')));
  expect(texts.join('')).toBe('so 0 on so and on ');
});
