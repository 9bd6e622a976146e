/**
 * AG-UI: replies to answers from servers that fail, repeat themselves or contradict what they sent. The answers count
 * as received only if the run did something with them; otherwise the interrupts are still open.
 */
import { ToolGate, type GateEvent } from 'toolgate';
import { agUi } from 'toolgate/protocols/ag-ui';
import { describe, expect, test } from 'vitest';
import { gateFor, type Data } from './support';

const START = { type: 'RUN_STARTED', threadId: 'chat', runId: 'run' };
const call = (toolCallId: string): Data[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'remove', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const result = (toolCallId: string, content = 'removed'): Data => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `result-${toolCallId}`,
  toolCallId,
  content,
});
const ask = (toolCallId: string, id = `ask-${toolCallId}`): Data => ({ id, reason: 'tool_call', toolCallId });
const finished = (...interrupts: Data[]): Data => ({
  type: 'RUN_FINISHED',
  threadId: 'chat',
  runId: 'run',
  ...(interrupts.length && { outcome: { type: 'interrupt', interrupts } }),
});
const failed = { type: 'RUN_ERROR', message: 'the database is locked' };
const text = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', role: 'assistant', delta: 'Done.' };
const snapshot = (...last: Data[]): Data => {
  const toolCalls = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'remove', arguments: '{}' } }));
  const messages = [
    { id: 'message-0', role: 'user', content: 'Go.' },
    { id: 'm', role: 'assistant', toolCalls },
  ];
  return { type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...last] };
};
const tool = (toolCallId: string, content: string): Data => ({
  id: `t-${toolCallId}`,
  role: 'tool',
  toolCallId,
  content,
});

/** A gate whose calls `a` and `b` were approved and denied, and what its server does. */
function answered() {
  const gate = gateFor('ag-ui', { protocol: agUi });
  const events: GateEvent[] = [];
  gate.onEvent((event) => void events.push(event));
  const reply = (given: readonly Data[], status: 'finished' | 'disconnected' | 'error' = 'finished'): void => {
    const { id: requestId, attempt } = gate.outgoing()[0]!;
    gate.claim(requestId);
    gate.markSent(requestId);
    for (const event of given) gate.receive(event, { requestId, attempt });
    gate.streamEnded({ status }, { requestId, attempt });
  };
  const delivery = (): unknown[] => gate.undelivered().map((item) => item.delivery);
  const resume = (): Data => (gate.outgoing()[0]?.body as Data)?.resume;
  gate.sendUserMessage({ text: 'Go.' });
  reply([START, ...call('a'), ...call('b'), finished(ask('a'), ask('b'))]);
  gate.respond('ask-a', { approved: true });
  gate.respond('ask-b', { approved: false });
  return { gate, events, reply, delivery, resume };
}

const ANSWERS = [
  { interruptId: 'ask-a', status: 'resolved', payload: { approved: true } },
  { interruptId: 'ask-b', status: 'resolved', payload: { approved: false } },
];

describe('the interrupts are still open after', () => {
  test.each<[string, readonly Data[], 'finished' | 'disconnected' | 'error']>([
    ['an error before the run', [failed], 'finished'],
    ['an error before the run, and a stream that ends with an error', [failed], 'error'],
    ['an error at once', [START, failed], 'finished'],
    ['two errors', [START, failed, failed], 'finished'],
    ['an error without a text', [START, { type: 'RUN_ERROR' }], 'finished'],
    ['an error that is no text', [START, { type: 'RUN_ERROR', message: { code: 7 } }], 'finished'],
    ['a start alone', [START], 'disconnected'],
    ['two starts', [START, START, failed], 'finished'],
    [
      'state, steps and activities',
      [
        START,
        { type: 'STATE_SNAPSHOT', snapshot: {} },
        { type: 'STEP_STARTED', stepName: 's' },
        { type: 'CUSTOM', name: 'x', value: 1 },
        { type: 'ACTIVITY_SNAPSHOT', messageId: 'x', activityType: 'PLAN', content: {} },
        failed,
      ],
      'finished',
    ],
    ['a snapshot of what is known', [START, snapshot(), failed], 'finished'],
    ['a snapshot with a result of the denied call', [START, snapshot(tool('b', 'rejected')), failed], 'finished'],
    ['the same interrupts', [START, finished(ask('a'), ask('b'))], 'finished'],
    ['one of them', [START, finished(ask('b'))], 'finished'],
    ['the same interrupts twice', [START, finished(ask('a'), ask('a'), ask('b'))], 'finished'],
    [
      'the calls and the interrupts',
      [
        START,
        ...call('c').map((event) => ({ ...event, ...(event.toolCallName && { toolCallName: 'confirm_changes' }) })),
        finished(ask('a'), ask('b')),
      ],
      'finished',
    ],
  ])('%s', (_, events, status) => {
    const { gate, reply, delivery, resume } = answered();
    expect(resume()).toEqual(ANSWERS);
    reply(events, status);
    expect(delivery()).toEqual(['unconfirmed']);
    expect(gate.getSnapshot().turn.waitingFor).toEqual([{ kind: 'retry', ids: [gate.undelivered()[0]?.id] }]);
    expect(gate.outgoing()).toEqual([]);
    expect([gate.part('a')?.state, gate.part('a')?.outcome]).toEqual(['approval-responded', undefined]);
    // A message waits. The same answers are sent again, and it follows their reply.
    expect(gate.sendUserMessage({ text: 'And?' })).toBe('queued');
    expect(gate.outgoing()).toEqual([]);
    gate.retry(gate.undelivered()[0]!.id);
    expect(resume()).toEqual(ANSWERS);
    reply([START, result('a'), text, finished()]);
    expect(gate.part('a')).toMatchObject({ state: 'output-available', output: 'removed' });
    expect((gate.outgoing()[0]?.body as Data).messages.at(-1)).toMatchObject({ role: 'user', content: 'And?' });
    expect(delivery()).toEqual([]);
  });
});

test('the request never left: it failed, and is the same after a reload', () => {
  const { gate, resume } = answered();
  const { id } = gate.outgoing()[0]!;
  gate.claim(id);
  gate.markFailed(id, 'offline');
  const later = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: agUi, chatId: 'chat' });
  later.retry(id);
  expect((later.outgoing()[0]?.body as Data).resume).toEqual(ANSWERS);
  gate.retry(id);
  expect(resume()).toEqual(ANSWERS);
});

describe('the answers were received, although', () => {
  test('the run starts once more and fails then: its error is reported', () => {
    const { gate, reply, delivery, events } = answered();
    reply([START, result('a'), START, failed]);
    expect(delivery()).toEqual([]);
    expect(gate.part('a')).toMatchObject({ state: 'output-available' });
    expect(gate.getSnapshot().turn.ending).toBe('failed');
    expect(events.filter(({ type }) => type === 'reply-failed')).toMatchObject([{ error: failed.message }]);
  });

  test('the server asks about the approved call under another id', () => {
    const { gate, reply, delivery, resume } = answered();
    reply([START, finished(ask('a', 'ask-again'))]);
    expect(delivery()).toEqual([]);
    expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([['ask-again', 'a']]);
    gate.respond('ask-again', { approved: false });
    expect(resume()).toEqual([{ interruptId: 'ask-again', status: 'resolved', payload: { approved: false } }]);
  });
});

describe('a snapshot', () => {
  const placeholder = '{"error": "This tool call requires confirmation, please approve or reject."}';

  test('settles no call that waits for an answer', () => {
    const gate = gateFor('ag-ui', { protocol: agUi });
    gate.sendUserMessage({ text: 'Go.' });
    gate.markSent(gate.outgoing()[0]!.id);
    for (const event of [START, ...call('a'), ...call('b'), snapshot(tool('a', placeholder), tool('b', 'removed'))])
      gate.receive(event);
    gate.receive(finished(ask('a'), ask('b')));
    gate.receive(snapshot(tool('a', 'removed'), tool('b', 'removed')));
    gate.streamEnded({ status: 'finished' });
    expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
  });

  test('has a call that was not streamed, with a result that says that it waits', () => {
    const gate = gateFor('ag-ui', { protocol: agUi });
    gate.sendUserMessage({ text: 'Go.' });
    gate.markSent(gate.outgoing()[0]!.id);
    for (const event of [START, snapshot(tool('a', placeholder)), finished(ask('a'), ask('b'))]) gate.receive(event);
    gate.streamEnded({ status: 'finished' });
    expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
  });

  test('still has the old result of an approved call', () => {
    const { gate, reply } = answered();
    reply([START, snapshot(tool('a', placeholder), tool('b', 'rejected')), result('a'), finished()]);
    expect(gate.part('a')).toMatchObject({ state: 'output-available', output: 'removed' });
    expect(gate.part('b')).toMatchObject({ state: 'output-denied' });
  });
});
