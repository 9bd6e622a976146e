/**
 * Replayed streams: a resumed reply may already have ended, or belong to a message before the last one.
 */
import { expect, it } from 'vitest';
import { ToolGate } from 'toolgate';

import { anomalies, ask, asking, reply } from './support.js';

const told = [{ type: 'start', messageId: 'a1' }, { type: 'start-step' }, ...ask('c1'), { type: 'finish' }];

it('a replay of a finished reply duplicates nothing, and its approvals stay pending', () => {
  const { gate, events } = asking(['c1']);
  const before = gate.getSnapshot().messages;
  reply(gate, told);
  expect(gate.getSnapshot().messages).toEqual(before);
  expect(gate.pending().map((entry) => entry.approvalId)).toEqual(['approve-c1']);
  expect(anomalies(events)).toEqual([]);
  expect(gate.respond('approve-c1', { approved: true })).toBe('accepted');
  expect(gate.outgoing()).toHaveLength(1);
});

it('a reply that names an earlier message changes nothing', () => {
  const gate = new ToolGate();
  gate.load([
    { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'one' }] },
    { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'yes' }] },
    { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'two' }] },
  ]);
  const before = gate.getSnapshot().messages;
  reply(gate, [
    { type: 'start', messageId: 'a1' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'yes' },
  ]);
  expect(gate.getSnapshot().messages).toEqual(before);
  reply(gate, [
    { type: 'start', messageId: 'a3' },
    { type: 'text-start', id: 't' },
    { type: 'text-end', id: 't' },
  ]);
  expect(gate.getSnapshot().messages.map((message) => message.id)).toEqual(['u0', 'a1', 'u2', 'a3']);
});
