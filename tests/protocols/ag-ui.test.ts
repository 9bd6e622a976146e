/** AG-UI and its dialect of TanStack AI: streams, interrupts and their answers, requests, and histories. */
import { MessageSchema, RunAgentInputSchema } from '@ag-ui/core/schemas';
import { modelMessagesToUIMessages } from '@tanstack/ai/client';
import { describe, expect, test } from 'vitest';
import { agUi as agUiProtocol } from '../../src/ts/protocols/ag-ui';
import type { Codec, ItemDecision, Entry, RequestContext } from '../../src/ts/protocols/shared/codec';
import { tanstack as tanstackProtocol } from '../../src/ts/protocols/tanstack';
import { rules } from './pairing';
import { gateFor, loaded, type Data } from './support';
import { anthropic } from 'toolgate/protocols/anthropic';
import { type ProtocolName, capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const agUi = codecOf(agUiProtocol);
const tanstack = codecOf(tanstackProtocol);

const START = { type: 'RUN_STARTED', threadId: 'chat', runId: 'run-1' };
const finished = (outcome?: object): Data => ({
  type: 'RUN_FINISHED',
  threadId: 'chat',
  runId: 'run-1',
  ...(outcome && { outcome }),
});
const call = (id: string, parentMessageId?: string): Data[] => [
  { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'edit', ...(parentMessageId && { parentMessageId }) },
  { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: `{"path":"${id}"}` },
  { type: 'TOOL_CALL_END', toolCallId: id },
];
const ask = (id: string, more = {}): Data => ({ id: `ask-${id}`, reason: 'tool_call', toolCallId: id, ...more });
const interrupt = (...interrupts: Data[]): Data => finished({ type: 'interrupt', interrupts });
const result = (id: string, content: unknown = 'done', more = {}): Data => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result-${id}`,
  toolCallId: id,
  content,
  ...more,
});
const text = (messageId: string, delta: string): Data[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];

/** Passes a reply to the ready requests. */
function reply(gate: ReturnType<typeof gateFor>, events: readonly Data[]): void {
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  for (const event of events) gate.receive(event, { requestId: item!.id });
  gate.streamEnded({ status: 'finished' }, { requestId: item!.id });
}

function replied(events: readonly Data[], options = {}, protocol: ProtocolName = 'ag-ui') {
  const gate = gateFor(protocol, options);
  gate.sendUserMessage({ text: 'Go.' });
  reply(gate, events);
  return gate;
}

const partsOf = (gate: { getSnapshot(): Data }): Data[] => gate.getSnapshot().messages.at(-1).parts;
const bodyOf = (gate: ReturnType<typeof gateFor>): Data => gate.outgoing()[0]?.body;

describe('a stream', () => {
  test('content after results belongs to the next step, unless it has the same message id', () => {
    const gate = replied([
      START,
      ...call('a', 'm'),
      result('a'),
      ...call('b', 'm'),
      result('b'),
      ...call('c', 'n'),
      result('c'),
      ...text('o', 'Done.'),
      finished({ type: 'success' }),
    ]);
    expect(
      gate
        .assemble()
        .map(({ role, toolCalls, toolCallId }: Data) => toolCallId ?? toolCalls?.map(({ id }: Data) => id) ?? role),
    ).toEqual(['user', ['a', 'b'], 'a', 'b', ['c'], 'c', 'assistant']);
    expect(rules['ag-ui'](gate.assemble())).toEqual([]);
  });

  test('a model call of TanStack AI ends its step, not the reply', () => {
    const end = { ...finished(), metadata: { tanstack: { finishReason: 'tool_calls' } } };
    const gate = replied(
      [START, ...call('a', 'm'), end, { ...result('a'), messageId: 'm' }, ...text('n', 'Done.'), finished()],
      {},
      'tanstack',
    );
    expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', ending: 'finished' });
    expect(rules['ag-ui'](gate.assemble())).toEqual([]);
  });

  test('signatures are sent back: of reasoning, of calls, and of empty reasoning', () => {
    const sealed = (entityId: string, subtype: string): Data => ({
      type: 'REASONING_ENCRYPTED_VALUE',
      subtype,
      entityId,
      encryptedValue: `sealed ${entityId}`,
    });
    const [start, ...rest] = call('a', 'm');
    const gate = replied([
      START,
      { type: 'REASONING_START', messageId: 'r' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm.' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r' },
      sealed('r', 'message'),
      { type: 'REASONING_END', messageId: 'r' },
      { type: 'REASONING_START', messageId: 'q' },
      sealed('q', 'message'),
      { type: 'REASONING_END', messageId: 'q' },
      start,
      sealed('a', 'tool-call'),
      ...rest,
      result('a'),
      // Pydantic AI also sends this event for the result of a call.
      sealed('result-a', 'message'),
      finished(),
    ]);
    const written = gate.assemble() as Data[];
    expect(written.slice(1, 4)).toEqual([
      { id: 'r', role: 'reasoning', content: 'Hm.', encryptedValue: 'sealed r' },
      { id: 'q', role: 'reasoning', content: '', encryptedValue: 'sealed q' },
      {
        id: 'm',
        role: 'assistant',
        toolCalls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'edit', arguments: '{"path":"a"}' },
            encryptedValue: 'sealed a',
          },
        ],
      },
    ]);
    expect(loaded('ag-ui', written).assemble()).toEqual(written);
  });

  test('state, snapshots, activities, steps and custom events are passed through', () => {
    const gate = gateFor('ag-ui');
    const passed: string[] = [];
    gate.onEvent((event) => void (event.type === 'passthrough' && passed.push((event.event as Data).type)));
    gate.sendUserMessage({ text: 'Go.' });
    const types = [
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'MESSAGES_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'ACTIVITY_DELTA',
      'STEP_STARTED',
      'STEP_FINISHED',
      'CUSTOM',
      'RAW',
      'SUBAGENT_STARTED',
    ];
    reply(gate, [
      START,
      ...types.map((type) => ({ type, messages: [], snapshot: {} })),
      ...text('m', 'Well.'),
      finished(),
    ]);
    expect(passed).toEqual(types);
    expect(partsOf(gate)).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'Well.' }]);
  });

  test('a call without approval that the backend runs after the decisions of its step does not block them', () => {
    const gate = replied([START, ...call('a', 'm'), ...call('b', 'm'), interrupt(ask('b'))]);
    gate.respondAll({ approved: true });
    expect(bodyOf(gate).messages.at(-1)).toMatchObject({ role: 'assistant', toolCalls: [{ id: 'a' }, { id: 'b' }] });
    reply(gate, [{ ...START, runId: 'run-2' }, result('a'), result('b'), ...text('n', 'Done.'), finished()]);
    expect(rules['ag-ui'](gate.assemble())).toEqual([]);
    expect(gate.assemble(anthropic)).toHaveLength(4);
  });

  test('the request waits for the result of a browser tool beside an interrupt', () => {
    const gate = replied(
      [
        START,
        ...call('a', 'm'),
        ...call('b', 'm').map((event) => ({ ...event, toolCallName: 'send' })),
        interrupt(ask('b')),
      ],
      { browserTools: ['edit'] },
    );
    gate.respondAll({ approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.addToolOutput('a', { output: 'seen' });
    expect(bodyOf(gate)).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool', toolCallId: 'a', content: 'seen' }],
      resume: [{ interruptId: 'ask-b' }],
    });
  });
});

describe('answers to interrupts', () => {
  test('a request has one entry per interrupt, a run id of its own, and no results of the answered calls', () => {
    const gate = replied([START, ...call('a', 'm'), ...call('b', 'm'), interrupt(ask('a'), ask('b'))]);
    gate.respond('ask-b', { approved: false, reason: 'Not that.' });
    expect(gate.outgoing()).toEqual([]);
    gate.respond('ask-a', { approved: true });
    const [item] = gate.outgoing();
    const body = item!.body as Data;
    expect(RunAgentInputSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      threadId: 'chat',
      runId: item!.key,
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
    });
    expect(body).not.toHaveProperty('parentRunId');
    expect(body.resume).toEqual([
      { interruptId: 'ask-a', status: 'resolved', payload: { approved: true } },
      { interruptId: 'ask-b', status: 'resolved', payload: { approved: false, reason: 'Not that.' } },
    ]);
    expect(body.messages.map(({ role }: Data) => role)).toEqual(['user', 'assistant']);
  });

  test('a denial that arrives as a result is not an anomaly, and keeps our text as an error', () => {
    const gate = replied([START, ...call('a', 'm'), interrupt(ask('a'))]);
    const anomalies: Data[] = [];
    gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event)));
    gate.respondAll({ approved: false, reason: 'Not that.' });
    reply(gate, [START, result('a', 'Denied: Not that.'), ...text('n', 'Fine.'), finished()]);
    expect(anomalies).toEqual([]);
    expect(partsOf(gate)[1]).toMatchObject({ state: 'output-denied' });
    const denial = 'Error: Tool execution was denied by user. Not that.';
    expect(gate.assemble()[2]).toEqual({ id: 'tool-a', role: 'tool', toolCallId: 'a', content: denial, error: denial });
  });

  test('an expired interrupt expires the approval', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const gate = replied([START, ...call('a', 'm'), interrupt(ask('a', { expiresAt: '2026-01-01T00:01:00Z' }))], {
      now: () => now,
    });
    expect(gate.pending()[0]?.expiresAt).toBe(now + 60_000);
    gate.tick(now + 60_000);
    expect(partsOf(gate)[1]).toMatchObject({ outcome: { kind: 'expired' } });
    // An expired interrupt can only be cancelled.
    expect(bodyOf(gate).resume).toEqual([{ interruptId: 'ask-a', status: 'cancelled' }]);
  });

  test('an approval that expires by `approvalTimeoutMs` is sent as a denial with that reason', () => {
    const gate = replied([START, ...call('a', 'm'), interrupt(ask('a'))], { now: () => 1, approvalTimeoutMs: 10 });
    gate.tick(11);
    expect(bodyOf(gate).resume).toMatchObject([
      { status: 'resolved', payload: { approved: false, reason: expect.stringMatching(/in time/) } },
    ]);
  });

  test('a question without a call is shown and answered, and is not part of the history', () => {
    const gate = replied([
      START,
      ...text('m', 'Which?'),
      interrupt({ id: 'q', reason: 'confirmation', message: 'Sure?' }),
    ]);
    expect(gate.pending()).toMatchObject([{ approvalId: 'q', toolName: 'confirmation', input: { message: 'Sure?' } }]);
    gate.respondAll({ approved: true });
    expect(bodyOf(gate).resume).toEqual([{ interruptId: 'q', status: 'resolved', payload: true }]);
    expect(bodyOf(gate).messages).toHaveLength(2);
    reply(gate, [START, ...text('n', 'Done.'), finished()]);
    expect(gate.getSnapshot().status).toBe('idle');
    expect(rules['ag-ui'](gate.assemble())).toEqual([]);
  });
});

describe('each kind of decision', () => {
  const of = (decision: Partial<ItemDecision>, asked: Data = ask('a')): ItemDecision => ({
    approvalId: 'ask-a',
    toolCallId: 'a',
    toolName: 'edit',
    input: {},
    outcome: 'approved',
    approval: { 'ag-ui': asked },
    metadata: undefined,
    ...decision,
  });
  const context = (decisions: ItemDecision[], more = {}): RequestContext =>
    ({
      texts: undefined,
      reportLoss: () => {},
      chatId: 'chat',
      history: 'client',
      item: { key: 'k' },
      decisions,
      newMessages: [],
      metadata: { 'ag-ui': { runId: 'run-1' } },
      ...more,
    }) as unknown as RequestContext;
  const resumeOf = (codec: Codec, decision: Partial<ItemDecision>, asked?: Data): Data => {
    const body = codec.body([], context([of(decision, asked)])) as Data;
    expect(RunAgentInputSchema.safeParse(body).error).toBeUndefined();
    return body.resume?.[0];
  };

  test('is written for AG-UI', () => {
    expect(resumeOf(agUi, { editedInput: { path: 'b' } })).toEqual({
      interruptId: 'ask-a',
      status: 'resolved',
      payload: { approved: true, editedArgs: { path: 'b' } },
    });
    expect(resumeOf(agUi, { outcome: 'cancelled' })).toEqual({ interruptId: 'ask-a', status: 'cancelled' });
    expect(resumeOf(agUi, { outcome: 'skipped', reason: 'Skipped.' })).toMatchObject({
      status: 'resolved',
      payload: { approved: false, reason: 'Skipped.' },
    });
    expect(resumeOf(agUi, { outcome: 'executed', output: 1 })).toMatchObject({
      status: 'resolved',
      payload: { approved: true },
    });
    expect(resumeOf(agUi, { outcome: 'executed', approval: undefined })).toBeUndefined();
  });

  test('is written for an interrupt of AG-UI without a call', () => {
    const form = { id: 'q', reason: 'input_required', responseSchema: { type: 'object' } };
    expect(resumeOf(agUi, { editedInput: { year: 2026 } }, form)).toEqual({
      interruptId: 'q',
      status: 'resolved',
      payload: { year: 2026 },
    });
    expect(resumeOf(agUi, {}, form)).toMatchObject({ payload: { approved: true } });
    expect(resumeOf(agUi, { outcome: 'denied' }, form)).toEqual({ interruptId: 'q', status: 'cancelled' });
    expect(resumeOf(agUi, { outcome: 'denied' }, { id: 'q', reason: 'confirmation' })).toMatchObject({
      payload: false,
    });
  });

  test('is written for TanStack AI', () => {
    expect(resumeOf(tanstack, { editedInput: { path: 'b' } })).toMatchObject({
      payload: { approved: true, editedArgs: { path: 'b' } },
    });
    expect(resumeOf(tanstack, { outcome: 'denied', reason: 'No.' })).toMatchObject({
      payload: { approved: false, payload: { error: 'Error: Tool execution was denied by user. No.' } },
    });
    expect(resumeOf(tanstack, { outcome: 'denied' })).toMatchObject({ payload: { approved: false } });
    expect(resumeOf(tanstack, { outcome: 'executed', output: { a: 1 } })).toEqual({
      interruptId: 'client_tool_a',
      status: 'resolved',
      payload: { a: 1 },
    });
    expect(resumeOf(tanstack, { outcome: 'failed', reason: 'No camera.' })).toMatchObject({
      payload: { error: 'No camera.' },
    });
    expect((tanstack.body([], context([of({})])) as Data).parentRunId).toBe('run-1');
    expect(tanstack.body([], context([]))).not.toHaveProperty('parentRunId');
  });

  test('an interrupt that the app defined is sent back to TanStack AI with its payload', () => {
    const binding = { v: 1, kind: 'generic', interruptId: 'q', definitionId: 'budget', key: 'k', batchIndex: 0 };
    const asked = {
      id: 'q',
      reason: 'budget',
      message: 'How much?',
      metadata: { 'tanstack:interruptBinding': binding, 'tanstack:interruptPayload': { max: 5 } },
    };
    expect(resumeOf(tanstack, { editedInput: 3 }, asked)).toEqual({
      interruptId: 'q',
      status: 'resolved',
      payload: 3,
      metadata: {
        'tanstack:interruptContinuation': { ...binding, reason: 'budget', message: 'How much?', payload: { max: 5 } },
      },
    });
  });

  test('if the server stores the history, only new messages are sent', () => {
    const entries: Entry[] = [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'edit',
            input: {},
            result: { type: '', output: { type: 'text', value: 'seen' } },
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
    ];
    const body = agUi.body(
      entries,
      context([of({ outcome: 'executed', approval: undefined })], { history: 'server', newMessages: entries.slice(2) }),
    ) as Data;
    // A run with decisions contains no message.
    expect(body.messages).toMatchObject([{ role: 'tool', toolCallId: 'a', content: 'seen' }]);
    const said = agUi.body(entries, context([], { history: 'server', newMessages: entries.slice(2) })) as Data;
    expect(said.messages).toMatchObject([{ role: 'user', content: 'And now?' }]);
  });

  test('an approval accepts edited arguments if its schema allows them', () => {
    const schema = { type: 'object', properties: { approved: {}, editedArgs: {} } };
    expect(agUi.acceptsEdit?.({ 'ag-ui': ask('a') })).toBe(false);
    expect(agUi.acceptsEdit?.({ 'ag-ui': ask('a', { responseSchema: schema }) })).toBe(true);
    // TanStack's answers always have a place for a reason.
    const { lost, ...others } = capabilitiesOf('ag-ui');
    expect(capabilitiesOf('tanstack')).toEqual({ ...others, lost: lost.filter((loss) => loss !== 'reason') });
  });
});

describe('a history', () => {
  const image = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } };
  const history = [
    { id: 'message-0', role: 'system', content: 'Be brief.' },
    {
      id: 'u',
      role: 'user',
      content: [
        { type: 'text', text: 'See.' },
        image,
        { type: 'document', source: { type: 'url', value: 'https://example.com/a.pdf', mimeType: 'application/pdf' } },
      ],
    },
    { id: 'r', role: 'reasoning', content: 'Hm.' },
    {
      id: 'm',
      role: 'assistant',
      content: 'Well.',
      toolCalls: [{ id: 'a', type: 'function', function: { name: 'edit', arguments: '{"path":"a"}' } }],
    },
    { id: 't', role: 'tool', toolCallId: 'a', content: 'half of it', error: 'broke' },
    { id: 'n', role: 'assistant', content: 'Sorry.' },
  ];

  test('survives a round trip, ids included', () => {
    for (const message of history) expect(MessageSchema.safeParse(message).error).toBeUndefined();
    const back = loaded('ag-ui', [
      ...history,
      { id: 'x', role: 'activity', activityType: 'plan', content: {} },
    ]).assemble() as Data[];
    expect(back).toEqual(history.map((message) => (message.error ? { ...message, content: 'broke' } : message)));
  });

  test('developer messages become system messages', () => {
    expect(loaded('ag-ui', [{ id: 'd', role: 'developer', content: 'Be brief.' }]).assemble()).toEqual([
      { id: 'd', role: 'system', content: 'Be brief.' },
    ]);
  });

  test('TanStack AI’s messages with parts are read: steps, results, and waiting calls', () => {
    const messages = modelMessagesToUIMessages([
      { role: 'user', content: 'Go.', id: 'u' },
      {
        role: 'assistant',
        content: 'First.',
        id: 'm',
        toolCalls: [{ id: 'a', type: 'function', function: { name: 'edit', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', content: 'done', toolCallId: 'a' },
      {
        role: 'assistant',
        content: 'Then.',
        id: 'n',
        toolCalls: [{ id: 'b', type: 'function', function: { name: 'edit', arguments: '{"path":"b"}' } }],
      },
    ] as Data) as Data[];
    Object.assign(messages.at(-1).parts.at(-1), {
      state: 'approval-requested',
      approval: { id: 'approval_b', needsApproval: true },
    });
    const gate = loaded('tanstack', messages);
    expect(gate.pending()).toMatchObject([{ approvalId: 'approval_b', toolCallId: 'b', input: { path: 'b' } }]);
    gate.respondAll({ approved: true });
    const body = bodyOf(gate);
    expect(body).toMatchObject({
      parentRunId: 'chat',
      resume: [{ interruptId: 'approval_b', status: 'resolved', payload: { approved: true } }],
    });
    expect(body.messages.map(({ role, id }: Data) => [role, id])).toEqual([
      ['user', 'u'],
      ['assistant', 'm'],
      ['tool', 'tool-a'],
      ['assistant', 'n'],
    ]);
  });
});

test('text of another role is not the assistant’s', () => {
  const [start, ...rest] = text('m', 'Hello.');
  expect(
    partsOf(replied([START, { ...start, role: 'user' }, ...rest, ...text('n', 'Well.'), finished()])),
  ).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'Well.' }]);
});
