/**
 * Invalid arguments and events: each has an error with its own code and a message that says what is valid. The state
 * does not change, and an invalid event does not stop the stream.
 */
import { describe, expect, it } from 'vitest';
import { ToolGate, ToolGateError } from 'toolgate';

import { anomalies, ask, asking, reply, send, thrownBy } from './support.js';

describe('decisions', () => {
  it('an unknown approval id', () => {
    const { gate } = asking(['c1']);
    const error = thrownBy(() => gate.respond('nope', { approved: true }));
    expect(error).toBeInstanceOf(ToolGateError);
    expect(error).toMatchObject({ code: 'unknown-approval', approvalId: 'nope' });
    expect(error.message).toContain('pending()');
  });

  it("a tool call's id instead of an approval id: the message has the right id", () => {
    const { gate } = asking(['c1']);
    const error = thrownBy(() => gate.respond('c1', { approved: true }));
    expect(error).toMatchObject({ code: 'unknown-approval', toolCallId: 'c1' });
    expect(error.message).toContain('"approve-c1"');
  });

  it('the same decision again is a duplicate, and the first reason counts', () => {
    const { gate } = asking(['c1', 'c2']);
    expect(gate.respond('approve-c1', { approved: false, reason: 'first' })).toBe('accepted');
    expect(gate.respond('approve-c1', { approved: false, reason: 'second' })).toBe('duplicate');
    expect(gate.getSnapshot().messages.at(-1)?.parts[1]).toMatchObject({
      outcome: { kind: 'denied', reason: 'first' },
    });
  });

  it('the opposite decision', () => {
    const { gate } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: true });
    const before = gate.getSnapshot();
    const error = thrownBy(() => gate.respond('approve-c1', { approved: false }));
    expect(error).toMatchObject({ code: 'already-decided', approvalId: 'approve-c1', toolCallId: 'c1' });
    expect(gate.getSnapshot()).toBe(before);
  });

  it('a decision for an input that has changed', () => {
    const { gate } = asking(['c1']);
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true, inputDigest: '00' })).code).toBe('stale-input');
    const [entry] = gate.pending();
    expect(gate.respond('approve-c1', { approved: true, inputDigest: entry?.inputDigest as string })).toBe('accepted');
  });

  it('an approval that a later message superseded', () => {
    const { gate } = asking(['c1']);
    reply(gate, [
      { type: 'start', messageId: 'a2' },
      { type: 'text-start', id: 't' },
      { type: 'text-end', id: 't' },
    ]);
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true })).code).toBe('superseded');
    expect(gate.getSnapshot().messages[1]?.parts[1]).toMatchObject({
      state: 'output-error',
      outcome: { kind: 'interrupted', reason: expect.stringContaining('superseded') as string },
    });
  });

  it('only `true` approves', () => {
    const { gate } = asking(['c1']);
    expect(() => gate.respond('approve-c1', { approved: 'false' as never })).toThrow(TypeError);
    expect(gate.pending()).toHaveLength(1);
  });

  it('an edited input, which the AI SDK cannot receive', () => {
    const { gate } = asking(['c1']);
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true, input: {} })).code).toBe('edit-unsupported');
  });
});

describe('outputs of browser tools', () => {
  it('for a call that waits for the user', () => {
    const { gate } = asking(['c1']);
    expect(thrownBy(() => gate.addToolOutput('c1', { output: 1 })).code).toBe('approval-pending');
  });

  it('for a denied call and for an unknown one', () => {
    const { gate } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: false });
    expect(thrownBy(() => gate.addToolOutput('c1', { output: 1 })).code).toBe('already-settled');
    expect(thrownBy(() => gate.addToolOutput('c9', { output: 1 })).code).toBe('unknown-call');
  });
});

describe('events', () => {
  it('an output for a denied call changes nothing and is an anomaly', () => {
    const { gate, events } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: false, reason: 'no' });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'ran' });
    expect(anomalies(events)).toMatchObject([{ code: 'already-settled', toolCallId: 'c1' }]);
    expect(gate.getSnapshot().messages.at(-1)?.parts[1]).toMatchObject({ outcome: { kind: 'denied' } });
    expect(gate.getSnapshot().messages.at(-1)?.parts[1]).not.toHaveProperty('output');
  });

  it.each([
    ['is pending', false, 'approval-pending'],
    ['was not sent yet', true, 'already-decided'],
  ])('an output for a call whose approval %s is shown, and the anomaly says so', (_, approves, code) => {
    const { gate, events } = asking(['c1', 'c2']);
    if (approves) gate.respond('approve-c1', { approved: true });
    gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 'ran' });
    expect(gate.part('c1')).toMatchObject({ state: 'output-available', output: 'ran' });
    const [error] = anomalies(events);
    expect(error).toMatchObject({ code, toolCallId: 'c1' });
    expect(error?.message).toMatch(/^Call "c1" received an output .* The call shows what it received\.$/);
  });

  it('a decision of the backend that contradicts the one of the user is ignored, and the anomaly says so', () => {
    const { gate, events } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: true });
    gate.receive({ type: 'tool-approval-response', approvalId: 'approve-c1', approved: false });
    expect(gate.part('c1')).toMatchObject({ state: 'approval-responded', approval: { approved: true } });
    const [error] = anomalies(events);
    expect(error).toMatchObject({ code: 'already-decided', toolCallId: 'c1' });
    expect(error?.message).toMatch(/^Ignored an approval response for call "c1"/);
  });

  it.each([
    ['null', null],
    ['a text', 'text'],
    ['a number', 7],
    ['no type', {}],
    ['a type that is not a string', { type: 1 }],
    ['a text chunk without an id', { type: 'text-start' }],
    ['a delta of a text without a start', { type: 'text-delta', id: 'x', delta: 'a' }],
    ['a call without an id', { type: 'tool-input-available', toolName: 'edit', input: {} }],
    ['a call without a name', { type: 'tool-input-start', toolCallId: 'c' }],
    ['a response that is not a boolean', { type: 'tool-approval-response', approvalId: 'a', approved: 'yes' }],
    [
      'a getter that throws',
      Object.defineProperty({}, 'type', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
    ],
  ])('%s is an anomaly, and the stream continues', (_, chunk) => {
    const gate = new ToolGate();
    const events: Parameters<Parameters<ToolGate['onEvent']>[0]>[0][] = [];
    gate.onEvent((event) => events.push(event));
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive(chunk);
    expect(anomalies(events)).toMatchObject([{ code: 'malformed-event' }]);
    reply(gate, [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'on' },
      { type: 'text-end', id: 't' },
    ]);
    expect(gate.getSnapshot().messages).toMatchObject([{ id: 'a1', parts: [{ text: 'on', state: 'done' }] }]);
  });

  it('passes an event of an unknown type to the app unchanged', () => {
    const { gate, events } = asking(['c1']);
    const event = { type: 'x-new', deep: { a: 1 } };
    const before = gate.getSnapshot().messages;
    gate.receive(event);
    expect(events).toEqual([{ type: 'passthrough', event }]);
    expect((events[0] as { event: unknown }).event).toBe(event);
    expect(gate.getSnapshot().messages).toBe(before);
  });

  it.each(['__proto__', 'constructor', 'toString', '', '\n', 'é\ud800', 'x'.repeat(1_000_000)])(
    'ids may contain any text: %#',
    (id) => {
      const gate = new ToolGate();
      reply(gate, [
        { type: 'start', messageId: 'a1' },
        { type: 'tool-input-available', toolCallId: id, toolName: 'edit', input: { a: 1 } },
        { type: 'tool-approval-request', approvalId: id, toolCallId: id },
      ]);
      expect(gate.pending()).toMatchObject([{ approvalId: id, toolCallId: id, input: { a: 1 } }]);
      expect(gate.respond(id, { approved: true })).toBe('accepted');
      expect(gate.outgoing()[0]?.approvalIds).toEqual([id]);
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    },
  );
});

describe('items', () => {
  it('an unknown item id', () => {
    const { gate } = asking(['c1']);
    for (const id of ['out-99', 'nope', '']) {
      expect(thrownBy(() => gate.markSent(id)).code).toBe('unknown-outgoing');
      expect(thrownBy(() => gate.markFailed(id, 'x')).code).toBe('unknown-outgoing');
      expect(thrownBy(() => gate.retry(id)).code).toBe('unknown-outgoing');
      expect(gate.claim(id)).toBe(false);
    }
  });

  it('a retry of an item in flight, and a change of the history during a request', () => {
    const { gate } = asking(['c1']);
    gate.respond('approve-c1', { approved: true });
    const id = send(gate);
    expect(thrownBy(() => gate.retry(id)).code).toBe('busy');
    expect(thrownBy(() => gate.regenerate()).code).toBe('busy');
    expect(thrownBy(() => gate.sendUserMessage({ text: 'x' }, { replace: 'a1' })).code).toBe('busy');
  });

  it('a message while approvals are pending, with the policy `block`', () => {
    const { gate } = asking(['c1'], { onUserMessage: 'block' });
    const error = thrownBy(() => gate.sendUserMessage({ text: 'next' }));
    expect(error.code).toBe('message-blocked');
    expect(gate.getSnapshot().messages).toHaveLength(2);
    expect(gate.getSnapshot().queued).toEqual([]);
  });
});

it('a reused approval id does not approve the other call', () => {
  const { gate, events } = asking(['c1']);
  gate.receive({ type: 'tool-input-available', toolCallId: 'c2', toolName: 'edit', input: {} });
  gate.receive({ type: 'tool-approval-request', approvalId: 'approve-c1', toolCallId: 'c2' });
  expect(anomalies(events)).toMatchObject([{ code: 'malformed-event', approvalId: 'approve-c1', toolCallId: 'c2' }]);
  expect(ask('c2')).toHaveLength(2);
});
