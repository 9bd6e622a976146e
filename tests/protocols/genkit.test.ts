/**
 * Genkit: request bodies and the framework's reaction, in addition to the tests for every backend
 * (`tests/interop/genkit.test.ts`).
 */
import { expect, onTestFinished, test } from 'vitest';
import { openGenkit, type Manner } from '../interop/genkit.rig';
import type { Reply, ScriptedCall } from '../interop/rig';
import { rules } from './pairing';
import { gateFor, loaded, type Data } from './support';

const call = (tool: ScriptedCall['tool'], path: string): ScriptedCall => ({ id: `${tool}-${path}`, tool, path });

async function asked(replies: readonly Reply[], manner?: Manner) {
  const server = await openGenkit(replies, {}, manner);
  onTestFinished(async () => server.close?.());
  const { gate, send } = server;
  const deliver = (): Promise<void> => gate.deliver(send);
  gate.sendUserMessage({ text: 'Tidy up.' });
  await deliver();
  return { gate, deliver, server };
}

const STEP: Reply = { calls: [call('read', 'r'), call('remove', 'a'), call('remove', 'b')] };
const DONE: Reply = { text: 'Done.' };

test('one request has all decisions of the step: approved calls restart, denied calls get responses, completed calls are unchanged', async () => {
  const { gate, deliver, server } = await asked([STEP, DONE]);
  const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
  gate.respond(b, { approved: false, reason: 'Not that one.' });
  expect(gate.outgoing()).toEqual([]);
  gate.respond(a, { approved: true });
  const body: Data = gate.outgoing()[0]?.body;
  expect(body.resume).toEqual({
    restart: [
      {
        toolRequest: { name: 'remove', ref: 'remove-a', input: { path: 'a' } },
        metadata: { interrupt: { path: 'a' }, resumed: { toolApproved: true } },
      },
    ],
    respond: [
      {
        toolResponse: {
          name: 'remove',
          ref: 'remove-b',
          output: { error: 'Error: Tool execution was denied by user. Not that one.' },
        },
        metadata: { interruptResponse: { approved: false } },
      },
    ],
  });
  expect(body.messages.map(({ role }: Data) => role)).toEqual(['user', 'model']);
  expect(body.messages[1].content.map(({ metadata }: Data) => metadata)).toEqual([
    { pendingOutput: 'read r: done' },
    { interrupt: true },
    { interrupt: true },
  ]);
  await deliver();
  const parts: Data[] = gate.getSnapshot().messages[1]!.parts.filter((part) => 'toolCallId' in part);
  expect(parts.map(({ state, outcome, output }) => [state, outcome.kind, output])).toEqual([
    ['output-available', 'executed', 'read r: done'],
    ['output-available', 'executed', 'remove a: done'],
    ['output-denied', 'denied', undefined],
  ]);
  expect(server.ran).toEqual(['read r', 'remove a']);
  expect(gate.getSnapshot().turn.status).toBe('done');
});

test('the framework’s own events raise no anomaly', async () => {
  for (const manner of [{}, { streams: false }, { refs: 'none' }, { refs: 'places' }] as const) {
    const { gate, deliver } = await asked([STEP, DONE], manner);
    const found: unknown[] = [];
    gate.onEvent((event) => event.type === 'anomaly' && found.push(event.error));
    gate.respondAll({ approved: true, where: ({ input }) => (input as Data).path === 'a' });
    gate.respondAll({ approved: false });
    await deliver();
    expect(found).toEqual([]);
  }
});

test.each<[string, Manner]>([
  ['refs', {}],
  ['refs that are positions, which repeat in the next turn', { refs: 'places' }],
  ['no refs', { refs: 'none' }],
  ['a model that does not stream', { streams: false }],
  ['a model that does not stream, with positions as refs', { streams: false, refs: 'places' }],
])('steps of one reply stay separate: %s', async (_, manner) => {
  const script: Reply[] = [
    { calls: [call('read', 'r')] },
    { calls: [call('read', 's'), call('remove', 'a')] },
    { calls: [call('read', 't')] },
    DONE,
    { calls: [call('remove', 'c')] },
    DONE,
  ];
  const { gate, deliver, server } = await asked(script, manner);
  const found: unknown[] = [];
  gate.onEvent((event) => event.type === 'anomaly' && found.push(event.error));
  gate.respondAll({ approved: true });
  await deliver();
  gate.sendUserMessage({ text: 'More.' });
  await deliver();
  gate.respondAll({ approved: true });
  await deliver();
  expect(server.ran).toEqual(['read r', 'read s', 'remove a', 'read t', 'remove c']);
  const history: Data[] = gate.assemble();
  expect(rules.genkit(history)).toEqual([]);
  expect(history.map(({ role, content }) => `${role} ${content.length}`)).toEqual([
    'user 1',
    'model 1',
    'tool 1',
    'model 2',
    'tool 2',
    'model 1',
    'tool 1',
    'model 1',
    'user 1',
    'model 1',
    'tool 1',
    'model 1',
  ]);
  expect(found).toEqual([]);
  expect(loaded('genkit', history).assemble()).toEqual(history);
});

test('Genkit’s messages can be loaded: interrupted calls wait for the user, completed ones have their outputs', async () => {
  const history = [
    { role: 'user', content: [{ text: 'Tidy up.' }] },
    {
      role: 'model',
      content: [
        { text: 'Well.' },
        { toolRequest: { name: 'read', input: { path: 'r' } }, metadata: { pendingOutput: 'read' } },
        { toolRequest: { name: 'remove', input: { path: 'a' } }, metadata: { interrupt: true, thoughtSignature: 's' } },
        { toolRequest: { name: 'remove', input: { path: 'b' } }, metadata: { interrupt: { why: 'sure?' } } },
      ],
    },
  ];
  const gate = loaded('genkit', history);
  expect(gate.pending().map(({ toolName, input }) => [toolName, input])).toEqual([
    ['remove', { path: 'a' }],
    ['remove', { path: 'b' }],
  ]);
  gate.respondAll({ approved: true });
  const { resume }: Data = gate.outgoing()[0]?.body;
  expect(
    resume.restart.map(({ toolRequest: { input }, metadata }: Data) => [input.path, metadata.thoughtSignature]),
  ).toEqual([
    ['a', 's'],
    ['b', undefined],
  ]);
  // Each call has its own ref: otherwise Genkit would use the first answer for both.
  expect(new Set(resume.restart.map(({ toolRequest }: Data) => toolRequest.ref)).size).toBe(2);
});

test('responses without refs are matched by name and order', () => {
  const request = (path: string): Data => ({ toolRequest: { name: 'read', input: { path } } });
  const response = (output: string): Data => ({ toolResponse: { name: 'read', output } });
  const gate = loaded('genkit', [
    { role: 'user', content: [{ text: 'Read.' }] },
    { role: 'model', content: [request('a'), request('b')] },
    { role: 'tool', content: [response('A'), response('B')] },
    { role: 'model', content: [request('a')] },
    { role: 'tool', content: [response('A again')] },
  ]);
  const parts: Data[] = gate
    .getSnapshot()
    .messages.flatMap(({ parts: all }) => all)
    .filter((part) => 'toolCallId' in part);
  expect(parts.map(({ input, output }) => [input.path, output])).toEqual([
    ['a', 'A'],
    ['b', 'B'],
    ['a', 'A again'],
  ]);
});

test('the tool runs with the input that the user edited, and the request also has the original input', async () => {
  const { gate, deliver, server } = await asked([{ calls: [call('remove', 'a'), call('remove', 'b')] }, DONE, DONE]);
  const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
  gate.respond(a, { approved: true, input: { path: 'z' } });
  gate.respond(b, { approved: true });
  const { resume, messages }: Data = gate.outgoing()[0]?.body;
  expect(
    resume.restart.map(({ toolRequest: { input }, metadata }: Data) => [input.path, metadata.replacedInput]),
  ).toEqual([
    ['z', { path: 'a' }],
    ['b', undefined],
  ]);
  // The history has the input that ran, in this request and in every later one.
  expect(messages.at(-1).content.map(({ toolRequest }: Data) => toolRequest.input.path)).toEqual(['z', 'b']);
  await deliver();
  expect(server.ran).toEqual(['remove z', 'remove b']);
  gate.sendUserMessage({ text: 'Thanks.' });
  await deliver();
  const last: Data[] = server.raw.at(-1);
  expect(rules.genkit(last)).toEqual([]);
  expect(last[1].content.map(({ toolRequest }: Data) => toolRequest.input.path)).toEqual(['z', 'b']);
});

test('an output such as 0 or an empty text is sent as a response, because Genkit ignores it beside a request', () => {
  const gate = gateFor('genkit');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  const request = (ref: string, metadata: Data): Data => ({ toolRequest: { name: 'read', ref, input: {} }, metadata });
  gate.receive({
    result: {
      message: {
        role: 'model',
        content: [
          request('a', { pendingOutput: '' }),
          request('b', { pendingOutput: 0 }),
          request('c', { interrupt: true }),
        ],
      },
    },
  });
  gate.streamEnded({ status: 'finished' });
  gate.respondAll({ approved: true });
  const { resume }: Data = gate.outgoing()[0]?.body;
  expect(resume.respond.map(({ toolResponse: { ref, output }, metadata }: Data) => [ref, output, metadata])).toEqual([
    ['a', '', { interruptResponse: true }],
    ['b', 0, { interruptResponse: true }],
  ]);
  expect(resume.restart).toHaveLength(1);
});
