/**
 * AG-UI with a gate: a server that uses AG-UI's packages, called with plain requests and with AG-UI's own client.
 */
import { describe, expect, test } from 'vitest';
import { agUiRig, openAgUi } from './ag-ui.rig';
import type { Reply } from './rig';
import { runScenarios } from './scenarios';
import { THREE_CALLS } from './support';

const REPLIES: readonly Reply[] = [THREE_CALLS, { text: 'Done.' }, { text: 'Bye.' }];

describe('by plain requests', () => runScenarios(agUiRig('fetch')));
describe('in chunks', () => runScenarios(agUiRig('fetch', { chunks: true })));
describe('by its own client', () => runScenarios(agUiRig('client')));

describe.each(['fetch', 'client'] as const)('by %s', (by) => {
  test('the interrupts of a step are answered in the order of their calls', async () => {
    const session = await openAgUi(by, REPLIES);
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respond('ask-call-3', { approved: false });
    gate.respond('ask-call-2', { approved: true });
    await gate.deliver(send);
    expect(server.requests[1]?.resume?.map(({ interruptId }) => interruptId)).toEqual(['ask-call-2', 'ask-call-3']);
    expect(server.ran).toEqual(['read /r', 'remove /a']);
    await session.close?.();
  });

  test('the tool runs with the input that the user edited', async () => {
    const session = await openAgUi(by, REPLIES);
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respond('ask-call-2', { approved: true, input: { path: '/z' } });
    gate.respond('ask-call-3', { approved: false });
    await gate.deliver(send);
    gate.sendUserMessage({ text: 'Thanks.' });
    await gate.deliver(send);
    expect(server.requests[1]?.resume?.[0]?.payload).toEqual({ approved: true, editedArgs: { path: '/z' } });
    expect(server.ran).toEqual(['read /r', 'remove /z']);
    expect(server.prompts[2]).toContainEqual({ kind: 'result', text: 'remove /z: done', call: 'remove /z' });
    await session.close?.();
  });

  test('a cancelled call is reported as cancelled', async () => {
    const session = await openAgUi(by, REPLIES);
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.respond('ask-call-2', { approved: false, reason: 'Not that.' });
    gate.cancel();
    await gate.deliver(send);
    expect(server.requests[1]?.resume).toEqual([
      { interruptId: 'ask-call-2', status: 'resolved', payload: { approved: false, reason: 'Not that.' } },
      { interruptId: 'ask-call-3', status: 'cancelled' },
    ]);
    expect([server.ran, gate.getSnapshot().status]).toEqual([['read /r'], 'idle']);
    await session.close?.();
  });

  test('a message that cancels the pending calls is sent after the reply to the cancellations', async () => {
    const session = await openAgUi(by, REPLIES, { onUserMessage: 'cancel-pending' });
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.sendUserMessage({ text: 'Wait.' });
    await gate.deliver(send);
    expect(
      server.requests.map(({ resume, messages }) => [resume?.map(({ status }) => status), messages.at(-1)?.role]),
    ).toEqual([
      [undefined, 'user'],
      [['cancelled', 'cancelled'], 'tool'],
      [undefined, 'user'],
    ]);
    expect(server.prompts).toHaveLength(3);
    await session.close?.();
  });

  test('an expired call is cancelled, and the chat continues', async () => {
    const session = await openAgUi(by, REPLIES, {}, { expiresAt: new Date(Date.now() - 60_000).toISOString() });
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    gate.tick(Date.now());
    await gate.deliver(send);
    expect(server.requests[1]?.resume?.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect([server.ran, gate.getSnapshot().status]).toEqual([['read /r'], 'idle']);
    expect(gate.getSnapshot().messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Done.' });
    await session.close?.();
  });

  test('an interrupt without a call is answered with the others', async () => {
    const question = { id: 'sure', reason: 'confirmation', message: 'Sure?' };
    const session = await openAgUi(by, REPLIES, {}, { asks: [question] });
    const { gate, send, server } = session;
    gate.sendUserMessage({ text: 'Tidy up.' });
    await gate.deliver(send);
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['ask-call-2', 'ask-call-3', 'sure']);
    gate.respondAll({ approved: true });
    await gate.deliver(send);
    gate.sendUserMessage({ text: 'Thanks.' });
    await gate.deliver(send);
    expect([server.answers, server.ran]).toEqual([[true], ['read /r', 'remove /a', 'remove /b']]);
    expect(server.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    await session.close?.();
  });
});

test('AG-UI’s own client builds the same messages from the stream as the gate, with the same ids', async () => {
  const session = await openAgUi('client', REPLIES);
  const { gate, send } = session;
  gate.sendUserMessage({ text: 'Tidy up.' });
  await gate.deliver(send);
  gate.respondAll({ approved: true });
  await gate.deliver(send);
  gate.sendUserMessage({ text: 'Thanks.' });
  await gate.deliver(send);
  const kept = session.kept.map((message) => JSON.parse(JSON.stringify(message)));
  expect(gate.assemble()).toEqual(kept);
  await session.close?.();
});
