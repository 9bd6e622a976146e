/**
 * The Responses API: items go back as they came, in the stream's next request and from a stored history, with the
 * fields that Toolgate has no use for. What the API filled in by default (`status: 'completed'`, empty lists, `null`)
 * may be absent.
 */
import { describe, expect, test } from 'vitest';
import { streamOf } from '../replies';
import type { Data } from '../support';
import { exchange, loadedFrom, ready, replied } from './support';

const PROTOCOL = 'openai-responses';
const OPTIONS = { needsApproval: () => false } as const;
const USER = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] };

const text = (more: object, fields: object = {}): Data => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  ...fields,
  content: [{ type: 'output_text', text: 'Found.', annotations: [], ...more }],
});

/** Replies whose items need no answer of this client. */
const SETTLED: Record<string, Data[]> = {
  'a text with citations': [
    text({ annotations: [{ type: 'url_citation', url: 'https://a.b', start_index: 0, end_index: 1, title: 'A' }] }),
  ],
  'a text with its phase': [text({}, { phase: 'commentary' })],
  'a refusal beside a text': [
    { ...text({}), content: [...text({}).content, { type: 'refusal', refusal: 'Not more.' }] },
  ],
  'an unknown kind of content': [{ ...text({}), content: [...text({}).content, { type: 'output_new', data: 'x' }] }],
  'reasoning as text': [
    { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    text({}),
  ],
  'reasoning as text with a summary': [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'In short.' }],
      content: [
        { type: 'reasoning_text', text: 'Hm.' },
        { type: 'reasoning_text', text: 'Well.' },
      ],
      encrypted_content: 'sealed',
    },
  ],
  'tools that a search of the server found': [
    { type: 'tool_search_call', id: 's1', call_id: null, execution: 'server', arguments: { query: 'crm' } },
    {
      type: 'tool_search_output',
      id: 's2',
      call_id: null,
      execution: 'server',
      tools: [{ type: 'function', name: 'f' }],
    },
  ],
  'a program and its result': [
    { type: 'program', id: 'p1', call_id: 'prog', code: 'run()', fingerprint: 'f' },
    { type: 'program_output', id: 'p2', call_id: 'prog', result: '3', status: 'completed' },
  ],
  'a shell of the server': [
    {
      type: 'shell_call',
      id: 'sh1',
      call_id: 'sh',
      action: { commands: ['ls'] },
      environment: { type: 'container_reference', container_id: 'c' },
    },
    {
      type: 'shell_call_output',
      id: 'sh2',
      call_id: 'sh',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  'an error object of a hosted tool': [
    {
      type: 'mcp_call',
      id: 'mcp_1',
      server_label: 'files',
      name: 'delete',
      arguments: '{"path":"a"}',
      status: 'failed',
      error: { type: 'mcp_protocol_error', code: -32602, message: 'no such id' },
    },
  ],
};

/** Calls that the page runs. */
const CALLS: Record<string, Data> = {
  'a call in a namespace': { namespace: 'crm', async: true },
  'a call of a program': { caller: { type: 'program', caller_id: 'prog' } },
};
const call = (more: object): Data => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'remove',
  arguments: '{"id":1}',
  ...more,
});

describe.each(Object.entries(SETTLED))('%s', (_, items) => {
  const whole = [{ object: 'response', id: 'resp_1', status: 'completed', output: items }];
  test.each([
    ['streamed', streamOf(items)],
    ['in a whole response', whole],
  ])('%s', (__, events) => {
    const { gate, problems } = replied(PROTOCOL, events, OPTIONS);
    expect(gate.assemble().slice(1)).toEqual(items);
    gate.sendUserMessage({ text: 'Thanks.' });
    expect(ready(gate).input.slice(1, -1)).toEqual(items);
    expect(problems).toEqual([]);
  });

  test('stored', () => {
    const { gate, problems } = loadedFrom(PROTOCOL, [USER, ...items]);
    expect(gate.assemble()).toEqual([USER, ...items]);
    expect(problems).toEqual([]);
  });
});

describe.each(Object.entries(CALLS))('%s', (_, more) => {
  const output = {
    type: 'function_call_output',
    call_id: 'c1',
    output: 'removed',
    ...(more.caller && { caller: more.caller }),
  };

  test('in the request that answers it, and from a store', () => {
    const { gate, problems } = replied(PROTOCOL, streamOf([call({ ...more, status: 'completed' }) as never]), OPTIONS);
    gate.addToolOutput('c1', { output: 'removed' });
    expect(ready(gate).input).toEqual([USER, call(more), output]);
    const again = loadedFrom(PROTOCOL, ready(gate).input, OPTIONS);
    expect(again.gate.assemble()).toEqual([USER, call(more), output]);
    expect([...problems, ...again.problems]).toEqual([]);
  });

  test('if its stream ends before the item is complete', () => {
    const events = streamOf([call(more) as never]).filter(({ type }) => type !== 'response.output_item.done');
    const { gate } = replied(PROTOCOL, events, OPTIONS);
    gate.addToolOutput('c1', { output: 'removed' });
    expect(ready(gate).input[1]).toEqual(call(more));
  });
});

test('fields of a result that a history contains are sent back with it', () => {
  const output = { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: 'ok', status: 'incomplete' };
  const { gate, problems } = loadedFrom(PROTOCOL, [USER, call({}), output, text({})]);
  expect(gate.assemble()).toEqual([USER, call({}), output, text({})]);
  expect(problems).toEqual([]);
});

test('a search that this client runs is answered with the tools', () => {
  const search = { type: 'tool_search_call', id: 's1', call_id: 's', execution: 'client', arguments: { query: 'crm' } };
  const tools = [{ type: 'function', name: 'f' }];
  const { gate } = replied(PROTOCOL, streamOf([search as never]), OPTIONS);
  gate.addToolOutput('s', { output: tools });
  const answer = { type: 'tool_search_output', call_id: 's', execution: 'client', status: 'completed', tools };
  expect(ready(gate).input).toEqual([USER, search, answer]);
  const again = loadedFrom(PROTOCOL, [USER, search, answer]);
  expect(again.gate.part('s')).toMatchObject({ state: 'output-available', output: tools });
  expect(again.gate.assemble()).toEqual([USER, search, answer]);
  expect(again.problems).toEqual([]);
});

describe('with the history on the server', () => {
  const options = { ...OPTIONS, history: 'server' } as const;
  const emptied = (events: readonly Data[]): Data[] =>
    events.map((event) =>
      event.type === 'response.completed' ? { ...event, response: { ...event.response, output: [] } } : event,
    );

  test('a response whose end lists no items is continued, because its stream had items', () => {
    const { gate } = replied(PROTOCOL, emptied(streamOf([call({}) as never])), options);
    gate.addToolOutput('c1', { output: 'removed' });
    expect(ready(gate)).toEqual({
      previous_response_id: expect.stringMatching(/^resp_/),
      input: [{ type: 'function_call_output', call_id: 'c1', output: 'removed' }],
    });
    const body = exchange(gate, emptied(streamOf([text({})])));
    gate.sendUserMessage({ text: 'Go.' });
    expect(ready(gate)).toEqual({ previous_response_id: expect.stringMatching(/^resp_/), input: [USER] });
    expect(ready(gate).previous_response_id).not.toBe(body.previous_response_id);
  });

  test('a response without any item is not continued: the one before it is', () => {
    const { gate } = replied(PROTOCOL, streamOf([text({})]), options);
    gate.sendUserMessage({ text: 'Go.' });
    const { previous_response_id: first } = exchange(gate, streamOf([]));
    gate.sendUserMessage({ text: 'Go.' });
    expect(ready(gate)).toEqual({ previous_response_id: first, input: [USER, USER] });
  });

  test('items of the server are not sent again with the answers', () => {
    const { gate } = replied(
      PROTOCOL,
      streamOf([...(SETTLED['tools that a search of the server found'] as never[]), call({}) as never]),
      options,
    );
    gate.addToolOutput('c1', { output: 'removed' });
    expect(ready(gate).input).toEqual([{ type: 'function_call_output', call_id: 'c1', output: 'removed' }]);
  });
});
