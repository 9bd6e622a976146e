/**
 * Threads of Codex's app server: messages in the form of its generated types. Whole conversations with its program are
 * in tests/agents.
 */
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { type FirstReply, bodiesOf, firstReply, partsOf } from './first-reply';
import { gateFor, loaded, type Data } from './support';

const at = { threadId: 'chat', turnId: 't' };
const command = (id: string, more: Data = {}): Data => ({
  type: 'commandExecution',
  id,
  command: `rm /${id}`,
  cwd: '/tmp',
  status: 'inProgress',
  aggregatedOutput: null,
  exitCode: null,
  ...more,
});
const started = (item: Data): Data => ({ method: 'item/started', params: { item, ...at } });
const completed = (item: Data): Data => ({ method: 'item/completed', params: { item, ...at } });
const ran = (id: string, output = 'ok'): Data =>
  completed(command(id, { status: 'completed', aggregatedOutput: output, exitCode: 0 }));
const declined = (id: string): Data => completed(command(id, { status: 'declined' }));
const ask = (id: number, itemId: string, more: Data = {}, kind = 'commandExecution'): Data => ({
  method: `item/${kind}/requestApproval`,
  id,
  params: { ...at, itemId, ...(kind === 'commandExecution' && { command: `rm /${itemId}`, cwd: '/tmp' }), ...more },
});
const resolved = (requestId: number): Data => ({
  method: 'serverRequest/resolved',
  params: { threadId: 'chat', requestId },
});
const turn = (status: string, error: Data = null): Data => ({
  method: 'turn/completed',
  params: { threadId: 'chat', turn: { id: 't', items: [], status, error } },
});

const begun = (options = {}): FirstReply => firstReply('codex', options);

const calls = (gate: ToolGate): Data[] => partsOf(gate).filter(({ toolCallId }) => toolCallId);

test('a message is a `turn/start` request; if the response is an error, the user can send it again', () => {
  const gate = gateFor('codex');
  gate.sendUserMessage({ text: 'Go.' });
  const [item] = gate.outgoing();
  expect(item?.body).toEqual({
    id: item?.id,
    method: 'turn/start',
    params: {
      threadId: 'chat',
      clientUserMessageId: item?.id,
      input: [{ type: 'text', text: 'Go.', text_elements: [] }],
    },
  });
  gate.claim(item!.id);
  gate.receive({ id: item?.id, error: { code: -32600, message: 'thread not found' } });
  expect(gate.getSnapshot().status).toBe('submitted');
  gate.streamEnded({ status: 'error', error: 'thread not found' });
  expect(gate.getSnapshot().turn).toMatchObject({ status: 'error', waitingFor: [{ kind: 'retry', ids: [item?.id] }] });
});

test('a request shows its command, also if the item has another one', () => {
  const { gate, wrong, take } = begun();
  take(started(command('a')), ask(0, 'a', { command: 'rm -r /', cwd: undefined }));
  expect(gate.pending()).toMatchObject([{ approvalId: '0:a', input: { command: 'rm -r /', cwd: '/tmp' } }]);
  take(started(command('b')), ask(1, 'b', { command: null }));
  expect(gate.pending()[1]?.input).toEqual({ command: 'rm /b', cwd: '/tmp' });
  expect([calls(gate).length, wrong]).toEqual([2, []]);
});

test('an approval accepts, a denial declines and reports its reason as lost, a cancellation cancels', () => {
  const { gate, wrong, take } = begun();
  for (const [id, item] of ['a', 'b', 'c', 'd'].entries()) take(started(command(item)), ask(id, item));
  gate.respond('0:a', { approved: true });
  gate.respond('1:b', { approved: false });
  gate.respond('2:c', { approved: false, reason: 'Keep it.' });
  expect(bodiesOf(gate)).toEqual([
    { id: 0, result: { decision: 'accept' } },
    { id: 1, result: { decision: 'decline' } },
    { id: 2, result: { decision: 'decline' } },
  ]);
  for (const { id } of gate.outgoing()) gate.claim(id);
  gate.cancel();
  expect(bodiesOf(gate)).toEqual([{ id: 3, result: { decision: 'cancel' } }]);
  expect(wrong).toMatchObject([{ type: 'lossy', loss: 'reason', toolCallId: 'c' }]);
});

test('a remembered approval is for the session, if the app server offers it', () => {
  const { gate, wrong, take } = begun();
  take(started(command('a')), ask(0, 'a', { availableDecisions: ['accept', 'acceptForSession', 'cancel'] }));
  take(started(command('b')), ask(1, 'b', { availableDecisions: ['accept', 'cancel'] }));
  gate.respond('0:a', { approved: true, remember: 'chat' });
  gate.respond('1:b', { approved: true, remember: 'chat' });
  expect(bodiesOf(gate).map(({ result }) => result.decision)).toEqual(['acceptForSession', 'accept']);
  expect(wrong).toMatchObject([{ type: 'lossy', loss: 'option', toolCallId: 'b' }]);
});

test('a request that was answered elsewhere is decided by what follows about its call', () => {
  const { gate, wrong, take } = begun();
  for (const [id, item] of ['a', 'b', 'c'].entries()) take(started(command(item)), ask(id, item));
  take(resolved(0));
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['b', 'c']);
  expect(() => gate.respond('0:a', { approved: true })).toThrow(expect.objectContaining({ code: 'already-decided' }));
  take(declined('a'), resolved(1), ran('b'), resolved(2));
  expect(calls(gate)[2]).toMatchObject({ state: 'approval-requested', approval: { isAutomatic: true } });
  take({ method: 'item/commandExecution/outputDelta', params: { ...at, itemId: 'c', delta: 'o' } });
  expect(calls(gate)[2]).toMatchObject({ state: 'approval-responded', approval: { approved: true } });
  take(ran('c'));
  expect(calls(gate).map(({ state, approval }) => [state, approval.approved])).toEqual([
    ['output-denied', false],
    ['output-available', true],
    ['output-available', true],
  ]);
  expect([gate.outgoing(), wrong]).toEqual([[], []]);
});

test('a turn that was interrupted elsewhere denies what still waits, and a later decision is refused', () => {
  const { gate, wrong, take } = begun();
  for (const [id, item] of ['a', 'b'].entries()) take(started(command(item)), ask(id, item));
  // The program sends the end of the turn first.
  take(turn('interrupted'), resolved(0), resolved(1));
  gate.streamEnded({ status: 'finished' });
  expect(calls(gate).map(({ state }) => state)).toEqual(['output-denied', 'output-denied']);
  for (const id of ['0:a', '1:b'])
    expect(() => gate.respond(id, { approved: true })).toThrow(expect.objectContaining({ code: 'already-decided' }));
  expect([gate.pending(), bodiesOf(gate), wrong]).toEqual([[], [], []]);
});

test('a command that ends with another code has run; one that could not start has failed', () => {
  const { gate, take } = begun();
  take(started(command('a')), completed(command('a', { status: 'failed', aggregatedOutput: 'no', exitCode: 1 })));
  take(started(command('b')), completed(command('b', { status: 'failed' })));
  expect(calls(gate).map(({ state, output, errorText }) => [state, output ?? errorText])).toEqual([
    ['output-available', { exitCode: 1, output: 'no' }],
    ['output-error', 'The command did not run.'],
  ]);
});

test('changes are shown with their request, and a request without them cannot be approved', () => {
  const { gate, wrong, take } = begun();
  const changes = [{ path: '/a', kind: { type: 'add' }, diff: '+a' }];
  const item = { type: 'fileChange', id: 'a', changes, status: 'inProgress' };
  take(started(item), ask(0, 'a', {}, 'fileChange'), ask(1, 'unknown', {}, 'fileChange'));
  expect(gate.pending()).toMatchObject([{ toolName: 'fileChange', input: { changes } }]);
  expect(wrong).toMatchObject([{ type: 'anomaly' }]);
  gate.respond('0:a', { approved: true });
  gate.claim(gate.outgoing()[0]!.id);
  take(completed({ ...item, status: 'completed' }));
  expect(calls(gate)[0].output).toEqual({ changed: ['/a'] });
});

test('requests for permissions, and about something else than the command, are calls of their own', () => {
  const { gate, take } = begun();
  const permissions = { network: { enabled: true }, fileSystem: null };
  take(started(command('a')), ask(0, 'a'), ask(1, 'a', { approvalId: 'part', command: 'rm /other' }));
  take(ask(2, 'a', { command: null, networkApprovalContext: { host: 'x.test', protocol: 'https' } }));
  take(ask(3, 'p', { permissions, cwd: '/tmp' }, 'permissions'));
  expect(gate.pending().map(({ toolCallId, toolName, input }) => [toolCallId, toolName, input])).toEqual([
    ['a', 'commandExecution', { command: 'rm /a', cwd: '/tmp' }],
    ['a:part', 'commandExecution', { command: 'rm /other', cwd: '/tmp' }],
    ['a:2', 'network', { host: 'x.test', protocol: 'https', cwd: '/tmp' }],
    ['p:3', 'permissions', { network: { enabled: true }, fileSystem: null, cwd: '/tmp' }],
  ]);
  gate.respond('3:p:3', { approved: true, remember: 'chat' });
  gate.respond('2:a:2', { approved: false });
  expect(bodiesOf(gate).map(({ result }) => result)).toEqual([
    { permissions: { network: { enabled: true } }, scope: 'session' },
    { decision: 'decline' },
  ]);
});

test('a denied request for permissions grants none', () => {
  const { gate, take } = begun();
  take(ask(0, 'p', { permissions: { network: { enabled: true }, fileSystem: null }, cwd: '/tmp' }, 'permissions'));
  gate.respond('0:p:0', { approved: false });
  expect(bodiesOf(gate)).toEqual([{ id: 0, result: { permissions: {}, scope: 'turn' } }]);
});

test('a tool of the page answers the request for its result', () => {
  const { gate, wrong, take } = begun({ browserTools: ['pick'] });
  const item = { type: 'dynamicToolCall', id: 'a', tool: 'pick', arguments: { of: 2 }, status: 'inProgress' };
  take(started(item), {
    method: 'item/tool/call',
    id: 0,
    params: { ...at, callId: 'a', tool: 'pick', arguments: { of: 2 } },
  });
  gate.addToolOutput('a', { output: 'red' });
  expect(bodiesOf(gate)).toEqual([
    { id: 0, result: { contentItems: [{ type: 'inputText', text: 'red' }], success: true } },
  ]);
  gate.claim(gate.outgoing()[0]!.id);
  take(completed({ ...item, status: 'completed', contentItems: [{ type: 'inputText', text: 'red' }], success: true }));
  expect(calls(gate)).toMatchObject([{ state: 'output-available', output: 'red' }]);
  expect(wrong.filter(({ type }) => type === 'passthrough')).toEqual([]);
});

test('other requests of the app server are passed through, because only the app can answer them', () => {
  const { wrong, take } = begun();
  for (const method of ['item/tool/requestUserInput', 'mcpServer/elicitation/request', 'currentTime/read'])
    take({ method, id: 7, params: at });
  expect(wrong.map(({ type }) => type)).toEqual(['passthrough', 'passthrough', 'passthrough']);
});

test('a thread is loaded from its turns; a page that opens it gets the requests again, with their items', () => {
  const gate = loaded('codex', [
    {
      items: [
        { type: 'userMessage', id: 'u', content: [{ type: 'text', text: 'Go.', text_elements: [] }] },
        command('a', { status: 'completed', aggregatedOutput: 'ok', exitCode: 0 }),
        command('b', { status: 'declined' }),
        { type: 'contextCompaction', id: 'c' },
        { type: 'agentMessage', id: 'm', text: 'Done.' },
      ],
    },
  ]);
  expect(partsOf(gate).map(({ type, text, state }) => [type, text ?? state])).toEqual([
    ['step-start', undefined],
    ['tool-commandExecution', 'output-available'],
    ['tool-commandExecution', 'output-denied'],
    ['step-start', undefined],
    ['text', 'Done.'],
  ]);
  gate.receive(started(command('d')));
  gate.receive(ask(4, 'd'));
  expect(gate.pending()).toMatchObject([{ approvalId: '4:d', input: { command: 'rm /d' } }]);
});

test('the app server resolves a request that this client has answered: the decision stays', () => {
  const { gate, wrong, take } = begun();
  take(started(command('a')), ask(0, 'a'));
  gate.respond('0:a', { approved: true });
  const [item] = gate.outgoing();
  gate.claim(item!.id);
  take(resolved(0));
  expect(calls(gate)).toMatchObject([{ state: 'approval-responded', approval: { approved: true } }]);
  take(ran('a'));
  expect(calls(gate)).toMatchObject([{ state: 'output-available', approval: { approved: true } }]);
  expect(wrong).toEqual([]);
});

test('a turn that ends does not deny what was withdrawn, because another client may have approved it', () => {
  const { gate, wrong, take } = begun();
  for (const [id, item] of ['a', 'b'].entries()) take(started(command(item)), ask(id, item));
  take(resolved(0), turn('interrupted'));
  gate.streamEnded({ status: 'aborted' });
  expect(calls(gate).map(({ state }) => state)).toEqual(['approval-requested', 'output-denied']);
  gate.sendUserMessage({ text: 'Go on.' });
  expect(gate.part('a')?.outcome).toEqual({ kind: 'interrupted', mayHaveRun: true });
  expect(gate.part('b')?.outcome?.kind).toBe('denied');
  expect([gate.pending(), wrong]).toEqual([[], []]);
});
