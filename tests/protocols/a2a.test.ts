/** `a2a`: what is an approval request and what is not. The interop tests play whole chats. */
import { expect, test } from 'vitest';
import { gateFor, type Data } from './support';

const REQUEST = { data: { type: 'tool-approval-request', toolCallId: 'c', toolName: 'remove', input: { path: '/a' } } };
const ids = { taskId: 't', contextId: 'chat' };
const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [REQUEST] };
const status = (state: string): Data => ({ statusUpdate: { ...ids, status: { state, message } } });
const waiting = { id: 't', contextId: 'chat', status: { state: 'TASK_STATE_INPUT_REQUIRED', message } };

/** A gate that has received these events as the reply to a message. */
function after(...events: readonly Data[]): ReturnType<typeof gateFor> {
  const gate = gateFor('a2a');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of events) gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

test.each([
  ['a task that works', status('TASK_STATE_WORKING')],
  ['a task that needs credentials', status('TASK_STATE_AUTH_REQUIRED')],
  ['a task that is done', status('TASK_STATE_COMPLETED')],
  ['an artifact', { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [REQUEST] } } }],
  ['a message without a task', { message: { ...message, contextId: 'chat' } }],
])('a request in %s is not an approval', (_, event) => {
  expect(after(event).pending()).toEqual([]);
});

test('a request in a task that waits for input is one, alone or as a JSON-RPC response, and once', () => {
  const one = status('TASK_STATE_INPUT_REQUIRED');
  for (const events of [
    [one],
    [{ jsonrpc: '2.0', id: 'x', result: one }],
    [{ task: waiting }],
    [one, { task: waiting }],
  ])
    expect(after(...events).pending()).toMatchObject([{ toolCallId: 'c', toolName: 'remove', input: { path: '/a' } }]);
});

test.each([
  ['TASK_STATE_INPUT_REQUIRED', 1],
  ['TASK_STATE_WORKING', 0],
  ['TASK_STATE_CANCELED', 0],
  ['TASK_STATE_COMPLETED', 0],
])('a loaded task in %s has %i open requests', (state, count) => {
  const gate = gateFor('a2a');
  const said = { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Go.' }] };
  gate.load([{ ...waiting, status: { state, message }, history: [said, message] }]);
  expect(gate.pending()).toHaveLength(count);
});

test('a task that is sent again does not ask again for what was answered', () => {
  const gate = after(status('TASK_STATE_INPUT_REQUIRED'));
  gate.respondAll({ approved: true });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({ task: waiting });
  expect(gate.pending()).toEqual([]);
  expect(gate.getSnapshot().messages.flatMap(({ parts }) => parts.filter((part) => 'toolCallId' in part))).toHaveLength(
    1,
  );
});
