/** The questions of Codex's app server and of its MCP servers: messages in the form of its generated types. */
import { ToolGate, type GateEvent } from 'toolgate';
import { codex } from 'toolgate/protocols/codex';
import { expect, test } from 'vitest';
import { type FirstReply, bodiesOf, firstReply } from './first-reply';
import { type Data } from './support';

const at = { threadId: 'chat', turnId: 't' };
const browserTools = ['request_user_input', 'mcp_elicitation'];
const question = {
  id: 'db',
  header: 'Database',
  question: 'Which database?',
  isOther: true,
  isSecret: false,
  options: [{ label: 'SQLite', description: 'A file.' }],
};
const asks = (id: number, more: Data = {}): Data => ({
  method: 'item/tool/requestUserInput',
  id,
  params: { ...at, itemId: `call-${id}`, questions: [question], isBlocking: false, autoResolutionMs: null, ...more },
});
const requestedSchema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
const elicits = (id: number, more: Data = {}): Data => ({
  method: 'mcpServer/elicitation/request',
  id,
  params: { ...at, serverName: 'bookings', mode: 'form', _meta: null, message: 'Which day?', requestedSchema, ...more },
});
const resolved = (requestId: number): Data => ({
  method: 'serverRequest/resolved',
  params: { threadId: 'chat', requestId },
});

const begun = (options: Data = { browserTools }): FirstReply => firstReply('codex', options);

const waits = (gate: ToolGate): Data =>
  gate.getSnapshot().turn.waitingFor.find(({ kind }) => kind === 'tool') ?? { toolCallIds: [] };
const idOf = (gate: ToolGate): string => waits(gate).toolCallIds[0];
const accept = (content: Data): Data => ({ output: { action: 'accept', content } });

test('questions wait for the user, and the answers are sent by the ids of the questions, once', () => {
  const { gate, wrong, take } = begun();
  take(asks(0, { questions: [question, { ...question, id: 'extras' }] }));
  expect(waits(gate).toolCallIds).toEqual(['call-0']);
  expect(gate.part('call-0')).toMatchObject({ type: 'tool-request_user_input', input: { questions: [question, {}] } });
  gate.addToolOutput('call-0', accept({ db: 'SQLite', extras: ['a', 'b'] }));
  expect(() => gate.addToolOutput('call-0', accept({ db: 'Other' }))).toThrow(
    expect.objectContaining({ code: 'already-settled' }),
  );
  expect(bodiesOf(gate)).toEqual([
    { id: 0, result: { answers: { db: { answers: ['SQLite'] }, extras: { answers: ['a', 'b'] } } } },
  ]);
  gate.markSent(gate.outgoing()[0]!.id);
  take(resolved(0), { method: 'item/agentMessage/delta', params: { ...at, itemId: 'm', delta: 'Done.' } });
  expect(
    gate
      .getSnapshot()
      .messages.at(-1)
      ?.parts.map(({ type }) => type),
  ).toEqual(['step-start', 'tool-request_user_input', 'step-start', 'text']);
  expect([bodiesOf(gate), wrong]).toEqual([[], []]);
});

test('questions that are declined, dismissed, cancelled or answered otherwise have no answers', () => {
  const outputs = [{ action: 'decline' }, { action: 'cancel' }, 'SQLite', { action: 'accept' }, null];
  for (const output of outputs) {
    const { gate, take } = begun();
    take(asks(0));
    gate.addToolOutput('call-0', { output });
    expect(bodiesOf(gate)).toEqual([{ id: 0, result: { answers: {} } }]);
  }
  const { gate, take } = begun();
  take(asks(0));
  gate.addToolOutput('call-0', { errorText: 'The form could not be shown.' });
  take(asks(1));
  gate.cancel();
  expect(bodiesOf(gate)).toEqual([0, 1].map((id) => ({ id, result: { answers: {} } })));
});

test('an elicitation of an MCP server is answered in its own form', () => {
  const { gate, wrong, take } = begun();
  const answers: Data[] = [
    { action: 'accept', content: { day: 'Monday' } },
    { action: 'decline' },
    { action: 'cancel' },
    'no',
  ];
  for (const [id, output] of answers.entries()) {
    take(elicits(id));
    const call = idOf(gate);
    expect(gate.part(call)).toMatchObject({
      type: 'tool-mcp_elicitation',
      title: 'bookings',
      input: { server: 'bookings', message: 'Which day?', requestedSchema },
    });
    gate.addToolOutput(call, { output });
    take(resolved(id));
  }
  take(elicits(4, { turnId: null }));
  gate.cancel();
  const none = { content: null, _meta: null };
  expect(bodiesOf(gate).map(({ result }) => result)).toEqual([
    { action: 'accept', content: { day: 'Monday' }, _meta: null },
    { action: 'decline', ...none },
    { action: 'cancel', ...none },
    { action: 'cancel', ...none },
    { action: 'cancel', ...none },
  ]);
  expect(wrong).toEqual([]);
});

test('a question that is answered elsewhere or withdrawn is closed, and an answer to it is refused', () => {
  for (const close of [
    resolved(0),
    { method: 'turn/completed', params: { threadId: 'chat', turn: { id: 't', items: [], status: 'interrupted' } } },
  ])
    for (const ask of [asks(0), elicits(0)]) {
      const { gate, wrong, take } = begun();
      take(ask);
      const call = idOf(gate);
      take(close);
      expect(gate.part(call)).toMatchObject({ state: 'output-error', outcome: { kind: 'failed' } });
      expect(() => gate.addToolOutput(call, accept({}))).toThrow(expect.objectContaining({ code: 'already-settled' }));
      take(resolved(0));
      expect([waits(gate).toolCallIds, bodiesOf(gate), wrong]).toEqual([[], [], []]);
    }
});

test('a waiting question survives a reload, and its request may be repeated', () => {
  for (const ask of [asks(3), elicits(3)]) {
    const { gate, take } = begun();
    take(ask);
    const later = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: codex, chatId: 'chat', browserTools });
    const wrong: GateEvent[] = [];
    later.onEvent((one) => void (/^(anomaly|passthrough|lossy)$/.test(one.type) && wrong.push(one)));
    later.receive(ask);
    const call = idOf(later);
    expect(waits(later).toolCallIds).toEqual([call]);
    later.addToolOutput(call, { output: { action: 'decline' } });
    later.receive(ask);
    expect(bodiesOf(later).map(({ id }) => id)).toEqual([3]);
    later.receive(resolved(3));
    expect(wrong).toEqual([]);
  }
});

test('a question that was answered elsewhere while the page was closed is closed', () => {
  const { gate, take } = begun();
  take(asks(3));
  const later = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol: codex, chatId: 'chat', browserTools });
  later.receive(resolved(3));
  expect(later.part('call-3')).toMatchObject({ outcome: { kind: 'failed' } });
});

test('requests that a form must not or cannot answer are passed through, as are those of a page without the tools', () => {
  const { gate, wrong, take } = begun();
  take(asks(0, { questions: [question, { ...question, isSecret: true }] }));
  take(
    elicits(1, { mode: 'url', url: 'https://example.org', elicitationId: 'e' }),
    elicits(2, { mode: 'openai/form' }),
  );
  expect(wrong.map(({ type }) => type)).toEqual(['passthrough', 'passthrough', 'passthrough']);
  expect(gate.getSnapshot().messages).toHaveLength(1);
  const other = begun({ browserTools: ['mcp_elicitation'] });
  other.take(asks(0), elicits(1));
  expect(other.wrong.map(({ type }) => type)).toEqual(['passthrough']);
  expect(waits(other.gate).toolCallIds).toHaveLength(1);
});

test('an elicitation that asks for a secret is passed through, at any place of its schema', () => {
  const secrets: Data[] = [
    { key: { type: 'string', format: 'password' } },
    { day: { type: 'string' }, key: { type: 'string', writeOnly: true } },
    { keys: { type: 'array', items: { type: 'string', format: 'password' } } },
  ];
  for (const properties of secrets) {
    const { gate, wrong, take } = begun();
    take(elicits(0, { requestedSchema: { type: 'object', properties } }));
    expect(wrong.map(({ type }) => type)).toEqual(['passthrough']);
    expect(gate.getSnapshot().messages).toHaveLength(1);
  }
  // A name is not a keyword.
  const { gate, take } = begun();
  take(
    elicits(0, { requestedSchema: { type: 'object', properties: { format: { type: 'string', title: 'password' } } } }),
  );
  expect(waits(gate).toolCallIds).toHaveLength(1);
});

test('damaged questions are malformed events', () => {
  const { wrong, take } = begun();
  for (const questions of [null, 'x', [null], [{}]]) take(asks(0, { questions }));
  take(asks(1, { itemId: null }));
  expect(wrong.map(({ type }) => type)).toEqual(Array(5).fill('anomaly'));
});
