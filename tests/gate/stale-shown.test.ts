/** The shown revision: what is shown of a request beside its input, which a backend may change while the user reads. */
import { expect, test } from 'vitest';
import { ToolGate, type PendingApproval } from 'toolgate';
import { acp } from 'toolgate/protocols/acp';
import { thrownBy } from './support';

const options = (label: string): object => ({
  approvalDescriptor: { prompt: 'May it?', options: [{ id: 'one', kind: 'allow-once', label }] },
});
const request = (more: object): object => ({
  type: 'tool-approval-request',
  toolCallId: 'c1',
  approvalId: 'a1',
  ...more,
});

/** A gate with a request, and the entry that is shown. */
function asked(): { gate: ToolGate; shown: PendingApproval } {
  const gate = new ToolGate();
  gate.sendUserMessage({ text: 'tidy up' });
  gate.markSent(gate.outgoing()[0]!.id);
  for (const event of [
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'c1', toolName: 'edit', input: { path: 'a' }, title: 'Edit a' },
    request(options('Once')),
  ])
    gate.receive(event);
  return { gate, shown: gate.pending()[0]! };
}

test.each([
  ['other options', request(options('Every time'))],
  ['another title', { type: 'tool-input-update', toolCallId: 'c1', title: 'Delete a' }],
])('a press on %s is refused, for an approval and for a denial', (_, change) => {
  const { gate, shown } = asked();
  const revision = shown.shownRevision;
  const part = gate.part('c1')!;
  gate.receive(change);
  const [now] = gate.pending();
  expect(now?.inputDigest).toBe(shown.inputDigest);
  expect(now?.shownRevision).not.toBe(revision);
  for (const approved of [true, false]) {
    for (const target of [shown, part, { ...shown }])
      expect(thrownBy(() => gate.respond(target, { approved }))).toMatchObject({
        code: 'stale-shown',
        approvalId: 'a1',
        toolCallId: 'c1',
      });
    expect(thrownBy(() => gate.respond('a1', { approved, shownRevision: revision })).code).toBe('stale-shown');
  }
  expect(gate.respond(now!, { approved: true })).toBe('accepted');
});

test('the same request again, and another status, change nothing', () => {
  const { gate, shown } = asked();
  gate.receive(request(options('Once')));
  gate.receive({ type: 'tool-input-update', toolCallId: 'c1', providerMetadata: { mine: { status: 'running' } } });
  expect(gate.pending()[0]?.shownRevision).toBe(shown.shownRevision);
  expect(gate.respond(shown, { approved: true })).toBe('accepted');
});

test('an id alone is not bound, and another input is stale-input', () => {
  const { gate, shown } = asked();
  gate.receive(request(options('Every time')));
  gate.receive({ type: 'tool-input-update', toolCallId: 'c1', input: { path: 'b' } });
  expect(thrownBy(() => gate.respond(shown, { approved: true })).code).toBe('stale-input');
  expect(gate.respond('a1', { approved: false })).toBe('accepted');
  expect(gate.respond('a1', { approved: false, shownRevision: shown.shownRevision })).toBe('duplicate');
});

test('ACP: the options of a repeated request are those that are answered', () => {
  const gate = new ToolGate({ protocol: acp, chatId: 's' });
  gate.sendUserMessage({ text: 'go' });
  gate.markSent(gate.outgoing()[0]!.id);
  const ask = (optionId: string): void =>
    gate.receive({
      jsonrpc: '2.0',
      id: 7,
      method: 'session/request_permission',
      params: {
        sessionId: 's',
        toolCall: { toolCallId: 'c1', title: 'Edit', rawInput: { path: 'a' } },
        options: [{ optionId, kind: 'allow_once', name: optionId }],
      },
    });
  ask('yes');
  const [shown] = gate.pending();
  ask('ok');
  expect(thrownBy(() => gate.respond(shown!, { approved: true })).code).toBe('stale-shown');
  gate.respond(gate.pending()[0]!, { approved: true });
  expect(gate.outgoing()[0]?.body).toMatchObject({ id: 7, result: { outcome: { optionId: 'ok' } } });
});
