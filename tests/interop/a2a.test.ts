/** A2A with the server and the client of `@a2a-js/sdk`. */
import { Message, SendMessageRequest, StreamResponse } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { GateEvent } from 'toolgate';
import { expect, test } from 'vitest';
import { a2a, call, openA2a, type A2aSession } from './a2a.rig';
import { answer, asked, decide, deliver, REASON, say } from './acts';
import { sendWithoutReply } from './outages';
import { pageOf } from './page';
import type { Reply } from './rig';
import { runInterruptions } from './interruptions';
import { runScenarios } from './scenarios';
import { gateFor, THREE_CALLS, type Data } from './support';

runScenarios(a2a);
runInterruptions(a2a);

const DONE: Reply = { text: 'Done.' };

/** The calls of a gate: id, state and outcome. */
const outcomes = ({ gate }: Pick<A2aSession, 'gate'>): unknown[] =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts as Data[])
    .filter(({ toolCallId }) => toolCallId)
    .map(({ toolCallId, state, outcome }) => [toolCallId, state, outcome]);

/** The texts of the agent. */
const texts = ({ gate }: Pick<A2aSession, 'gate'>): string[] =>
  gate
    .getSnapshot()
    .messages.filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) => (parts as Data[]).flatMap(({ type, text }) => (type === 'text' ? text : [])));

/** The messages of the bodies that were sent. */
const sent = ({ bodies }: A2aSession): Data[] => bodies.map(({ params }) => params.message);

test('A2A: one message with the id of the task answers all its requests', async () => {
  const session = await openA2a([THREE_CALLS, DONE], {});
  await say(session, 'Tidy up.');
  decide(session, 'remove /a', true);
  await deliver(session);
  expect(session.bodies).toHaveLength(1);
  decide(session, 'remove /b', false, REASON);
  await deliver(session);
  const [first, second] = sent(session);
  expect([first.taskId, first.contextId, second.contextId]).toEqual([undefined, 'chat', 'chat']);
  expect(second.taskId).toMatch(/^[-0-9a-f]{36}$/);
  expect(second.parts.map(({ data }: Data) => data)).toEqual([
    { type: 'tool-approval-response', approvalId: 'call-2', toolCallId: 'call-2', approved: true },
    { type: 'tool-approval-response', approvalId: 'call-3', toolCallId: 'call-3', approved: false, reason: REASON },
  ]);
  expect(outcomes(session)).toEqual([
    ['call-1', 'output-available', { kind: 'executed' }],
    ['call-2', 'output-available', { kind: 'executed' }],
    ['call-3', 'output-denied', { kind: 'denied', reason: REASON }],
  ]);
  expect(texts(session)).toEqual(['Done.']);
  // The SDK reads every field of an assembled history and of a body.
  const assembled = session.gate.assemble() as Data[];
  expect(assembled.map(({ role }) => role)).toEqual([
    'ROLE_USER',
    ...['ROLE_AGENT', 'ROLE_AGENT', 'ROLE_AGENT', 'ROLE_USER', 'ROLE_AGENT', 'ROLE_AGENT'],
  ]);
  for (const message of [...assembled, ...sent(session)])
    expect(Message.toJSON(Message.fromJSON(message))).toEqual(JSON.parse(JSON.stringify(message)));
  // A page that is opened again shows the same.
  const again = { ...session, gate: gateFor('a2a', {}) };
  const report = again.gate.load([await taskOf(session)]);
  expect(report.repairs).toEqual([]);
  expect(outcomes(again)).toEqual(outcomes(session));
  expect(texts(again)).toEqual(['Done.']);
  await session.close?.();
});

test('A2A: a task that ended without the page is the reply to its answers', async () => {
  const session = await openA2a([THREE_CALLS, DONE], {});
  await say(session, 'Tidy up.');
  decide(session, 'remove /a', true);
  decide(session, 'remove /b', false, REASON);
  await sendWithoutReply(session);
  pageOf(session.gate).open('saved');
  expect(outcomes(session)[1]).toEqual(['call-2', 'approval-responded', undefined]);
  for (const { id } of session.gate.undelivered()) session.gate.retry(id);
  await deliver(session);
  expect(outcomes(session)).toEqual([
    ['call-1', 'output-available', { kind: 'executed' }],
    ['call-2', 'output-available', { kind: 'executed' }],
    ['call-3', 'output-denied', { kind: 'denied', reason: REASON }],
  ]);
  expect([texts(session), session.ran]).toEqual([['Done.'], ['read /r', 'remove /a']]);
  expect([session.gate.undelivered(), session.gate.getSnapshot().turn.status]).toEqual([[], 'done']);
  await session.close?.();
});

/** The newest task of a session, as the server stores it. */
async function taskOf({ url, bodies }: A2aSession): Promise<Data> {
  const id = bodies.at(-1)?.params.message?.taskId;
  return call(url, 'GetTask', { id });
}

test('A2A: `cancel` cancels the task, and the next message begins another one in the same context', async () => {
  const session = await openA2a([THREE_CALLS, DONE], {});
  await say(session, 'Tidy up.');
  session.gate.cancel();
  await deliver(session);
  await say(session, 'Never mind.');
  expect(session.bodies.map(({ method }) => method)).toEqual([
    'SendStreamingMessage',
    'CancelTask',
    'SendStreamingMessage',
  ]);
  expect([sent(session)[2].taskId, sent(session)[2].contextId]).toEqual([undefined, 'chat']);
  expect(session.ran).toEqual(['read /r']);
  await session.close?.();
});

test.each(['stream', 'history'])('A2A: a plain question is answered by the next message (%s)', async (from) => {
  const session = await openA2a([{ ask: 'Which folder?' }, DONE, { text: 'Bye.' }], {});
  await say(session, 'Tidy up.');
  expect(session.gate.pending()).toEqual([]);
  expect(texts(session)).toEqual(['Which folder?']);
  if (from === 'history') {
    const opened = gateFor('a2a', {});
    const { tasks }: Data = await listed(session);
    opened.load(tasks);
    expect(texts({ gate: opened })).toEqual(['Which folder?']);
    opened.sendUserMessage({ text: 'This one.' });
    const message = (opened.outgoing()[0]?.body as Data).params.message;
    expect(message.taskId).toBe(tasks[0].id);
  }
  await say(session, 'This one.');
  await say(session, 'Thanks.');
  const [, reply, thanks] = sent(session);
  expect(reply.taskId).toMatch(/^[-0-9a-f]{36}$/);
  // The task has ended: a message with its id would be refused.
  expect(thanks.taskId).toBe(undefined);
  expect(texts(session)).toEqual(['Which folder?', 'Done.', 'Bye.']);
  await session.close?.();
});

/** The tasks of the context. */
const listed = ({ url }: A2aSession): Promise<Data> =>
  call(url, 'ListTasks', { contextId: 'chat', includeArtifacts: true });

test('A2A: a task that needs credentials requests no approval, whatever its message says', async () => {
  const session = await openA2a([{ auth: { id: 'call-1', tool: 'remove', path: '/a' } }, DONE], {});
  const events: GateEvent[] = [];
  session.gate.onEvent((event) => void events.push(event));
  await say(session, 'Tidy up.');
  expect(session.gate.pending()).toEqual([]);
  expect(outcomes(session)).toEqual([]);
  const passed = events.filter(({ type }) => type === 'passthrough') as Data[];
  expect(passed.map(({ event }) => event.result.statusUpdate.status.state)).toEqual(['TASK_STATE_AUTH_REQUIRED']);
  // The reply goes on when the agent has its credentials.
  expect(texts(session)).toEqual(['Done.']);
  await session.close?.();
});

test.each([
  ['agent-stack', { remove: 'remove /a', send: 'remove /b' }],
  ['action', { remove: 'action undefined', send: 'action undefined' }],
] as const)('A2A: requests and answers in the format of another agent (%s)', async (manner, { remove, send }) => {
  const session = await openA2a([THREE_CALLS, DONE], {}, manner);
  const losses: unknown[] = [];
  session.gate.onEvent((event) => event.type === 'lossy' && losses.push(event.loss));
  await say(session, 'Tidy up.');
  expect(asked(session)).toEqual([remove]);
  decide(session, remove, true);
  await deliver(session);
  expect(session.ran).toEqual(['read /r', 'remove /a']);
  // The agent asks for one call after the other.
  expect(asked(session)).toEqual([send]);
  const page = gateFor('a2a', {});
  page.load((await listed(session)).tasks);
  expect(page.pending().map(({ toolName, input }) => [toolName, input])).toEqual(
    session.gate.pending().map(({ toolName, input }) => [toolName, input]),
  );
  decide(session, send, false, REASON);
  await deliver(session);
  expect(session.ran).toEqual(['read /r', 'remove /a']);
  expect(losses).toEqual(['reason']);
  expect(texts(session).at(-1)).toBe('Done.');
  await session.close?.();
});

test("A2A: the SDK's own client sends our bodies, and its events are those that a gate reads", async () => {
  const session = await openA2a([THREE_CALLS, DONE], {});
  const { gate, url } = session;
  const client = await new ClientFactory().createFromUrl(url);
  const send: A2aSession['send'] = async ({ id: requestId, attempt, body }) => {
    const stream = client.sendMessageStream(SendMessageRequest.fromJSON((body as Data).params));
    for await (const event of stream) {
      gate.markSent(requestId);
      gate.receive(StreamResponse.toJSON(event), { requestId, attempt });
    }
    gate.streamEnded({ status: 'finished' }, { requestId, attempt });
  };
  const mine = { ...session, send };
  await say(mine, 'Tidy up.');
  await answer(mine, [
    ['remove /a', true],
    ['remove /b', false, REASON],
  ]);
  expect(session.ran).toEqual(['read /r', 'remove /a']);
  expect(texts(session)).toEqual(['Done.']);
  expect(session.agent.received.map(({ role }) => role)).toEqual([1, 1]);
  await session.close?.();
});

test('A2A: a task that failed ends the reply, and its message says why', async () => {
  const session = await openA2a([{ error: 'overloaded' }, DONE], {});
  await say(session, 'Tidy up.');
  expect(session.gate.getSnapshot().turn?.ending).toBe('failed');
  expect(texts(session)).toEqual(['Agent execution error: overloaded']);
  await say(session, 'Again.');
  expect(sent(session)[1].taskId).toBe(undefined);
  expect(texts(session).at(-1)).toBe('Done.');
  await session.close?.();
});
