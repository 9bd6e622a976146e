/**
 * docs/policies.md: its samples run, and the rows of its tables match the behaviour.
 */
import { Chat } from '@ai-sdk/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { init, ToolGate, type OnDeny, type OnUserMessage, type ToolGateOptions } from 'toolgate';
import { gateOf as gateFor, guard } from 'toolgate/ai-sdk';

import { ask, asking, reply, send, thrownBy } from '../gate/support.js';
import { block, firstCells } from './support/pages.js';
import { run } from './support/run.js';
import { anthropic } from 'toolgate/protocols/anthropic';
import { claudeAgentSdk } from 'toolgate/protocols/claude-agent-sdk';

await init();

/** The status of each call, such as `c1 denied`. */
const outcomes = (gate: ToolGate): string[] =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) =>
      parts.flatMap((part) => ('toolCallId' in part ? [`${part.toolCallId} ${part.outcome?.kind ?? part.state}`] : [])),
    );

/** Sends a message; the reply has an approval request for each of these calls. The approval of `c1` is `a1`. */
function asks(gate: ToolGate, calls: readonly string[], input?: unknown): void {
  gate.sendUserMessage({ text: 'Tidy up' });
  send(gate);
  const chunks = calls.flatMap((call) => [
    {
      type: 'tool-input-available',
      toolCallId: call,
      toolName: call === 'c3' ? 'send' : 'edit',
      input: input ?? { to: call },
    },
    { type: 'tool-approval-request', approvalId: call.replace('c', 'a'), toolCallId: call },
  ]);
  reply(gate, [{ type: 'start', messageId: 'm1' }, { type: 'start-step' }, ...chunks, { type: 'finish' }]);
}

describe('the first sample', () => {
  let gate: ToolGate;
  beforeEach(async () => {
    ({ gate } = (await run('policies', block('policies', "onDeny: 'by-reason', // one call"), {}, ['gate'])) as {
      gate: ToolGate;
    });
    vi.useFakeTimers();
    gate.subscribe(() => {});
    asks(gate, ['c1', 'c2', 'c3']);
  });
  afterEach(() => void vi.useRealTimers());

  it('a denial without a reason ends the turn', () => {
    gate.respond('a1', { approved: false });
    expect(outcomes(gate)).toEqual(['c1 denied', 'c2 skipped', 'c3 skipped']);
    expect(gate.outgoing()).toEqual([]);
  });

  it('a message cancels undecided calls', () => {
    gate.sendUserMessage({ text: 'Something else' });
    expect(outcomes(gate)).toEqual(['c1 cancelled', 'c2 cancelled', 'c3 cancelled']);
  });

  it('after ten minutes an approval expires', async () => {
    await vi.advanceTimersByTimeAsync(599_000);
    expect(gate.pending()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcomes(gate)).toEqual(['c1 expired', 'c2 expired', 'c3 expired']);
    expect([gate.outgoing().length, gate.nextDeadline()]).toEqual([1, null]);
  });
});

/**
 * By the value of `onDeny`: the statuses of a step's calls after `c1` was approved and `c2` denied, and the number of
 * requests that are then ready.
 */
const ON_DENY: Record<OnDeny, { reason?: string; are: string[]; leave: number }[]> = {
  continue: [{ are: ['c1 approval-responded', 'c2 denied', 'c3 approval-requested'], leave: 0 }],
  'skip-rest': [{ are: ['c1 approval-responded', 'c2 denied', 'c3 skipped'], leave: 1 }],
  'end-turn': [{ are: ['c1 skipped', 'c2 denied', 'c3 skipped'], leave: 0 }],
  'by-reason': [
    { are: ['c1 skipped', 'c2 denied', 'c3 skipped'], leave: 0 },
    { reason: 'No', are: ['c1 approval-responded', 'c2 denied', 'c3 skipped'], leave: 1 },
  ],
};

/**
 * By the value of `onUserMessage`: the statuses of the calls after a user message, and what happens to the message.
 */
const ON_USER_MESSAGE: Record<OnUserMessage, { are: string; message: 'sent' | 'queued' | 'message-blocked' }> = {
  'deny-pending': { are: 'denied', message: 'sent' },
  'cancel-pending': { are: 'cancelled', message: 'sent' },
  queue: { are: 'approval-requested', message: 'queued' },
  block: { are: 'approval-requested', message: 'message-blocked' },
  pass: { are: 'approval-requested', message: 'sent' },
};

const gateOf = (options: ToolGateOptions, calls = ['c1', 'c2', 'c3']): ToolGate => {
  const gate = new ToolGate(options);
  asks(gate, calls);
  return gate;
};

describe('onDeny', () => {
  it('has a row for each value', () => {
    expect(firstCells('policies', '## One call is denied').map((code) => code.replaceAll("'", ''))).toEqual(
      Object.keys(ON_DENY),
    );
  });

  it.each(Object.entries(ON_DENY).flatMap(([onDeny, cases]) => cases.map((one) => [onDeny as OnDeny, one] as const)))(
    '%s, %o',
    (onDeny, { reason, are, leave }) => {
      const gate = gateOf({ onDeny });
      gate.respond('a1', { approved: true });
      gate.respond('a2', { approved: false, ...(reason && { reason }) });
      expect(outcomes(gate)).toEqual(are);
      expect(gate.outgoing()).toHaveLength(leave);
      if (are[0] === 'c1 skipped')
        expect(thrownBy(() => gate.respond('a1', { approved: true })).code).toBe('already-decided');
    },
  );
});

describe('onUserMessage', () => {
  it('has a row for each value', () => {
    expect(firstCells('policies', '## The user writes instead').map((code) => code.replaceAll("'", ''))).toEqual(
      Object.keys(ON_USER_MESSAGE),
    );
  });

  it.each(Object.entries(ON_USER_MESSAGE))('%s', (onUserMessage, { are, message }) => {
    const { messages } = gateOf({}, ['c1', 'c2']).getSnapshot();
    const gate = new ToolGate({
      onUserMessage: onUserMessage as OnUserMessage,
      ...(onUserMessage === 'pass' && { protocol: claudeAgentSdk }),
    });
    gate.load(messages);
    const says = (): string => gate.sendUserMessage({ text: 'go on' });
    expect(message === 'message-blocked' ? thrownBy(says).code : says()).toBe(message);
    expect(outcomes(gate)).toEqual([`c1 ${are}`, `c2 ${are}`]);
    expect(gate.outgoing()).toHaveLength(message === 'sent' ? 1 : 0);
    expect(gate.getSnapshot().queued).toHaveLength(message === 'queued' || onUserMessage === 'pass' ? 1 : 0);
  });
});

it('a blocked message stays in its field', async () => {
  const chat = guard(new Chat({}), { gate: { onUserMessage: 'block' } });
  const { submit } = await run('policies', block('policies', "'message-blocked') throw"), { chat });
  gateFor(chat).load([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Tidy up' }] },
    {
      id: 'm1',
      role: 'assistant',
      parts: [{ type: 'tool-edit', toolCallId: 'c1', state: 'approval-requested', input: {}, approval: { id: 'a1' } }],
    },
  ]);
  const field = { value: 'go on' };
  await submit(field);
  expect(field.value).toBe('go on');
  expect(gateFor(chat).pending()).toHaveLength(1);
});

describe('items that hold a message', () => {
  /** A gate whose `c1` is approved, and whose request was sent. */
  function sent(): { gate: ToolGate; id: string } {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    return { gate, id: send(gate) };
  }

  it('an unsent approval is sent first, alone', () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    expect(gate.sendUserMessage({ text: 'go on' })).toBe('queued');
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1'] }]);
    send(gate);
    reply(gate, [{ type: 'tool-output-available', toolCallId: 'c1', output: 1 }, { type: 'finish' }]);
    expect(gate.getSnapshot().messages.at(-1)?.role).toBe('user');
    expect(gate.outgoing()).toHaveLength(1);
  });

  it('denials are sent with the message', () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: false });
    expect(gate.sendUserMessage({ text: 'go on' })).toBe('sent');
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1'] }]);
  });

  it('a failed request holds the message until retry, cancel or a second message', () => {
    for (const way of ['retry', 'cancel', 'message'] as const) {
      const { gate, id } = sent();
      gate.markFailed(id, 'no network');
      expect(gate.sendUserMessage({ text: 'go on' })).toBe('queued');
      expect(gate.outgoing()).toEqual([]);
      if (way === 'retry') gate.retry(id);
      if (way === 'cancel') gate.cancel();
      if (way === 'message') gate.sendUserMessage({ text: 'go on!' });
      expect(gate.outgoing()).toMatchObject(way === 'retry' ? [{ id, attempt: 2 }] : [{ approvalIds: [] }]);
      expect(outcomes(gate)).toEqual([
        { retry: 'c1 approval-responded', cancel: 'c1 cancelled', message: 'c1 interrupted' }[way],
      ]);
    }
  });

  it('an unconfirmed request and a stalled turn do not hold the message', () => {
    for (const status of ['disconnected', 'finished'] as const) {
      const { gate } = sent();
      gate.streamEnded({ status });
      expect(gate.undelivered()).toMatchObject([{ delivery: status === 'finished' ? 'stalled' : 'unconfirmed' }]);
      expect(gate.sendUserMessage({ text: 'go on' })).toBe('sent');
      expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({
        outcome: { kind: 'interrupted', mayHaveRun: true },
      });
    }
  });

  it('a browser tool without a result is closed', () => {
    const { gate } = asking(['c1'], { browserTools: ['edit'] });
    gate.respond('approve-c1', { approved: true });
    expect(gate.sendUserMessage({ text: 'go on' })).toBe('sent');
    expect(outcomes(gate)).toEqual(['c1 interrupted']);
  });
});

it('remembered decisions are listed, applied and deleted', async () => {
  const gate = gateOf({}, ['c1', 'c2', 'c3']);
  const listed = vi.spyOn(gate, 'remembered');
  await run('policies', block('policies', "gate.forget('mem-1')"), { gate });
  expect(listed.mock.results[0]?.value).toMatchObject([
    { id: 'mem-1', toolName: 'edit', approved: true, for: 'chat', scope: 'input' },
    { toolName: 'edit', approved: true, for: 'chat', scope: 'tool', expiresAt: expect.any(Number) },
    { toolName: 'send', approved: false, reason: 'No e-mails', for: 'always', scope: 'tool' },
  ]);
  expect(gate.remembered().map(({ id }) => id)).not.toContain('mem-1');
});

it('decisions that are remembered for `always` are passed to the next gate', async () => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  });
  const sample = block('policies', 'localStorage.getItem');
  const { gate } = (await run('policies', sample, {}, ['gate'])) as { gate: ToolGate };
  asks(gate, ['c3']);
  gate.respond('a3', { approved: false, reason: 'No e-mails', remember: { for: 'always', scope: 'tool' } });
  const { gate: next } = (await run('policies', sample, {}, ['gate'])) as { gate: ToolGate };
  asks(next, ['c3'], { to: 'another' });
  expect(outcomes(next)).toEqual(['c3 denied']);
  vi.unstubAllGlobals();
});

it('a turn that failed is continued, or removed', async () => {
  const { gate } = asking([]);
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  for (const chunk of [{ type: 'start', messageId: 'a2' }, { type: 'start-step' }, ...ask('c1')]) gate.receive(chunk);
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 1 });
  gate.streamEnded({ status: 'disconnected' });
  expect(gate.getSnapshot().turn.status).toBe('incomplete');
  const snapshot = gate.toJSON();
  const { gate: taken } = (await run('policies', block('policies', "incompleteTurn: 'drop'"), { snapshot }, [
    'gate',
  ])) as { gate: ToolGate };
  expect(taken.getSnapshot().messages.at(-1)?.role).toBe('user');
  expect(ToolGate.restore(snapshot).getSnapshot().messages.at(-1)?.role).toBe('assistant');
});

it('the model reads the texts of the samples', async () => {
  const words = (await run('policies', block('policies', 'texts: {'), {}, ['gate'])) as { gate: ToolGate };
  asks(words.gate, ['c1']);
  words.gate.respond('a1', { approved: false });
  expect(JSON.stringify(words.gate.assemble(anthropic))).toContain('The user said no.');

  const { gate } = (await run('policies', block('policies', 'rewriteResult: async'), {}, ['gate'])) as {
    gate: ToolGate;
  };
  asks(gate, ['c1']);
  gate.respond('a1', { approved: false, reason: 'No' });
  expect(gate.outgoing()).toEqual([]);
  await vi.waitFor(() => expect(gate.outgoing()).toHaveLength(1));
  expect(JSON.stringify(gate.outgoing()[0]?.body)).toContain('denied by user. No Do not call edit again');
});
