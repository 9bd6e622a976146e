/**
 * ADK: request bodies, the contents of its session, and the server's reaction, in addition to the tests for every
 * backend (`tests/interop/adk.test.ts`).
 */
import type { GateEvent } from 'toolgate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adk as adkProtocol } from '../../src/ts/protocols/adk';
import { openAdk, type AdkSession, type Manner } from '../interop/adk.rig';
import { startPython, type PythonServer } from '../interop/python';
import type { Reply, ScriptedCall } from '../interop/rig';
import { rules } from './pairing';
import { factsOf, gateFor, loaded, losses, type Data } from './support';
import { codecOf } from './codecs.js';

const adk = codecOf(adkProtocol);

let server: PythonServer;
beforeAll(async () => {
  server = await startPython('adk');
}, 90_000);
afterAll(() => server.close());

const call = (tool: ScriptedCall['tool'], path: string): ScriptedCall => ({ id: `${tool}-${path}`, tool, path });
const STEP: Reply = { calls: [call('read', 'r'), call('remove', 'a'), call('remove', 'b')] };
const DONE: Reply = { text: 'Done.' };

async function asked(
  replies: readonly Reply[],
  manner: Manner = { ids: true },
): Promise<AdkSession & { deliver(): Promise<void>; anomalies: GateEvent[] }> {
  const session = await openAdk(server, replies, {}, manner);
  const { gate, send } = session;
  const anomalies: GateEvent[] = [];
  gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event)));
  const deliver = (): Promise<void> => gate.deliver(send);
  gate.sendUserMessage({ text: 'Tidy up.' });
  await deliver();
  return Object.assign(session, { deliver, anomalies });
}

const partsOf = ({ gate }: Pick<AdkSession, 'gate'>): Data[] =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .filter((part) => 'toolCallId' in part);

test.each<[string, Manner]>([
  ['beside other calls', { ids: true }],
  ['as the only call', { ids: true, streams: false }],
])('an approval %s has its own id, and a placeholder result settles nothing', async (title, manner) => {
  const session = await asked([/only/.test(title) ? { calls: [call('remove', 'a')] } : STEP, DONE], manner);
  const { gate, anomalies, deliver } = session;
  expect(partsOf(session).filter(({ state }) => state === 'approval-requested').length).toBe(gate.pending().length);
  for (const { approvalId, toolCallId } of gate.pending()) expect(approvalId).not.toBe(toolCallId);
  expect(partsOf(session).at(-1).approval.requestReason).toMatch(/approve or reject/);
  gate.respondAll({ approved: true });
  await deliver();
  expect(partsOf(session).map(({ outcome }) => outcome.kind)).toEqual(partsOf(session).map(() => 'executed'));
  expect(anomalies).toEqual([]);
});

test('one message has all decisions of the step and nothing else; losses are reported', async () => {
  const session = await asked([STEP, DONE]);
  const { gate, deliver, anomalies } = session;
  const [a, b] = gate.pending() as [Data, Data];
  gate.respond(b.approvalId, { approved: false, reason: 'Not that one.' });
  expect(gate.outgoing()).toEqual([]);
  let body: Data;
  const lost = losses(gate, () => {
    gate.respond(a.approvalId, { approved: true });
    body = gate.outgoing()[0]?.body;
  });
  const answer = (id: string, confirmed: boolean): Data => ({
    functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed } },
  });
  expect(body).toEqual({
    session_id: 'chat',
    new_message: { role: 'user', parts: [answer(a.approvalId, true), answer(b.approvalId, false)] },
    streaming: true,
  });
  expect(lost).toEqual([{ loss: 'reason', toolCallId: 'remove-b' }]);
  await deliver();
  expect(session.ran).toEqual(['read r', 'remove a']);
  expect(partsOf(session).map(({ state, outcome, output }) => [state, outcome, output])).toEqual([
    ['output-available', { kind: 'executed' }, 'read r: done'],
    ['output-available', { kind: 'executed' }, 'remove a: done'],
    ['output-denied', { kind: 'denied', reason: 'Not that one.' }, undefined],
  ]);
  expect(anomalies).toEqual([]);
});

test('steps of one reply stay separate', async () => {
  const { gate, deliver, anomalies } = await asked([
    { calls: [call('read', 'r')] },
    { calls: [call('read', 's'), call('remove', 'a')] },
    DONE,
  ]);
  gate.respondAll({ approved: true });
  await deliver();
  const history: Data[] = gate.assemble();
  expect(rules.adk(history)).toEqual([]);
  expect(history.map(({ author, content: { parts } }) => `${author} ${parts.length}`)).toEqual([
    'user 1',
    'agent 1',
    'agent 1',
    'agent 2',
    'agent 2',
    'agent 1',
  ]);
  expect(anomalies).toEqual([]);
});

/** The session on the server. */
async function stored({ path }: AdkSession): Promise<Data[]> {
  return ((await (await fetch(server.url + path)).json()) as Data).events;
}

test('a waiting session can be loaded: its approvals are shown, and their decisions arrive', async () => {
  const session = await asked([STEP, DONE]);
  const gate = loaded('adk', await stored(session));
  expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(
    session.gate.pending().map(({ approvalId }) => approvalId),
  );
  gate.respondAll({ approved: true, where: ({ input }) => (input as Data).path === 'a' });
  gate.respondAll({ approved: false });
  await gate.deliver(async ({ id: requestId, body }) => {
    for (const event of await session.post('/run_sse', { ...session.mine, ...(body as Data) }))
      gate.receive(event, { requestId });
    gate.streamEnded({ status: 'finished' }, { requestId });
  });
  await session.look();
  expect(session.ran).toEqual(['read r', 'remove a']);
  const settled = loaded('adk', await stored(session));
  expect(factsOf(settled.assemble('ai-sdk'))).toEqual(factsOf(gate.assemble('ai-sdk')));
  expect(factsOf(settled.assemble('ai-sdk')).map(({ outcome, approved }) => [outcome, approved])).toEqual([
    ['executed', undefined],
    ['executed', true],
    ['denied', false],
  ]);
});

test('an assembled history starts a new session: the model reads the same', async () => {
  const { gate, deliver } = await asked([STEP, DONE]);
  gate.respondAll({ approved: true, where: ({ input }) => (input as Data).path === 'a' });
  gate.respondAll({ approved: false, reason: 'Not that one.' });
  await deliver();
  const again = await openAdk(server, [{ text: 'Hm.' }], {}, { ids: true });
  const events = gate.assemble();
  const path = again.path.replace(/chat$/, 'restored');
  expect(await again.post(path.replace('/restored', ''), { session_id: 'restored', events })).toMatchObject({
    id: 'restored',
  });
  await again.post('/run_sse', {
    ...again.mine,
    session_id: 'restored',
    new_message: { role: 'user', parts: [{ text: 'And now?' }] },
  });
  await again.look();
  const [prompt] = again.prompts;
  expect(
    prompt?.map(({ kind, call: name, text }) => [kind, name ?? text, ...(kind === 'result' ? [text] : [])]),
  ).toEqual([
    ['user', 'Tidy up.'],
    ['call', 'read r'],
    ['call', 'remove a'],
    ['call', 'remove b'],
    ['result', 'read r', 'read r: done'],
    ['result', 'remove a', 'remove a: done'],
    ['result', 'remove b', 'This tool call is rejected. Not that one.'],
    ['text', 'Done.'],
    ['user', 'And now?'],
  ]);
});

test('a message waits for the reply to the decisions, because the server rejects a request with both', async () => {
  const session = await asked([STEP, DONE]);
  session.gate.respondAll({ approved: true });
  const { new_message: message, ...rest }: Data = session.gate.outgoing()[0]?.body;
  const [failure, ...more] = await session.post('/run_sse', {
    ...session.mine,
    ...rest,
    new_message: { ...message, parts: [...message.parts, { text: 'Wait.' }] },
  });
  expect([failure.error, more]).toEqual([expect.stringMatching(/function response/i), []]);
  await session.deliver();
  expect(session.ran).toEqual(['read r', 'remove a', 'remove b']);
  expect(adk.answersBeforeMessages).toBe(true);
});

const conversationOf = (session: AdkSession): unknown[] =>
  session.prompts
    .slice(1)
    .map((lines) =>
      lines
        .filter(({ kind }) => kind === 'result' || kind === 'user')
        .map(({ call: name, text }) => (name ? `${name}: ${text}` : text)),
    );

test('a message instead of decisions: denials are sent first, and the message after their reply', async () => {
  const session = await asked([STEP, DONE, { text: 'Bye.' }]);
  const { gate, deliver } = session;
  gate.sendUserMessage({ text: 'Something else.' });
  const first: Data = gate.outgoing()[0]?.body;
  expect(first.new_message.parts.map(({ functionResponse: { response } }: Data) => response)).toEqual([
    { confirmed: false },
    { confirmed: false },
  ]);
  await deliver();
  expect(session.ran).toEqual(['read r']);
  const results = [
    'read r: read r: done',
    'remove a: This tool call is rejected.',
    'remove b: This tool call is rejected.',
  ];
  expect(conversationOf(session)).toEqual([
    ['Tidy up.', ...results],
    ['Tidy up.', ...results, 'Something else.'],
  ]);
});

test('a cancel alone sends nothing; the rejections are sent before the next message', async () => {
  const session = await asked([STEP, DONE, DONE]);
  const { gate, deliver } = session;
  const [pending] = gate.pending() as [Data];
  gate.cancel();
  expect(gate.outgoing()).toEqual([]);
  gate.sendUserMessage({ text: 'Something else.' });
  await deliver();
  const rejected = 'This tool call is rejected.';
  const start = ['Tidy up.', 'read r: read r: done', `remove a: ${rejected}`, `remove b: ${rejected}`];
  expect(conversationOf(session)).toEqual([start, [...start, 'Something else.']]);
  // Cancelled calls can no longer be approved.
  expect(() => gate.respond(pending.approvalId, { approved: true })).toThrow();
  expect(session.ran).toEqual(['read r']);
});

test('an edited input of the call is refused, because ADK’s format has no field for one', async () => {
  const { gate } = await asked([STEP]);
  expect(() => gate.respond(gate.pending()[0]!.approvalId, { approved: true, input: { path: 'z' } })).toThrow(
    expect.objectContaining({ code: 'edit-unsupported' }),
  );
});

test('results of browser tools use the calls’ own ids', () => {
  const decision = {
    approvalId: 'ask',
    toolCallId: 'c',
    toolName: 'pick',
    input: {},
    approval: {},
    metadata: undefined,
  };
  const context = {
    texts: undefined,
    reportLoss: () => {},
    reportRepair: () => {},
    chatId: 'chat',
    history: 'server' as const,
    item: {} as Data,
    request: {} as Data,
    metadata: undefined,
    newMessages: [],
    decisions: [
      { ...decision, outcome: 'executed' as const, output: 'red' },
      { ...decision, toolCallId: 'd', outcome: 'executed' as const, output: { colour: 'blue' } },
      { ...decision, toolCallId: 'e', outcome: 'failed' as const, reason: 'no camera' },
      { ...decision, outcome: 'cancelled' as const },
    ],
  };
  const { new_message: message }: Data = adk.body([], context);
  expect(message.parts.map(({ functionResponse: { id, name, response } }: Data) => [id, name, response])).toEqual([
    ['c', 'pick', { result: 'red' }],
    ['d', 'pick', { colour: 'blue' }],
    ['e', 'pick', { error: 'no camera' }],
    ['ask', 'adk_request_confirmation', { confirmed: false }],
  ]);
});

/** A gate that reads hand-written replies of ADK. */
function byHand() {
  const gate = gateFor('adk');
  const anomalies: GateEvent[] = [];
  gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event)));
  const event = (parts: Data[], more?: Data): Data => ({ author: 'agent', content: { role: 'model', parts }, ...more });
  const question = (id: string): Data =>
    event([
      {
        functionCall: {
          id,
          name: 'adk_request_confirmation',
          args: {
            originalFunctionCall: { id: 'c', name: 'pay', args: {} },
            toolConfirmation: { hint: `Sure? ${id}`, confirmed: false },
          },
        },
      },
    ]);
  const answer = (response: Data, more?: Data): Data =>
    event([{ functionResponse: { id: 'c', name: 'pay', response } }], more);
  const placeholder = answer({ status: 'pending' }, { actions: { requestedToolConfirmations: { c: {} } } });
  const reply = (...events: Data[]): void => {
    const requestId = gate.outgoing()[0]!.id;
    gate.claim(requestId);
    for (const one of events) gate.receive(one, { requestId });
    gate.streamEnded({ status: 'finished' }, { requestId });
  };
  gate.sendUserMessage({ text: 'Pay.' });
  reply(event([{ functionCall: { id: 'c', name: 'pay', args: {} } }]), question('first'), placeholder);
  return { gate, anomalies, event, question, answer, placeholder, reply };
}

test('a tool that requests a second approval gets one', () => {
  const { gate, event, question, answer, placeholder, reply } = byHand();
  gate.respond('first', { approved: true });
  reply(placeholder, question('second'));
  expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([['second', 'c']]);
  gate.respond('second', { approved: true });
  expect(
    (gate.outgoing()[0]?.body as Data).new_message.parts.map(({ functionResponse }: Data) => functionResponse.id),
  ).toEqual(['second']);
  reply(answer({ result: 'paid' }), event([{ text: 'Done.' }]));
  expect(partsOf({ gate }).map(({ state, output }) => [state, output])).toEqual([['output-available', 'paid']]);
  expect(gate.getSnapshot().turn.status).toBe('done');
});

test('a denied call whose tool returns its own text stays denied', () => {
  const { gate, anomalies, event, answer, reply } = byHand();
  gate.respond('first', { approved: false });
  reply(answer({ status: 'Not paid, then.' }), event([{ text: 'As you wish.' }]));
  expect(partsOf({ gate }).map(({ state, outcome, output }) => [state, outcome.kind, output])).toEqual([
    ['output-denied', 'denied', undefined],
  ]);
  expect(anomalies).toEqual([]);
  expect(gate.getSnapshot().turn.status).toBe('done');
});
