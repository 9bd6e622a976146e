/**
 * Results with parts (texts, images, files), with every model API: those of the page's tools, those of the vendor's own
 * histories, and those of MCP tools. What an API cannot express is reported, and its text is sent.
 */
import { describe, expect, test } from 'vitest';
import { ToolGate } from 'toolgate';
import type { ProtocolName } from '../all.js';
import { named } from '../all.js';
import { replies, type Raw } from '../replies';
import type { Data } from '../support';
import { loadedFrom, ready, replied } from './support';

const PNG = 'iVBORw0KGgo=';
const URL = `data:image/png;base64,${PNG}`;
const SHOWN = [
  { type: 'text', text: 'The screen:' },
  { type: 'file', mediaType: 'image/png', url: URL },
  { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,AA==' },
] as const;

/** Returns the results in a request or a history. */
const resultsIn = (sent: Data): Data[] => {
  const messages: Data[] = sent.messages ?? sent.input ?? sent.contents ?? sent;
  return messages
    .flatMap((message) => [message, ...(Array.isArray(message.content) ? message.content : (message.parts ?? []))])
    .filter(
      ({ type, role, functionResponse }) => role === 'tool' || functionResponse || /_(result|output)$/.test(type),
    );
};

const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };

/** The result of the page's tool as each API gets it, and its losses. */
const WRITTEN: Record<Raw, [result: Data, losses: string[]]> = {
  anthropic: [
    { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'The screen:' }, image, pdf] },
    [],
  ],
  'openai-responses': [
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'The screen:' },
        { type: 'input_image', detail: 'auto', image_url: URL },
        { type: 'input_file', filename: 'file', file_data: 'data:application/pdf;base64,AA==' },
      ],
    },
    [],
  ],
  'openai-chat': [{ role: 'tool', tool_call_id: 'c1', content: 'The screen:' }, ['lossy content c1']],
  gemini: [
    {
      functionResponse: {
        id: 'c1',
        name: 'shot',
        response: { output: 'The screen:' },
        parts: [
          { inlineData: { mimeType: 'image/png', data: PNG } },
          { inlineData: { mimeType: 'application/pdf', data: 'AA==' } },
        ],
      },
    },
    [],
  ],
};

const CALL = { calls: [{ id: 'c1', name: 'shot', input: { of: 'page' } }] };

test.each(Object.entries(WRITTEN))('%s: the result of a tool of the page', (protocol, [result, lost]) => {
  const name = protocol as Raw;
  const { gate, problems } = replied(name, replies[name](CALL), { needsApproval: () => false });
  gate.addToolOutput('c1', { content: SHOWN });
  const body = ready(gate);
  expect(resultsIn(body)).toEqual([result]);
  expect(problems).toEqual(lost);
  // What was written is read as the same parts.
  const again = loadedFrom(name, gate.assemble());
  expect(again.gate.assemble()).toEqual(gate.assemble());
  if (!lost.length)
    expect(again.gate.part('c1')).toMatchObject({ output: [SHOWN[0], { type: 'image-data' }, { type: 'file-data' }] });
});

/** Histories with parts in results, as the vendor's own clients write them. */
const OWN: [ProtocolName, string, Data[]][] = [
  [
    'openai-responses',
    'a file by its id, and a detail',
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
      { type: 'function_call', call_id: 'c1', name: 'shot', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_image', file_id: 'file-1', detail: 'low' },
          { type: 'input_text', text: 'The screen.' },
        ],
      },
      { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'ls' },
      {
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [{ type: 'input_image', image_url: URL, detail: 'auto' }],
      },
    ],
  ],
  [
    'openai-chat',
    'an image that a compatible server accepts, and texts with fields',
    [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'shot', arguments: '{}' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'The screen:', cache_control: { type: 'ephemeral' } },
          { type: 'image_url', image_url: { url: URL, detail: 'low' } },
          { type: 'image_url', image_url: { url: URL } },
        ],
      },
    ],
  ],
  [
    'gemini',
    'parts, and further fields of a response',
    [
      { role: 'user', parts: [{ text: 'Look.' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { id: 'c1', name: 'shot', args: {} }, thoughtSignature: 's' },
          { functionCall: { id: 'c2', name: 'shot', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'shot',
              response: { output: 'x', more: 1 },
              parts: [
                { inlineData: { mimeType: 'image/png', data: PNG, displayName: 'a.png' } },
                { fileData: { mimeType: 'image/png', fileUri: 'gs://a/b' } },
              ],
              scheduling: 'SILENT',
            },
          },
          {
            functionResponse: {
              id: 'c2',
              name: 'shot',
              response: { error: { code: 5 } },
              parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
            },
          },
        ],
      },
      { role: 'model', parts: [{ functionCall: { id: 'c3', name: 'find', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c3', name: 'find', response: { found: 2 } } }] },
      { role: 'model', parts: [{ text: 'Two.', partMetadata: { a: 1 } }] },
    ],
  ],
];

describe.each(OWN)('%s: %s', (protocol, _, history) => {
  test('goes back as it came', () => {
    const { gate, problems } = loadedFrom(protocol, history);
    expect(gate.assemble()).toEqual(history);
    expect(problems).toEqual([]);
  });

  test('also after a snapshot', () => {
    const { gate } = loadedFrom(protocol, history);
    const saved: Data = JSON.parse(JSON.stringify(gate));
    expect(ToolGate.restore(saved, { protocol: named(protocol) }).assemble()).toEqual(history);
  });
});

describe('the result of an MCP tool', () => {
  const output = {
    content: [
      { type: 'text', text: 'ok' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ],
    isError: false,
  };
  const history = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    {
      id: 'a',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'dynamic-tool', toolName: 'shot', toolCallId: 'c1', state: 'output-available', input: {}, output },
      ],
    },
  ];

  test.each<[Raw, (result: Data) => unknown, unknown]>([
    ['anthropic', (result) => result.content, [{ type: 'text', text: 'ok' }, image]],
    [
      'gemini',
      ({ functionResponse }) => functionResponse.parts,
      [{ inlineData: { mimeType: 'image/png', data: PNG } }],
    ],
    ['openai-chat', (result) => result.content, 'ok'],
  ])('%s gets its image, or without images in results its text', (protocol, of, expected) => {
    const { gate, problems } = loadedFrom('ai-sdk', history);
    const [result] = resultsIn(gate.assemble(named(protocol)));
    expect(of(result)).toEqual(expected);
    expect(problems).toEqual(protocol === 'openai-chat' ? ['lossy content c1'] : []);
  });

  test('stays as it is in the AI SDK’s messages', () => {
    const { gate } = loadedFrom('ai-sdk', history);
    const message = gate.assemble().at(-1) as Data;
    expect(message.content[0].output).toEqual({ type: 'json', value: output });
  });
});
