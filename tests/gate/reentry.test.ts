/**
 * Re-entrant calls at any depth: values whose getters use a gate, and listeners that call its methods. The state stays
 * valid, and every refusal is a `ToolGateError`.
 */
import { describe, expect, it, vi } from 'vitest';
import { ToolGate, ToolGateError, type GateEvent } from 'toolgate';

import { ask, asking, reply } from './support.js';

/** An event with a call. Calls `touch` whenever its tool name or its input is read. */
const askingFor = (call: string, touch: () => void): object => ({
  type: 'tool-input-available',
  toolCallId: call,
  get toolName() {
    touch();
    return 'edit';
  },
  get input() {
    touch();
    return { path: call };
  },
});

describe('a value whose getter uses another gate', () => {
  const touches: readonly (readonly [string, (other: ToolGate) => unknown])[] = [
    ['is read', (other) => [other.getSnapshot(), other.pending(), other.outgoing()]],
    ['receives', (other) => ask(`other-${Math.random()}`).forEach((chunk) => other.receive(chunk))],
    ['decides', (other) => other.respondAll({ approved: true })],
    ['sends a message', (other) => (other.cancel(), other.sendUserMessage({ text: 'x' }))],
    ['is a new gate', () => new ToolGate().sendUserMessage({ text: 'x' })],
    ['is restored', (other) => ToolGate.restore(other.toJSON()).getSnapshot()],
    ['throws', (other) => expect(() => other.respond('nope', { approved: true })).toThrow(ToolGateError)],
    ['is freed', (other) => other.free()],
  ];

  it.each(touches)('the other gate %s: both gates stay valid', (_, touch) => {
    const { gate: other } = asking(['o1', 'o2']);
    const gate = new ToolGate();
    let touched = 0;
    const problems: GateEvent[] = [];
    gate.onEvent((event) => event.type === 'anomaly' && problems.push(event));
    gate.receive({ type: 'start', messageId: 'a1' });
    gate.receive(askingFor('c1', () => (touched++, touch(other))));
    gate.receive({ type: 'tool-approval-request', approvalId: 'approve-c1', toolCallId: 'c1' });
    expect(touched).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(gate.pending()).toMatchObject([{ approvalId: 'approve-c1', toolName: 'edit', input: { path: 'c1' } }]);
    expect(gate.respond('approve-c1', { approved: true })).toBe('accepted');
    if (other.getSnapshot().status === 'crashed') return;
    expect(other.getSnapshot().messages[1]?.parts.slice(1, 3)).toMatchObject([
      { input: { path: 'o1' } },
      { input: { path: 'o2' } },
    ]);
    expect(ToolGate.restore(other.toJSON()).getSnapshot().messages).toEqual(other.getSnapshot().messages);
  });

  it('through a proxy, a toJSON and three nested gates', () => {
    const gates = [0, 1, 2].map(() => new ToolGate());
    const deep = (at: number): object =>
      askingFor(`c${at}`, () => {
        const next = gates[at + 1];
        if (next && next.getSnapshot().messages.length === 0) next.receive(deep(at + 1));
      });
    gates[0]?.receive(deep(0));
    gates.forEach((gate, at) =>
      expect(gate.getSnapshot().messages[0]?.parts).toMatchObject([
        { toolCallId: `c${at}`, input: { path: `c${at}` } },
      ]),
    );
    const [first, second] = gates as [ToolGate, ToolGate];
    const output = { toJSON: () => second.getSnapshot().messages.length };
    first.receive({
      type: 'tool-output-available',
      toolCallId: 'c0',
      output: new Proxy(output, { get: (of, key) => (second.pending(), Reflect.get(of, key)) }),
    });
    expect(JSON.stringify(first.assemble())).toContain('"value":1');
  });
});

describe('a value whose getter uses the gate that reads it', () => {
  it.each<[string, (gate: ToolGate) => unknown]>([
    ['getSnapshot', (gate) => gate.getSnapshot()],
    ['pending', (gate) => gate.pending()],
    ['outgoing', (gate) => gate.outgoing()],
    ['receive', (gate) => gate.receive({ type: 'start' })],
    ['respond', (gate) => gate.respond('approve-c0', { approved: true })],
    ['cancel', (gate) => gate.cancel()],
    ['load', (gate) => gate.load([])],
    ['toJSON', (gate) => gate.toJSON()],
    ['nextDeadline', (gate) => gate.nextDeadline()],
  ])('a getter that calls %s gets the error `busy`, and the gate continues', (_, touch) => {
    const { gate } = asking(['c0']);
    const thrown: unknown[] = [];
    gate.receive(
      askingFor('c1', () => {
        try {
          touch(gate);
        } catch (error) {
          thrown.push(error);
        }
      }),
    );
    expect(thrown.length).toBeGreaterThan(0);
    for (const error of thrown) expect(error).toMatchObject({ name: 'ToolGateError', code: 'busy' });
    expect(gate.getSnapshot().status).not.toBe('crashed');
    expect(gate.getSnapshot().messages.flatMap(({ parts }) => parts)).toContainEqual(
      expect.objectContaining({ toolCallId: 'c1', input: { path: 'c1' } }),
    );
  });

  it('may subscribe', () => {
    const gate = new ToolGate();
    const listener = vi.fn();
    gate.receive(askingFor('c1', () => gate.subscribe(listener)));
    expect(listener).toHaveBeenCalled();
  });
});

describe('a listener that calls the gate', () => {
  const COUNT = 8_000;

  it.each(['subscribe', 'onEvent'] as const)(
    '%s: listeners may decide any number of approvals in turn, and all listeners are notified of each decision',
    (listen) => {
      const gate = new ToolGate();
      reply(gate, [
        { type: 'start', messageId: 'a1' },
        { type: 'start-step' },
        ...Array.from({ length: COUNT }, (_, at) => ask(`c${at}`)).flat(),
        { type: 'finish' },
      ]);
      let next = 0;
      let decided = 0;
      let last: string | undefined;
      gate.onEvent((event) => {
        if (event.type === 'decision') decided++;
      });
      gate[listen](() => {
        if (next < COUNT) gate.respond(`approve-c${next++}`, { approved: true });
      });
      gate.subscribe(() => (last = gate.getSnapshot().status));
      gate.respond(`approve-c${next++}`, { approved: true });
      expect([next, decided, gate.getSnapshot().turn.undecided]).toEqual([COUNT, COUNT, 0]);
      expect(gate.outgoing()).toHaveLength(1);
      expect(last).toBe(gate.getSnapshot().status);
    },
  );

  it('is notified of its own change before its call returns, if the stack is not deep', () => {
    const { gate } = asking(['c1', 'c2', 'c3']);
    const order: string[] = [];
    gate.onEvent((event) => {
      if (event.type !== 'decision') return;
      order.push(`heard ${event.toolCallId}`);
      const next = gate.pending()[0];
      if (!next) return;
      gate.respond(next.approvalId, { approved: true });
      order.push(`answered ${next.toolCallId}`);
    });
    gate.respond('approve-c1', { approved: true });
    expect(order).toEqual(['heard c1', 'heard c2', 'heard c3', 'answered c3', 'answered c2']);
  });

  it('after a stack overflow the gate has crashed or works, and every error that it throws is a ToolGateError', () => {
    const gate = new ToolGate();
    let answer = 0;
    const dive = (depth: number): void => {
      try {
        dive(depth + 1);
      } catch {
        // The deepest frame comes first. Each next frame has a little more of the stack free.
        if (answer++ < 200) {
          try {
            gate.receive({ type: 'start', messageId: `a${answer}` });
            gate.getSnapshot();
          } catch {
            // The free part of the stack is still too small.
          }
        }
      }
    };
    dive(0);
    for (const look of [
      () => gate.getSnapshot(),
      () => gate.pending(),
      () => gate.outgoing(),
      () => gate.nextDeadline(),
    ])
      expect(look).not.toThrow();
    try {
      gate.sendUserMessage({ text: 'x' });
    } catch (error) {
      expect(error).toMatchObject({ name: 'ToolGateError', code: 'crashed' });
    }
  });
});
