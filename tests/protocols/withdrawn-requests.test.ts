/**
 * Requests that the backend takes back. Nothing is sent to them, also if the user has decided meanwhile. Another
 * request about the same call stays open.
 */
import { describe, expect, test } from 'vitest';
import { bodiesOf, firstReply, type FirstReply } from './first-reply.js';
import type { Data } from './support';

const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, name: kind, kind }));
const toolCall = { toolCallId: 'c', title: 'Remove', rawInput: { path: '/a' } };
const at = { threadId: 'chat', turnId: 't' };
const asked = { subtype: 'can_use_tool', tool_name: 'remove', input: { path: '/a' }, tool_use_id: 'c' };

/** The request with this number about the call `c`, and how the backend takes it back. */
const WIRES = {
  acp: [
    (id) => ({ jsonrpc: '2.0', id, method: 'session/request_permission', params: { options, toolCall } }),
    (requestId) => ({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } }),
  ],
  'claude-agent-sdk': [
    (id) => ({ type: 'control_request', request_id: `${id}`, request: asked }),
    (id) => ({ type: 'control_cancel_request', request_id: `${id}` }),
  ],
  codex: [
    (id) => ({
      id,
      method: 'item/commandExecution/requestApproval',
      params: { ...at, itemId: 'c', command: 'rm /a', cwd: '/' },
    }),
    (requestId) => ({ method: 'serverRequest/resolved', params: { ...at, requestId } }),
  ],
} satisfies Record<string, readonly [ask: (id: number) => Data, takeBack: (id: number) => Data]>;

type Wire = keyof typeof WIRES;

const begun = (protocol: Wire): FirstReply & { readonly ask: (id: number) => void; takeBack(id: number): void } => {
  const reply = firstReply(protocol);
  const [ask, takeBack] = WIRES[protocol];
  return { ...reply, ask: (id) => reply.take(ask(id)), takeBack: (id) => reply.take(takeBack(id)) };
};

const openIn = ({ gate }: FirstReply): unknown[] => [gate.outgoing(), gate.undelivered(), gate.pending()];

describe.each(Object.keys(WIRES) as Wire[])('%s', (protocol) => {
  test.each([true, false])('a decision that was not sent is dropped (approved: %s)', (approved) => {
    const reply = begun(protocol);
    reply.ask(0);
    reply.gate.respond(reply.gate.pending()[0]!, { approved });
    expect(reply.gate.outgoing()).toHaveLength(1);
    reply.takeBack(0);
    expect([...openIn(reply), reply.wrong]).toEqual([[], [], [], []]);
  });

  test('an approval that failed is not sent to another request about the call until it is retried', () => {
    const reply = begun(protocol);
    const { gate } = reply;
    reply.ask(0);
    gate.respond(gate.pending()[0]!, { approved: true });
    const [item] = gate.outgoing();
    gate.claim(item!.id);
    gate.markFailed(item!.id, 'offline');
    reply.ask(1);
    reply.takeBack(0);
    expect(gate.outgoing()).toEqual([]);
    gate.retry(item!.id);
    gate.markSent(item!.id);
    expect(gate.outgoing().map(({ approvalIds }) => approvalIds.length)).toEqual([1]);
    expect(reply.wrong).toEqual([]);
  });

  test('a decision that was sent stays', () => {
    const reply = begun(protocol);
    const { gate } = reply;
    reply.ask(0);
    gate.respond(gate.pending()[0]!, { approved: true });
    gate.markSent(gate.outgoing()[0]!.id);
    reply.takeBack(0);
    expect(gate.part('c')).toMatchObject({ state: 'approval-responded', approval: { approved: true } });
    expect([...openIn(reply), reply.wrong]).toEqual([[], [], [], []]);
  });

  test('of two requests about a call, the one that stays is answered, and only that one', () => {
    const reply = begun(protocol);
    const { gate } = reply;
    reply.ask(0);
    reply.ask(1);
    reply.takeBack(1);
    expect(gate.outgoing()).toEqual([]);
    gate.respond(gate.pending()[0]!, { approved: true });
    const bodies: Data[] = bodiesOf(gate);
    expect(bodies.map((body) => Number(body.id ?? body.response.request_id))).toEqual([0]);
    gate.markSent(gate.outgoing()[0]!.id);
    expect([...openIn(reply), reply.wrong]).toEqual([[], [], [], []]);
  });
});
