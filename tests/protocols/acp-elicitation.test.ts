/** The questions of ACP agents: messages in the form of the SDK's schema, versions 1 and 2. */
import { expect, test } from 'vitest';
import { bodiesOf, callsOf, firstReply, partsOf, type FirstReply } from './first-reply';
import type { Data } from './support';

const requestedSchema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
const elicits = (id: number, more: Data = {}): Data => ({
  jsonrpc: '2.0',
  id,
  method: 'elicitation/create',
  params: { sessionId: 'chat', mode: 'form', message: 'Which day?', requestedSchema, ...more },
});
const update = (fields: Data): Data => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'chat', update: fields },
});
const say = (text: string): Data =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: text });
const begun = (...events: Data[]): FirstReply => {
  const reply = firstReply('acp', { browserTools: [] });
  reply.take(say('Hm.'), ...events);
  return reply;
};
const waits = ({ gate }: FirstReply): Data => gate.getSnapshot().turn.waitingFor.find(({ kind }) => kind === 'tool');

test('an elicitation is a question of the page, and answered by its id, once', () => {
  for (const [output, result] of [
    [
      { action: 'accept', content: { day: 'Monday' } },
      { action: 'accept', content: { day: 'Monday' } },
    ],
    [{ action: 'decline' }, { action: 'decline' }],
    [{ action: 'cancel' }, { action: 'cancel' }],
    ['Monday', { action: 'cancel' }],
  ]) {
    const reply = begun(elicits(7));
    const { gate, take, wrong } = reply;
    const [{ toolCallId, toolName, input }] = callsOf(gate);
    expect([toolName, input]).toEqual(['ask_user', { message: 'Which day?', requestedSchema }]);
    expect(waits(reply).toolCallIds).toEqual([toolCallId]);
    gate.addToolOutput(toolCallId, { output });
    expect(bodiesOf(gate)).toEqual([{ jsonrpc: '2.0', id: 7, result }]);
    gate.markSent(gate.outgoing()[0]!.id);
    take(say('Booked.'), { jsonrpc: '2.0', id: 'out-1', result: { stopReason: 'end_turn' } });
    gate.streamEnded({ status: 'finished' });
    // The text that follows belongs to another step, and the question to no history.
    expect(partsOf(gate).map(({ type }) => type)).toEqual(['step-start', 'text', 'dynamic-tool', 'step-start', 'text']);
    expect(JSON.stringify(gate.assemble())).not.toContain('Which day?');
    expect([gate.getSnapshot().status, gate.outgoing(), wrong]).toEqual(['idle', [], []]);
  }
});

test('`cancel()` answers an open question, and two at once are answered by their ids', () => {
  const { gate } = begun(elicits(1), elicits(2, { message: 'And until?' }));
  gate.addToolOutput(callsOf(gate)[1].toolCallId, { output: { action: 'decline' } });
  gate.cancel();
  expect(bodiesOf(gate)).toEqual([
    { jsonrpc: '2.0', id: 2, result: { action: 'decline' } },
    { jsonrpc: '2.0', id: 1, result: { action: 'cancel' } },
  ]);
});

test('a question that the agent takes back, or that its turn leaves open, is closed and not answered', () => {
  for (const event of [
    { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 7 } },
    { jsonrpc: '2.0', id: 'out-1', result: { stopReason: 'end_turn' } },
  ]) {
    const reply = begun(elicits(7), event);
    expect(callsOf(reply.gate)[0].outcome.kind).toBe('failed');
    expect([waits(reply), reply.gate.outgoing(), reply.wrong]).toEqual([undefined, [], []]);
  }
});

test('an approval that the agent takes back is not asked any more', () => {
  const options = [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'c', title: 'Edit', kind: 'edit', rawInput: {} };
  const request = { method: 'session/request_permission', params: { sessionId: 'chat', options, toolCall } };
  const { gate, take, wrong } = begun({ jsonrpc: '2.0', id: 3, ...request });
  expect(gate.pending()).toHaveLength(1);
  take({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 3 } });
  expect([gate.pending(), gate.outgoing(), wrong]).toEqual([[], [], []]);
});

test.each<[string, Data]>([
  ['a page to open', elicits(7, { mode: 'url', url: 'https://example.com', elicitationId: 'e' })],
  ['a mode of the future', elicits(7, { mode: '_voice' })],
  ['a secret', elicits(7, { requestedSchema: { properties: { key: { type: 'string', format: 'password' } } } })],
  ['a request of an extension', { jsonrpc: '2.0', id: 7, method: '_vendor/ask', params: {} }],
])('%s: nobody is asked, and the event is reported and passed on', (_, event) => {
  const { gate, wrong } = begun(event);
  expect(callsOf(gate)).toEqual([]);
  expect(wrong).toHaveLength(2);
  expect(wrong).toContainEqual(expect.objectContaining({ type: 'passthrough', event }));
  expect(wrong.find(({ type }) => type === 'anomaly')).toMatchObject({ error: { code: 'unanswerable-request' } });
});

test('requests that the host answers are only passed on', () => {
  const { wrong } = begun({ jsonrpc: '2.0', id: 7, method: 'fs/read_text_file', params: { path: '/a' } });
  expect(wrong.map(({ type }) => type)).toEqual(['passthrough']);
});
