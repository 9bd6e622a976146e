/**
 * LangGraph's format: matching actions with calls, both spellings of properties, decisions that are not allowed, and
 * events that are passed through.
 */
import { describe, expect, test } from 'vitest';
import { langgraph } from '../../src/ts/protocols/langgraph.js';
import { bodyFor, decided, decisionsOf, INTERRUPTED, parts } from './langgraph-support';
import { gateFor, type Data } from './support';
import { capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const codec = codecOf(langgraph);

const snake = (allowed?: string[]): Data => ({
  action_requests: ['/a', '/b'].map((path) => ({ name: 'remove', args: { path } })),
  review_configs: [{ action_name: 'remove', allowed_decisions: allowed ?? ['approve', 'edit', 'reject'] }],
});
const camel = (): Data => ({
  actionRequests: ['/a', '/b'].map((path) => ({ name: 'remove', args: { path } })),
  reviewConfigs: [{ actionName: 'remove', allowedDecisions: ['approve', 'edit', 'reject'] }],
});
const AI = {
  type: 'ai',
  id: 'ai-1',
  content: 'Hm.',
  tool_calls: ['/b', '/a'].map((path) => ({ id: path, name: 'remove', args: { path } })),
};

function asked(value: Data, more: Data[] = []) {
  const gate = gateFor('langgraph');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of [
    { event: 'values', data: { messages: [{ type: 'human', id: 'h', content: 'Go.' }] } },
    { event: 'updates', data: { model: { messages: [AI] } } },
    ...more,
  ])
    gate.receive(event);
  gate.receive({ event: 'values', data: { __interrupt__: [{ id: 'i', value }] } });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

const STEP: Data = [
  {
    role: 'assistant',
    content: ['/b', '/a'].map((path) => ({ type: 'tool-call', toolCallId: path, toolName: 'remove', input: { path } })),
  },
];

test.each(['remove', 'RemoveMessage'])('a message that removes another one is not malformed: %s', (type) => {
  const gate = gateFor('langgraph');
  const anomalies: unknown[] = [];
  gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event));
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ event: 'updates', data: { summarize: { messages: [{ type, id: 'old', content: '' }, AI] } } });
  expect(anomalies).toEqual([]);
  expect(parts(gate).map(({ toolCallId }) => toolCallId)).toContain('/a');
});

describe('decisions', () => {
  test('an action is matched with its call by name and arguments, not by position', () => {
    const gate = asked(snake());
    expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([
      ['i:1', '/b'],
      ['i:0', '/a'],
    ]);
    gate.respond('i:0', { approved: true });
    gate.respond('i:1', { approved: false, reason: 'No.' });
    expect(gate.outgoing()[0]?.body).toEqual({
      command: { resume: { i: { decisions: [{ type: 'approve' }, { type: 'reject', message: 'No.' }] } } },
      config: { configurable: { thread_id: 'chat' } },
    });
  });

  test.each([
    ['snake_case', snake(), ['edited_action']],
    ['camelCase', camel(), ['editedAction']],
    ['both spellings, as in the client’s hooks', { ...snake(), ...camel() }, ['editedAction', 'edited_action']],
  ])('an edited input is sent in the spelling of the interrupt: %s', (_, value, keys) => {
    const gate = asked(value);
    const edit = decided(gate, 1, { outcome: 'approved', editedInput: { path: '/c' } });
    const rest = decided(gate, 0, { outcome: 'approved' });
    const action = { name: 'remove', args: { path: '/c' } };
    expect(decisionsOf(bodyFor([edit, rest]))).toEqual([
      { type: 'edit', ...Object.fromEntries(keys.map((key) => [key, action])) },
      { type: 'approve' },
    ]);
    expect(codec.acceptsEdit?.(edit.approval)).toBe(true);
  });

  test('an edit that is not allowed runs neither the edited nor the original input', () => {
    const gate = asked(snake(['approve', 'reject']));
    const edit = decided(gate, 1, { outcome: 'approved', editedInput: { path: '/c' } });
    expect(codec.acceptsEdit?.(edit.approval)).toBe(false);
    expect(decisionsOf(bodyFor([edit, decided(gate, 0, { outcome: 'approved' })]))).toEqual([
      { type: 'reject', message: INTERRUPTED },
      { type: 'approve' },
    ]);
  });

  test('every other outcome is a rejection with its text, or with the app’s own text', () => {
    const gate = asked(snake());
    const decisions = [decided(gate, 0, { outcome: 'skipped' }), decided(gate, 1, { outcome: 'cancelled' })];
    const skipped = 'Error: Tool execution was skipped due to previous tool denial.';
    expect(decisionsOf(bodyFor(decisions, { cancelled: 'Called off.' }))).toEqual([
      { type: 'reject', message: 'Called off.' },
      { type: 'reject', message: skipped },
    ]);
    const [expired, denied] = [
      decided(gate, 0, { outcome: 'expired', reason: 'Too late.' }),
      decided(gate, 1, { outcome: 'denied' }),
    ];
    expect(decisionsOf(bodyFor([expired, denied]))).toEqual([
      { type: 'reject' },
      { type: 'reject', message: 'Too late.' },
    ]);
  });

  test('incomplete decisions are sent as results of the step, in which approved calls did not run', () => {
    const gate = asked(snake());
    const decisions = [decided(gate, 0, { outcome: 'approved' })];
    const body = codec.body(STEP, {
      chatId: 'chat',
      history: 'server',
      decisions,
      newMessages: [],
      item: {},
      request: { messages: [] },
      reportLoss: () => {},
    } as Data) as Data;
    expect(body.command).toBeUndefined();
    expect(body.input.messages.map(({ tool_call_id: id, content }: Data) => [id, content])).toEqual([
      ['/b', INTERRUPTED],
      ['/a', INTERRUPTED],
    ]);
  });

  test('denials that the interrupt does not allow are sent as results in a separate run, with stable ids', () => {
    const news = [{ role: 'user', content: [{ type: 'text', text: 'Wait.' }] }];
    const decisions = [{ outcome: 'denied' }];
    const body = codec.body(STEP, {
      chatId: 'chat',
      history: 'server',
      decisions,
      newMessages: news,
      item: { key: 'key' },
      request: { messages: [{ id: 'm', role: 'user' }] },
      reportLoss: () => {},
    } as Data) as Data;
    expect(body.command).toBeUndefined();
    expect(
      body.input.messages.map(({ type, tool_call_id: call, id, content }: Data) => [type, call, id, content]),
    ).toEqual([
      ['tool', '/b', 'key:0', INTERRUPTED],
      ['tool', '/a', 'key:1', INTERRUPTED],
    ]);
  });

  test('several interrupts are answered by id, and an interrupt for one call by the decision alone', () => {
    const gate = gateFor('langgraph');
    const schema = {
      $defs: { A: { properties: { type: { const: 'approve' } } }, R: { properties: { type: { const: 'reject' } } } },
    };
    const single = { type: 'tool_approval', tool_call_id: '/b', name: 'remove', args: { path: '/b' } };
    gate.receive({ event: 'updates', data: { model: { messages: [AI] } } });
    gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'i', value: single, response_schema: schema }] } });
    const batch = {
      action_requests: [{ name: 'remove', args: { path: '/a' } }],
      review_configs: snake().review_configs,
    };
    gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'j', value: batch }] } });
    expect(parts(gate).map(({ approval }) => approval.langgraph.allowed)).toEqual([
      ['approve', 'reject'],
      ['approve', 'edit', 'reject'],
    ]);
    const all = [decided(gate, 0, { outcome: 'approved' }), decided(gate, 1, { outcome: 'denied', reason: 'No.' })];
    expect(bodyFor(all).command.resume).toEqual({
      i: { type: 'approve' },
      j: { decisions: [{ type: 'reject', message: 'No.' }] },
    });
    expect(bodyFor(all.slice(0, 1)).command.resume).toEqual({ i: { type: 'approve' } });
  });
});

describe('events', () => {
  test('custom events and events of subgraphs are passed through', () => {
    const gate = gateFor('langgraph');
    const passed: Data[] = [];
    gate.onEvent((event) => event.type === 'passthrough' && passed.push((event.event as Data).event));
    for (const event of [
      { event: 'custom', data: { done: 3 } },
      { event: 'messages|tools:1', data: [AI, {}] },
      { event: 'end', data: null },
    ]) {
      gate.receive(event);
    }
    expect(passed).toEqual(['custom', 'messages|tools:1']);
    expect(gate.pending()).toEqual([]);
  });
});

test('capabilities', () => {
  expect(capabilitiesOf('langgraph')).toMatchObject({
    kind: 'resubmitting',
    history: 'server',
    editedInput: true,
    cancel: false,
    remember: false,
    reason: true,
  });
});
