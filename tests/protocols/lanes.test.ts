/** Calls whose events arrive in an unusual but legal order: each call keeps the input that the model produced. */
import { expect, test } from 'vitest';
import type { ProtocolName } from './all.js';
import { callsOf, firstReply } from './first-reply.js';
import type { Data } from './support.js';

const CALLS = [
  { id: 'a', name: 'write', input: { path: '/tmp/a' } },
  { id: 'b', name: 'send', input: { to: 'bob' } },
] as const;

const json = (place: 0 | 1): string => JSON.stringify(CALLS[place].input);

/** What is shown after these events and the end of the stream. */
function shown(protocol: ProtocolName, events: readonly Data[]): { inputs: unknown; wrong: unknown } {
  const { gate, take, wrong } = firstReply(protocol);
  take(...events);
  gate.streamEnded({ status: 'finished' });
  return { inputs: Object.fromEntries(callsOf(gate).map((call) => [call.toolCallId, call.input])), wrong };
}

const BOTH = { inputs: { a: CALLS[0].input, b: CALLS[1].input }, wrong: [] };

const chunk = (delta: Data, reason?: string): Data => ({
  choices: [{ delta, ...(reason && { finish_reason: reason }) }],
});
const header = (index: 0 | 1): Data => ({
  index,
  id: CALLS[index].id,
  type: 'function',
  function: { name: CALLS[index].name, arguments: '' },
});
const piece = (index: 0 | 1, text: string): Data => ({ index, function: { arguments: text } });

test('openai-chat: headers first, then the arguments of both calls by turns', () => {
  const events = [
    chunk({ tool_calls: [header(0), header(1)] }),
    chunk({ tool_calls: [piece(1, json(1).slice(0, 5)), piece(0, json(0).slice(0, 5))] }),
    chunk({ tool_calls: [piece(0, json(0).slice(5))] }),
    chunk({ tool_calls: [piece(1, json(1).slice(5))] }),
    chunk({}, 'tool_calls'),
  ];
  expect(shown('openai-chat', events)).toEqual(BOTH);
});

/** The events of both calls. `id`: the id of an item in one of its events. */
const responses = (id: (place: number, event: number) => string | undefined): Data[] => {
  const item = (at: 0 | 1, event: number, text: string): Data => ({
    type: 'function_call',
    id: id(at, event),
    call_id: CALLS[at].id,
    name: CALLS[at].name,
    arguments: text,
  });
  const events = ([0, 1] as const).map((at) => [
    { type: 'response.output_item.added', output_index: at, item: item(at, 0, '') },
    { type: 'response.function_call_arguments.delta', output_index: at, item_id: id(at, 1), delta: json(at) },
    { type: 'response.output_item.done', output_index: at, item: item(at, 2, json(at)) },
  ]);
  const byTurns = [0, 1, 2].flatMap((event) => events.map((list) => list[event]));
  return [
    { type: 'response.created', response: { id: 'r' } },
    ...byTurns,
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [{}] } },
  ];
};

test.each([
  ['a new id in each event', (place: number, event: number) => `item-${place}-${event}`],
  ['no ids', () => undefined],
  ['one id for all', () => 'item'],
])('openai-responses: items with %s', (_, id) => {
  expect(shown('openai-responses', responses(id))).toEqual(BOTH);
});

test('anthropic: the whole input in the first event of a block, before an empty delta', () => {
  const events = CALLS.flatMap(({ id, name, input }, index) => [
    { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input } },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_stop', index },
  ]);
  expect(shown('anthropic', [{ type: 'message_start', message: {} }, ...events, { type: 'message_stop' }])).toEqual(
    BOTH,
  );
});

test('ag-ui: an event of another kind completes a call in chunks, and nothing of it is lost', () => {
  const { gate, take, wrong } = firstReply('ag-ui', { browserTools: ['write'] });
  take(
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'a', toolCallName: 'write', parentMessageId: 'm1', delta: json(0) },
    { type: 'STATE_SNAPSHOT', snapshot: {} },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  );
  gate.streamEnded({ status: 'finished' });
  expect(callsOf(gate)).toMatchObject([{ input: CALLS[0].input, state: 'input-available' }]);
  expect(gate.getSnapshot().turn.runnable).toEqual(['a']);
  expect(wrong.filter(({ type }) => type === 'anomaly')).toEqual([]);
});
