/** The OpenAI Agents SDK: the requests of an app, items other than functions, and how denials appear. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openaiAgents as protocol } from '../../src/ts/protocols/openai-agents.js';
import { linesOf, openaiAgents, type AgentsSession } from '../interop/openai-agents.rig';
import type { Reply } from '../interop/rig';
import { expectSection } from '../lib/markdown-section';
import { rules } from './pairing';
import { firstReply } from './first-reply';
import { factsOf, gateFor, loaded, type Data } from './support';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const codec = codecOf(protocol);

const CALLS: Reply = {
  calls: [
    { id: 'c1', tool: 'read', path: '/r' },
    { id: 'c2', tool: 'remove', path: '/a' },
    { id: 'c3', tool: 'remove', path: '/b' },
  ],
};

async function opened(replies: readonly Reply[], options = {}): Promise<[AgentsSession, Data[]]> {
  const session = await openaiAgents().open([CALLS, ...replies], options);
  const anomalies: Data[] = [];
  session.gate.onEvent((event) => event.type === 'anomaly' && anomalies.push(event));
  await say(session, 'Tidy up.');
  return [session, anomalies];
}

async function say({ gate, send }: AgentsSession, text: string): Promise<void> {
  gate.sendUserMessage({ text });
  await gate.deliver(send);
}

const parts = (gate: { getSnapshot(): Data }): Data[] =>
  gate.getSnapshot().messages.flatMap((message: Data) => message.parts.filter((part: Data) => part.toolCallId));
const call = (callId: string, name: string, path: string): Data => ({
  type: 'function_call',
  callId,
  name,
  arguments: JSON.stringify({ path }),
  status: 'completed',
});

test('one request has all decisions; a denial stays a denial, with the SDK’s text', async () => {
  const [session, anomalies] = await opened([{ text: 'Done.' }, { text: 'Bye.' }]);
  const { gate, send, ran, bodies } = session;
  expect(gate.pending().map(({ approvalId, toolCallId }) => [approvalId, toolCallId])).toEqual([
    ['c2', 'c2'],
    ['c3', 'c3'],
  ]);
  gate.respond('c3', { approved: false });
  gate.respond('c2', { approved: true });
  await gate.deliver(send);
  expect(bodies.at(-1)).toEqual({
    chatId: 'chat',
    decisions: [
      { callId: 'c2', approve: true },
      { callId: 'c3', approve: false },
    ],
  });
  expect(ran).toEqual(['read /r', 'remove /a']);
  expect(parts(gate).map(({ state, outcome }) => [state, outcome.kind])).toEqual([
    ['output-available', 'executed'],
    ['output-available', 'executed'],
    ['output-denied', 'denied'],
  ]);
  await say(session, 'Thanks.');
  expect(bodies.at(-1)).toEqual({
    chatId: 'chat',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] }],
  });
  // The assembled history equals the server's own history.
  expect(rules['openai-agents'](gate.assemble() as Data[])).toEqual([]);
  expect(linesOf(gate.assemble() as Data[])).toEqual(linesOf(session.history()));
  expect(anomalies).toEqual([]);
  await session.close?.();
});

test('the server’s history can be loaded, and the assembled one starts a new chat', async () => {
  const [first] = await opened([{ text: 'Done.' }]);
  first.gate.respondAll({ approved: false });
  await first.gate.deliver(first.send);
  const gate = loaded('openai-agents', first.history());
  expect(factsOf(gate.assemble('ai-sdk')).map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
    ['c1', 'executed', undefined],
    ['c2', 'denied', undefined],
    ['c3', 'denied', undefined],
  ]);
  await first.close?.();
  const second = await openaiAgents().open([{ text: 'Hello again.' }], { history: 'client' });
  second.gate.load(first.gate.assemble());
  await say(second, 'Go on.');
  expect(second.prompts.map((prompt) => prompt.map(({ kind }) => kind))).toEqual([
    ['user', 'call', 'call', 'call', 'result', 'result', 'result', 'text', 'user'],
  ]);
  await second.close?.();
});

test('a decision has the reason of a denial, or the text of a skipped or cancelled call, and no `remember`', () => {
  const decide = (more: Data): Data => {
    const decisions = [{ approvalId: 'c', toolCallId: 'c', toolName: 'edit', input: {}, approval: {}, ...more }];
    return (
      codec.body([], {
        chatId: 'chat',
        history: 'server',
        decisions,
        newMessages: [],
        reportLoss: () => {},
      } as Data) as Data
    ).decisions[0];
  };
  expect(decide({ outcome: 'approved', remember: 'chat' })).toEqual({ callId: 'c', approve: true });
  expect(decide({ outcome: 'denied', reason: 'No.', remember: 'always' })).toEqual({
    callId: 'c',
    approve: false,
    message: 'No.',
  });
  expect(decide({ outcome: 'denied' })).toEqual({ callId: 'c', approve: false });
  expect(decide({ outcome: 'skipped' })).toEqual({
    callId: 'c',
    approve: false,
    message: 'Error: Tool execution was skipped due to previous tool denial.',
  });
  expect(decide({ outcome: 'cancelled' })).toEqual({
    callId: 'c',
    approve: false,
    message: 'Error: Tool execution was cancelled by user. It did not run.',
  });
});

/** A gate after a reply with these events. */
function replied(events: readonly Data[]) {
  const { gate, take } = firstReply('openai-agents');
  take(...events);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

test('hosted calls, reasoning and other items survive a round trip; calls that the SDK runs are ordinary calls', () => {
  const search = {
    type: 'hosted_tool_call',
    id: 'ws_1',
    name: 'web_search_call',
    status: 'completed',
    output: 'found',
    providerData: { type: 'web_search_call' },
  };
  const thought = {
    type: 'reasoning',
    id: 'rs_1',
    content: [{ type: 'input_text', text: 'Hm.' }],
    providerData: { encrypted_content: 'e' },
  };
  const shell = { type: 'shell_call', callId: 'sh_1', action: { commands: ['ls'] } };
  const shown = {
    type: 'shell_call_output',
    callId: 'sh_1',
    output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  };
  const compact = { type: 'compaction', encrypted_content: 'c' };
  const item = (type: string, rawItem: Data): Data => ({ type: 'run_item_stream_event', item: { type, rawItem } });
  const gate = replied([
    item('reasoning_item', thought),
    item('tool_call_item', search),
    item('tool_call_item', shell),
    item('tool_call_output_item', shown),
    item('compaction_item', compact),
    { type: 'agent_updated_stream_event', agent: { name: 'b' } },
  ]);
  expect(parts(gate).map(({ type, state, providerExecuted }) => [type, state, providerExecuted])).toEqual([
    ['tool-web_search_call', 'output-available', true],
    ['tool-shell_call', 'output-available', undefined],
  ]);
  const history = gate.assemble() as Data[];
  const [asShell, asShown] = [
    {
      type: 'function_call',
      callId: 'sh_1',
      name: 'shell_call',
      status: 'completed',
      arguments: JSON.stringify(shell.action),
    },
    {
      type: 'function_call_result',
      callId: 'sh_1',
      name: 'shell_call',
      status: 'completed',
      output: { type: 'text', text: JSON.stringify(shown.output) },
    },
  ];
  expect(history.slice(1)).toEqual([thought, search, asShell, asShown, compact]);
  expect(loaded('openai-agents', history).assemble()).toEqual(history);
  // Written for another provider, hosted calls are ordinary calls.
  expect(rules['openai-chat'](gate.assemble(openaiChat))).toEqual([]);
});

test('the approval of a hosted MCP call has the id of its request', () => {
  const request = {
    type: 'hosted_tool_call',
    id: 'mcpr_1',
    name: 'mcp_approval_request',
    providerData: {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      name: 'delete',
      arguments: '{"path":"/a"}',
      server_label: 's',
    },
  };
  const gate = replied([
    { type: 'run_item_stream_event', item: { type: 'tool_call_item', rawItem: request } },
    { type: 'run_item_stream_event', item: { type: 'tool_approval_item', rawItem: { ...request, name: 'delete' } } },
  ]);
  expect(gate.pending().map(({ approvalId, toolName, input }) => [approvalId, toolName, input])).toEqual([
    ['mcpr_1', 'delete', { path: '/a' }],
  ]);
  gate.respond('mcpr_1', { approved: true });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({
    type: 'run_item_stream_event',
    item: {
      type: 'tool_call_item',
      rawItem: { type: 'hosted_tool_call', name: 'mcp_approval_response', providerData: {} },
    },
  });
  const ran = {
    type: 'hosted_tool_call',
    id: 'mcp_1',
    name: 'delete',
    output: 'gone',
    providerData: { type: 'mcp_call', id: 'mcp_1', approval_request_id: 'mcpr_1' },
  };
  gate.receive({ type: 'run_item_stream_event', item: { type: 'tool_call_item', rawItem: ran } });
  gate.streamEnded({ status: 'finished' });
  expect(parts(gate).map(({ toolCallId, state, output }) => [toolCallId, state, output])).toEqual([
    ['mcpr_1', 'output-available', 'gone'],
  ]);
});

test('a call that the SDK rejects because of a decision that it remembers is shown as denied', () => {
  const gate = replied([
    { type: 'tool_call_item', rawItem: call('c1', 'remove', '/a') },
    {
      type: 'tool_call_output_item',
      rawItem: {
        type: 'function_call_result',
        callId: 'c1',
        name: 'remove',
        output: { type: 'text', text: 'Tool execution was not approved.' },
      },
    },
    { type: 'error', message: 'overloaded' },
  ]);
  expect(parts(gate).map(({ state }) => state)).toEqual(['output-denied']);
  expect(gate.getSnapshot().turn.ending).toBe('failed');
});

test('capabilities', () => {
  expect(capabilitiesOf('openai-agents')).toMatchObject({
    kind: 'resubmitting',
    history: 'server',
    editedInput: false,
    remember: false,
    reason: true,
  });
});

test('the docs show the server that these tests run', () => {
  const source = readFileSync(new URL('../interop/openai-agents.server.ts', import.meta.url), 'utf8');
  const shown = source
    .slice(source.indexOf('// docs:start') + '// docs:start'.length, source.indexOf('// docs:end'))
    .trim();
  expectSection('docs/backends/openai-agents.md', 'openai-agents', ['```ts', shown, '```'].join('\n'));
});

test('a tool that OpenAI runs is a call, with the names of the SDK in Python too', () => {
  const { gate, wrong, take } = firstReply('openai-agents');
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'x' } };
  take({ type: 'run_item_stream_event', item: { type: 'tool_call_item', raw_item: search } });
  expect(parts(gate).map(({ type, state }) => [type, state])).toEqual([['tool-web_search_call', 'input-available']]);
  expect(wrong).toEqual([]);
});

test('a history of the SDK in Python is read', () => {
  const gate = gateFor('openai-agents');
  const { repairs } = gate.load([
    { role: 'user', content: 'Read it.' },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'done' },
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Read.' }] },
  ]);
  expect(repairs).toEqual([]);
  expect(factsOf(gate.assemble('ai-sdk') as Data[])).toMatchObject([{ id: 'c1', outcome: 'executed', output: 'done' }]);
});
