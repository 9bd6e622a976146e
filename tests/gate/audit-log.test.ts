/**
 * The audit log: every transition, decision, delivery and anomaly, with the host's time. Its length is limited, and it
 * is plain JSON.
 */
import { describe, expect, it } from 'vitest';
import { digest, init, ToolGate, type AuditEntry, type PendingApproval, type SavedGate } from 'toolgate';

import { ask, asking, reply, send } from './support.js';
import { langgraph } from 'toolgate/protocols/langgraph';

/** A chat with entries of all kinds, with a clock that advances at each step. */
function story(): { gate: ToolGate; at: (act: () => void) => void } {
  const clock = { now: 0 };
  const { gate } = asking([], { now: () => clock.now, onDeny: 'skip-rest' });
  const at = (act: () => void): void => {
    clock.now += 10;
    act();
  };
  at(() => gate.sendUserMessage({ text: 'go' }));
  at(() => send(gate));
  at(() =>
    reply(gate, [
      { type: 'start', messageId: 'r' },
      { type: 'start-step' },
      ...['c1', 'c2', 'c3'].flatMap((call) => ask(call)),
      { type: 'finish' },
    ]),
  );
  at(() => gate.respond('approve-c1', { approved: true }));
  at(() => gate.respond('approve-c2', { approved: false, reason: 'no' }));
  at(() => gate.markFailed(gate.outgoing()[0]?.id as string, 'offline'));
  at(() => gate.retry(gate.undelivered()[0]?.id as string));
  at(() => send(gate));
  at(() => reply(gate, [{ type: 'tool-output-available', toolCallId: 'c2', output: 1 }, { type: 'finish' }]));
  return { gate, at };
}

const short = (entry: AuditEntry): string => {
  const call = 'toolCallId' in entry && entry.toolCallId !== undefined ? ` ${entry.toolCallId}` : '';
  switch (entry.type) {
    case 'transition':
      return `${entry.at}${call} ${entry.from ?? ''}>${entry.to}`;
    case 'decided':
      return `${entry.at}${call} ${entry.approved ? 'approved' : 'denied'} by ${entry.by}`;
    case 'settled':
      return `${entry.at}${call} ${entry.outcome.kind}`;
    case 'delivery':
      return `${entry.at} ${entry.to} #${entry.attempt}${entry.error === undefined ? '' : ` (${entry.error})`}`;
    case 'anomaly':
      return `${entry.at}${call} ${entry.code}`;
    case 'requested':
      return `${entry.at}${call} requested`;
  }
};

it('lists all entries in order, each with its time', () => {
  const { gate } = story();
  const entries = gate.auditLog().filter(({ at }) => at >= 30);
  expect(entries.map(short).filter((line) => !/>(input|approval)/.test(line))).toEqual([
    '30 acknowledged #1',
    '30 c1 requested',
    '30 c2 requested',
    '30 c3 requested',
    '40 c1 approved by user',
    '50 c2 denied',
    '50 c2 denied by user',
    '50 c3 skipped',
    '50 c3 denied by policy',
    '50 ready #1',
    '60 in-flight #1',
    '60 failed #1 (offline)',
    '70 ready #2',
    '80 in-flight #2',
    '90 acknowledged #2',
    '90 c2 already-settled',
    '90 c2 approval-responded>output-denied',
    '90 c3 approval-responded>output-denied',
    '90 stalled #2',
  ]);
});

it('the entries of a request have its key and its approvals', () => {
  const { gate } = story();
  const deliveries = gate.auditLog().filter((entry) => entry.type === 'delivery' && entry.at >= 50);
  const key = (deliveries[0] as { key?: string } | undefined)?.key;
  expect(key).toMatch(/^tg_/);
  for (const entry of deliveries)
    expect(entry).toMatchObject({ key, approvalIds: ['approve-c1', 'approve-c2', 'approve-c3'] });
});

it.each([false, true])(
  'the entry of a withdrawn request has its key, whether the request was ever listed or not (%s)',
  (isListed) => {
    const { gate } = asking(['c1'], { chatId: 'chat', rewriteResult: () => new Promise<string>(() => {}) });
    gate.respond('approve-c1', { approved: true });
    const listed = isListed ? gate.outgoing().map(({ key }) => key) : [];
    gate.cancel();
    const entries = gate
      .auditLog()
      .flatMap((entry) =>
        entry.type === 'delivery' && entry.approvalIds.length > 0 ? [[entry.to, entry.key] as const] : [],
      );
    expect(entries.map(([to]) => to)).toEqual(['ready', 'withdrawn']);
    expect(entries[0]?.[1]).toMatch(/^tg_[0-9a-f]{40}$/);
    expect(new Set([...entries.map(([, key]) => key), ...listed]).size).toBe(1);
  },
);

it('the log is plain JSON', () => {
  const { gate } = story();
  const log = gate.auditLog();
  expect(log.length).toBeGreaterThan(20);
  expect(JSON.parse(JSON.stringify(log))).toEqual(log);
});

it('the log is plain JSON even if the backend gives a reason that is not a string', () => {
  const { gate } = asking([]);
  reply(gate, [
    { type: 'start', messageId: 'r' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: {} },
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1', isAutomatic: true },
    { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 10n },
  ]);
  expect(JSON.parse(JSON.stringify(gate.auditLog()))).toEqual(gate.auditLog());
});

it('the log keeps the last logLimit entries, and none for 0', () => {
  const full = story().gate.auditLog();
  expect(full.length).toBeGreaterThan(5);
  const kept = (logLimit: number): readonly AuditEntry[] => {
    const { gate } = asking(['c1', 'c2', 'c3'], { now: () => 1, logLimit });
    gate.respondAll({ approved: true });
    return gate.auditLog();
  };
  const all = kept(1000);
  expect(kept(3)).toEqual(all.slice(-3));
  expect(kept(1)).toEqual(all.slice(-1));
  expect(kept(0)).toEqual([]);
});

it('an expired approval is logged as expired and as denied by policy', () => {
  const { gate } = asking(['c1'], { now: () => 5, approvalTimeoutMs: 10, rewriteResult: () => 'mine' });
  gate.tick(15);
  expect(gate.auditLog().map(short).slice(-4)).toEqual([
    '5 c1 approval-requested>approval-responded',
    '5 c1 expired',
    '5 c1 denied by policy',
    '5 ready #1',
  ]);
});

describe('the input of a decision', () => {
  const decided = (gate: ToolGate) => gate.auditLog().filter((entry) => entry.type === 'decided');

  it.each<[string, (gate: ToolGate) => unknown]>([
    [
      'a decision with the digest',
      (gate) => gate.respond('approve-c1', { approved: true, inputDigest: gate.pending()[0]?.inputDigest as string }),
    ],
    ['the entry itself', (gate) => gate.respond(gate.pending()[0] as PendingApproval, { approved: false })],
    ['only an id', (gate) => gate.respond('approve-c1', { approved: true })],
    ['one decision for all', (gate) => gate.respondAll({ approved: true })],
    ['a deadline', (gate) => gate.tick(2000)],
    ['a message', (gate) => gate.sendUserMessage({ text: 'stop' })],
  ])('%s: the entry has the digest of the decided input', (_, act) => {
    const { gate } = asking(['c1'], { now: () => 1000, approvalTimeoutMs: 500 });
    act(gate);
    expect(decided(gate)).toMatchObject([
      { approvalId: 'approve-c1', toolName: 'edit', inputDigest: digest({ path: 'c1' }) },
    ]);
  });

  it('is recorded after a restore, with the tool name', () => {
    const gate = ToolGate.restore(JSON.parse(JSON.stringify(asking(['c1', 'c2']).gate)) as SavedGate);
    expect(gate.auditLog()).toEqual([]);
    gate.respond('approve-c2', { approved: true });
    expect(decided(gate)).toMatchObject([{ toolCallId: 'c2', toolName: 'edit', inputDigest: digest({ path: 'c2' }) }]);
  });

  it('an entry contains the digest of a mutable input at the time of the decision', () => {
    const { gate } = asking([]);
    const at = new Date(5);
    reply(gate, [{ type: 'start', messageId: 'a2' }, ...ask('c9', { at }), { type: 'finish' }]);
    gate.respond('approve-c9', { approved: true });
    at.setTime(6);
    expect(decided(gate)).toMatchObject([{ inputDigest: digest({ at: new Date(5) }) }]);
  });

  it('the entry for an input without a digest has no digest', () => {
    const { gate } = asking([]);
    reply(gate, [{ type: 'start', messageId: 'a2' }, ...ask('c9', { map: new Map() }), { type: 'finish' }]);
    gate.respond('approve-c9', { approved: true });
    expect(decided(gate)[0]).not.toHaveProperty('inputDigest');
  });

  it('an edited input has two digests: of the shown and of the approved input', async () => {
    await init();
    const gate = new ToolGate({ protocol: langgraph });
    gate.load([
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'x' }] },
      {
        id: 'a1',
        role: 'assistant',
        parts: [
          {
            type: 'tool-edit',
            toolCallId: 'c1',
            state: 'approval-requested',
            input: { path: 'a' },
            approval: { id: 'approve-c1' },
          },
        ],
      },
    ]);
    gate.respond('approve-c1', { approved: true, input: { path: 'b' } });
    expect(decided(gate)).toMatchObject([
      { inputDigest: digest({ path: 'a' }), editedInputDigest: digest({ path: 'b' }) },
    ]);
  });
});
