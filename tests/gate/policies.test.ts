/**
 * The four policies of `onDeny`, through the public API and with real servers.
 */
import { describe, expect, it } from 'vitest';
import type { OnDeny, Outcome, ToolGate } from 'toolgate';

import { expectAccepted, resultsOf, served, VERSIONS } from './backends.js';
import { ask, asking, reply, send, thrownBy } from './support.js';

const SKIPPED = 'Error: Tool execution was skipped due to previous tool denial.';

interface Shown {
  readonly state: string;
  readonly outcome?: Outcome;
  readonly approval?: { readonly approved?: boolean; readonly reason?: string };
  readonly decidedBy?: string;
}

function part(gate: ToolGate, toolCallId: string): Shown {
  const parts = gate.getSnapshot().messages.flatMap((message) => message.parts);
  return parts.find((entry) => 'toolCallId' in entry && entry.toolCallId === toolCallId) as unknown as Shown;
}

const kinds = (gate: ToolGate, calls: string[]): (string | undefined)[] =>
  calls.map((call) => part(gate, call).outcome?.kind);

describe('through the public API', () => {
  it('continue is the default: each call is decided separately', () => {
    const { gate } = asking(['c1', 'c2']);
    gate.respond('approve-c1', { approved: false });
    expect(gate.pending()).toHaveLength(1);
    gate.respond('approve-c2', { approved: true });
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1', 'approve-c2'] }]);
  });

  it('skip-rest skips undecided calls with their own outcome and text, and the model continues', async () => {
    const { gate } = asking(['c1', 'c2', 'c3'], { onDeny: 'skip-rest' });
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: false, reason: 'not this one' });
    expect(kinds(gate, ['c1', 'c2', 'c3'])).toEqual([undefined, 'denied', 'skipped']);
    expect(part(gate, 'c3')).toMatchObject({ approval: { approved: false, reason: SKIPPED }, decidedBy: 'policy' });
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1', 'approve-c2', 'approve-c3'] }]);
    expect(JSON.stringify(gate.outgoing())).not.toContain('decidedBy');
    await expectAccepted(gate.outgoing()[0]);
  });

  it('end-turn sends nothing until the user writes; the request of that message contains the denials', async () => {
    const { gate } = asking(['c1', 'c2', 'c3'], { onDeny: 'end-turn' });
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', { approved: false });
    expect(kinds(gate, ['c1', 'c2', 'c3'])).toEqual(['skipped', 'denied', 'skipped']);
    expect(gate.outgoing()).toEqual([]);
    gate.resume();
    expect(gate.outgoing()).toEqual([]);
    expect(gate.getSnapshot()).toMatchObject({ status: 'idle', pending: [], turn: { status: 'done' } });
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true })).code).toBe('already-decided');
    expect(gate.sendUserMessage({ text: 'something else' })).toBe('sent');
    expect(gate.outgoing()).toMatchObject([{ approvalIds: ['approve-c1', 'approve-c2', 'approve-c3'] }]);
    await expectAccepted(gate.outgoing()[0]);
  });

  it.each([
    [undefined, [], ['skipped', 'denied', 'skipped']],
    ['', [], ['skipped', 'denied', 'skipped']],
    ['wrong file', [{ approvalIds: ['approve-c1', 'approve-c2', 'approve-c3'] }], [undefined, 'denied', 'skipped']],
  ])('by-reason, for the reason %j', (reason, leaves, outcomes) => {
    const { gate } = asking(['c1', 'c2', 'c3'], { onDeny: 'by-reason' });
    gate.respond('approve-c1', { approved: true });
    gate.respond('approve-c2', reason === undefined ? { approved: false } : { approved: false, reason });
    expect(kinds(gate, ['c1', 'c2', 'c3'])).toEqual(outcomes);
    expect(gate.outgoing()).toMatchObject(leaves);
  });

  it.each(['skip-rest', 'end-turn'] as const)('%s applies to approvals that arrive later in the stream', (onDeny) => {
    const { gate } = asking([], { onDeny });
    gate.sendUserMessage({ text: 'go' });
    send(gate);
    for (const chunk of [{ type: 'start', messageId: 'a2' }, { type: 'start-step' }, ...ask('c1')]) gate.receive(chunk);
    gate.respond('approve-c1', { approved: false });
    for (const chunk of [...ask('c2'), { type: 'finish' }]) gate.receive(chunk);
    expect(gate.pending()).toEqual([]);
    expect(gate.outgoing()).toEqual([]);
    gate.streamEnded({ status: 'finished' });
    expect(kinds(gate, ['c1', 'c2'])).toEqual(['denied', 'skipped']);
    expect(gate.outgoing()).toHaveLength(onDeny === 'skip-rest' ? 1 : 0);
  });

  it('the texts are options, and every denied and skipped call has its tool-result', () => {
    const { gate, events } = asking(['c1', 'c2'], {
      onDeny: 'skip-rest',
      texts: { denied: 'No.', skipped: 'Skipped.' },
    });
    gate.respond('approve-c1', { approved: false, reason: 'because' });
    const results = events.flatMap((event) =>
      event.type === 'tool-result' ? [[event.toolCallId, event.outcome.kind, event.result]] : [],
    );
    expect(results).toEqual([
      ['c1', 'denied', 'No. because'],
      ['c2', 'skipped', 'Skipped.'],
    ]);
    expect(part(gate, 'c2').approval?.reason).toBe('Skipped.');
  });

  it('respondAll selects its targets before it decides', () => {
    const { gate } = asking(['c1', 'c2', 'c3'], { onDeny: 'skip-rest' });
    expect(gate.respondAll({ approved: false, where: (entry) => entry.toolCallId !== 'c2' })).toBe(2);
    expect(kinds(gate, ['c1', 'c2', 'c3'])).toEqual(['denied', 'skipped', 'denied']);
  });

  it('refuses a misspelt policy', () => {
    expect(() => asking([], { onDeny: 'skip' as never })).toThrow(TypeError);
  });

  it('the step after skip-rest requests approvals as usual', () => {
    const { gate } = asking(['c1', 'c2'], { onDeny: 'skip-rest' });
    gate.respond('approve-c1', { approved: false });
    send(gate);
    reply(gate, [
      { type: 'start', messageId: 'a1' },
      { type: 'start-step' },
      ...ask('c3'),
      ...ask('c4'),
      { type: 'finish' },
    ]);
    expect(gate.pending().map((entry) => entry.toolCallId)).toEqual(['c3', 'c4']);
  });
});

describe.each(VERSIONS)('with a real server of ai %i', (version) => {
  const calls = [
    { id: 'e1', tool: 'edit' },
    { id: 's1', tool: 'send' },
    { id: 'r1', tool: 'read' },
    { id: 'e2', tool: 'edit' },
  ];

  it.each<[OnDeny, string | undefined, string[], number]>([
    ['continue', undefined, ['edit#e1', 'edit#e2', 'read#r1'], 2],
    ['skip-rest', undefined, ['edit#e1', 'read#r1'], 2],
    ['end-turn', undefined, ['read#r1'], 1],
    ['by-reason', undefined, ['read#r1'], 1],
    ['by-reason', 'wrong person', ['edit#e1', 'read#r1'], 2],
  ])('%s (reason: %s) runs exactly the approved tools', async (onDeny, reason, ran, requests) => {
    const { gate, backend, sent, deliver, approvalOf } = await served(
      version,
      [{ calls }, { text: 'Done.' }, { text: 'Bye.' }],
      { onDeny },
    );
    const [e1, s1, e2] = ['e1', 's1', 'e2'].map(approvalOf) as [string, string, string];
    gate.respond(e1, { approved: true });
    gate.respond(s1, reason === undefined ? { approved: false } : { approved: false, reason });
    if (onDeny === 'continue') gate.respond(e2, { approved: true });
    await deliver();
    expect(backend.ran.toSorted()).toEqual(ran);
    expect(sent).toHaveLength(requests);
    gate.sendUserMessage({ text: 'thank you' });
    await deliver();
    await deliver();
    expect(backend.errors).toEqual([]);
    expect(backend.ran.toSorted()).toEqual(ran);
    expect(sent).toHaveLength(requests + 1);
    for (const { id } of calls) expect(resultsOf(backend, id), id).toHaveLength(1);
    expect(gate.getSnapshot().turn).toMatchObject({ status: 'done', undecided: 0 });
  });
});
