/**
 * A request of a graph always has a place: `interrupt(value)` with any value, Agent Inbox's form, requests that share
 * an id or come one after the other, nodes that run in parallel, and the events of `client.threads.stream`.
 */
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { callsOf, firstReply } from './first-reply';
import type { Data } from './support';

const ID = 'a'.repeat(32);
const human = { type: 'human', id: 'h', content: 'Go.' };
const values = (messages: Data[], interrupts?: Data[]): Data => ({
  event: 'values',
  data: { messages, ...(interrupts && { __interrupt__: interrupts }) },
});
const use = (id: string, name: string, args: Data = {}): Data => ({ id, name, args });
const ai = (id: string, ...calls: Data[]): Data => ({ type: 'ai', id, content: '', tool_calls: calls });
const result = (id: string, content: string): Data => ({ type: 'tool', id: `r-${id}`, tool_call_id: id, content });
const accept = (content: Data): Data => ({ action: 'accept', content });

/** A run that ends with interrupts. */
function interrupted(interrupts: Data[], messages: Data[] = []) {
  const run = firstReply('langgraph');
  run.take(values([human]), values([human, ...messages]), values([human, ...messages], interrupts));
  run.take({ event: 'updates', data: { __interrupt__: interrupts } });
  run.gate.streamEnded({ status: 'finished' });
  return run;
}

/** Sends what is ready, and returns its body without the configuration. */
function sent(gate: ToolGate): Data {
  const [item, ...more] = gate.outgoing();
  expect(more).toEqual([]);
  gate.claim(item!.id);
  gate.markSent(item!.id);
  const { config: _, ...body } = item!.body as Data;
  return body;
}

/** Receives the events of the next run. */
function next({ gate, take }: { gate: ToolGate; take(...events: Data[]): void }, ...events: Data[]): void {
  take({ event: 'metadata', data: { run_id: 'r2' } }, ...events);
  gate.streamEnded({ status: 'finished' });
}

const textField = { answer: { type: 'string', maxLength: 10_000, title: 'Answer' } };

test.each<[string, Data, Data, Data, Data]>([
  ['a text', { value: 'Which region?' }, { message: 'Which region?', properties: textField }, { answer: 'eu' }, 'eu'],
  [
    'an object with more than a text',
    { value: { question: 'Right?', draft: 'Hi' } },
    { message: 'Right?\n\n{\n  "draft": "Hi"\n}', properties: textField },
    { answer: 'yes' },
    'yes',
  ],
  [
    'options',
    { value: { message: 'Which?', options: ['a', 'b'] } },
    { message: 'Which?', properties: { answer: { type: 'string', enum: ['a', 'b'] } } },
    { answer: 'b' },
    'b',
  ],
  [
    'a schema of the value',
    { value: { message: 'When?', response_schema: { type: 'object', properties: { day: { type: 'string' } } } } },
    { message: 'When?', properties: { day: { type: 'string' } } },
    { day: 'Monday' },
    { day: 'Monday' },
  ],
  [
    'a schema of the interrupt, of a simple type',
    { value: 'Go on?', response_schema: { type: 'boolean' } },
    { message: 'Go on?', properties: { answer: { type: 'boolean' } } },
    { answer: false },
    false,
  ],
  [
    'a schema that no form can show',
    { value: 'Where?', response_schema: { type: 'object', properties: { at: { type: 'object' } }, required: ['at'] } },
    { message: 'Where?', properties: { answer: { type: 'string' } } },
    { answer: '{"at":{"x":1}}' },
    { at: { x: 1 } },
  ],
])('%s: a question, whose answer resumes the graph', (_, asked, question, content, answer) => {
  const run = interrupted([{ id: ID, ...asked }], [ai('m', use('c1', 'lookup'))]);
  const { gate, wrong } = run;
  const { message, properties } = question;
  expect(gate.getSnapshot().turn).toMatchObject({ runnable: [ID], waitingFor: [{ kind: 'tool', toolCallIds: [ID] }] });
  expect(callsOf(gate)[1]).toMatchObject({ toolName: 'ask_user', input: { message, requestedSchema: { properties } } });
  gate.addToolOutput(ID, { output: accept(content) });
  expect(sent(gate)).toEqual({ command: { resume: { [ID]: answer } } });
  next(run, values([human, ai('m', use('c1', 'lookup')), result('c1', 'found')]));
  expect(callsOf(gate).map(({ output }) => output)).toEqual(['found', accept(content)]);
  expect(wrong).toEqual([]);
  // The thread has no such call.
  expect(gate.assemble().flatMap(({ tool_calls: uses = [] }: Data) => uses.map(({ id }: Data) => id))).toEqual(['c1']);
});

test('a question that is declined, dismissed or cancelled is answered with what no graph takes for consent', () => {
  for (const output of [{ action: 'decline' }, { action: 'cancel' }]) {
    const { gate } = interrupted([{ id: ID, value: 'Delete it?' }]);
    gate.addToolOutput(ID, { output });
    expect(sent(gate)).toEqual({ command: { resume: { [ID]: false } } });
  }
  const { gate } = interrupted([{ id: ID, value: 'Delete it?' }]);
  gate.cancel();
  gate.sendUserMessage({ text: 'Never mind.' });
  expect(sent(gate)).toMatchObject({ command: { resume: { [ID]: false }, update: { messages: [{ type: 'human' }] } } });
});

test('a message of the user declines an open question in the same request, once', () => {
  const run = interrupted([{ id: ID, value: 'Which region?' }]);
  run.gate.sendUserMessage({ text: 'Forget it.' });
  const said = [{ type: 'human', content: 'Forget it.' }];
  expect(sent(run.gate)).toMatchObject({ command: { resume: { [ID]: false }, update: { messages: said } } });
  next(run, values([human, ...said]), values([human, ...said, { type: 'ai', id: 'm2', content: 'Fine.' }]));
  run.gate.sendUserMessage({ text: 'Thanks.' });
  expect(sent(run.gate)).toMatchObject({ input: { messages: [{ content: 'Thanks.' }] } });
});

test('a question for a secret is reported, and not asked', () => {
  const { gate, wrong } = interrupted([
    { id: ID, value: 'The key?', response_schema: { type: 'string', format: 'password' } },
  ]);
  expect(gate.getSnapshot().turn.runnable).toEqual([]);
  expect(wrong).toMatchObject([{ error: { code: 'unanswerable-request' } }]);
});

test('questions and approvals of one step are answered together, each by its interrupt', () => {
  const b = 'b'.repeat(32);
  const { gate } = interrupted(
    [
      { id: ID, value: 'Which region?' },
      { id: b, value: { action_requests: [{ name: 'drop', args: {} }], review_configs: [] } },
    ],
    [ai('m', use('c1', 'drop'))],
  );
  gate.respondAll({ approved: true });
  expect(gate.outgoing()).toEqual([]);
  gate.addToolOutput(ID, { output: accept({ answer: 'eu' }) });
  expect(sent(gate)).toEqual({ command: { resume: { [ID]: 'eu', [b]: { decisions: [{ type: 'approve' }] } } } });
});

test('a graph that asks again with the same interrupt id is answered again', () => {
  const run = interrupted([{ id: ID, value: 'How old are you?' }]);
  run.gate.addToolOutput(ID, { output: accept({ answer: 'x' }) });
  sent(run.gate);
  next(run, values([human], [{ id: ID, value: 'Not a number. How old are you?' }]));
  expect(run.gate.getSnapshot().turn.runnable).toEqual([ID]);
  run.gate.addToolOutput(ID, { output: accept({ answer: '41' }) });
  expect(sent(run.gate)).toEqual({ command: { resume: { [ID]: '41' } } });
  expect(run.wrong).toEqual([]);
});

test('the questions of a real graph', async () => {
  const State = Annotation.Root({ ...MessagesAnnotation.spec, said: Annotation<Data[]>() });
  const graph = new StateGraph(State)
    .addNode('ask', () => ({
      said: [interrupt('Name?'), interrupt({ message: 'Sure?', response_schema: { type: 'boolean' } })],
      messages: [{ role: 'ai', content: 'Noted.' }],
    }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() });
  const run = firstReply('langgraph');
  const config = { configurable: { thread_id: '1' }, streamMode: 'values' as const };
  const play = async (input: Data): Promise<void> => {
    for await (const data of await graph.stream(input, config)) run.take(['values', JSON.parse(JSON.stringify(data))]);
    run.gate.streamEnded({ status: 'finished' });
  };
  await play({ messages: [{ role: 'human', content: 'Go.' }] });
  for (const content of [{ answer: 'Ada' }, { answer: true }]) {
    run.gate.addToolOutput(run.gate.getSnapshot().turn.runnable[0]!, { output: accept(content) });
    await play(new Command(sent(run.gate).command));
  }
  expect((await graph.getState({ configurable: { thread_id: '1' } })).values.said).toEqual(['Ada', true]);
  expect([run.gate.getSnapshot().status, run.wrong]).toEqual(['idle', []]);
});

const inbox = (config: Data, action = 'deploy', args: Data = { to: 'prod' }): Data => [
  { action_request: { action, args }, config, description: 'Deploy?' },
];
const ALL = { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: true };

test.each<[string, Data, Data, Data]>([
  ['an approval', ALL, { approved: true }, { type: 'accept', args: null }],
  [
    'an edit',
    ALL,
    { approved: true, input: { to: 'dev' } },
    { type: 'edit', args: { action: 'deploy', args: { to: 'dev' } } },
  ],
  ['a denial', ALL, { approved: false }, { type: 'ignore', args: null }],
  ['a denial with a reason', ALL, { approved: false, reason: 'Not today.' }, { type: 'response', args: 'Not today.' }],
  [
    'a denial with a reason, where only ignoring is allowed',
    { ...ALL, allow_respond: false },
    { approved: false, reason: 'No.' },
    { type: 'ignore', args: null },
  ],
  [
    'an approval where only an edit is allowed',
    { allow_edit: true },
    { approved: true, input: { to: 'prod' } },
    { type: 'edit', args: { action: 'deploy', args: { to: 'prod' } } },
  ],
])('Agent Inbox: %s', (_, config, decision, answer) => {
  for (const isCall of [true, false]) {
    const messages = isCall ? [ai('m', use('c1', 'deploy', { to: 'prod' }))] : [];
    const run = interrupted([{ id: ID, value: inbox(config) }], messages);
    const [asked] = run.gate.pending();
    expect(asked).toMatchObject({ toolName: 'deploy', input: { to: 'prod' }, toolCallId: isCall ? 'c1' : `${ID}:0` });
    run.gate.respond(asked!.approvalId, decision);
    expect(sent(run.gate)).toEqual({ command: { resume: { [ID]: [answer] } } });
    // The tool says itself what it did with the answer.
    const said = { type: 'ai', id: 'm2', content: 'Well.' };
    next(
      run,
      values([human, ...messages]),
      values([human, ...messages, ...(isCall ? [result('c1', 'As you wish.')] : []), said]),
    );
    expect([run.gate.getSnapshot().status, run.wrong]).toEqual(['idle', []]);
    expect(callsOf(run.gate)).toHaveLength(1);
  }
});

test('Agent Inbox: what can only be responded to is a question', () => {
  for (const [output, answer] of [
    [accept({ answer: 'Blue.' }), { type: 'response', args: 'Blue.' }],
    [{ action: 'decline' }, { type: 'ignore', args: null }],
  ]) {
    const { gate } = interrupted([
      { id: ID, value: inbox({ allow_respond: true, allow_ignore: true }, 'Question', { content: 'Which colour?' }) },
    ]);
    expect(callsOf(gate)[0].input.message).toBe('Deploy?\n\n{\n  "content": "Which colour?"\n}');
    gate.addToolOutput(ID, { output });
    expect(sent(gate)).toEqual({ command: { resume: { [ID]: [answer] } } });
  }
});

test('a headless tool is a call of the page, whose output or error resumes the graph', () => {
  for (const isNew of [true, false]) {
    for (const [result, answer] of [
      [{ output: { lat: 1 } }, { lat: 1 }],
      [{ errorText: 'No permission.' }, { error: 'No permission.' }],
    ] as const) {
      const toolCall = { id: 'c1', name: 'locate', args: {} };
      const run = interrupted(
        [{ id: ID, value: { type: 'tool', toolCall } }],
        isNew ? [] : [ai('m', use('c1', 'locate'))],
      );
      expect(run.gate.getSnapshot().turn.runnable).toEqual(['c1']);
      run.gate.addToolOutput('c1', result);
      expect(sent(run.gate)).toEqual({ command: { resume: { [ID]: { c1: answer } } } });
      expect(run.wrong).toEqual([]);
    }
  }
});

const asks = (name: string, id = ID): Data => ({
  id,
  value: { action_requests: [{ name, args: {} }], review_configs: [] },
});

test('tools that interrupt one after the other are asked about in turn, also with one interrupt id', () => {
  for (const ids of [
    [ID, ID],
    [ID, 'b'.repeat(32)],
  ]) {
    const message = ai('m', use('c1', 'send'), use('c2', 'drop'));
    const run = interrupted([asks('send', ids[0])], [message]);
    expect(callsOf(run.gate).map(({ state }) => state)).toEqual(['approval-requested', 'input-available']);
    expect(callsOf(run.gate)[1].approval).toBeUndefined();
    run.gate.respondAll({ approved: true });
    sent(run.gate);
    next(run, values([human, message], [asks('drop', ids[1])]));
    expect(run.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c2']);
    run.gate.respondAll({ approved: true });
    expect(sent(run.gate)).toEqual({ command: { resume: { [ids[1]!]: { decisions: [{ type: 'approve' }] } } } });
    next(run, values([human, message, result('c1', 'sent'), result('c2', 'dropped')]));
    expect(callsOf(run.gate).map(({ output }) => output)).toEqual(['sent', 'dropped']);
    expect([run.gate.getSnapshot().status, run.wrong]).toEqual(['idle', []]);
  }
});

test('of interrupts that share an id, the second is asked about after the answer to the first', () => {
  const message = ai('m', use('c1', 'send'), use('c2', 'drop'));
  for (const events of [
    [values([human, message], [asks('send'), asks('drop')])],
    ['send', 'drop'].map((name) => ({ event: 'updates', data: { __interrupt__: [asks(name)] } })),
  ]) {
    const run = firstReply('langgraph');
    next(run, values([human]), values([human, message]), ...events);
    expect(run.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
    run.gate.respondAll({ approved: true });
    sent(run.gate);
    next(run, values([human, message], [asks('drop')]));
    expect(run.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c2']);
    expect(run.wrong).toEqual([]);
  }
});

test('calls of two messages are asked about, and the results of parallel nodes belong to their calls', () => {
  const messages = [ai('m1', use('c1', 'send')), ai('m2', use('c2', 'drop'))];
  const run = interrupted([asks('send'), asks('drop', 'b'.repeat(32))], messages);
  expect(run.gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c2']);
  run.gate.respondAll({ approved: true });
  sent(run.gate);
  next(run, values([human, ...messages]), values([human, ...messages, result('c2', 'dropped'), result('c1', 'sent')]));
  expect(callsOf(run.gate).map(({ output }) => output)).toEqual(['sent', 'dropped']);
  expect(run.wrong).toEqual([]);
});

const envelope = (method: string, data: Data, namespace: string[] = []): Data => ({
  type: 'event',
  method,
  params: { namespace, timestamp: 0, data },
});

test('the events of `client.threads.stream`', () => {
  const run = firstReply('langgraph');
  const block = (event: string, more: Data): Data => envelope('messages', { event, ...more });
  run.take(
    envelope('lifecycle', { event: 'running' }),
    envelope('messages', { event: 'message-start', role: 'ai', id: 'sub' }, ['tools:1']),
    block('message-start', { role: 'ai', id: 'm' }),
    block('content-block-start', { index: 0, content: { type: 'text', text: '' } }),
    block('content-block-delta', { index: 0, delta: { type: 'text-delta', text: 'I look.' } }),
    block('content-block-finish', { index: 0, content: { type: 'text', text: 'I look.' } }),
    block('content-block-start', {
      index: 1,
      content: { type: 'tool_call_chunk', id: 'c1', name: 'drop', args: '{"a"' },
    }),
    block('content-block-delta', { index: 1, delta: { type: 'tool-call-delta', args: ':1}' } }),
    block('content-block-finish', { index: 1, content: { type: 'tool_call', id: 'c1', name: 'drop', args: { a: 1 } } }),
    block('message-finish', {}),
    envelope('values', { messages: [human, { ...ai('m', use('c1', 'drop', { a: 1 })), content: 'I look.' }] }),
    envelope(
      'input.requested',
      { interrupt_id: ID, payload: { action_requests: [{ name: 'drop', args: { a: 1 } }] } },
      ['hitl:1'],
    ),
    envelope('input.requested', { interrupt_id: 'b'.repeat(32), payload: 'Which?' }, ['tools:2']),
    envelope('lifecycle', { event: 'interrupted' }),
  );
  run.gate.streamEnded({ status: 'finished' });
  expect(callsOf(run.gate)[0]).toMatchObject({ toolCallId: 'c1', input: { a: 1 }, state: 'approval-requested' });
  run.gate.respondAll({ approved: false, reason: 'No.' });
  run.gate.addToolOutput('b'.repeat(32), { output: accept({ answer: 'x' }) });
  expect(sent(run.gate)).toEqual({
    responses: [
      { namespace: ['hitl:1'], interrupt_id: ID, response: { decisions: [{ type: 'reject', message: 'No.' }] } },
      { namespace: ['tools:2'], interrupt_id: 'b'.repeat(32), response: 'x' },
    ],
  });
  expect(run.wrong).toMatchObject([{ type: 'passthrough' }]);
});

test('interrupts that another client answered are closed', () => {
  const run = firstReply('langgraph');
  run.take(
    envelope('values', { messages: [human, ai('m', use('c1', 'drop'))] }),
    envelope('input.requested', { interrupt_id: ID, payload: { action_requests: [{ name: 'drop', args: {} }] } }),
    envelope('input.requested', { interrupt_id: 'b'.repeat(32), payload: 'Which?' }),
  );
  expect([run.gate.pending().length, callsOf(run.gate).length]).toEqual([1, 2]);
  run.take(envelope('input.answered', { interrupt_ids: [ID, 'b'.repeat(32)] }));
  run.gate.streamEnded({ status: 'finished' });
  expect([run.gate.pending(), run.gate.getSnapshot().turn.runnable, run.gate.outgoing(), run.wrong]).toEqual([
    [],
    [],
    [],
    [],
  ]);
});
