/**
 * What is special about LangGraph: positions, both spellings, kinds of decisions that are not allowed, calls that the middleware
 * drops, and all the ways in which its events come.
 */
import { capabilities } from 'toolgate';
import { describe, expect, test } from 'vitest';
import { langgraph as codec } from '../../src/ts/codecs/langgraph.js';
import { langgraph, linesOf, type GraphSession } from '../interop/langgraph.rig';
import type { Reply } from '../interop/rig';
import { rules } from './pairing';
import { factsOf, gateFor, loaded, type Data } from './support';

const CALLS: Reply = {
  calls: [
    { id: 'c1', tool: 'read', path: '/r' },
    { id: 'c2', tool: 'remove', path: '/a' },
    { id: 'c3', tool: 'remove', path: '/b' },
  ],
};
const INTERRUPTED = 'Error: Tool execution was interrupted. It did not run.';

async function opened(replies: readonly Reply[], options = {}, rig = langgraph()): Promise<GraphSession & { anomalies: Data[] }> {
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

const parts = (gate: { getSnapshot(): Data }): Data[] => gate.getSnapshot().messages.flatMap((message: Data) => message.parts.filter((part: Data) => part.toolCallId));

describe('a JavaScript agent', () => {
  test('approvals are positions of the interrupt; what needs none is approved by the middleware', async () => {
    const session = await opened([{ text: 'Done.' }]);
    const { gate, send, bodies } = session;
    const [interrupt] = gate.pending().map(({ approvalId }) => approvalId.replace(/:\d+$/, ''));
    expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([
      [`${interrupt}:0`, 'c2'],
      [`${interrupt}:1`, 'c3'],
    ]);
    expect(parts(gate)[0]).toMatchObject({ state: 'approval-responded', approval: { approved: true, isAutomatic: true } });
    // Answered in any order, they leave in the interrupt's.
    gate.respond(`${interrupt}:1`, { approved: true });
    expect(gate.outgoing()).toEqual([]);
    gate.respond(`${interrupt}:0`, { approved: true });
    await gate.deliver(send);
    expect(bodies.at(-1)).toEqual({ command: { resume: { decisions: [{ type: 'approve' }, { type: 'approve' }] } } });
    expect(parts(gate).map(({ outcome }) => outcome.kind)).toEqual(['executed', 'executed', 'executed']);
    expect(session.anomalies).toEqual([]);
    await session.close?.();
  });

  test('one rejected: its approved sibling and the one without approval are shown as not run, and so told from then on', async () => {
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
    // The thread itself has lost one of them, and left one without a result.
    expect(linesOf((await session.state()).messages).filter(({ kind }) => kind !== 'user' && kind !== 'text').map(({ kind, call }) => [kind, call])).toEqual([
      ['call', 'read /r'],
      ['call', 'remove /b'],
      ['result', 'remove /b'],
    ]);
    await session.close?.();
  });

  test('without the state in the stream an approved sibling is unresolved, until the user’s next message', async () => {
    const session = await opened([{ text: 'Done.' }, { text: 'Bye.' }], {}, langgraph(['updates', 'messages-tuple']));
    const { gate, send, ran } = session;
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    gate.respond(a, { approved: true });
    gate.respond(b, { approved: false });
    await gate.deliver(send);
    expect(gate.getSnapshot().status).toBe('stalled');
    await say(session, 'Go on.');
    expect(ran).toEqual([]);
    expect(parts(gate).map(({ outcome }) => [outcome.kind, outcome.mayHaveRun])).toEqual([
      ['interrupted', true],
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
  ])('%s: nothing that is refused leaves, and the thread goes on', async (_, allowed) => {
    const session = await opened([{ text: 'Well.' }, { text: 'Bye.' }], {}, langgraph(['values', 'messages-tuple'], allowed));
    const { gate, send, ran, prompts, bodies } = session;
    expect(gate.pending().map(({ approvalId }) => (parts(gate).find((part) => part.approval?.id === approvalId) as Data).approval.langgraph.allowed)).toEqual([allowed, allowed]);
    const [a, b] = gate.pending().map(({ approvalId }) => approvalId) as [string, string];
    const canReject = allowed.includes('reject');
    gate.respond(a, { approved: canReject, reason: 'No.' });
    gate.respond(b, { approved: canReject });
    await gate.deliver(send);
    const body = bodies.at(-1) as Data;
    if (canReject) expect(body.command.resume.decisions).toEqual([{ type: 'reject', message: INTERRUPTED }, { type: 'reject', message: INTERRUPTED }]);
    else expect(body.input.messages.map(({ type, tool_call_id: id }: Data) => [type, id])).toEqual([['tool', 'c1'], ['tool', 'c2'], ['tool', 'c3']]);
    expect(ran).toEqual([]);
    await say(session, 'Thanks.');
    expect(prompts.length).toBe(3);
    expect(parts(gate).every(({ outcome }) => outcome && outcome.kind !== 'executed')).toBe(true);
    if (!canReject) expect(rules.langgraph((await session.state()).messages)).toEqual([]);
    await session.close?.();
  });

  test('a message that is sent twice, since its reply was lost, stands in the thread once', async () => {
    const session = await langgraph().open([{ text: 'Hello.' }, { text: 'Hello again.' }], {});
    session.gate.sendUserMessage({ text: 'Hi.' });
    const item = session.gate.outgoing()[0] as Data;
    session.gate.claim(item.id);
    await session.send(item);
    await session.send({ ...item, attempt: 2 });
    expect((await session.state()).messages.map(({ type }) => type)).toEqual(['human', 'ai', 'ai']);
    await session.close?.();
  });

  test('an edited input runs as it was edited', async () => {
    const session = await opened([{ text: 'Done.' }]);
    const { gate, send, ran } = session;
    const decisions = [decided(gate, 0, { outcome: 'approved', editedInput: { path: '/z' } }), decided(gate, 1, { outcome: 'approved' })];
    gate.respondAll({ approved: true });
    const item = gate.outgoing()[0] as Data;
    gate.claim(item.id);
    await send({ ...item, body: bodyFor(decisions) });
    expect(ran).toEqual(['read /r', 'remove /z', 'remove /b']);
    expect(parts(gate).map(({ output }) => output)).toEqual(['read /r: done', 'remove /z: done', 'remove /b: done']);
    expect(session.anomalies).toEqual([]);
    await session.close?.();
  });

  test('a page that opens a waiting thread asks again, and its answer is taken', async () => {
    const session = await opened([{ text: 'Done.' }]);
    const { messages, interrupts } = await session.state();
    const later = gateFor('langgraph');
    later.load(messages);
    later.receive({ event: 'values', data: { messages, __interrupt__: interrupts } });
    later.streamEnded({ status: 'finished' });
    expect(later.pending()).toMatchObject(session.gate.pending().map(({ approvalId, toolCallId }) => ({ approvalId, toolCallId })));
    later.respondAll({ approved: true });
    await later.deliver((item) => session.sendFrom(later, item));
    expect(session.ran).toEqual(['read /r', 'remove /a', 'remove /b']);
    expect(parts(later).map(({ state }) => state)).toEqual(['output-available', 'output-available', 'output-available']);
    await session.close?.();
  });

  test('its thread is read, and what is assembled from it starts another one', async () => {
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
    expect(second.prompts).toEqual([linesOf([...(first.gate.assemble() as Data[]), { type: 'human', content: 'Go on.' }])]);
    await second.close?.();
  });
});

const snake = (allowed?: string[]): Data => ({
  action_requests: ['/a', '/b'].map((path) => ({ name: 'remove', args: { path } })),
  review_configs: [{ action_name: 'remove', allowed_decisions: allowed ?? ['approve', 'edit', 'reject'] }],
});
const camel = (): Data => ({
  actionRequests: ['/a', '/b'].map((path) => ({ name: 'remove', args: { path } })),
  reviewConfigs: [{ actionName: 'remove', allowedDecisions: ['approve', 'edit', 'reject'] }],
});
const AI = { type: 'ai', id: 'ai-1', content: 'Hm.', tool_calls: ['/b', '/a'].map((path) => ({ id: path, name: 'remove', args: { path } })) };

function asked(value: Data, more: Data[] = []) {
  const gate = gateFor('langgraph');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of [{ event: 'values', data: { messages: [{ type: 'human', id: 'h', content: 'Go.' }] } }, { event: 'updates', data: { model: { messages: [AI] } } }, ...more]) gate.receive(event);
  gate.receive({ event: 'values', data: { __interrupt__: [{ id: 'i', value }] } });
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** What a decision on a pending approval is, as the core hands it to a codec. */
const decided = (gate: Data, place: number, more: Data): Data => {
  const { approvalId, toolCallId, toolName, input } = gate.pending()[place];
  const approval = parts(gate).find((part) => part.toolCallId === toolCallId)?.approval;
  return { approvalId, toolCallId, toolName, input, approval, ...more };
};

const STEP: Data = [{ role: 'assistant', content: ['/b', '/a'].map((path) => ({ type: 'tool-call', toolCallId: path, toolName: 'remove', input: { path } })) }];

const bodyFor = (decisions: Data[], texts?: Data): Data =>
  codec.body([], { chatId: 'chat', history: 'server', decisions, news: [], texts, item: {}, request: { messages: [] }, lose: () => {} } as Data);

describe('decisions', () => {
  test('an action is matched with its call by name and arguments, not by its place', () => {
    const gate = asked(snake());
    expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([['i:1', '/b'], ['i:0', '/a']]);
    gate.respond('i:0', { approved: true });
    gate.respond('i:1', { approved: false, reason: 'No.' });
    expect(gate.outgoing()[0]?.body).toEqual({
      command: { resume: { decisions: [{ type: 'approve' }, { type: 'reject', message: 'No.' }] } },
      config: { configurable: { thread_id: 'chat' } },
    });
  });

  test.each([
    ['snake_case', snake(), ['edited_action']],
    ['camelCase', camel(), ['editedAction']],
    ['both, as the client’s hooks show it', { ...snake(), ...camel() }, ['editedAction', 'edited_action']],
  ])('an edited input in the spelling of the interrupt: %s', (_, value, keys) => {
    const gate = asked(value);
    const edit = decided(gate, 1, { outcome: 'approved', editedInput: { path: '/c' } });
    const rest = decided(gate, 0, { outcome: 'approved' });
    const action = { name: 'remove', args: { path: '/c' } };
    expect(bodyFor([edit, rest]).command.resume.decisions).toEqual([{ type: 'edit', ...Object.fromEntries(keys.map((key) => [key, action])) }, { type: 'approve' }]);
    expect(codec.editable?.(edit.approval)).toBe(true);
  });

  test('an edit that is not allowed runs nothing, neither what was changed nor what was asked', () => {
    const gate = asked(snake(['approve', 'reject']));
    const edit = decided(gate, 1, { outcome: 'approved', editedInput: { path: '/c' } });
    expect(codec.editable?.(edit.approval)).toBe(false);
    expect(bodyFor([edit, decided(gate, 0, { outcome: 'approved' })]).command.resume.decisions).toEqual([{ type: 'reject', message: INTERRUPTED }, { type: 'approve' }]);
  });

  test('every other outcome is a rejection with its text, in the app’s words if it has any', () => {
    const gate = asked(snake());
    const decisions = [decided(gate, 0, { outcome: 'skipped' }), decided(gate, 1, { outcome: 'cancelled' })];
    const skipped = 'Error: Tool execution was skipped due to previous tool denial.';
    expect(bodyFor(decisions, { cancelled: 'Called off.' }).command.resume.decisions).toEqual([{ type: 'reject', message: 'Called off.' }, { type: 'reject', message: skipped }]);
    const [expired, denied] = [decided(gate, 0, { outcome: 'expired', reason: 'Too late.' }), decided(gate, 1, { outcome: 'denied' })];
    expect(bodyFor([expired, denied]).command.resume.decisions).toEqual([{ type: 'reject' }, { type: 'reject', message: 'Too late.' }]);
  });

  test('too few decisions never leave as such: the step is told as results, and what was approved as not run', () => {
    const gate = asked(snake());
    const decisions = [decided(gate, 0, { outcome: 'approved' })];
    const body = codec.body(STEP, { chatId: 'chat', history: 'server', decisions, news: [], item: {}, request: { messages: [] }, lose: () => {} } as Data) as Data;
    expect(body.command).toBeUndefined();
    expect(body.input.messages.map(({ tool_call_id: id, content }: Data) => [id, content])).toEqual([['/b', INTERRUPTED], ['/a', INTERRUPTED]]);
  });

  test('a message that comes with denials: results of the whole step before it, and no decision', () => {
    const gate = asked(snake(), []);
    gate.respondAll({ approved: false });
    const news = [{ role: 'user', content: [{ type: 'text', text: 'Wait.' }] }];
    const decisions = [{ outcome: 'denied' }];
    const body = codec.body(STEP, { chatId: 'chat', history: 'server', decisions, news, item: {}, request: { messages: [{ id: 'm', role: 'user' }] }, lose: () => {} } as Data) as Data;
    expect(body.command).toBeUndefined();
    expect(body.input.messages.map(({ type, tool_call_id: call, id, content }: Data) => [type, call ?? id, content])).toEqual([
      ['tool', '/b', INTERRUPTED],
      ['tool', '/a', INTERRUPTED],
      ['human', 'm', 'Wait.'],
    ]);
  });

  test('several interrupts are answered by their ids, and one of a single call by the decision alone', () => {
    const gate = gateFor('langgraph');
    const schema = { $defs: { A: { properties: { type: { const: 'approve' } } }, R: { properties: { type: { const: 'reject' } } } } };
    const single = { type: 'tool_approval', tool_call_id: '/b', name: 'remove', args: { path: '/b' } };
    gate.receive({ event: 'updates', data: { model: { messages: [AI] } } });
    gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'i', value: single, response_schema: schema }] } });
    const batch = { action_requests: [{ name: 'remove', args: { path: '/a' } }], review_configs: snake().review_configs };
    gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'j', value: batch }] } });
    expect(parts(gate).map(({ approval }) => approval.langgraph.allowed)).toEqual([['approve', 'reject'], ['approve', 'edit', 'reject']]);
    const all = [decided(gate, 0, { outcome: 'approved' }), decided(gate, 1, { outcome: 'denied', reason: 'No.' })];
    expect(bodyFor(all).command.resume).toEqual({ i: { type: 'approve' }, j: { decisions: [{ type: 'reject', message: 'No.' }] } });
    expect(bodyFor(all.slice(0, 1)).command.resume).toEqual({ i: { type: 'approve' } });
  });
});

describe('its events', () => {
  const human = { type: 'human', id: 'h', content: 'Go.' };
  const pieces = [
    { type: 'AIMessageChunk', id: 'ai-1', content: 'H' },
    { type: 'AIMessageChunk', id: 'ai-1', content: [{ type: 'text', text: 'm.', index: 0 }] },
    { type: 'AIMessageChunk', id: 'ai-1', content: '', tool_call_chunks: [{ index: 0, id: '/b', name: 'remove', args: '' }] },
    { type: 'AIMessageChunk', id: 'ai-1', content: '', tool_call_chunks: [{ index: 0, id: null, name: null, args: '{"path":' }] },
    { type: 'AIMessageChunk', id: 'ai-1', content: '', tool_call_chunks: [{ index: 0, id: null, name: null, args: '"/b"}' }] },
    { type: 'AIMessageChunk', id: 'ai-1', content: '', tool_call_chunks: [{ index: 1, id: '/a', name: 'remove', args: '{"path":"/a"}' }] },
  ];
  const ask = { __interrupt__: [{ id: 'i', value: snake() }] };
  const built = (message: Data): Data => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', message.type === 'ai' ? 'AIMessage' : message.type], kwargs: message });
  const ways: Record<string, Data[]> = {
    'values alone': [{ event: 'values', data: { messages: [human] } }, { event: 'values', data: { messages: [human, AI] } }, { event: 'values', data: { messages: [human, AI], ...ask } }],
    'updates alone': [{ event: 'updates', data: { model: { messages: [AI] } } }, { event: 'updates', data: ask }],
    'messages-tuple and updates': [
      { event: 'metadata', data: { run_id: 'r' } },
      ...pieces.map((piece) => ({ event: 'messages', data: [piece, {}] })),
      { event: 'updates', data: { model: { messages: [AI] } } },
      { event: 'updates', data: ask },
    ],
    'whole messages in messages-tuple': [{ event: 'messages', data: [AI, {}] }, { event: 'updates', data: { model: { messages: [AI] } } }, { event: 'updates', data: ask }],
    'the older messages mode': [
      { event: 'messages/complete', data: [human] },
      { event: 'messages/metadata', data: {} },
      { event: 'messages/partial', data: [{ type: 'ai', id: 'ai-1', content: 'H', tool_calls: [] }] },
      { event: 'messages/partial', data: [{ ...AI, tool_calls: [{ id: '/b', name: 'remove', args: {} }] }] },
      { event: 'messages/complete', data: [AI] },
      { event: 'updates', data: ask },
    ],
    'tuples of graph.stream': [['values', { messages: [built(human)] }], ...pieces.map((piece) => ['messages', [built(piece), {}]]), ['values', { messages: [built(human), built(AI)] }], ['values', ask]],
  };

  test.each(Object.entries(ways))('%s', (_, events) => {
    const gate = gateFor('langgraph');
    const anomalies: Data[] = [];
    gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event));
    gate.sendUserMessage({ text: 'Go.' });
    gate.claim(gate.outgoing()[0]!.id);
    for (const event of events) gate.receive(JSON.parse(JSON.stringify(event)));
    gate.receive({ event: 'end', data: null });
    gate.streamEnded({ status: 'finished' });
    expect(gate.assemble().slice(0, 1)).toEqual([{ type: 'human', content: 'Go.' }]);
    expect(gate.getSnapshot().messages[1]?.parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'Hm.' }]);
    expect(gate.pending().map(({ approvalId, toolCallId, input }) => [approvalId, toolCallId, input])).toEqual([
      ['i:1', '/b', { path: '/b' }],
      ['i:0', '/a', { path: '/a' }],
    ]);
    expect(anomalies).toEqual([]);
  });

  test('an interrupt of another kind, custom events and those of subgraphs are the app’s', () => {
    const gate = gateFor('langgraph');
    const passed: Data[] = [];
    gate.onEvent((event) => event.type === 'passthrough' && passed.push((event.event as Data).event));
    for (const event of [
      { event: 'values', data: { messages: [human], __interrupt__: [{ id: 'i', value: 'Which one?' }] } },
      { event: 'custom', data: { done: 3 } },
      { event: 'messages|tools:1', data: [AI, {}] },
      { event: 'end', data: null },
    ]) {
      gate.receive(event);
    }
    expect(passed).toEqual(['values', 'custom', 'messages|tools:1']);
    expect(gate.pending()).toEqual([]);
  });

  test('a call that only the interrupt knows is asked about all the same', () => {
    const gate = gateFor('langgraph');
    gate.receive({ event: 'updates', data: { __interrupt__: [{ id: 'i', value: snake() }] } });
    expect(gate.pending().map(({ approvalId, toolCallId, input }) => [approvalId, toolCallId, input])).toEqual([
      ['i:0', 'i:0', { path: '/a' }],
      ['i:1', 'i:1', { path: '/b' }],
    ]);
  });

  test('an error of the run ends the turn', () => {
    const gate = asked(snake());
    gate.respondAll({ approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive({ event: 'error', data: { error: 'ValueError', message: 'overloaded' } });
    gate.streamEnded({ status: 'finished' });
    expect(gate.getSnapshot().turn.ending).toBe('failed');
  });
});

test('what the protocol can express', () => {
  expect(capabilities('langgraph')).toMatchObject({ kind: 'resubmitting', history: 'server', editedInput: true, cancel: false, remember: false, reason: true });
});
