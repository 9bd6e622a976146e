/** `describeCall` for calls of real gates: the words, who decided, and what the user can do. */
import { describe, expect, test } from 'vitest';
import { describeCall, type CallDescription, type ToolGate } from 'toolgate';
import { callOf, SCENES } from './scenes';

/** The status, the words and the possible actions of each scene. */
const EXPECTED: Readonly<Record<string, readonly [string, string, string]>> = {
  'the model writes the input': ['drafting', 'Writing. The model is still writing this call.', 'stop'],
  'it runs without an approval': ['running', 'Running.', 'stop'],
  'it waits for the user': ['waiting', 'Waiting for you.', 'approve deny cancel'],
  'the server decides': ['checking', 'Checking. The server decides about this call.', 'stop'],
  'the server approved it': ['running', 'Running.', 'stop'],
  'the server denied it': [
    'denied',
    'Denied. The server denied this call without asking. Reason: outside of office hours',
    '',
  ],
  'approved, another call is open': [
    'approved',
    'Approved. Your answer will be sent when the other calls are answered.',
    'cancel',
  ],
  'approved, the reply goes on': ['approved', 'Approved. Your answer will be sent when this reply ends.', 'cancel'],
  'approved, then stopped': [
    'approved',
    'Approved. Your answer was not sent: the reply was stopped, or broke off.',
    'cancel resume doNotRun',
  ],
  'approved, ready': ['approved', 'Approved. Sending your answer now.', 'cancel'],
  'approved, being sent': ['sending', 'Approved, sending. Your answer is being sent.', 'stop'],
  'approved, it runs': ['working', 'Approved, running. The server has received your answer.', 'stop'],
  'not delivered': [
    'undelivered',
    'Approved · No reply. No usable reply came. Your answer may have arrived. You can send it again.',
    'retry giveUp cancel',
  ],
  'perhaps delivered': [
    'unconfirmed',
    'Approved · Unconfirmed. We don’t know whether the server received your answer.',
    'retry giveUp cancel',
  ],
  'an empty reply': [
    'unknown',
    'Outcome unknown. It may have run: the reply ended before a result arrived.',
    'retry giveUp cancel',
  ],
  'the reply was lost': [
    'unknown',
    'Outcome unknown. It may have run: the reply ended before a result arrived.',
    'cancel',
  ],
  'an output': ['done', 'Done. {"deleted":"a.md"}', ''],
  'a preliminary output': ['working', 'Approved, running. The server has received your answer.', 'stop'],
  'an error of the tool': ['failed', 'Failed. EACCES: a.md', ''],
  denied: ['denied', 'Denied. It will not run.', ''],
  'denied with a reason': ['denied', 'Denied. Reason: not before June', ''],
  'denied by a remembered decision: b': ['denied', 'Denied. Answered by a decision you saved. It will not run.', ''],
  'the user wrote instead': ['denied', 'Denied. You sent a message instead of answering. It will not run.', ''],
  'the user wrote instead, loaded': ['denied', 'Denied. You sent a message instead of answering. It will not run.', ''],
  'skipped: b': ['skipped', 'Skipped. It did not run because another call was denied.', ''],
  'skipped, loaded: b': [
    'unconfirmed',
    'Denied · Unconfirmed. We don’t know whether the server received your answer.',
    'retry giveUp cancel',
  ],
  expired: ['expired', 'Expired. No answer in time. It did not run.', ''],
  cancelled: ['cancelled', 'Cancelled. It was cancelled.', ''],
  'cancelled with a reason': ['cancelled', 'Cancelled. enough for today', ''],
  'cancelled, may have run': ['cancelled', 'Cancelled. It was cancelled. It may have run; its outcome is unknown.', ''],
  'interrupted, may have run': [
    'interrupted',
    'Interrupted. Closed before a result arrived. It may have run; its outcome is unknown.',
    '',
  ],
  superseded: ['interrupted', 'Interrupted. The chat continued before this was answered. It did not run.', ''],
};

const described = (gate: ToolGate, name: string): CallDescription =>
  describeCall(callOf(gate, name), { view: gate.getSnapshot() });

const actions = ({ can }: CallDescription): string =>
  Object.entries(can)
    .flatMap(([name, is]) => (is ? [name] : []))
    .join(' ');

test('every scene is in the table', () => {
  expect(Object.keys(EXPECTED)).toEqual(Object.keys(SCENES));
});

describe.each(Object.entries(SCENES))('%s', (name, create) => {
  test('has its status, words and actions', () => {
    const call = described(create(), name);
    expect([call.status, `${call.label}. ${call.note}`.trim(), actions(call)]).toEqual(EXPECTED[name]);
  });

  test('the actions are those that the gate accepts', () => {
    const call = described(create(), name);
    if (call.can.approve) {
      const gate = create();
      expect(gate.respond(described(gate, name).approval!, { approved: true })).toBe('accepted');
    }
    const retrying = create();
    const item = described(retrying, name).undelivered;
    if (call.can.retry) {
      retrying.retry(item!.id);
      expect(described(retrying, name).can.retry).toBe(false);
    }
    const cancelling = create();
    cancelling.cancel();
    const now = described(cancelling, name);
    // A decision that was not sent is withdrawn; a denied call stays denied.
    expect(now.status !== call.status).toBe(call.can.cancel);
    if (call.can.cancel) expect([now.can.cancel, now.can.retry, now.can.approve]).toEqual([false, false, false]);
    const givingUp = create();
    if (call.can.giveUp) {
      givingUp.cancel(undefined, { id: item!.id });
      expect(givingUp.undelivered()).not.toContainEqual(expect.objectContaining({ id: item!.id }));
    }
    const closing = create();
    const approvalId = callOf(closing, name).approval?.id;
    if (approvalId !== undefined) closing.cancel(undefined, { approvalId });
    const isClosed = described(closing, name).status === 'cancelled' && call.status === 'approved';
    // An approval that waits for other calls, or for its request, can be withdrawn too; the card need not offer it.
    expect(isClosed).toBe(call.status === 'approved' && callOf(create(), name).delivery === 'held');
    if (call.can.doNotRun) expect(isClosed).toBe(true);
    const resuming = create();
    resuming.resume();
    expect(resuming.outgoing().length > create().outgoing().length).toBe(call.can.resume);
  });

  test('no text for the model is shown', () => {
    const marked = /Tool execution|Tool call|instead of answering\.$|superseded/;
    const { label, note, result, reason } = described(create(), name);
    expect([label, note, result, reason ?? ''].filter((text) => marked.test(text))).toEqual([]);
  });

  test('is the same object until it changes', () => {
    const gate = create();
    const first = described(gate, name);
    expect(described(gate, name)).toBe(first);
    expect(describeCall(callOf(gate, name), { view: { ...gate.getSnapshot() } })).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });
});

test('who decided', () => {
  const by = (name: string): unknown => described(SCENES[name]!(), name).decidedBy;
  expect({
    waiting: by('it waits for the user'),
    user: by('denied'),
    remembered: by('denied by a remembered decision: b'),
    message: by('the user wrote instead'),
    loaded: by('the user wrote instead, loaded'),
    server: by('the server denied it'),
    skipped: by('skipped: b'),
    expired: by('expired'),
    cancelled: by('cancelled'),
  }).toEqual({
    waiting: undefined,
    user: 'user',
    remembered: 'remembered',
    message: 'policy',
    loaded: 'policy',
    server: 'backend',
    skipped: 'policy',
    expired: 'policy',
    cancelled: undefined,
  });
});

test('a part that is older than the view still waits, but cannot be decided', () => {
  const gate = SCENES['it waits for the user']!();
  const part = callOf(gate, '');
  gate.cancel();
  const { status, can } = describeCall(part, { view: gate.getSnapshot() });
  expect([status, can.approve, can.deny]).toEqual(['waiting', false, false]);
});

test('an approval that the view no longer lists is closed', () => {
  const gate = SCENES['it waits for the user']!();
  const { note, can } = describeCall(callOf(gate, ''), { view: { ...gate.getSnapshot(), pending: [] } });
  expect([note, can.approve]).toEqual(['This request is closed.', false]);
});
