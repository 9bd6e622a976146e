/**
 * Where the page sends the model's requests itself, the model reads that a call's arguments were not valid JSON, also
 * if no other call is beside it: three times in a row, then the user has to continue. Other backends tell the model
 * themselves.
 */
import { describe, expect, test } from 'vitest';
import { ToolGate } from 'toolgate';
import { named } from '../all.js';
import { streamOf } from '../replies';
import type { Data } from '../support';
import { exchange, ready, replied, watched } from './support';

const RAW = ['anthropic', 'openai-chat', 'openai-responses'] as const;
type Raw = (typeof RAW)[number];
const ERROR = 'Tool call input is not valid JSON.';
const OPTIONS = { needsApproval: () => false } as const;

/** A reply with calls, whose arguments are these texts. */
const EVENTS: Record<Raw, (calls: readonly [id: string, input: string][]) => Data[]> = {
  anthropic: (calls) => [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
    ...calls.flatMap(([id, partial_json], index) => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name: 'bash', input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } },
      { type: 'content_block_stop', index },
    ]),
    ...(calls.length
      ? []
      : [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Done.' } }]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ],
  'openai-chat': (calls) => [
    {
      choices: [
        {
          index: 0,
          delta: calls.length
            ? {
                tool_calls: calls.map(([id, input], index) => ({
                  index,
                  id,
                  type: 'function',
                  function: { name: 'bash', arguments: input },
                })),
              }
            : { content: 'Done.' },
        },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ],
  'openai-responses': (calls) => {
    const output = calls.length
      ? calls.map(([id, input]) => ({
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name: 'bash',
          arguments: input,
        }))
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }];
    return [{ object: 'response', id: 'r', status: 'completed', output }];
  },
};

const BAD = '{"command": "ls';
const bad = (protocol: Raw, id: string): Data[] => EVENTS[protocol]([[id, BAD]]);

/** How often the model reads the error in a request. */
const errorsIn = (body: Data): number => JSON.stringify(body).split(ERROR).length - 1;

describe.each(RAW)('%s', (protocol) => {
  test('alone in its reply: the error is sent, once', () => {
    const { gate } = replied(protocol, bad(protocol, 'c1'), OPTIONS);
    expect(gate.outgoing()).toMatchObject([{ kind: 'submission', approvalIds: [] }]);
    expect(errorsIn(ready(gate))).toBe(1);
    exchange(gate, EVENTS[protocol]([]));
    expect(gate.outgoing()).toEqual([]);
    expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', waitingFor: [] });
  });

  test('beside another call: it waits for that call', () => {
    const { gate } = replied(
      protocol,
      EVENTS[protocol]([
        ['c1', BAD],
        ['c2', '{}'],
      ]),
      OPTIONS,
    );
    expect(gate.outgoing()).toEqual([]);
    gate.addToolOutput('c2', { output: 'a' });
    expect(errorsIn(ready(gate))).toBe(1);
  });

  test('in a reply that breaks off: it waits for the user', () => {
    const { gate } = watched(protocol, OPTIONS);
    gate.sendUserMessage({ text: 'Go.' });
    const { id: requestId } = gate.outgoing()[0]!;
    gate.claim(requestId);
    const whole = bad(protocol, 'c1');
    const events = protocol === 'openai-responses' ? streamOf(whole[0].output) : whole;
    for (const event of events.slice(0, -1)) gate.receive(event, { requestId });
    gate.streamEnded({ status: 'disconnected' }, { requestId });
    expect(gate.outgoing()).toEqual([]);
  });

  /** A gate that has sent the error three times, and read the same reply again. */
  const exhausted = () => {
    const made = replied(protocol, bad(protocol, 'c1'), OPTIONS);
    for (const id of ['c2', 'c3', 'c4']) exchange(made.gate, bad(protocol, id));
    return made;
  };

  test('the fourth such reply in a row ends the turn, until the user continues it', () => {
    const { gate, problems } = exhausted();
    const { turn } = gate.getSnapshot();
    expect(gate.outgoing()).toEqual([]);
    expect(turn).toMatchObject({ status: 'incomplete', ending: 'failed', waitingFor: [{ kind: 'resume' }] });
    const anomalies = problems.filter((problem) => problem.startsWith('anomaly'));
    expect(anomalies).toEqual([expect.stringContaining('arguments that are not valid JSON')]);
    const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: named(protocol), ...OPTIONS });
    for (const one of [gate, copy]) {
      one.resume();
      expect(errorsIn(ready(one))).toBe(4);
    }
    exchange(gate, bad(protocol, 'c5'));
    expect(gate.outgoing()).toHaveLength(1);
  });

  test('the user’s message takes the error along, and counts from the start', () => {
    const { gate } = exhausted();
    gate.sendUserMessage({ text: 'Try another way.' });
    expect(errorsIn(ready(gate))).toBe(4);
    exchange(gate, bad(protocol, 'c5'));
    expect(gate.outgoing()).toHaveLength(1);
  });

  test('a reply with valid calls ends the row', () => {
    const { gate } = replied(protocol, bad(protocol, 'c1'), OPTIONS);
    for (const id of ['c2', 'c3']) exchange(gate, bad(protocol, id));
    exchange(gate, EVENTS[protocol]([['ok', '{}']]));
    gate.addToolOutput('ok', { output: 'a' });
    for (const id of ['c4', 'c5', 'c6']) exchange(gate, bad(protocol, id));
    expect(gate.outgoing()).toHaveLength(1);
  });

  test('`stop` withdraws the request', () => {
    const { gate } = replied(protocol, bad(protocol, 'c1'), OPTIONS);
    gate.stop();
    expect(gate.outgoing()).toEqual([]);
    expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'resume' }]);
    gate.resume();
    expect(gate.outgoing()).toHaveLength(1);
  });
});

test('ai-sdk: the server tells the model', () => {
  const { gate } = replied('ai-sdk', [
    { type: 'start' },
    { type: 'start-step' },
    { type: 'tool-input-error', toolCallId: 'c1', toolName: 'bash', input: BAD, errorText: ERROR },
    { type: 'finish-step' },
    { type: 'finish' },
  ]);
  expect(gate.outgoing()).toEqual([]);
  expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', waitingFor: [] });
});

test('a reply of Anthropic that pauses is continued by the user', () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
  const paused = [{ type: 'message', role: 'assistant', content: [search], stop_reason: 'pause_turn' }];
  const { gate } = replied('anthropic', paused);
  expect(gate.outgoing()).toEqual([]);
  expect(gate.getSnapshot().turn).toMatchObject({ ending: 'step-limit', waitingFor: [{ kind: 'resume' }] });
  gate.resume();
  gate.resume();
  expect(gate.outgoing()).toHaveLength(1);
  const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
  const rest = [
    { type: 'message', role: 'assistant', content: [found, { type: 'text', text: 'Done.' }], stop_reason: 'end_turn' },
  ];
  expect(exchange(gate, rest).messages.slice(1)).toEqual([{ role: 'assistant', content: [search] }]);
  expect(gate.part('s1')).toMatchObject({ state: 'output-available' });
  expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', waitingFor: [] });
  expect(gate.outgoing()).toEqual([]);
});

test('a paused reply whose continuation fails can be retried', () => {
  const paused = [
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hm.' }], stop_reason: 'pause_turn' },
  ];
  const { gate } = replied('anthropic', paused);
  gate.resume();
  const [{ id }] = gate.outgoing() as [Data];
  gate.claim(id);
  gate.markFailed(id, 'offline');
  expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'retry', ids: [id] }]);
  gate.retry(id);
  expect(gate.outgoing()).toMatchObject([{ id, attempt: 2 }]);
});
