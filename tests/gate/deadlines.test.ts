/**
 * Deadlines, through the public API: `tick` and the option `now` set the time.
 */
import { expect, it, vi } from 'vitest';
import { ToolGate, type SavedGate } from 'toolgate';

import { expectAccepted } from './backends.js';
import { ask, asking, reply, send, thrownBy } from './support.js';

const EXPIRED = 'Error: Tool execution was not approved in time. It did not run.';

/** A gate with a clock that the test sets. */
function timed(calls: string[], options: object = {}): { gate: ToolGate; clock: { now: number } } {
  const clock = { now: 1000 };
  const { gate } = asking(calls, { approvalTimeoutMs: 500, now: () => clock.now, ...options });
  return { gate, clock };
}

function shown(gate: ToolGate, call: number): { state: string; outcome?: { kind: string } } {
  return gate.getSnapshot().messages[1]?.parts[call] as never;
}

it('a pending approval has its deadline, and nextDeadline returns the next one', () => {
  const { gate } = timed(['c1', 'c2']);
  expect(gate.pending()).toMatchObject([{ requestedAt: 1000, expiresAt: 1500 }, { expiresAt: 1500 }]);
  expect(gate.nextDeadline()).toBe(1500);
  gate.respondAll({ approved: true });
  expect(gate.nextDeadline()).toBeNull();
});

it('without a timeout there is no deadline', () => {
  const { gate } = asking(['c1']);
  expect(gate.nextDeadline()).toBeNull();
  expect(gate.pending()[0]).not.toHaveProperty('expiresAt');
  gate.tick(Number.MAX_SAFE_INTEGER);
  expect(gate.pending()).toHaveLength(1);
});

it('an expired approval is sent as a denial with its own text', async () => {
  const { gate, clock } = timed(['c1', 'c2']);
  gate.respond('approve-c2', { approved: true });
  gate.tick(1499);
  expect(gate.pending()).toHaveLength(1);
  gate.tick((clock.now = 1500));
  expect(shown(gate, 1)).toMatchObject({
    state: 'approval-responded',
    outcome: { kind: 'expired' },
    approval: { approved: false, reason: EXPIRED },
    decidedBy: 'policy',
  });
  expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1', 'approve-c2'] }]);
  await expectAccepted(gate.outgoing()[0]);
  expect(thrownBy(() => gate.respond('approve-c1', { approved: true })).code).toBe('already-decided');
  expect(gate.respond('approve-c1', { approved: false })).toBe('duplicate');
});

it('an expiry is not a denial by the user: onDeny is not applied', () => {
  const { gate } = timed([], { onDeny: 'end-turn' });
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  const [input, request] = ask('c1') as [object, object];
  reply(gate, [
    { type: 'start', messageId: 'a2' },
    input,
    { ...request, expiresAt: 1100 },
    ...ask('c2'),
    { type: 'finish' },
  ]);
  gate.tick(1100);
  expect(gate.pending().map((entry) => entry.toolCallId)).toEqual(['c2']);
  gate.respond('approve-c2', { approved: true });
  expect(gate.outgoing()).toHaveLength(1);
});

it("the backend's deadline takes precedence and is sent back unchanged", async () => {
  const { gate } = timed([]);
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  const [input, request] = ask('c1') as [object, object];
  reply(gate, [{ type: 'start', messageId: 'a2' }, input, { ...request, expiresAt: 1100 }, { type: 'finish' }]);
  expect(gate.nextDeadline()).toBe(1100);
  gate.respond('approve-c1', { approved: true });
  await expectAccepted(gate.outgoing()[0]);
});

it.each([Infinity, NaN, 'soon', null, -1])('ignores a deadline of %s, also in a snapshot', (expiresAt) => {
  const { gate } = asking([]);
  gate.sendUserMessage({ text: 'go' });
  send(gate);
  const [input, request] = ask('c1') as [object, object];
  reply(gate, [{ type: 'start', messageId: 'a2' }, input, { ...request, expiresAt }, { type: 'finish' }]);
  expect(gate.nextDeadline()).toBeNull();
  const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate);
  expect(copy.pending()).toHaveLength(1);
});

it('a restored gate keeps its deadlines; a loaded history gets new ones', () => {
  const { gate } = timed(['c1']);
  const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as SavedGate, { now: () => 9000 });
  expect(copy.nextDeadline()).toBe(1500);
  copy.tick(9000);
  expect(shown(copy, 1).outcome?.kind).toBe('expired');
  const loaded = new ToolGate({ approvalTimeoutMs: 500, now: () => 9000 });
  loaded.load(JSON.parse(JSON.stringify(gate.getSnapshot().messages)) as object[]);
  expect(loaded.pending()).toMatchObject([{ requestedAt: 9000, expiresAt: 9500 }]);
  loaded.load(JSON.parse(JSON.stringify(loaded.getSnapshot().messages)) as object[]);
  loaded.tick(9500);
  expect(loaded.pending()).toEqual([]);
});

it('a gate whose app calls `tick` needs no option `now`', () => {
  const gate = new ToolGate({ approvalTimeoutMs: 500 });
  gate.tick(0);
  reply(gate, [{ type: 'start', messageId: 'a1' }, ...ask('c1'), { type: 'finish' }]);
  expect(gate.pending()).toMatchObject([{ requestedAt: 0, expiresAt: 500 }]);
  gate.tick(500);
  expect(gate.pending()).toEqual([]);
});

it.each([NaN, Infinity, -Infinity, '5', undefined])('tick(%s) is refused', (time) => {
  const { gate } = timed(['c1']);
  expect(() => gate.tick(time as number)).toThrow(TypeError);
  expect(gate.pending()).toHaveLength(1);
});

it.each([0, -1, NaN, Infinity, '500'])('a timeout of %s is refused', (approvalTimeoutMs) => {
  expect(() => new ToolGate({ approvalTimeoutMs: approvalTimeoutMs as number })).toThrow(TypeError);
});

it('an extended approval expires later, and is listed with its new deadline', () => {
  const { gate, clock } = timed(['c1']);
  const [shown] = gate.pending();
  expect(shown).toMatchObject({ expiresAt: 1500, extendable: true });
  const listener = vi.fn();
  gate.subscribe(listener);
  expect(gate.extend(shown!, 9000)).toBe(true);
  expect(gate.extend(shown!.approvalId, 8000)).toBe(false);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(gate.pending()).toMatchObject([{ approvalId: shown!.approvalId, expiresAt: 9000, extendable: true }]);
  expect(gate.approval('c1')).toMatchObject({ expiresAt: 9000 });
  expect(gate.nextDeadline()).toBe(9000);
  const copy = ToolGate.restore(gate.toJSON(), { approvalTimeoutMs: 500, now: () => clock.now });
  expect(copy.pending()).toEqual(gate.pending());
  gate.tick(8999);
  expect(gate.pending()).toHaveLength(1);
  gate.tick(9000);
  expect(gate.pending()).toEqual([]);
  expect(gate.part('c1')).toMatchObject({ outcome: { kind: 'expired' } });
});

it('refuses to extend with anything but a target and a time', () => {
  const { gate } = timed(['c1']);
  for (const time of [NaN, Infinity, '9000', undefined, null] as never[])
    expect(() => gate.extend('approve-c1', time)).toThrow(
      new TypeError('extend: invalid time. Expected a number of ms since 1970.'),
    );
  expect(() => gate.extend({} as never, 9000)).toThrow(/extend: invalid target/);
  expect(() => gate.extend('c1', 9000)).toThrow(expect.objectContaining({ code: 'unknown-approval' }));
  expect(() => gate.extend('nothing', 9000)).toThrow(expect.objectContaining({ code: 'unknown-approval' }));
});
