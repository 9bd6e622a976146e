/** Inputs that arrive after their request, and inputs that the backend changes while the user decides. */
import { expect, test } from 'vitest';
import { ToolGate, type GateEvent, type ToolGateOptions, type ToolPart } from 'toolgate';
import { defineProtocol, type ReplyChunk } from 'toolgate/protocols';
import { anomalies, ask, asking, send, thrownBy } from './support';

const update = (toolCallId: string, input: unknown): object => ({ type: 'tool-input-update', toolCallId, input });

const partOf = (gate: ToolGate, id: string): ToolPart | undefined =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .find((part): part is ToolPart => 'toolCallId' in part && part.toolCallId === id);

/** A gate whose reply streams, and a list of its events. */
function streaming(): { gate: ToolGate; events: GateEvent[] } {
  const gate = new ToolGate({ chatId: 'chat' });
  const events: GateEvent[] = [];
  gate.sendUserMessage({ id: 'u1', text: 'tidy up' });
  send(gate);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'start-step' });
  gate.onEvent((event) => events.push(event));
  return { gate, events };
}

test('half an input cannot be decided, by a person or by all at once', () => {
  const { gate } = streaming();
  gate.receive({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' });
  gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"path":"/tmp' });
  gate.receive({ type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' });
  expect([gate.pending(), gate.getSnapshot().turn.undecided]).toEqual([[], 0]);
  expect(partOf(gate, 'c1')).toMatchObject({ state: 'input-streaming', input: { path: '/tmp' } });
  expect(partOf(gate, 'c1')?.approval).toBeUndefined();
  const refused = thrownBy(() => gate.respond('a1', { approved: true }));
  expect([refused.code, refused.toolCallId, refused.approvalId]).toEqual(['busy', 'c1', 'a1']);
  expect(refused.message).toContain('still arriving');
  expect(gate.respondAll({ approved: true })).toBe(0);
  gate.receive({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '/all"}' });
  gate.receive({ type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: { path: '/tmp/all' } });
  expect(gate.pending()).toMatchObject([{ approvalId: 'a1', input: { path: '/tmp/all' } }]);
  expect(gate.respond(gate.pending()[0]!, { approved: true })).toBe('accepted');
});

test('a decision for the old input is refused, one for the new input is accepted', () => {
  const { gate, events } = asking(['c1']);
  const [old] = gate.pending();
  gate.receive(update('c1', { path: 'another' }));
  const [shown] = gate.pending();
  expect(events).toEqual([
    { type: 'input-changed', toolCallId: 'c1', toolName: 'edit', approvalId: 'approve-c1', decisionVoid: false },
  ]);
  expect([shown?.input, shown?.inputDigest === old?.inputDigest]).toEqual([{ path: 'another' }, false]);
  for (const target of [old!, { ...old!, input: undefined }])
    expect(thrownBy(() => gate.respond(target, { approved: true })).code).toBe('stale-input');
  expect(gate.respond(shown!, { approved: true })).toBe('accepted');
  expect(gate.outgoing()).toHaveLength(1);
});

test('a decision that was not sent is void: an event says so, and the user is asked again', () => {
  const { gate, events } = asking(['c1', 'c2']);
  gate.respond(gate.pending()[0]!, { approved: true });
  gate.respond(gate.pending()[0]!, { approved: false });
  expect(gate.outgoing()).toHaveLength(1);
  gate.receive(update('c1', { path: 'another' }));
  expect(events.filter(({ type }) => type === 'input-changed')).toEqual([
    { type: 'input-changed', toolCallId: 'c1', toolName: 'edit', approvalId: 'approve-c1', decisionVoid: true },
  ]);
  expect([gate.outgoing(), gate.pending().map(({ approvalId }) => approvalId)]).toEqual([[], ['approve-c1']]);
  expect(partOf(gate, 'c1')).toMatchObject({ state: 'approval-requested', input: { path: 'another' } });
  gate.respond(gate.pending()[0]!, { approved: false });
  expect(gate.outgoing()[0]?.approvalIds).toEqual(['approve-c1', 'approve-c2']);
  expect(anomalies(events)).toEqual([]);
});

test('a decision that was sent stays, and the contradiction is reported', () => {
  const { gate, events } = asking(['c1']);
  gate.respond(gate.pending()[0]!, { approved: true });
  send(gate);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive(update('c1', { path: 'another' }));
  expect([gate.pending(), partOf(gate, 'c1')?.input]).toEqual([[], { path: 'c1' }]);
  expect(anomalies(events).map(({ code, message }) => [code, message])).toEqual([
    ['already-decided', 'Ignored another input for call "c1" (approval-responded): it contradicts the decision.'],
  ]);
});

test('the log has the input that was decided about', () => {
  const { gate } = asking(['c1']);
  gate.receive(update('c1', { path: 'another' }));
  gate.respond(gate.pending()[0]!, { approved: true });
  gate.receive(update('c1', { path: 'a third' }));
  const { inputDigest } = gate.pending()[0]!;
  gate.respond(gate.pending()[0]!, { approved: false });
  const entries = gate.auditLog().filter(({ type }) => /^(requested|decided)$/.test(type));
  expect(entries.map(({ type }) => type)).toEqual(['requested', 'requested', 'decided', 'requested', 'decided']);
  expect(entries.at(-1)).toMatchObject({ inputDigest, approved: false });
});

test('needsApproval asks for an input that an update completes or changes', () => {
  const protocol = defineProtocol({
    name: 'mine',
    capabilities: { kind: 'raw-model' },
    asksItself: true,
    createReader:
      ({ emit }) =>
      (event) => {
        emit(event as ReplyChunk);
        return true;
      },
    write: () => [],
    body: () => ({}),
  });
  const asked: unknown[] = [];
  const needsApproval: ToolGateOptions['needsApproval'] = ({ toolName, input }) => {
    asked.push([toolName, input]);
    return (input as { path?: string }).path !== '/tmp';
  };
  const gate = new ToolGate({ protocol, needsApproval });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  gate.receive({ type: 'start', messageId: 'a1' });
  gate.receive({ type: 'tool-input-start', toolCallId: 'c1', toolName: 'edit' });
  gate.receive(update('c1', { path: '/tmp' }));
  expect(gate.pending()).toEqual([]);
  gate.receive(update('c1', { path: '/' }));
  expect(gate.pending()).toMatchObject([{ approvalId: 'c1', toolName: 'edit', input: { path: '/' } }]);
  expect(asked).toEqual([
    ['edit', { path: '/tmp' }],
    ['edit', { path: '/' }],
  ]);
});

test('a call without approval has the new input too', () => {
  const { gate, events } = streaming();
  gate.receive(ask('c1')[0]!);
  gate.receive(update('c1', { path: 'another' }));
  expect(partOf(gate, 'c1')).toMatchObject({ state: 'input-available', input: { path: 'another' } });
  expect(events.at(-1)).toEqual({ type: 'input-changed', toolCallId: 'c1', toolName: 'edit', decisionVoid: false });
});
