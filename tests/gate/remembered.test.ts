/**
 * Remembered decisions, through the public API: for one input or a whole tool; they are listed, can be removed, and are
 * saved.
 */
import { describe, expect, it } from 'vitest';
import { digest, ToolGate, type Remember, type RememberedDecision, type SavedGate } from 'toolgate';

import { expectAccepted, served, VERSIONS } from './backends.js';
import { ask, asking, reply, send, thrownBy } from './support.js';

const NOW = { now: (): number => 1000 };

/** A gate that remembers a decision about `edit` with `{ path: 'x' }`, after the end of the turn. */
function remembering(approved: boolean, remember: Remember, options: object = {}): ToolGate {
  const { gate } = asking([], { ...NOW, ...options });
  next(gate, ask('c1', { path: 'x' }));
  expect(gate.respond('approve-c1', { approved, remember, reason: 'as always' })).toBe('accepted');
  send(gate);
  const settled = approved
    ? { type: 'tool-output-available', toolCallId: 'c1', output: 1 }
    : { type: 'tool-output-denied', toolCallId: 'c1' };
  reply(gate, [settled, { type: 'text-start', id: 't' }, { type: 'text-end', id: 't' }, { type: 'finish' }]);
  return gate;
}

/** Runs a turn with this reply. */
function next(gate: ToolGate, chunks: object[]): void {
  gate.sendUserMessage({ text: 'go on' });
  send(gate);
  reply(gate, [
    { type: 'start', messageId: `r${gate.getSnapshot().messages.length}` },
    { type: 'start-step' },
    ...chunks,
    { type: 'finish' },
  ]);
}

const pendingCalls = (gate: ToolGate): string[] => gate.pending().map((entry) => entry.toolCallId);

function partOf(gate: ToolGate, call: string): object {
  return gate
    .getSnapshot()
    .messages.flatMap((message) => message.parts)
    .find((part) => 'toolCallId' in part && part.toolCallId === call) as object;
}

it.each<Remember>(['chat', 'always', { for: 'chat', scope: 'input' }])(
  'remember: %j applies to the same input',
  (remember) => {
    const gate = remembering(true, remember);
    next(gate, [...ask('c2', { path: 'x' }), ...ask('c3', { path: 'y' })]);
    expect(pendingCalls(gate)).toEqual(['c3']);
    expect(partOf(gate, 'c2')).toMatchObject({
      state: 'approval-responded',
      approval: { approved: true, reason: 'as always' },
      decidedBy: 'remembered',
    });
  },
);

it('an input with its keys in another order is the same input', () => {
  const { gate } = asking([], NOW);
  next(gate, ask('c1', { a: 1, b: 2 }));
  gate.respond('approve-c1', { approved: true, remember: 'chat' });
  send(gate);
  reply(gate, [{ type: 'tool-output-available', toolCallId: 'c1', output: 1 }, { type: 'finish' }]);
  next(gate, ask('c2', { b: 2, a: 1 }));
  expect(pendingCalls(gate)).toEqual([]);
});

it('a decision with `remember: once`, which is the default, is not remembered', () => {
  for (const remember of ['once', undefined] as const) {
    const { gate } = asking(['c1'], NOW);
    gate.respond('approve-c1', { approved: true, ...(remember && { remember }) });
    expect(gate.remembered()).toEqual([]);
  }
});

it('a decision applies to a whole tool only with the scope `tool`', () => {
  const gate = remembering(true, { for: 'chat', scope: 'tool' });
  next(gate, ask('c2', { path: 'y' }));
  expect(pendingCalls(gate)).toEqual([]);
  expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c2'] }]);
});

it('a remembered decision is listed with all its fields, and can be forgotten', () => {
  const gate = remembering(false, 'always');
  const [entry] = gate.remembered() as [RememberedDecision];
  expect(entry).toEqual({
    id: entry.id,
    toolName: 'edit',
    approved: false,
    reason: 'as always',
    for: 'always',
    scope: 'input',
    inputDigest: digest({ path: 'x' }),
    decidedAt: 1000,
  });
  gate.forget('nobody');
  expect(gate.remembered()).toHaveLength(1);
  gate.forget(entry.id);
  expect(gate.remembered()).toEqual([]);
  next(gate, ask('c2', { path: 'x' }));
  expect(pendingCalls(gate)).toEqual(['c2']);
});

it('pending calls with the same input are decided too, in one submission', async () => {
  const { gate } = asking([], NOW);
  next(gate, [...ask('c1', { path: 'x' }), ...ask('c2', { path: 'x' })]);
  gate.respond('approve-c1', { approved: true, remember: 'chat' });
  expect(gate.pending()).toEqual([]);
  const body = JSON.stringify(gate.outgoing()[0]);
  expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1', 'approve-c2'] }]);
  expect(body).not.toMatch(/isAutomatic|decidedBy/);
  await expectAccepted(gate.outgoing()[0]);
});

it('a remembered decision makes a normal decision for a new call: it is emitted, logged and final', () => {
  const gate = remembering(true, 'chat');
  const decided: unknown[] = [];
  gate.onEvent((event) => event.type === 'decision' && decided.push([event.toolCallId, event.approved, event.by]));
  next(gate, ask('c2', { path: 'x' }));
  expect(decided).toEqual([['c2', true, 'remembered']]);
  expect(
    gate
      .auditLog()
      .filter((entry) => entry.type === 'decided')
      .map(({ by }) => by),
  ).toEqual(['user', 'remembered']);
  expect(gate.respond('approve-c2', { approved: true })).toBe('duplicate');
  expect(thrownBy(() => gate.respond('approve-c2', { approved: false })).code).toBe('already-decided');
});

it('a duplicate decision is not remembered', () => {
  const { gate } = asking(['c1', 'c2'], NOW);
  gate.respond('approve-c1', { approved: true });
  expect(gate.respond('approve-c1', { approved: true, remember: 'chat' })).toBe('duplicate');
  expect(gate.remembered()).toEqual([]);
});

it('remembered decisions are saved in the snapshot', () => {
  const gate = remembering(true, { for: 'always', scope: 'tool' });
  const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate, NOW);
  expect(copy.remembered()).toEqual(gate.remembered());
  next(copy, ask('c2', { path: 'y' }));
  expect(pendingCalls(copy)).toEqual([]);
});

it('a remembered decision expires at its expiresAt', () => {
  const clock = { now: 1000 };
  const gate = remembering(true, { for: 'chat', scope: 'tool', expiresAt: 2000 }, { now: () => clock.now });
  expect(gate.remembered()).toMatchObject([{ expiresAt: 2000 }]);
  clock.now = 2000;
  expect(gate.remembered()).toEqual([]);
  next(gate, ask('c2'));
  expect(pendingCalls(gate)).toEqual(['c2']);
});

it('a decision with an infinite expiresAt never expires, also after it was saved and restored', () => {
  const gate = remembering(true, { for: 'chat', scope: 'tool', expiresAt: Infinity });
  expect(gate.remembered()[0]).not.toHaveProperty('expiresAt');
  const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate, NOW);
  expect(copy.remembered()).toEqual(gate.remembered());
});

it('another chat applies decisions that are remembered for always', () => {
  const always = remembering(true, 'always').remembered();
  const { gate } = asking([], { ...NOW, remembered: always });
  next(gate, [...ask('c1', { path: 'x' }), ...ask('c2', { path: 'y' })]);
  expect(pendingCalls(gate)).toEqual(['c2']);
  expect(gate.remembered()).toMatchObject([
    { for: 'always', scope: 'input', inputDigest: digest({ path: 'x' }), decidedAt: 1000 },
  ]);
  const copy = ToolGate.restore(gate.toJSON(), { ...NOW, remembered: always });
  expect(copy.remembered()).toHaveLength(1);
});

it('a remembered denial applies the policy onDeny', () => {
  const gate = ToolGate.restore(remembering(false, 'chat').toJSON(), { ...NOW, onDeny: 'end-turn' });
  gate.sendUserMessage({ text: 'go on' });
  send(gate);
  reply(gate, [
    { type: 'start', messageId: 'r9' },
    ...ask('c2', { path: 'y' }),
    ...ask('c3', { path: 'x' }),
    { type: 'finish' },
  ]);
  expect(gate.pending()).toEqual([]);
  expect(partOf(gate, 'c2')).toMatchObject({ outcome: { kind: 'skipped' } });
  expect(gate.outgoing()).toEqual([]);
});

it.each([
  'forever',
  {},
  null,
  { for: 'chat' },
  { for: 'chat', scope: 'all' },
  { for: 'chat', scope: 'tool', expiresAt: 0 },
  5,
])('remember: %j is refused, and nothing is decided', (remember) => {
  const { gate } = asking(['c1']);
  expect(() => gate.respond('approve-c1', { approved: true, remember: remember as never })).toThrow(TypeError);
  expect(gate.pending()).toHaveLength(1);
});

describe.each(VERSIONS)('with a real server of ai %i', (version) => {
  it('a remembered approval runs the tool once, without asking', async () => {
    const call = (id: string): object => ({ id, tool: 'edit', input: { path: 'x' } });
    const model = [{ calls: [call('e1')] }, { text: 'One.' }, { calls: [call('e2')] }, { text: 'Two.' }] as never;
    const { gate, backend, sent, deliver, approvalOf } = await served(version, model);
    gate.respond(approvalOf('e1'), { approved: true, remember: 'chat' });
    await deliver();
    gate.sendUserMessage({ text: 'again' });
    await deliver();
    expect(backend.ran).toEqual(['edit#e1', 'edit#e2']);
    expect([backend.errors, gate.pending(), sent.length]).toEqual([[], [], 4]);
  });
});
