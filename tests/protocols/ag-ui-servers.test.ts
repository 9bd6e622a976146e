/**
 * AG-UI as the servers of vendors speak it: the events that tests/interop/ag-ui-servers.test.ts received from the real
 * servers, shortened. What an answer contains, which calls are shown, and what a refused answer leaves.
 */
import type { GateEvent } from 'toolgate';
import { agUiFor, type AgUiServer } from 'toolgate/protocols/ag-ui';
import { describe, expect, test } from 'vitest';
import { gateFor, type Data } from './support';

const START = { type: 'RUN_STARTED', threadId: 'chat', runId: 'run' };
const finished = (...interrupts: Data[]): Data => ({
  type: 'RUN_FINISHED',
  threadId: 'chat',
  runId: 'run',
  ...(interrupts.length && { outcome: { type: 'interrupt', interrupts } }),
});
const call = (toolCallId: string, toolCallName = 'remove', input: object = { path: toolCallId }): Data[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
  { type: 'TOOL_CALL_END', toolCallId },
];
const result = (toolCallId: string, content: string): Data => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result-${toolCallId}`,
  toolCallId,
  content,
});

/** Microsoft Agent Framework: no other key is allowed. */
const microsoft = (id: string): Data => ({
  id: `af-${id}`,
  reason: 'tool_call',
  toolCallId: id,
  responseSchema: {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      accepted: { type: 'boolean' },
      path: { type: 'string' },
      editedArgs: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    anyOf: [{ required: ['approved'] }, { required: ['accepted'] }],
    additionalProperties: false,
  },
});
const strands = (id: string): Data => ({
  id: `v1:${id}`,
  reason: 'tool_call',
  toolCallId: id,
  responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
});
const adk = (id: string): Data => ({
  id: `adk-${id}`,
  reason: 'confirmation',
  toolCallId: `adk-${id}`,
  metadata: { adk: { originalFunctionCall: { id, name: 'remove', args: { path: id } }, toolConfirmation: {} } },
});

function open(server?: AgUiServer) {
  const gate = gateFor('ag-ui', server ? { protocol: agUiFor(server) } : {});
  const events: GateEvent[] = [];
  gate.onEvent((event) => void events.push(event));
  gate.sendUserMessage({ text: 'Go.' });
  const reply = (...given: Data[]): void => {
    const { id: requestId, attempt } = gate.outgoing()[0]!;
    gate.claim(requestId);
    gate.markSent(requestId);
    for (const event of given) gate.receive(event, { requestId, attempt });
    gate.streamEnded({ status: 'finished' }, { requestId, attempt });
  };
  const of = (type: string): Data[] => events.filter((event) => event.type === type);
  const parts = (): Data[] => (gate.getSnapshot().messages.at(-1) as Data).parts;
  const body = (): Data => gate.outgoing()[0]?.body;
  return { gate, reply, of, parts, body };
}

describe('an answer contains only what the schema names', () => {
  test.each([
    ['microsoft', microsoft],
    ['strands', strands],
  ] as const)('%s: the reason of a denial is not sent, and is reported as lost', (server, ask) => {
    const { gate, reply, of, body } = open(server);
    reply(START, ...call('a'), finished(ask('a')));
    gate.respond(ask('a').id, { approved: false, reason: 'Keep it.' });
    expect(body().resume).toEqual([{ interruptId: ask('a').id, status: 'resolved', payload: { approved: false } }]);
    expect(of('lossy').map(({ loss, toolCallId }) => [loss, toolCallId])).toEqual([['reason', 'a']]);
  });

  test('a schema that names the reason, and an interrupt without a schema, get it', () => {
    const { gate, reply, of, body } = open();
    const schema = { type: 'object', properties: { approved: { type: 'boolean' }, reason: { type: 'string' } } };
    reply(
      START,
      ...call('a'),
      ...call('b'),
      finished(
        { id: 'ask-a', reason: 'tool_call', toolCallId: 'a', responseSchema: schema },
        { id: 'ask-b', reason: 'tool_call', toolCallId: 'b' },
      ),
    );
    gate.respondAll({ approved: false, reason: 'No.' });
    expect(body().resume.map(({ payload }: Data) => payload)).toEqual([
      { approved: false, reason: 'No.' },
      { approved: false, reason: 'No.' },
    ]);
    expect(of('lossy')).toEqual([]);
  });

  test('the user’s message instead of an answer reaches Microsoft’s server without a reason', () => {
    const { gate, reply, body } = open('microsoft');
    reply(START, ...call('a'), finished(microsoft('a')));
    gate.sendUserMessage({ text: 'Never mind.' });
    expect(body().resume).toEqual([{ interruptId: 'af-a', status: 'resolved', payload: { approved: false } }]);
  });
});

describe('calls that only request an approval', () => {
  test('Microsoft: confirm_changes is not shown, not even from the snapshot', () => {
    const { reply, parts, of } = open('microsoft');
    const asked = call('c', 'confirm_changes', { function_call_id: 'a' });
    const toolCalls = [...call('a'), ...asked]
      .filter(({ type }) => type === 'TOOL_CALL_START')
      .map(({ toolCallId: id, toolCallName: name }) => ({ id, type: 'function', function: { name, arguments: '{}' } }));
    const messages = [
      { id: 'message-0', role: 'user', content: 'Go.' },
      { id: 'm', role: 'assistant', toolCalls },
    ];
    reply(START, ...call('a'), ...asked, { type: 'MESSAGES_SNAPSHOT', messages }, finished(microsoft('a')));
    expect(parts().map(({ type, state }) => [type, state])).toEqual([
      ['step-start', undefined],
      ['tool-remove', 'approval-requested'],
    ]);
    expect(of('anomaly')).toEqual([]);
  });

  test('without an interrupt they are ordinary calls', () => {
    const { reply, parts } = open();
    reply(START, ...call('c', 'confirm_changes', { steps: [] }), finished());
    expect(parts().map(({ type, input }) => [type, input])).toContainEqual(['tool-confirm_changes', { steps: [] }]);
  });

  test('ADK: the approval is about the original call, the placeholder result is not its result, and the answers follow their calls', () => {
    const { gate, reply, parts, body } = open('adk');
    const waiting = '{"error": "This tool call requires confirmation, please approve or reject."}';
    reply(
      START,
      ...call('a'),
      ...call('b'),
      result('a', waiting),
      result('b', waiting),
      ...call('adk-a', 'adk_request_confirmation', {}),
      ...call('adk-b', 'adk_request_confirmation', {}),
      finished(adk('a'), adk('b')),
    );
    expect(parts().map(({ toolCallId, state }) => [toolCallId, state])).toEqual([
      [undefined, undefined],
      ['a', 'approval-requested'],
      ['b', 'approval-requested'],
    ]);
    gate.respondAll({ approved: true });
    const { messages, resume } = body();
    expect(messages.at(-1).toolCalls.map(({ id }: Data) => id)).toEqual(['a', 'b', 'adk-a', 'adk-b']);
    expect(resume.map(({ interruptId }: Data) => interruptId)).toEqual(['adk-a', 'adk-b']);
  });
});

test('LangGraph: an interrupt of the middleware asks about each of its actions, and has one answer', () => {
  const { gate, reply, body } = open('langgraph');
  const raw = {
    action_requests: ['a', 'b', 'c'].map((path) => ({ name: 'remove', args: { path } })),
    review_configs: [{ action_name: 'remove', allowed_decisions: ['approve', 'edit', 'reject'] }],
  };
  const interrupt = { id: 'i', reason: 'langgraph:interrupt', metadata: { langgraph: { raw } } };
  reply(START, ...call('a'), ...call('b'), ...call('c'), finished(interrupt));
  expect(gate.pending().map(({ toolCallId, editable }) => [toolCallId, editable])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
  ]);
  gate.respond('i:1', { approved: false, reason: 'Keep it.' });
  gate.respond('i:2', { approved: true, input: { path: 'z' } });
  expect(gate.outgoing()).toEqual([]);
  gate.respond('i:0', { approved: true });
  expect(body().resume).toEqual([
    {
      interruptId: 'i',
      status: 'resolved',
      payload: {
        decisions: [
          { type: 'approve' },
          { type: 'reject', message: 'Keep it.' },
          { type: 'edit', edited_action: { name: 'remove', args: { path: 'z' } } },
        ],
      },
    },
  ]);
});

test('LangGraph: the only answer of a request names its interrupt, so that it answers no later one', () => {
  const { gate, reply, body } = open('langgraph');
  const id = 'da66d7ba43f8bbd8f3e78bfe999006a2';
  const raw = { action_requests: [{ name: 'remove', args: { path: 'a' } }] };
  reply(START, ...call('a'), finished({ id, reason: 'langgraph:interrupt', metadata: { langgraph: { raw } } }));
  gate.respondAll({ approved: true });
  expect(body().resume).toEqual([
    { interruptId: id, status: 'resolved', payload: { [id]: { decisions: [{ type: 'approve' }] } } },
  ]);
});

test('LangGraph: only what is new is sent, and a message has an id that its thread does not know', () => {
  const { gate, reply, body } = open('langgraph');
  reply(START, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Done.' }, finished());
  gate.sendUserMessage({ text: 'Thanks.' });
  expect(body().messages).toEqual([{ id: `${gate.outgoing()[0]!.key}-0`, role: 'user', content: 'Thanks.' }]);
});

test('Agno: calls without a result wait for approval, and tool messages answer them', () => {
  const { gate, reply, body, of } = open('agno');
  reply(START, ...call('r', 'read'), result('r', 'done'), ...call('a'), ...call('b'), finished());
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
  gate.respond('a', { approved: true });
  gate.respond('b', { approved: false, reason: 'Keep it.' });
  expect(body().resume).toBeUndefined();
  expect(body().messages.slice(-2)).toMatchObject([
    { role: 'tool', toolCallId: 'a', content: '{"accepted":true}' },
    { role: 'tool', toolCallId: 'b', content: '{"accepted":false,"note":"Keep it."}' },
  ]);
  reply(START, result('a', 'removed'), finished());
  expect(gate.part('a')).toMatchObject({ state: 'output-available', output: 'removed' });
  expect(of('anomaly')).toEqual([]);
});

describe('an answer that the server refuses', () => {
  const REFUSED = { type: 'RUN_ERROR', message: 'unsupported edited arguments', code: 'APPROVAL_RESUME_INVALID' };

  const refused = () => {
    const opened = open('microsoft');
    opened.reply(START, ...call('a'), ...call('b'), finished(microsoft('a'), microsoft('b')));
    opened.gate.respond('af-a', { approved: true });
    opened.gate.respond('af-b', { approved: false });
    opened.reply(START, REFUSED);
    return opened;
  };

  test('is not taken as received, and can be sent again', () => {
    const { gate, of, body, reply } = refused();
    expect(gate.undelivered().map(({ delivery }) => delivery)).toEqual(['unconfirmed']);
    expect(gate.getSnapshot().turn).toMatchObject({ ending: 'failed', waitingFor: [{ kind: 'retry' }] });
    // The app can read why.
    expect(of('passthrough').map(({ event }) => event)).toEqual([REFUSED]);
    gate.retry(gate.undelivered()[0]!.id);
    expect(body().resume.map(({ payload }: Data) => payload)).toEqual([{ approved: true }, { approved: false }]);
    reply(START, result('a', 'removed'), finished());
    expect(gate.part('a')).toMatchObject({ state: 'output-available' });
    expect([gate.undelivered(), gate.getSnapshot().turn.status]).toEqual([[], 'done']);
  });

  test('a run that only asks again has refused the answer too', () => {
    const { gate, reply } = refused();
    gate.retry(gate.undelivered()[0]!.id);
    reply(START, ...call('c', 'confirm_changes'), finished(microsoft('b')));
    expect(gate.undelivered().map(({ delivery }) => delivery)).toEqual(['unconfirmed']);
  });

  test('a message waits; after cancel(), the next answer closes every interrupt of the run', () => {
    const { gate, body } = refused();
    expect(gate.sendUserMessage({ text: 'Hm.' })).toBe('queued');
    expect(gate.outgoing()).toEqual([]);
    gate.cancel();
    expect(body().resume).toEqual([
      { interruptId: 'af-a', status: 'cancelled' },
      { interruptId: 'af-b', status: 'resolved', payload: { approved: false } },
    ]);
  });

  test.each([
    'No pending approval interrupt found for resume interruptId ’af-a’.',
    'Cannot resume without an active native interrupt checkpoint',
    'No paused run matching the provided tool results found in session chat',
    'Tool call a was already executed and its result cannot be overridden.',
  ])('“%s”: it had arrived', (message) => {
    const { gate, reply } = refused();
    gate.retry(gate.undelivered()[0]!.id);
    reply(START, { type: 'RUN_ERROR', message });
    expect(gate.undelivered().map(({ delivery }) => delivery)).toEqual(['stalled']);
  });

  test('an error after a result is the end of a reply that was accepted', () => {
    const { gate, reply, of } = refused();
    gate.retry(gate.undelivered()[0]!.id);
    reply(START, result('a', 'removed'), { type: 'RUN_ERROR', message: 'overloaded' });
    expect([gate.undelivered(), gate.getSnapshot().turn.ending]).toEqual([[], 'failed']);
    expect(of('anomaly')).toEqual([]);
  });
});
