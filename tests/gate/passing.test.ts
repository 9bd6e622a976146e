/**
 * `onUserMessage: 'pass'`: a message is sent while an approval stays pending. The protocol is one of an app, whose
 * backend stores the history.
 */
import { describe, expect, it } from 'vitest';
import { init, ToolGate, type ToolGateOptions } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { defineProtocol } from 'toolgate/protocols';

import { line, lineDefinition } from '../lib/policies-of-messages.js';

await init();

/** A gate whose reply waits for an approval. */
function waiting(options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({
    protocol: line,
    chatId: 'chat',
    onUserMessage: 'pass',
    ...options,
  });
  gate.sendUserMessage({ text: 'Tidy up' });
  send(gate);
  for (const chunk of [
    { type: 'start', messageId: 'r1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'delete', input: { path: 'a' } },
    { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
  ])
    gate.receive(chunk);
  return gate;
}

/** Sends the only listed item, and returns its body. */
function send(gate: ToolGate): unknown {
  const [item, ...others] = gate.outgoing();
  expect(others).toEqual([]);
  expect(item && gate.claim(item.id)).toBe(true);
  gate.markSent(item?.id ?? '');
  return item?.body;
}

const queued = (gate: ToolGate): unknown[] =>
  gate.getSnapshot().queued.map(({ parts: [part], delivery }) => [part && 'text' in part && part.text, delivery]);

describe('onUserMessage: pass', () => {
  it('sends each message once, alone, while the approval stays pending', () => {
    const gate = waiting();
    expect(gate.sendUserMessage({ text: 'And the tests' })).toBe('sent');
    expect(queued(gate)).toEqual([['And the tests', 'ready']]);
    expect(gate.outgoing()).toMatchObject([{ kind: 'submission', approvalIds: [], attempt: 1 }]);
    // The model does not read a call that may still run.
    expect(send(gate)).toEqual({ says: ['And the tests'], history: 2, messages: 3 });
    expect(gate.sendUserMessage({ text: 'Slowly' })).toBe('sent');
    expect(send(gate)).toEqual({ says: ['Slowly'], history: 3, messages: 4 });
    expect(queued(gate)).toEqual([
      ['And the tests', 'acknowledged'],
      ['Slowly', 'acknowledged'],
    ]);
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['a1']);
    expect(gate.getSnapshot().turn.waitingFor.map(({ kind }) => kind)).toEqual(['user', 'reply']);

    gate.respond('a1', { approved: true });
    expect(send(gate)).toEqual({ approvalId: 'a1', outcome: 'approved' });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'deleted' });
    gate.streamEnded({ status: 'finished' });
    expect(gate.outgoing()).toEqual([]);
    expect(gate.getSnapshot()).toMatchObject({ queued: [], messages: [{}, { id: 'r1' }, {}, {}] });

    // The next message is the only new one.
    gate.sendUserMessage({ text: 'Thanks' });
    expect(send(gate)).toEqual({ says: ['Thanks'], history: 5, messages: 5 });
  });

  it('keeps a message that failed, and sends an equal body again', () => {
    const gate = waiting();
    gate.sendUserMessage({ text: 'Wait' });
    const [item] = gate.outgoing();
    gate.markFailed(item?.id ?? '', 'offline');
    expect(gate.outgoing()).toEqual([]);
    expect(queued(gate)).toEqual([['Wait', 'failed']]);
    expect(gate.undelivered()).toMatchObject([{ id: item?.id, key: item?.key, delivery: 'failed', error: 'offline' }]);
    gate.retry(item?.id ?? '');
    expect(gate.outgoing()).toEqual([{ ...item, attempt: 2 }]);
  });

  it('is the same after a restore, except that a message in flight may not have arrived', () => {
    const gate = waiting();
    gate.sendUserMessage({ text: 'Wait' });
    const [item] = gate.outgoing();
    gate.claim(item?.id ?? '');
    const options = { protocol: gate.protocol, onUserMessage: 'pass' } as const;
    const restored = ToolGate.restore(JSON.parse(JSON.stringify(gate)), options);
    expect(queued(restored)).toEqual([['Wait', 'unconfirmed']]);
    expect(restored.outgoing()).toEqual([]);
    restored.retry(item?.id ?? '');
    expect(restored.outgoing()).toEqual([{ ...item, attempt: 2 }]);
  });

  it('has a key of its own for each message, also for equal texts', () => {
    const gate = waiting();
    const keys = ['Go on', 'Go on'].map((text) => {
      gate.sendUserMessage({ text });
      const [item] = gate.outgoing();
      gate.markSent(item?.id ?? '');
      return item?.key;
    });
    expect(new Set(keys).size).toBe(2);
  });
});

describe('protocols', () => {
  it('refuses the policy where no message is accepted while an approval is pending', () => {
    const expected = 'Expected one of: deny-pending, cancel-pending, queue, block';
    expect(() => new ToolGate({ onUserMessage: 'pass' })).toThrow(expected);
    expect(() => new ToolGate({ protocol: acp, onUserMessage: 'pass' })).toThrow(expected);
    expect(() => waiting({ onUserMessage: 'past' as 'pass' })).toThrow(`${expected}, pass`);
  });

  it('refuses the capability for backends that take no message then', () => {
    const refused = "`capabilities.messageWhilePending` needs `kind: 'answering'`";
    const resubmitting = {
      ...lineDefinition,
      capabilities: { ...lineDefinition.capabilities, kind: 'resubmitting' },
    } as const;
    expect(() => defineProtocol(resubmitting)).toThrow(refused);
    expect(() => defineProtocol({ ...lineDefinition, answersBeforeMessages: true })).toThrow(refused);
  });
});
