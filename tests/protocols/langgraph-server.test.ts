/**
 * A LangChain agent with LangGraph's own client: calls that the middleware drops, decisions that it does not allow,
 * edited inputs, and reopened threads.
 */
import type { Outgoing } from 'toolgate';
import { describe, expect, test } from 'vitest';
import { langgraph, linesOf, type GraphSession } from '../interop/langgraph.rig';
import type { Reply } from '../interop/rig';
import { decisionsOf, INTERRUPTED, parts } from './langgraph-support';
import { rules } from './pairing';
import { factsOf, gateFor, loaded, type Data } from './support';

const CALLS: Reply = {
  calls: [
    { id: 'c1', tool: 'read', path: '/r' },
    { id: 'c2', tool: 'remove', path: '/a' },
    { id: 'c3', tool: 'remove', path: '/b' },
  ],
};

async function opened(
  replies: readonly Reply[],
  options = {},
  rig = langgraph(),
): Promise<GraphSession & { anomalies: Data[] }> {
  const session = await rig.open([CALLS, ...replies], options);
  const anomalies: Data[] = [];
  session.gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event));
  await say(session, 'Tidy up.');
  return { ...session, anomalies };
}

async function say({ gate, send }: GraphSession, text: string): Promise<void> {
  gate.sendUserMessage({ text });
  await gate.deliver(send);
}

describe('a JavaScript agent', () => {
  test('decisions are matched with the interrupt’s actions by position; the server runs the remaining calls', async () => {
    const session = await opened([{ text: 'Done.' }]);
    const { gate, send, bodies } = session;
    const [interrupt] = gate.pending().map(({ approvalId }) => approvalId.replace(/:\d+$/, ''));
    expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([
      [`${interrupt}:0`, 'c2'],
      [`${interrupt}:1`, 'c3'],
    ]);
    expect(parts(gate)[0].approval).toBeUndefined();
    expect(gate.getSnapshot().turn.waitingFor.map(({ kind }) => kind)).toEqual(['user']);
    // Decisions in any order are sent in the interrupt's order.
    gate.respond(`${interrupt}:1`, { approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.respond(`${interrupt}:0`, { approved: true });
    await gate.deliver(send);
    expect(bodies.at(-1)).toEqual({
      command: { resume: { [interrupt as string]: { decisions: [{ type: 'approve' }, { type: 'approve' }] } } },
    });
    expect(parts(gate).map(({ outcome }) => outcome.kind)).toEqual(['executed', 'executed', 'executed']);
    expect(session.anomalies).toEqual([]);
    await session.close?.();
  });

  test('after a rejection, the other calls of the step are shown and sent as not run, even approved ones', async () => {
    const session = await opened([{ text: 'Done.' }, { text: 'Bye.' }]);
    const { gate, send, ran } = session;
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    gate.respond(a, { approved: true });
    gate.respond(b, { approved: false, reason: 'Keep it.' });
    await gate.deliver(send);
    expect(ran).toEqual([]);
    expect(parts(gate).map(({ state, outcome, errorText }) => [state, outcome.kind, errorText])).toEqual([
      ['output-error', 'failed', INTERRUPTED],
      ['output-error', 'failed', INTERRUPTED],
      ['output-denied', 'denied', undefined],
    ]);
    expect(gate.getSnapshot().turn.status).toBe('done');
    expect(session.anomalies).toEqual([]);
    await say(session, 'Thanks.');
    const history = gate.assemble() as Data[];
    expect(rules.langgraph(history)).toEqual([]);
    expect(linesOf(history).filter(({ kind }) => kind === 'result')).toEqual([
      { kind: 'result', call: 'read /r', text: INTERRUPTED },
      { kind: 'result', call: 'remove /a', text: INTERRUPTED },
      { kind: 'result', call: 'remove /b', text: 'User rejected the tool call for `remove` with reason: Keep it.' },
    ]);
    // The server's thread does not contain one of the calls, and has no result for another.
    expect(
      linesOf((await session.state()).messages)
        .filter(({ kind }) => kind !== 'user' && kind !== 'text')
        .map(({ kind, call }) => [kind, call]),
    ).toEqual([
      ['call', 'read /r'],
      ['call', 'remove /b'],
      ['result', 'remove /b'],
    ]);
    await session.close?.();
  });

  test('without state events in the stream, an approved call next to a rejected one has no result until the next user message', async () => {
    const session = await opened([{ text: 'Done.' }, { text: 'Bye.' }], {}, langgraph(['updates', 'messages-tuple']));
    const { gate, send, ran } = session;
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    gate.respond(a, { approved: true });
    gate.respond(b, { approved: false });
    await gate.deliver(send);
    expect(gate.getSnapshot().status).toBe('stalled');
    await say(session, 'Go on.');
    expect(ran).toEqual([]);
    expect(parts(gate).map(({ outcome }) => [outcome?.kind, outcome?.mayHaveRun])).toEqual([
      [undefined, undefined],
      ['interrupted', true],
      ['denied', undefined],
    ]);
    expect(rules.langgraph(gate.assemble() as Data[])).toEqual([]);
    expect(session.anomalies).toEqual([]);
    await session.close?.();
  });

  test.each([
    ['no rejection is allowed', ['approve', 'edit']],
    ['no approval is allowed', ['reject']],
  ])('%s: no invalid decision is made or sent, and the thread continues', async (_, allowed) => {
    const session = await opened(
      [{ text: 'Well.' }, { text: 'Bye.' }],
      {},
      langgraph(['values', 'messages-tuple'], allowed),
    );
    const { gate, send, ran, prompts, bodies } = session;
    expect(
      gate
        .pending()
        .map(
          ({ approvalId }) =>
            (parts(gate).find((part) => part.approval?.id === approvalId) as Data).approval.langgraph.allowed,
        ),
    ).toEqual([allowed, allowed]);
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    const canReject = allowed.includes('reject');
    if (canReject)
      expect(() => gate.respond(a, { approved: true })).toThrow(expect.objectContaining({ code: 'choice-required' }));
    gate.respond(a, { approved: false, reason: 'No.' });
    gate.respond(b, { approved: false });
    await gate.deliver(send);
    const body = bodies.at(-1) as Data;
    if (canReject) expect(decisionsOf(body)).toEqual([{ type: 'reject', message: 'No.' }, { type: 'reject' }]);
    else
      expect(body.input.messages.map(({ type, tool_call_id: id }: Data) => [type, id])).toEqual([
        ['tool', 'c1'],
        ['tool', 'c2'],
        ['tool', 'c3'],
      ]);
    expect(ran).toEqual([]);
    await say(session, 'Thanks.');
    expect(prompts.length).toBe(3);
    expect(parts(gate).every(({ outcome }) => outcome && outcome.kind !== 'executed')).toBe(true);
    if (!canReject) expect(rules.langgraph((await session.state()).messages)).toEqual([]);
    await session.close?.();
  });

  test('a message that is sent twice, after a lost reply, is in the thread once', async () => {
    const session = await langgraph().open([{ text: 'Hello.' }, { text: 'Hello again.' }], {});
    session.gate.sendUserMessage({ text: 'Hi.' });
    const item = session.gate.outgoing()[0] as Data;
    session.gate.claim(item.id);
    await session.send(item);
    await session.send({ ...item, attempt: 2 });
    expect((await session.state()).messages.map(({ type }) => type)).toEqual(['human', 'ai', 'ai']);
    await session.close?.();
  });

  test('an approved call runs with the edited input', async () => {
    const session = await opened([{ text: 'Done.' }, { text: 'Bye.' }]);
    const { gate, send, ran, bodies } = session;
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    gate.respond(a, { approved: true, input: { path: '/z' } });
    gate.respond(b, { approved: true });
    await gate.deliver(send);
    expect(decisionsOf(bodies.at(-1))).toEqual([
      { type: 'edit', editedAction: { name: 'remove', args: { path: '/z' } } },
      { type: 'approve' },
    ]);
    expect(ran).toEqual(['read /r', 'remove /z', 'remove /b']);
    expect(parts(gate).map(({ input, output }) => [input.path, output])).toEqual([
      ['/r', 'read /r: done'],
      ['/z', 'remove /z: done'],
      ['/b', 'remove /b: done'],
    ]);
    expect(session.anomalies).toEqual([]);
    await say(session, 'Thanks.');
    expect(linesOf(gate.assemble() as Data[]).slice(0, -1)).toEqual(session.prompts.at(-1));
    await session.close?.();
  });

  test('an edit is refused if the call does not allow it', async () => {
    const session = await opened(
      [{ text: 'Done.' }],
      {},
      langgraph(['values', 'messages-tuple'], ['approve', 'reject']),
    );
    const { gate } = session;
    const { approvalId } = gate.pending()[0] as Data;
    expect(() => gate.respond(approvalId, { approved: true, input: { path: '/z' } })).toThrow(
      expect.objectContaining({ code: 'edit-unsupported', approvalId }),
    );
    expect(() => gate.respond('unknown', { approved: true, input: {} })).toThrow(
      expect.objectContaining({ code: 'unknown-approval' }),
    );
    expect(gate.pending().length).toBe(2);
    await session.close?.();
  });

  test('after `cancel()` and a message, the rejections are sent, and the message after the reply to them', async () => {
    const session = await opened([{ text: 'As you wish.' }, { text: 'Yes?' }]);
    const { gate, bodies, ran } = session;
    gate.cancel();
    expect(gate.outgoing()).toEqual([]);
    await say(session, 'Something else.');
    const message = 'Error: Tool execution was cancelled by user. It did not run.';
    expect(
      bodies
        .slice(1)
        .map(({ command, input }) =>
          command ? decisionsOf({ command }) : input.messages.map(({ content }: Data) => content),
        ),
    ).toEqual([
      [
        { type: 'reject', message },
        { type: 'reject', message },
      ],
      ['Something else.'],
    ]);
    expect(ran).toEqual([]);
    expect(parts(gate).map(({ outcome }) => outcome.kind)).toEqual(['failed', 'cancelled', 'cancelled']);
    expect(parts(gate)[0].errorText).toBe(INTERRUPTED);
    expect(session.anomalies).toEqual([]);
    await session.close?.();
  });

  test('a repeated answer without an interrupt id would resume a later interrupt', async () => {
    const later: Reply = { calls: [{ id: 'c9', tool: 'remove', path: '/later' }] };
    const first: Reply = { calls: [{ id: 'c1', tool: 'remove', path: '/a' }] };
    for (const isBare of [false, true]) {
      const session = await langgraph().open([first, later, { text: 'Done.' }], {});
      const { gate, ran } = session;
      await say(session, 'Tidy up.');
      gate.respondAll({ approved: true });
      const items: Outgoing[] = [];
      await gate.deliver((item) => (items.push(item), session.send(item)));
      expect([ran, gate.pending().map(({ input }) => input)]).toEqual([['remove /a'], [{ path: '/later' }]]);
      const body = items[0]?.body as Data;
      const [answer] = Object.values(body.command.resume);
      await session.send({ ...(items[0] as Outgoing), body: isBare ? { ...body, command: { resume: answer } } : body });
      // The user has not approved this call.
      expect(ran).toEqual(isBare ? ['remove /a', 'remove /later'] : ['remove /a']);
      await session.close?.();
    }
  });

  test('a page that opens a waiting thread shows its approvals, and their decisions are accepted', async () => {
    const session = await opened([{ text: 'Done.' }]);
    const { messages, interrupts } = await session.state();
    const later = gateFor('langgraph');
    later.load(messages);
    later.receive({ event: 'values', data: { messages, __interrupt__: interrupts } });
    later.streamEnded({ status: 'finished' });
    expect(later.pending()).toMatchObject(
      session.gate.pending().map(({ approvalId, toolCallId }) => ({ approvalId, toolCallId })),
    );
    later.respondAll({ approved: true });
    await later.deliver((item) => session.sendFrom(later, item));
    expect(session.ran).toEqual(['read /r', 'remove /a', 'remove /b']);
    expect(parts(later).map(({ state }) => state)).toEqual([
      'output-available',
      'output-available',
      'output-available',
    ]);
    await session.close?.();
  });

  test('its thread can be loaded, and the assembled history starts another thread', async () => {
    const first = await opened([{ text: 'Done.' }]);
    first.gate.respondAll({ approved: false, reason: 'Keep them.' });
    await first.gate.deliver(first.send);
    const gate = loaded('langgraph', (await first.state()).messages);
    expect(factsOf(gate.assemble('ai-sdk')).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['c1', 'interrupted'],
      ['c2', 'failed'],
      ['c3', 'failed'],
    ]);
    await first.close?.();
    const second = await langgraph().open([{ text: 'Hello again.' }], { history: 'client' });
    second.gate.load(first.gate.assemble());
    await say(second, 'Go on.');
    expect(second.prompts).toEqual([
      linesOf([...(first.gate.assemble() as Data[]), { type: 'human', content: 'Go on.' }]),
    ]);
    await second.close?.();
  });
});
