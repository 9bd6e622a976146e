/**
 * A request of an AG-UI agent always has a place: LangGraph's interrupts as its adapters report them by default, and
 * questions with a schema. Parts of a tool's result stay parts, and a turn that a server stored twice is one turn.
 */
import { expect, test } from 'vitest';
import { callsOf, firstReply, type FirstReply } from './first-reply';
import { factsOf, gateFor, type Data } from './support';

const ID = 'a'.repeat(32);
const started = { type: 'RUN_STARTED', threadId: 'chat', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 'chat', runId: 'r' };
const call = (toolCallId: string, toolCallName: string): Data[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: 'm1' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"path":"/a"}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const custom = (value: unknown, id: string | null = ID): Data => ({
  type: 'CUSTOM',
  name: 'on_interrupt',
  value: typeof value === 'string' ? value : JSON.stringify(value),
  ...(id && { rawEvent: { id, value } }),
});
const middleware = (...names: string[]): Data => ({
  action_requests: names.map((name) => ({ name, args: { path: '/a' } })),
  review_configs: names.map((name) => ({ action_name: name, allowed_decisions: ['approve', 'edit', 'reject'] })),
});
const accept = (content: Data): Data => ({ action: 'accept', content });

function run(...events: Data[]): FirstReply {
  const reply = firstReply('ag-ui', { browserTools: [] });
  reply.take(started, ...events);
  reply.gate.streamEnded({ status: 'finished' });
  return reply;
}

function sent({ gate }: FirstReply): Data {
  const [item, ...more] = gate.outgoing();
  expect(more).toEqual([]);
  gate.claim(item!.id);
  gate.markSent(item!.id);
  return item!.body;
}

const resumes = (reply: FirstReply): Data => sent(reply).forwardedProps.command.resume;

test('LangGraph’s approvals are asked for by its custom event, and answered by a command', () => {
  for (const id of [ID, null]) {
    const reply = run(...call('c1', 'del'), custom(middleware('del'), id), finished);
    expect(reply.gate.pending()).toMatchObject([{ toolCallId: 'c1', input: { path: '/a' } }]);
    reply.gate.respondAll({ approved: false, reason: 'Keep it.' });
    const answer = { decisions: [{ type: 'reject', message: 'Keep it.' }] };
    // The server accepts a bare answer, and one that names the interrupt.
    expect(resumes(reply)).toEqual(id ? { [id]: answer } : answer);
    expect(reply.wrong).toEqual([]);
  }
});

test('each of several custom events is an interrupt', () => {
  const b = 'b'.repeat(32);
  const reply = run(...call('c1', 'del'), custom(middleware('del')), custom('Which region?', b), finished);
  reply.gate.respondAll({ approved: true });
  reply.gate.addToolOutput(b, { output: accept({ answer: 'eu' }) });
  expect(resumes(reply)).toEqual({ [ID]: { decisions: [{ type: 'approve' }] }, [b]: 'eu' });
});

test('a custom event beside the outcome of the run is the same interrupt', () => {
  const interrupt = { id: ID, reason: 'langgraph:interrupt', metadata: { langgraph: { raw: middleware('del') } } };
  const outcome = { type: 'interrupt', interrupts: [interrupt] };
  const reply = run(...call('c1', 'del'), custom(middleware('del')), { ...finished, outcome });
  expect(reply.gate.pending()).toHaveLength(1);
  reply.gate.respondAll({ approved: true });
  expect(sent(reply)).toMatchObject({
    forwardedProps: {},
    resume: [{ interruptId: ID, status: 'resolved', payload: { [ID]: { decisions: [{ type: 'approve' }] } } }],
  });
});

test('a free value is a question; declined, it is answered with what no graph takes for consent', () => {
  for (const [output, answer] of [
    [accept({ answer: 'eu' }), 'eu'],
    [{ action: 'decline' }, false],
    [{ action: 'cancel' }, false],
  ]) {
    const reply = run(custom('Which region?'), finished);
    expect(callsOf(reply.gate)[0]).toMatchObject({ toolName: 'ask_user', input: { message: 'Which region?' } });
    reply.gate.addToolOutput(ID, { output });
    expect(resumes(reply)).toEqual({ [ID]: answer });
    expect(reply.wrong).toEqual([]);
  }
});

test('a tool that asks after another one under the same interrupt id is asked about', () => {
  const reply = run(...call('c1', 'del'), ...call('c2', 'drop'), custom(middleware('del')), finished);
  reply.gate.respondAll({ approved: true });
  resumes(reply);
  reply.take(started, custom(middleware('drop')), finished);
  reply.gate.streamEnded({ status: 'finished' });
  expect(reply.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c2']);
  reply.gate.respondAll({ approved: true });
  expect(resumes(reply)).toEqual({ [ID]: { decisions: [{ type: 'approve' }] } });
});

test('a question is in no history, and the graph can ask again', () => {
  const reply = run(custom('Which region?'), finished);
  reply.gate.addToolOutput(ID, { output: accept({ answer: 'eu' }) });
  expect(sent(reply).messages.map(({ role }: Data) => role)).toEqual(['user']);
  reply.take(started, custom('Sure?'), finished);
  reply.gate.streamEnded({ status: 'finished' });
  expect(reply.gate.getSnapshot().turn.runnable).toEqual([ID]);
  reply.gate.addToolOutput(ID, { output: accept({ answer: 'yes' }) });
  expect(resumes(reply)).toEqual({ [ID]: 'yes' });
});

const day = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
const asks = (more: Data): Data => ({
  ...finished,
  outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required', message: 'When?', ...more }] },
});

test('an interrupt without a call, with the schema of a question, is a question', () => {
  for (const [output, entry] of [
    [accept({ day: 'Monday' }), { interruptId: 'q', status: 'resolved', payload: { day: 'Monday' } }],
    [{ action: 'decline' }, { interruptId: 'q', status: 'cancelled' }],
    [{ action: 'cancel' }, { interruptId: 'q', status: 'cancelled' }],
  ]) {
    const reply = run(asks({ responseSchema: day }));
    expect(callsOf(reply.gate)[0].input).toEqual({ message: 'When?', requestedSchema: day });
    reply.gate.addToolOutput('q', { output });
    expect(sent(reply).resume).toEqual([entry]);
    expect(reply.wrong).toEqual([]);
  }
});

// As `@ag-ui/mastra` sends it: no event announces the call of a tool that suspends.
test.each([[], call('c1', 'book')])(
  'a tool of Mastra that suspends with a question asks it, and is the server’s call',
  (...given) => {
    const mastra = { toolName: 'book', args: { path: '/a' }, suspendPayload: { question: 'When?' } };
    const interrupt = {
      id: 'r::c1',
      toolCallId: 'c1',
      reason: 'mastra:tool_suspend',
      responseSchema: day,
      metadata: { mastra },
    };
    const reply = run(...given, { ...finished, outcome: { type: 'interrupt', interrupts: [interrupt] } });
    expect(reply.gate.pending()).toEqual([]);
    expect(callsOf(reply.gate)).toMatchObject([
      { toolCallId: 'c1', input: { path: '/a' }, providerExecuted: true },
      { toolCallId: 'r::c1', input: { message: 'When?', requestedSchema: day } },
    ]);
    reply.gate.addToolOutput('r::c1', { output: accept({ day: 'Monday' }) });
    expect(sent(reply).resume).toEqual([{ interruptId: 'r::c1', status: 'resolved', payload: { day: 'Monday' } }]);
    reply.take(started, { type: 'TOOL_CALL_RESULT', toolCallId: 'c1', messageId: 'm2', content: '"booked"' }, finished);
    expect(callsOf(reply.gate)[0]).toMatchObject({ output: '"booked"' });
    expect(reply.wrong).toEqual([]);
  },
);

test('a yes or no, a deadline, and a question of a sub-agent stay approvals, which show them', () => {
  for (const more of [
    { responseSchema: { type: 'boolean' } },
    { responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } } },
    { responseSchema: day, expiresAt: '2999-01-01T00:00:00Z' },
    { responseSchema: day, subagentRunId: 's' },
  ])
    expect(run(asks(more)).gate.pending()).toHaveLength(1);
});

test('a message of the user cancels an open question in the same request', () => {
  const asked = run(asks({ responseSchema: day }));
  asked.gate.sendUserMessage({ text: 'Forget it.' });
  expect(sent(asked)).toMatchObject({
    messages: [{}, { role: 'user', content: 'Forget it.' }],
    resume: [{ interruptId: 'q', status: 'cancelled' }],
  });
  const native = run(custom('Which region?'), finished);
  native.gate.cancel();
  native.gate.sendUserMessage({ text: 'Forget it.' });
  expect(sent(native)).toMatchObject({
    messages: [{}, { content: 'Forget it.' }],
    forwardedProps: { command: { resume: { [ID]: false } } },
  });
});

const user = { id: 'u1', role: 'user', content: 'Look.' };
const asked = {
  id: 'm1',
  role: 'assistant',
  toolCalls: [{ id: 'c1', type: 'function', function: { name: 'shot', arguments: '{}' } }],
};
const parts = [
  { type: 'text', text: 'The screen:' },
  { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } },
];
const shot = { id: 't1', role: 'tool', toolCallId: 'c1', content: parts };

test('parts of a tool’s result stay parts, from a stream and from a history', () => {
  const streamed = run(
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'shot', parentMessageId: 'm1' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c1' },
    { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: parts },
    finished,
  ).gate;
  const stored = gateFor('ag-ui');
  stored.load([user, asked, shot]);
  for (const gate of [streamed, stored]) {
    const lost: Data[] = [];
    gate.onEvent((event) => event.type === 'lossy' && lost.push(event));
    expect(gate.assemble().at(-1)).toEqual(shot);
    expect(factsOf(gate.assemble('ai-sdk') as Data[])[0]?.output).toMatchObject([
      { type: 'text' },
      { mediaType: 'image/png' },
    ]);
    gate.free();
    expect(lost).toEqual([]);
  }
});

test('a turn that the server stored twice is one turn', () => {
  const done = { id: 'm3', role: 'assistant', content: 'Deleted.' };
  const result = { id: 't1', role: 'tool', toolCallId: 'c1', content: 'gone' };
  for (const history of [
    [user, asked, result, user, asked, done],
    [user, asked, user, asked, result, done],
  ]) {
    const gate = gateFor('ag-ui');
    expect(gate.load(structuredClone(history)).repairs).toEqual([]);
    expect(gate.assemble()).toEqual([user, asked, result, done]);
  }
});

// As LlamaIndex sends it: the results of its own tools are in snapshots only.
test('a snapshot has the result of a server’s call beside calls of the page; it settles none of the page', () => {
  const reply = firstReply('ag-ui', {
    browserTools: ['pick', 'move'],
    needsApproval: ({ toolName }) => toolName === 'pick',
  });
  const asked = ['read', 'pick', 'move'].map((name) => ({ id: `c-${name}`, function: { name, arguments: '{}' } }));
  const results = asked.map(({ id }) => ({ id: `t-${id}`, role: 'tool', toolCallId: id, content: `${id}: done` }));
  const messages = [
    { id: 'u', role: 'user', content: 'Go.' },
    { id: 'a', role: 'assistant', toolCalls: asked },
  ];
  reply.take(
    started,
    ...asked.map(({ id, function: { name } }) => ({
      type: 'TOOL_CALL_CHUNK',
      toolCallId: id,
      toolCallName: name,
      delta: '{}',
    })),
    { type: 'MESSAGES_SNAPSHOT', messages },
    { type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...results] },
    finished,
  );
  reply.gate.streamEnded({ status: 'finished' });
  const [read, pick, move] = callsOf(reply.gate);
  expect([read.output, pick.state, move.state]).toEqual(['c-read: done', 'approval-requested', 'input-available']);
  expect(reply.gate.getSnapshot().turn.runnable).toEqual(['c-move']);
  expect(reply.wrong.filter(({ type }: Data) => type !== 'passthrough')).toEqual([]);
});
