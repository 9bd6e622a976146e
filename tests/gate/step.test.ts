/**
 * The current step in the view: its calls, and the calls that the page may run now.
 */
import { expect, it } from 'vitest';
import { callsOfStep, ToolGate, type GateView } from 'toolgate';

import { ask, asking, reply, send } from './support.js';

const ids = (view: GateView): string[] => callsOfStep(view).map(({ toolCallId }) => toolCallId);
const call = (toolCallId: string): object => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'pick',
  input: {},
});

it('the step contains the calls after the last step start, decided or not, until a step or a message follows', () => {
  const { gate } = asking(['c1', 'c2']);
  const asked = gate.getSnapshot();
  gate.respondAll({ approved: true });
  expect(ids(gate.getSnapshot())).toEqual(['c1', 'c2']);
  send(gate);
  gate.receive({ type: 'tool-output-available', toolCallId: 'c1', output: 1 });
  gate.receive({ type: 'tool-output-available', toolCallId: 'c2', output: 2 });
  expect(ids(gate.getSnapshot())).toEqual(['c1', 'c2']);
  reply(gate, [{ type: 'start-step' }, ...ask('c3'), { type: 'finish' }]);
  expect(ids(gate.getSnapshot())).toEqual(['c3']);
  expect(ids(asked), 'an earlier view does not change').toEqual(['c1', 'c2']);
  gate.sendUserMessage({ text: 'never mind' });
  expect(ids(gate.getSnapshot())).toEqual([]);
  expect(gate.getSnapshot().turn.stepStart).toBe(1);
});

it('the step is the same in a restored copy, and after free()', () => {
  const { gate } = asking(['c1']);
  const copy = ToolGate.restore(JSON.parse(JSON.stringify(gate)));
  expect(copy.getSnapshot().turn).toEqual(gate.getSnapshot().turn);
  expect(ids(copy.getSnapshot())).toEqual(['c1']);
  copy.free();
  expect([ids(copy.getSnapshot()), copy.getSnapshot().turn.runnable]).toEqual([['c1'], []]);
  expect([ids(new ToolGate().getSnapshot()), new ToolGate().getSnapshot().turn.runnable]).toEqual([[], []]);
});

it('the page may run approved calls at once, and calls that need no approval when the reply has ended', () => {
  const gate = new ToolGate({ chatId: 'chat', browserTools: ['pick'] });
  const runnable = (): readonly string[] => gate.getSnapshot().turn.runnable;
  gate.sendUserMessage({ text: 'pick one' });
  send(gate);
  for (const chunk of [
    { type: 'start', messageId: 'a1' },
    { type: 'start-step' },
    call('c1'),
    call('c2'),
    ...ask('c3'),
  ])
    gate.receive(chunk);
  gate.receive({ type: 'tool-approval-request', approvalId: 'approve-c1', toolCallId: 'c1' });
  expect(runnable()).toEqual([]);
  gate.respondAll({ approved: true });
  expect(runnable(), 'the server runs c3').toEqual(['c1']);
  const during = gate.getSnapshot();
  reply(gate, [{ type: 'finish' }]);
  expect([during.turn.runnable, runnable()]).toEqual([['c1'], ['c1', 'c2']]);
  expect(ToolGate.restore(gate.toJSON(), { browserTools: ['pick'] }).getSnapshot().turn.runnable).toEqual(['c1', 'c2']);
  gate.addToolOutput('c1', { output: 1 });
  gate.addToolOutput('c2', { output: 2 });
  expect(runnable()).toEqual([]);
  expect(gate.outgoing()).toHaveLength(1);
});
