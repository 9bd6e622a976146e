/** A request of opencode's server always has a place: both versions of permissions, questions, and subagents. */
import { expect, test } from 'vitest';
import { bodiesOf, callsOf, firstReply, type FirstReply } from './first-reply';
import type { Data } from './support';

const sessionID = 'chat';
const event = (type: string, properties: Data): Data => ({ type, properties: { sessionID, ...properties } });
const running = (callID: string, tool: string, input: Data): Data =>
  event('message.part.updated', {
    part: {
      id: `p-${callID}`,
      sessionID,
      messageID: 'm',
      type: 'tool',
      callID,
      tool,
      state: { status: 'running', input },
    },
  });
const begun = (): FirstReply => {
  const reply = firstReply('opencode', { browserTools: [] });
  reply.take(running('c1', 'bash', { command: 'ls' }));
  return reply;
};
const asked = (more: Data = {}): Data =>
  event('permission.v2.asked', {
    id: 'per_1',
    action: 'bash',
    resources: ['ls'],
    save: ['ls *'],
    source: { type: 'tool', messageID: 'm', callID: 'c1' },
    ...more,
  });

test('a permission of the second version belongs to its call, and its answer names the session', () => {
  const { gate, take, wrong } = begun();
  take(asked());
  expect(gate.pending()).toMatchObject([{ approvalId: 'per_1', toolCallId: 'c1', input: { command: 'ls' } }]);
  gate.respond('per_1', { approved: false, reason: 'No.' });
  expect(bodiesOf(gate)).toEqual([{ sessionID, requestID: 'per_1', reply: 'reject', message: 'No.' }]);
  expect(wrong).toEqual([]);
});

test('events of the second version may have their properties in `data`, and may be decided elsewhere', () => {
  const { gate, take, wrong } = begun();
  const { type, properties: data } = asked();
  take({ type, data });
  expect(gate.pending()).toHaveLength(1);
  take(event('permission.v2.replied', { requestID: 'per_1', reply: 'once' }));
  expect([gate.pending(), gate.outgoing(), wrong]).toEqual([[], [], []]);
});

test('a request of a subagent is shown, with who asks, whatever the page has seen of its session', () => {
  const child = { id: 'ses_2', parentID: sessionID, title: 'Find the docs' };
  for (const isKnown of [true, false]) {
    for (const isV2 of [true, false]) {
      const { gate, take, wrong } = begun();
      if (isKnown) take(event('session.created', { sessionID: child.id, info: child }));
      const tool = { messageID: 'm2', callID: 'x' };
      if (isV2) take(asked({ sessionID: child.id, source: tool }));
      else
        take(
          event('permission.asked', { sessionID: child.id, id: 'per_1', permission: 'bash', patterns: ['ls'], tool }),
        );
      expect(gate.pending()).toMatchObject([{ approvalId: 'per_1', toolName: 'bash', input: { patterns: ['ls'] } }]);
      expect(callsOf(gate)[1].approval.requestedBy).toBe(isKnown ? child.title : child.id);
      gate.respond('per_1', { approved: true });
      expect(bodiesOf(gate)).toEqual([{ ...(isV2 && { sessionID: child.id }), requestID: 'per_1', reply: 'once' }]);
      expect(wrong).toEqual([]);
    }
  }
});

const questions = [
  { question: 'Which database?', header: 'Database', options: [{ label: 'SQLite', description: 'A file.' }] },
  { question: 'Which days?', header: 'Days', options: [], multiple: true, custom: false },
];

test.each(['question', 'question.v2'])('%s: asked in the form of the page, and answered', (kind) => {
  const about = kind === 'question' ? {} : { sessionID };
  for (const [output, answer] of [
    [{ action: 'accept', content: { 0: 'SQLite', 1: ['Mo', 'Tu'] } }, { answers: [['SQLite'], ['Mo', 'Tu']] }],
    [{ action: 'accept', content: { 0: 'SQLite' } }, { answers: [['SQLite'], []] }],
    [{ action: 'decline' }, {}],
    [{ action: 'cancel' }, {}],
  ]) {
    const { gate, take, wrong } = begun();
    take(event(`${kind}.asked`, { id: 'que_1', questions, tool: { messageID: 'm', callID: 'c1' } }));
    expect(gate.getSnapshot().turn.waitingFor).toContainEqual({ kind: 'tool', toolCallIds: ['que_1'] });
    expect(callsOf(gate)[1]).toMatchObject({
      toolName: 'question',
      input: {
        questions: [
          { id: '0', multiSelect: false, isOther: true },
          { id: '1', multiSelect: true, isOther: false },
        ],
      },
    });
    gate.addToolOutput('que_1', { output });
    expect(bodiesOf(gate)).toEqual([{ ...about, requestID: 'que_1', ...answer }]);
    gate.markSent(gate.outgoing()[0]!.id);
    take(event(`${kind}.replied`, { requestID: 'que_1', answers: [] }));
    expect([gate.outgoing(), wrong]).toEqual([[], []]);
  }
});

test('`cancel()` rejects an open question; one that was answered elsewhere is closed', () => {
  const { gate, take } = begun();
  take(event('question.asked', { id: 'que_1', questions }));
  gate.cancel();
  expect(bodiesOf(gate)).toEqual([{ requestID: 'que_1' }]);
  const other = begun();
  other.take(event('question.asked', { id: 'que_1', questions }), event('question.rejected', { requestID: 'que_1' }));
  expect(callsOf(other.gate)[1].outcome.kind).toBe('failed');
  expect([other.gate.outgoing(), other.wrong]).toEqual([[], []]);
});
