/**
 * AG-UI: the answers arrived and their reply was lost, so the calls that the server ran with them may have run, also
 * those that needed no approval.
 */
import { ToolGate } from 'toolgate';
import { agUi } from 'toolgate/protocols/ag-ui';
import { tanstack } from 'toolgate/protocols/tanstack';
import { expect, test } from 'vitest';
import { gateFor, type Data } from './support';

const MAY_HAVE_RUN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';

const call = (toolCallId: string): Data[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'remove', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const ask = (toolCallId: string): Data => ({ id: `ask-${toolCallId}`, reason: 'tool_call', toolCallId });

/** A gate with two pending approvals, `a` and `b`, and a call of the server, `r`. */
function asked(protocol = agUi): ToolGate {
  const gate = gateFor(protocol.name as 'ag-ui', { protocol });
  gate.sendUserMessage({ text: 'Go.' });
  const { id: requestId } = gate.outgoing()[0]!;
  gate.claim(requestId);
  for (const event of [
    { type: 'RUN_STARTED', threadId: 'chat', runId: 'run' },
    ...['r', 'a', 'b'].flatMap(call),
    {
      type: 'RUN_FINISHED',
      threadId: 'chat',
      runId: 'run',
      outcome: { type: 'interrupt', interrupts: [ask('a'), ask('b')] },
    },
  ])
    gate.receive(event, { requestId });
  gate.streamEnded({ status: 'finished' }, { requestId });
  return gate;
}

const results = (gate: ToolGate): Data[] =>
  (gate.outgoing()[0]?.body as Data).messages
    .filter(({ role }: Data) => role === 'tool')
    .map(({ toolCallId, content }: Data) => [toolCallId, content]);

test.each([agUi, tanstack])('$name: the request that gives them up approves nothing', (protocol) => {
  const before = asked(protocol);
  const [first, second] = before.pending();
  before.respond(first!, { approved: true });
  before.respond(second!, { approved: false });
  before.claim(before.outgoing()[0]!.id);
  const gate = ToolGate.restore(JSON.parse(JSON.stringify(before)), { protocol, chatId: 'chat' });
  expect(gate.undelivered()).toMatchObject([{ delivery: 'unconfirmed' }]);
  gate.sendUserMessage({ text: 'Wait.' });
  gate.cancel();
  const [item] = gate.outgoing();
  expect(item?.approvalIds).toEqual([first!.approvalId, second!.approvalId]);
  expect(JSON.stringify(item?.body)).not.toContain('"approved":true');
  expect(results(gate)).toEqual([
    ['r', MAY_HAVE_RUN],
    ['a', MAY_HAVE_RUN],
  ]);
});

test('the next message is sent with a result for every call', () => {
  const before = asked();
  before.respondAll({ approved: true });
  before.claim(before.outgoing()[0]!.id);
  const gate = ToolGate.restore(JSON.parse(JSON.stringify(before)), { protocol: agUi, chatId: 'chat' });
  gate.sendUserMessage({ text: 'Wait.' });
  gate.cancel();
  const { id: requestId, body } = gate.outgoing()[0]! as { id: string; body: Data };
  expect(body.resume).toEqual(['a', 'b'].map((id) => ({ interruptId: `ask-${id}`, status: 'cancelled' })));
  const all = ['r', 'a', 'b'].map((id) => [id, MAY_HAVE_RUN]);
  expect(results(gate)).toEqual(all);
  gate.claim(requestId);
  gate.receive({ type: 'RUN_STARTED', threadId: 'chat', runId: 'next' }, { requestId });
  gate.receive({ type: 'RUN_FINISHED', threadId: 'chat', runId: 'next' }, { requestId });
  gate.streamEnded({ status: 'finished' }, { requestId });
  expect(results(gate)).toEqual(all);
});

test('an answered step leaves the call to the server, which runs it with the answers', () => {
  const gate = asked();
  gate.respondAll({ approved: true });
  expect(results(gate)).toEqual([]);
});
