/**
 * The Messages API: blocks go back as they came, with the fields that Toolgate has no use for, and a call that the
 * server has not finished stays where the API expects it.
 */
import { describe, expect, test } from 'vitest';
import type { Data } from '../support';
import { exchange, loadedFrom, ready, replied } from './support';

const OPTIONS = { needsApproval: () => false } as const;
const USER = { role: 'user', content: [{ type: 'text', text: 'Go.' }] };
const cache_control = { type: 'ephemeral' };

/** The events of a message with these blocks. Texts, thinking and inputs come as deltas. */
function events(blocks: readonly Data[], stop_reason = 'end_turn'): Data[] {
  const deltas = ({ type, text, citations, thinking, signature, input }: Data): Data[] => {
    if (type === 'text')
      return [
        { type: 'text_delta', text },
        ...(citations ?? []).map((citation: Data) => ({ type: 'citations_delta', citation })),
      ];
    if (type === 'thinking')
      return [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ];
    return /tool_use$/.test(type) ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : [];
  };
  const empty = (block: Data): Data => {
    if (block.type === 'text') return { ...block, text: '', citations: block.citations ? [] : null };
    if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
    return /tool_use$/.test(block.type) ? { ...block, input: {} } : block;
  };
  return [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: empty(block) },
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason } },
    { type: 'message_stop' },
  ];
}

const whole = (content: readonly Data[], stop_reason = 'end_turn'): Data[] => [
  { type: 'message', id: 'm', role: 'assistant', content, stop_reason },
];

const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 's1',
  content: [{ type: 'web_search_result', url: 'https://a.b', title: 'A', encrypted_content: 'e' }],
};
const edit = { type: 'tool_use', id: 't1', name: 'edit', input: { path: 'a' } };
const edited = { type: 'tool_result', tool_use_id: 't1', content: 'changed' };
const done = { type: 'text', text: 'Done.' };

/** Replies that need no answer. */
const SETTLED: Record<string, Data[]> = {
  'a text with citations': [
    { type: 'text', text: 'Yes.', citations: [{ type: 'char_location', cited_text: 'x', document_index: 0 }] },
  ],
  'a call of the server, with the fields of the call and of its result': [
    { ...search, caller: { type: 'code_execution_20250825', tool_id: 's0' } },
    { ...found, caller: { type: 'code_execution_20250825', tool_id: 's0' } },
    done,
  ],
  'an error of a tool of the server': [
    search,
    { ...found, content: { type: 'web_search_tool_result_error', error_code: 'unavailable' } },
    done,
  ],
  'thinking and a block of an unknown kind': [
    { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
    { type: 'compaction', content: 'In short.' },
    done,
  ],
};

describe.each(Object.entries(SETTLED))('%s', (_, blocks) => {
  test.each([
    ['streamed', events(blocks)],
    ['in a whole message', whole(blocks)],
  ])('%s', (__, stream) => {
    const { gate, problems } = replied('anthropic', stream, OPTIONS);
    gate.sendUserMessage({ text: 'Go.' });
    expect(ready(gate).messages).toEqual([USER, { role: 'assistant', content: blocks }, USER]);
    expect(problems).toEqual([]);
  });

  test('stored', () => {
    const history = [USER, { role: 'assistant', content: blocks }, USER];
    const { gate, problems } = loadedFrom('anthropic', history);
    expect(gate.assemble()).toEqual(history);
    expect(problems).toEqual([]);
  });
});

test('the caller of a call is sent back with the call', () => {
  const call = { ...edit, caller: { type: 'code_execution_20250825', tool_id: 's0' } };
  const { gate } = replied('anthropic', events([call], 'tool_use'), OPTIONS);
  gate.addToolOutput('t1', { output: 'changed' });
  expect(ready(gate).messages).toEqual([
    USER,
    { role: 'assistant', content: [call] },
    { role: 'user', content: [edited] },
  ]);
});

test('everything in a stored history keeps its fields', () => {
  const history = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Read.', cache_control },
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'A' },
          title: 'T',
          citations: { enabled: true },
        },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
          title: 'T',
          context: 'C',
        },
        { type: 'image', source: { type: 'url', url: 'https://a.b/c.png' }, cache_control },
      ],
    },
    { role: 'assistant', content: [{ ...edit, cache_control }] },
    { role: 'user', content: [{ ...edited, cache_control }] },
    { role: 'assistant', content: [{ ...edit, id: 't2' }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [
            { type: 'text', text: 'One.' },
            { type: 'text', text: 'Two.', cache_control },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ ...edit, id: 't3' }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't3',
          is_error: true,
          content: [
            { type: 'text', text: 'It failed:' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ ...done, cache_control }] },
  ];
  const { gate, problems } = loadedFrom('anthropic', history);
  expect(gate.assemble()).toEqual(history);
  expect(problems).toEqual([]);
  expect(gate.part('t3')).toMatchObject({ state: 'output-error', errorText: 'It failed:' });
});

describe('a call that the server has not finished', () => {
  const step = { role: 'assistant', content: [edit, search] };
  const answer = { role: 'user', content: [edited] };

  test('stays in the request that answers the client’s call, and its result where it came', () => {
    const { gate, problems } = replied('anthropic', events(step.content, 'tool_use'), OPTIONS);
    gate.addToolOutput('t1', { output: 'changed' });
    const { messages } = exchange(gate, events([found, done]));
    expect(messages).toEqual([USER, step, answer]);
    expect(gate.part('s1')).toMatchObject({ state: 'output-available', output: found.content });
    gate.sendUserMessage({ text: 'Go.' });
    const sent = [USER, step, answer, { role: 'assistant', content: [found, done] }, USER];
    expect(ready(gate).messages).toEqual(sent);
    const again = loadedFrom('anthropic', sent);
    expect(again.gate.part('s1')).toMatchObject({ state: 'output-available', output: found.content });
    expect(again.gate.assemble()).toEqual(sent);
    expect([...problems, ...again.problems]).toEqual([]);
  });

  test('stays when the client’s call is denied', () => {
    const { gate } = replied('anthropic', events(step.content, 'tool_use'));
    gate.respond('t1', { approved: false });
    expect(ready(gate).messages[1]).toEqual(step);
  });

  test('is in a history that ends with it, also after a load', () => {
    const { gate } = replied('anthropic', events([search], 'pause_turn'), OPTIONS);
    const history = [USER, { role: 'assistant', content: [search] }];
    expect(gate.assemble()).toEqual(history);
    expect(loadedFrom('anthropic', history).gate.assemble()).toEqual(history);
  });

  test('is left out, with a report, when the user’s message follows: the API refuses it there', () => {
    const { gate, problems } = replied('anthropic', events([done, search], 'pause_turn'), OPTIONS);
    expect(gate.assemble()).toHaveLength(2);
    gate.sendUserMessage({ text: 'Go.' });
    expect(ready(gate).messages).toEqual([USER, { role: 'assistant', content: [done] }, USER]);
    expect(problems).toEqual(['lossy pending s1']);
  });
});
