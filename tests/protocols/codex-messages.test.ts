/**
 * Messages that Codex takes while a turn runs, with the policy `pass`: one that the turn ended without is sent again.
 * tests/agents has such a turn of the real app server.
 */
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { type FirstReply, firstReply } from './first-reply';
import type { Data } from './support';

const at = { threadId: 'chat', turnId: 't' };
const item = { type: 'commandExecution', id: 'a', command: 'rm /a', cwd: '/tmp', status: 'inProgress' };
const ask: Data = {
  method: 'item/commandExecution/requestApproval',
  id: 0,
  params: { ...at, itemId: 'a', command: 'rm /a', cwd: '/tmp' },
};
const declined: Data = { method: 'item/completed', params: { item: { ...item, status: 'declined' }, ...at } };
const added = (id: string | undefined): Data => ({
  id,
  result: { turn: { id: 't', items: [], status: 'inProgress' } },
});
const read = (clientId: string | undefined): Data => ({
  method: 'item/started',
  params: { item: { type: 'userMessage', id: 'u', clientId, content: [] }, ...at },
});
const completed = (status: string): Data => ({
  method: 'turn/completed',
  params: { threadId: 'chat', turn: { id: 't', items: [], status, error: null } },
});

/** A turn that waits for an approval, in which the user said something: the gate, and the request with that message. */
function waiting(...texts: string[]): FirstReply & { readonly requests: string[] } {
  const reply = firstReply('codex', { onUserMessage: 'pass' });
  const { gate, take } = reply;
  take(added('out-1'), read('out-1'), { method: 'item/started', params: { item, ...at } }, ask);
  const requests = texts.map((text) => {
    gate.sendUserMessage({ text });
    const [sent] = gate.outgoing();
    gate.markSent(sent!.id);
    return sent!.id;
  });
  return { ...reply, requests };
}

const inputs = (gate: ToolGate): string[][] =>
  gate.outgoing().map(({ body }) => (body as Data).params.input.map(({ text }: Data) => text));

/** Cancels what waits, and ends the turn. */
function interrupt({ gate, take }: FirstReply): void {
  gate.cancel();
  for (const { id } of gate.outgoing()) gate.markSent(id);
  take(declined, completed('interrupted'));
  gate.streamEnded({ status: 'finished' });
}

test('a message that an interrupted turn did not read is sent after it, once', () => {
  const reply = waiting('And the tests.', 'Slowly.');
  const { gate, take, requests } = reply;
  take(...requests.map(added), read(requests[0]));
  interrupt(reply);
  expect(inputs(gate)).toEqual([['Slowly.']]);
  const { messages, queued } = gate.getSnapshot();
  expect(messages.filter(({ role }) => role === 'user').map(({ parts: [part] }) => (part as Data).text)).toEqual([
    'Go.',
    'And the tests.',
    'Slowly.',
  ]);
  expect(queued).toEqual([]);
  gate.markSent(gate.outgoing()[0]!.id);
  take(completed('interrupted'));
  gate.streamEnded({ status: 'finished' });
  expect([gate.outgoing(), reply.wrong]).toEqual([[], []]);
});

test('a message that the turn has read is not sent again', () => {
  const reply = waiting('And the tests.');
  // The last response belongs to another page, which has the same ids.
  reply.take(added(reply.requests[0]), read(reply.requests[0]), added(reply.requests[0]));
  interrupt(reply);
  expect(reply.gate.outgoing()).toEqual([]);
});

test('if the server does not pass the ids of messages on, nothing is known about a message: it is not sent again', () => {
  const reply = waiting('And the tests.');
  const { gate, take, requests } = reply;
  take(read(null as never), added(requests[0]), read(null as never));
  interrupt(reply);
  expect(gate.outgoing()).toEqual([]);
});

test('without a response, nothing is known about a message: it is not sent again', () => {
  const reply = waiting('And the tests.');
  interrupt(reply);
  expect(reply.gate.outgoing()).toEqual([]);
});

test('a message that Codex refuses ends nothing, and is sent after the turn', () => {
  const reply = waiting('And the tests.');
  const { gate, take, requests, wrong } = reply;
  const refused = { id: requests[0], error: { code: -32600, message: 'the turn accepts no input' } };
  take(refused);
  expect(wrong).toEqual([{ type: 'passthrough', event: refused }]);
  expect(gate.pending()).toHaveLength(1);
  expect(gate.getSnapshot().status).toBe('streaming');
  gate.respondAll({ approved: true });
  gate.markSent(gate.outgoing()[0]!.id);
  take({ method: 'item/completed', params: { item: { ...item, status: 'completed', exitCode: 0 }, ...at } });
  expect(gate.outgoing()).toEqual([]);
  take(completed('completed'));
  gate.streamEnded({ status: 'finished' });
  expect(inputs(gate)).toEqual([['And the tests.']]);
});
