/**
 * Histories as applications and servers really stored them: AI SDK 4, LangChain's `messages_to_dict` and calls in
 * `additional_kwargs`, rows of Mastra, and OpenAI's legacy functions. Every call is kept, and what cannot be kept is a
 * repair that names its place.
 */
import { describe, expect, test } from 'vitest';
import * as ai6 from 'ai6';
import * as ai7 from 'ai';
import type { ProtocolName } from '../all.js';
import type { Data } from '../support';
import { loadedFrom, ready } from './support';

/** The calls that a gate shows: id, state, input and output. */
const callsIn = (messages: readonly Data[]): unknown[] =>
  messages
    .flatMap(({ parts }) => parts as Data[])
    .filter(({ toolCallId }) => toolCallId)
    .map(({ toolCallId, state, input, output }) => [toolCallId, state, input, output]);

const textsIn = (messages: readonly Data[]): string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part: Data) => (part.type === 'text' && part.text ? part.text : [])));

describe('AI SDK 4', () => {
  const invocation = {
    state: 'result',
    step: 0,
    toolCallId: 'c1',
    toolName: 'weather',
    args: { city: 'Rome' },
    result: { t: 20 },
  };
  const user = {
    id: 'u1',
    createdAt: '2025-01-01',
    role: 'user',
    content: 'weather?',
    parts: [{ type: 'text', text: 'weather?' }],
  };
  const source = { sourceType: 'url', id: 's1', url: 'https://a.b', title: 'A' };

  /** Sends a message after a history, and returns the body, which both versions of the AI SDK accept. */
  async function after(history: readonly unknown[], protocol: ProtocolName = 'ai-sdk') {
    const made = loadedFrom(protocol, history);
    if (protocol !== 'ai-sdk') return { ...made, body: undefined };
    made.gate.sendUserMessage({ text: 'And tomorrow?' });
    const body = JSON.parse(JSON.stringify(ready(made.gate)));
    await ai6.validateUIMessages({ messages: body.messages });
    await ai7.validateUIMessages({ messages: body.messages });
    return { ...made, body };
  }

  test.each<ProtocolName>(['ai-sdk', 'openai-chat', 'mastra'])('parts, with %s', async (protocol) => {
    const parts = [
      { type: 'step-start' },
      { type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'text', text: 'Hm.' }] },
      { type: 'tool-invocation', toolInvocation: invocation },
      { type: 'step-start' },
      { type: 'text', text: 'Sunny.' },
      { type: 'source', source },
      { type: 'file', mimeType: 'image/png', data: 'AA==' },
    ];
    const history = [user, { id: 'a1', role: 'assistant', content: 'Sunny.', toolInvocations: [invocation], parts }];
    const { gate, problems } = await after(history, protocol);
    const { messages } = gate.getSnapshot();
    expect(callsIn(messages)).toEqual([['c1', 'output-available', { city: 'Rome' }, { t: 20 }]]);
    expect(textsIn(messages.slice(0, 2))).toEqual(['weather?', 'Sunny.']);
    expect(messages[1]?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-weather' },
      { type: 'step-start' },
      { type: 'text' },
      { type: 'source-url', sourceId: 's1', url: 'https://a.b', title: 'A' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
    ]);
    expect(problems).toEqual([]);
  });

  test('messages without parts: texts, invocations of several steps, reasoning and attachments', async () => {
    const second = { ...invocation, step: 1, toolCallId: 'c2' };
    const { gate, problems } = await after([
      {
        id: 'u1',
        role: 'user',
        content: 'weather?',
        experimental_attachments: [{ name: 'a.png', contentType: 'image/png', url: 'https://a.b/a.png' }],
      },
      { id: 'a1', role: 'assistant', content: 'Sunny.', reasoning: 'Hm.', toolInvocations: [invocation, second] },
    ]);
    const [asked, answered] = gate.getSnapshot().messages as Data[];
    expect(asked.parts).toMatchObject([
      { type: 'text', text: 'weather?' },
      { type: 'file', mediaType: 'image/png', url: 'https://a.b/a.png', filename: 'a.png' },
    ]);
    expect(answered.id).toBe('a1');
    expect(answered.parts.map(({ type }: Data) => type)).toEqual([
      'tool-weather',
      'step-start',
      'tool-weather',
      'step-start',
      'reasoning',
      'text',
    ]);
    expect(problems).toEqual([]);
  });

  test('calls and attachments that are only beside the parts', async () => {
    const { gate, problems } = await after([
      { ...user, experimental_attachments: [{ contentType: 'image/png', url: 'https://a.b/a.png' }] },
      {
        id: 'a1',
        role: 'assistant',
        content: 'Sunny.',
        toolInvocations: [invocation],
        parts: [{ type: 'text', text: 'Sunny.' }],
      },
    ]);
    const [asked, answered] = gate.getSnapshot().messages as Data[];
    expect(asked.parts).toMatchObject([{ type: 'text' }, { type: 'file', url: 'https://a.b/a.png' }]);
    expect(answered.parts).toMatchObject([{ type: 'tool-weather' }, { type: 'step-start' }, { type: 'text' }]);
    expect(problems).toEqual([]);
  });

  test('a call without a result waits again, if its tool runs in the page', () => {
    const open = { state: 'call', step: 0, toolCallId: 'c1', toolName: 'locate', args: {} };
    const history = [user, { id: 'a1', role: 'assistant', content: 'Wait.', toolInvocations: [open] }];
    const { gate } = loadedFrom('ai-sdk', history, { browserTools: ['locate'] });
    expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'tool', toolCallIds: ['c1'] }]);
    gate.addToolOutput('c1', { output: 'Rome' });
    expect(callsIn(ready(gate).messages)).toEqual([['c1', 'output-available', {}, 'Rome']]);
  });

  test('what has no form today is named with its place', async () => {
    const { gate, problems } = await after([
      user,
      { id: 'd1', role: 'data', content: '', data: { a: 1 } },
      {
        id: 'a1',
        role: 'assistant',
        content: 'Sunny.',
        toolInvocations: [{ state: 'result', args: {} }],
        parts: [
          { type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'redacted', data: 'x' }] },
          { type: 'tool-invocation', toolInvocation: { state: 'result', args: {} } },
          { type: 'tool-invocation', toolInvocation: invocation },
          { type: 'source', source: { sourceType: 'other' } },
        ],
      },
    ]);
    expect(callsIn(gate.getSnapshot().messages)).toHaveLength(1);
    expect(problems).toEqual([
      'repair malformed: messages[1], or a part of it, could not be read: omitted',
      'repair malformed: messages[2], or a part of it, could not be read: omitted',
      'repair malformed: messages[2], or a part of it, could not be read: omitted',
    ]);
  });
});

test('a repair of a message of the AI SDK says which message it was', () => {
  const history = [
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    { id: 'a1', role: 'nobody', parts: [] },
    { id: 'a2', role: 'assistant', parts: [{ type: 'text' }, { type: 'text', text: 'Done.' }] },
  ];
  expect(loadedFrom('ai-sdk', history).problems).toEqual([
    'repair malformed: messages[1], or a part of it, could not be read: omitted',
    'repair malformed: messages[2], or a part of it, could not be read: omitted',
  ]);
});

describe('LangChain', () => {
  const call = { name: 'weather', args: { city: 'Rome' }, id: 'c1', type: 'tool_call' };
  const kwargs = [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }];
  const result = { content: '20', tool_call_id: 'c1', status: 'success' };

  test.each<[string, Data[]]>([
    [
      '`messages_to_dict`',
      [
        { type: 'human', data: { content: 'weather?', additional_kwargs: {} } },
        { type: 'ai', data: { content: '', additional_kwargs: {}, tool_calls: [call] } },
        { type: 'tool', data: result },
        { type: 'ai', data: { content: 'Sunny.' } },
      ],
    ],
    [
      'calls in `additional_kwargs`',
      [
        { type: 'human', content: 'weather?' },
        { type: 'ai', content: '', additional_kwargs: { tool_calls: kwargs }, tool_calls: [] },
        { type: 'tool', ...result },
        { type: 'ai', content: 'Sunny.' },
      ],
    ],
    [
      'both',
      [
        { type: 'human', data: { content: 'weather?' } },
        { type: 'ai', data: { content: null, additional_kwargs: { tool_calls: kwargs } } },
        { type: 'tool', data: result },
        { type: 'ai', data: { content: 'Sunny.' } },
      ],
    ],
  ])('%s', (_, history) => {
    const { gate, problems } = loadedFrom('langgraph', history);
    const { messages } = gate.getSnapshot();
    expect(callsIn(messages)).toEqual([['c1', 'output-available', { city: 'Rome' }, '20']]);
    expect(textsIn(messages)).toEqual(['weather?', 'Sunny.']);
    expect(problems).toEqual([]);
  });
});

describe('rows of Mastra', () => {
  const invocation = {
    state: 'result',
    toolCallId: 'c1',
    toolName: 'weather',
    args: { city: 'Rome' },
    result: { t: 20 },
  };
  const row = (content: object): Data[] => [
    {
      id: 'u1',
      role: 'user',
      content: { format: 2, parts: [{ type: 'text', text: 'weather?' }], content: 'weather?' },
    },
    { id: 'a1', role: 'assistant', content: { format: 2, ...content } },
  ];

  test.each<[string, object]>([
    ['calls only in `toolInvocations`', { parts: [{ type: 'text', text: 'Sunny.' }], toolInvocations: [invocation] }],
    ['no parts at all', { content: 'Sunny.', toolInvocations: [invocation] }],
    [
      'calls in both places',
      {
        parts: [
          { type: 'tool-invocation', toolInvocation: invocation },
          { type: 'text', text: 'Sunny.' },
        ],
        toolInvocations: [invocation],
      },
    ],
  ])('%s', (_, content) => {
    const { gate, problems } = loadedFrom('mastra', row(content));
    const { messages } = gate.getSnapshot();
    expect(callsIn(messages)).toEqual([['c1', 'output-available', { city: 'Rome' }, { t: 20 }]]);
    expect(textsIn(messages)).toEqual(['weather?', 'Sunny.']);
    expect(problems).toEqual([]);
  });
});

test('OpenAI’s legacy functions go back as they came', () => {
  const history = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"city":"Rome"}' } },
    { role: 'function', name: 'weather', content: '20' },
    { role: 'assistant', content: 'Sunny.' },
  ];
  const { gate, problems } = loadedFrom('openai-chat', history);
  const called = callsIn(gate.getSnapshot().messages);
  expect(called).toEqual([[expect.any(String), 'output-available', { city: 'Rome' }, '20']]);
  expect(gate.assemble()).toEqual(history);
  expect(problems).toEqual([]);
});

test('custom calls of Chat Completions go back as they came', () => {
  const history = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'shell', input: 'ls' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a' },
  ];
  const { gate, problems } = loadedFrom('openai-chat', history);
  expect(callsIn(gate.getSnapshot().messages)).toEqual([['c1', 'output-available', 'ls', 'a']]);
  expect(gate.assemble()).toEqual(history);
  expect(problems).toEqual([]);
});
