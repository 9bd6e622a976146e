/**
 * Protocols that send each decision as a separate answer (AI SDK frames over a WebSocket, and ACP), and edited inputs
 * with LangGraph, through the public API.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { init, ToolGate, type Outgoing, type ToolGateOptions } from 'toolgate';

import { ask, send, thrownBy } from './support.js';
import { langgraph } from 'toolgate/protocols/langgraph';
import { acp } from 'toolgate/protocols/acp';
import { aiSdkWs } from 'toolgate/protocols/ai-sdk-ws';

beforeAll(() => init(readFileSync(new URL('../../pkg/dist/toolgate.wasm', import.meta.url))));

/** A gate whose reply requested approval of these calls. */
function during(calls: readonly string[], options: ToolGateOptions = {}): ToolGate {
  const gate = new ToolGate({ chatId: 'chat', protocol: aiSdkWs, ...options });
  gate.sendUserMessage({ text: 'tidy up' });
  send(gate);
  for (const chunk of [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    ...calls.flatMap((call) => ask(call)),
  ])
    gate.receive(chunk);
  return gate;
}

/** The kind and the approvals of each item of `outgoing()`. */
const leaving = (gate: ToolGate): unknown[] => gate.outgoing().map(({ kind, approvalIds }) => [kind, ...approvalIds]);

/** The `data` of a frame. */
const data = (item: Outgoing | undefined): unknown => (item?.body as { data: unknown }).data;

describe('AI SDK frames over a WebSocket', () => {
  it('sends each decision at once as a separate answer with its own idempotency key', () => {
    const gate = during(['c1', 'c2', 'c3']);
    gate.respond('approve-c2', { approved: true });
    gate.respond('approve-c1', { approved: false, reason: 'not this one' });
    expect(gate.getSnapshot().status).toBe('streaming');
    expect(leaving(gate)).toEqual([
      ['answer', 'approve-c2'],
      ['answer', 'approve-c1'],
    ]);
    expect(gate.outgoing().map(data)).toEqual([
      { toolCallId: 'c2', approved: true, status: 'approved' },
      { toolCallId: 'c1', approved: false, status: 'rejected', reason: 'not this one' },
    ]);
    expect(new Set(gate.outgoing().map(({ key }) => key)).size).toBe(2);
    expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c3']);
  });

  it('deliver sends answers while the stream runs; a failed answer is listed, and its retry has the same body', async () => {
    const gate = during(['c1', 'c2']);
    gate.respondAll({ approved: true });
    const before = gate.outgoing()[1];
    await gate.deliver(({ approvalIds }) =>
      approvalIds[0] === 'approve-c2' ? Promise.reject(new Error('closed')) : Promise.resolve(),
    );
    expect(gate.undelivered()).toMatchObject([
      { kind: 'answer', delivery: 'failed', error: 'closed', approvalIds: ['approve-c2'] },
    ]);
    gate.retry(gate.undelivered()[0]?.id as string);
    expect(gate.outgoing()).toEqual([{ ...before, attempt: 2 }]);
    gate.markSent(gate.outgoing()[0]?.id as string);
    expect(
      gate.getSnapshot().messages[1]?.parts.flatMap((part) => ('delivery' in part ? [part.delivery] : [])),
    ).toEqual(['acknowledged', 'acknowledged']);
  });

  it('deliver builds the body of each answer just before it sends the answer', async () => {
    const gate = during(['c1', 'c2', 'c3']);
    gate.respondAll({ approved: true });
    const sent: unknown[] = [];
    await gate.deliver(async (item) => {
      sent.push(data(item));
      if (sent.length === 1) gate.cancel('enough');
    });
    expect(sent).toEqual([
      { toolCallId: 'c1', approved: true, status: 'approved' },
      { toolCallId: 'c2', approved: false, status: 'rejected', reason: 'enough' },
      { toolCallId: 'c3', approved: false, status: 'rejected', reason: 'enough' },
    ]);
    expect(gate.undelivered()).toEqual([]);

    const other = during(Array.from({ length: 50 }, (_, n) => `c${n}`));
    other.respondAll({ approved: true });
    await other.deliver(() => Promise.resolve());
    expect(other.outgoing()).toEqual([]);
  });

  it('ready answers survive a reload; an answer in flight becomes unconfirmed', () => {
    const gate = during(['c1', 'c2']);
    gate.respond('approve-c1', { approved: true });
    send(gate);
    gate.respond('approve-c2', { approved: false });
    const [ready] = gate.outgoing();
    const again = ToolGate.restore(JSON.parse(JSON.stringify(gate)) as ReturnType<ToolGate['toJSON']>, {
      protocol: aiSdkWs,
    });
    expect(again.outgoing()).toEqual([ready]);
    expect(again.undelivered().map(({ kind, delivery }) => [kind, delivery])).toEqual([['answer', 'unconfirmed']]);
  });

  it('sends a message after the answers and after the reply that needs them', () => {
    const gate = during(['c1']);
    expect(gate.sendUserMessage({ text: 'something else' })).toBe('queued');
    expect(leaving(gate)).toEqual([['answer', 'approve-c1']]);
    gate.markSent(gate.outgoing()[0]?.id as string);
    expect(leaving(gate)).toEqual([]);
    gate.receive({ type: 'finish' });
    gate.streamEnded({ status: 'finished' });
    expect(leaving(gate)).toEqual([['submission']]);
  });

  it('cancel answers all approval requests, including later ones, without the user', () => {
    const gate = during(['c1', 'c2']);
    gate.cancel('never mind');
    ask('c3').forEach((chunk) => gate.receive(chunk));
    expect(gate.pending()).toEqual([]);
    expect(gate.outgoing().map(data)).toMatchObject([
      { toolCallId: 'c1', approved: false, status: 'rejected', reason: 'never mind' },
      { toolCallId: 'c2', approved: false, status: 'rejected' },
      { toolCallId: 'c3', approved: false, status: 'rejected' },
    ]);
  });

  it('sends the approval and the result of a browser tool in one frame', () => {
    const gate = during(['c1'], { browserTools: ['edit'] });
    gate.respond('approve-c1', { approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.addToolOutput('c1', { output: { ok: true } });
    expect(gate.outgoing().map(data)).toEqual([
      { toolCallId: 'c1', approved: true, status: 'approved', result: { ok: true } },
    ]);
    expect(leaving(gate)).toEqual([['answer', 'approve-c1']]);
  });

  it('refuses an edited input and changes nothing', () => {
    const gate = during(['c1']);
    expect(thrownBy(() => gate.respond('approve-c1', { approved: true, input: { path: 'b' } }))).toMatchObject({
      code: 'edit-unsupported',
    });
    expect(() => gate.respond('approve-c1', { approved: false, input: { path: 'b' } })).toThrow(TypeError);
    expect(gate.pending()).toHaveLength(1);
  });
});

describe('ACP', () => {
  const OPTIONS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'].map((kind) => ({
    kind,
    name: kind,
    optionId: kind,
  }));

  function asked(options: ToolGateOptions = {}): ToolGate {
    const gate = new ToolGate({ chatId: 'session', protocol: acp, ...options });
    gate.sendUserMessage({ text: 'tidy up' });
    send(gate);
    for (const id of [1, 2]) {
      const toolCall = { toolCallId: `c${id}`, title: 'Remove', kind: 'delete', rawInput: { path: id } };
      gate.receive({
        jsonrpc: '2.0',
        id,
        method: 'session/request_permission',
        params: { sessionId: 'session', toolCall, options: OPTIONS },
      });
    }
    return gate;
  }

  const outcomes = (gate: ToolGate): unknown[] => gate.outgoing().map(({ body }) => body);
  const selected = (id: number, optionId: string): unknown => ({
    jsonrpc: '2.0',
    id,
    result: { outcome: { outcome: 'selected', optionId } },
  });

  it('an edit that waits for refusals changes no key of theirs', () => {
    const edited = (): unknown[] => {
      let ids = 0;
      const gate = asked({ generateId: () => `id-${ids++}` });
      gate.streamEnded({ status: 'aborted' });
      const { id } = gate.getSnapshot().messages[0]!;
      expect(gate.sendUserMessage({ text: 'again' }, { replace: id })).toBe('queued');
      return gate.outgoing().map(({ kind, key }) => [kind, key]);
    };
    const refusals = edited();
    expect(refusals).toHaveLength(2);
    expect(edited()).toEqual(refusals);
  });

  it('sends a remembered decision as the matching option', () => {
    const gate = asked();
    const [first, second] = gate.pending();
    gate.respond(first?.approvalId as string, { approved: true, remember: 'always' });
    gate.respond(second?.approvalId as string, { approved: false });
    expect(outcomes(gate)).toEqual([selected(1, 'allow_always'), selected(2, 'reject_once')]);
  });

  it('cancel answers every open request with `cancelled`', () => {
    const gate = asked();
    gate.cancel();
    expect(outcomes(gate)).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'cancelled' } } })),
    );
  });
});

describe('protocols that accept an edited input', () => {
  it('the edited input is shown, sent and restored, and the request has its own key', () => {
    const make = (): ToolGateOptions => ({ chatId: 'chat', protocol: langgraph });
    const gate = new ToolGate(make());
    gate.load([
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'tidy up' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          {
            type: 'tool-edit',
            toolCallId: 'c1',
            state: 'approval-requested',
            input: { path: 'a' },
            approval: {
              id: 'a1',
              langgraph: {
                interrupt: 'i',
                position: 0,
                count: 1,
                allowed: ['approve', 'edit', 'reject'],
                edit: ['edited_action'],
              },
            },
          },
        ],
      },
    ]);
    const plain = ToolGate.restore(gate.toJSON(), make());
    // The remembered decision would apply to the input that the user replaced.
    for (const remember of ['chat', { for: 'chat', scope: 'tool' }] as const) {
      expect(() => gate.respond('a1', { approved: true, input: { path: 'b' }, remember })).toThrow(TypeError);
    }
    expect([gate.pending().length, gate.remembered()]).toEqual([1, []]);
    expect(gate.respond('a1', { approved: true, input: { path: 'b' } })).toBe('accepted');
    plain.respond('a1', { approved: true });
    expect(gate.getSnapshot().messages[1]?.parts[0]).toMatchObject({ input: { path: 'b' } });
    const [item] = gate.outgoing();
    expect(JSON.stringify(item?.body)).toContain('"path":"b"');
    expect(item?.key).not.toBe(plain.outgoing()[0]?.key);
    expect(
      ToolGate.restore(JSON.parse(JSON.stringify(gate)) as ReturnType<ToolGate['toJSON']>, make()).outgoing(),
    ).toEqual([item]);
  });
});
