/**
 * The Responses API: hosted MCP servers with their own approvals, continued responses, custom tools, and items that
 * must survive a round trip.
 */
import { afterEach, expect, test } from 'vitest';
import { provider, type Provider, type Script } from './provider';
import { gateFor, loaded, type Data } from './support';

let current: Provider | undefined;
afterEach(async () => {
  await current?.close();
  current = undefined;
});

async function asked(script: readonly Script[], options = {}) {
  const server = (current = await provider('openai-responses', script));
  const gate = gateFor('openai-responses', options);
  gate.sendUserMessage({ text: 'Tidy up.' });
  await server.deliver(gate);
  return { gate, server };
}

const REQUEST = {
  type: 'mcp_approval_request',
  id: 'mcpr_1',
  server_label: 'files',
  name: 'delete',
  arguments: '{"path":"a"}',
};
const CALL = {
  type: 'mcp_call',
  id: 'mcp_1',
  server_label: 'files',
  name: 'delete',
  arguments: '{"path":"a"}',
  approval_request_id: 'mcpr_1',
  output: 'gone',
  error: null,
};
const TOOLS = {
  type: 'mcp_list_tools',
  id: 'mcpl_1',
  server_label: 'files',
  tools: [{ name: 'delete', input_schema: {} }],
};
const said = (text: string): Data => ({
  type: 'message',
  id: `msg_${text}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

test('the approval of a hosted MCP call is one item, and the server’s result settles the call', async () => {
  const { gate, server } = await asked([
    { output: [TOOLS, REQUEST] },
    { output: [CALL, said('Done.')] },
    { output: [said('Bye.')] },
  ]);
  expect(gate.pending().map(({ approvalId, toolName, input }) => [approvalId, toolName, input])).toEqual([
    ['mcpr_1', 'delete', { path: 'a' }],
  ]);
  gate.respond('mcpr_1', { approved: true });
  await server.deliver(gate);
  const answer = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true };
  expect(server.requests[1].input.slice(1)).toEqual([TOOLS, REQUEST, answer]);
  const part: Data = gate.getSnapshot().messages[1]?.parts.find((one) => 'toolCallId' in one);
  expect([part.state, part.output, part.outcome]).toEqual(['output-available', 'gone', { kind: 'executed' }]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await server.deliver(gate);
  const { error: _, ...call } = CALL;
  expect(server.requests[2].input.slice(1, 6)).toEqual([TOOLS, REQUEST, answer, call, said('Done.')]);
  const back = loaded('openai-responses', server.requests[2].input);
  expect(back.assemble()).toEqual(server.requests[2].input);
});

test('the denial of a hosted MCP call is one item with the reason, and no output is sent', async () => {
  const { gate, server } = await asked([
    { output: [REQUEST] },
    { output: [said('Well.')] },
    { output: [said('Bye.')] },
  ]);
  gate.respond('mcpr_1', { approved: false, reason: 'Not now.' });
  await server.deliver(gate);
  const answer = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false, reason: 'Not now.' };
  expect(server.requests[1].input.slice(1)).toEqual([REQUEST, answer]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await server.deliver(gate);
  expect(server.requests[2].input.slice(1, 3)).toEqual([REQUEST, answer]);
  const part: Data = loaded('openai-responses', server.requests[2].input)
    .getSnapshot()
    .messages[1]?.parts.find((one) => 'toolCallId' in one);
  expect([part.state, part.outcome]).toEqual(['output-denied', { kind: 'denied', reason: 'Not now.' }]);
});

test('if the server stores the history, only new items are sent', async () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: 'edit', input: { path: id } }));
  const { gate, server } = await asked([{ calls }, { output: [REQUEST] }, { text: 'Done.' }, { text: 'Bye.' }], {
    history: 'server',
  });
  expect(server.requests[0]).toEqual({
    model: 'm',
    stream: true,
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Tidy up.' }] }],
  });
  gate.respond('a', { approved: false });
  gate.respond('b', { approved: true });
  gate.addToolOutput('b', { output: 'changed' });
  await server.deliver(gate);
  expect(server.requests[1]).toEqual({
    model: 'm',
    stream: true,
    previous_response_id: expect.stringMatching(/^resp_/),
    input: [
      { type: 'function_call_output', call_id: 'a', output: 'Error: Tool execution was denied by user.' },
      { type: 'function_call_output', call_id: 'b', output: 'changed' },
    ],
  });
  gate.respond('mcpr_1', { approved: true });
  await server.deliver(gate);
  expect(server.requests[2].input).toEqual([
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
  ]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await server.deliver(gate);
  expect(server.requests[3].input).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Thanks.' }] },
  ]);
  expect(new Set(server.requests.map((request: Data) => request.previous_response_id)).size).toBe(4);
});

test('a failed response is not continued: the whole history is sent', async () => {
  const { gate, server } = await asked(
    [{ text: 'One.' }, { error: 'overloaded', after: { text: 'Tw' } }, { text: 'Two.' }],
    { history: 'server' },
  );
  gate.sendUserMessage({ text: 'Go on.' });
  await server.deliver(gate);
  expect(server.requests[1].previous_response_id).toBeDefined();
  gate.sendUserMessage({ text: 'Again.' });
  await server.deliver(gate);
  expect(server.requests[2].previous_response_id).toBeUndefined();
  expect(server.requests[2].input.map(({ role }: Data) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
});

test('the input of a custom tool is a text, and its denial is sent as its output', async () => {
  const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'p', name: 'apply_patch', input: '*** Begin Patch' };
  const { gate, server } = await asked([{ output: [custom] }, { text: 'Done.' }]);
  expect(gate.pending()[0]).toMatchObject({ toolName: 'apply_patch', input: '*** Begin Patch' });
  gate.respond('p', { approved: false });
  await server.deliver(gate);
  expect(server.requests[1].input.slice(1)).toEqual([
    custom,
    { type: 'custom_tool_call_output', call_id: 'p', output: 'Error: Tool execution was denied by user.' },
  ]);
});

test('other items survive a round trip', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };
  const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' };
  const { gate, server } = await asked([{ output: [search, said('Found.'), compaction] }, { text: 'Bye.' }]);
  gate.sendUserMessage({ text: 'Thanks.' });
  await server.deliver(gate);
  expect(server.requests[1].input.slice(1, 4)).toEqual([search, said('Found.'), compaction]);
});

test('an approval has a reason too, and a skipped hosted call is recognized', () => {
  const gate = loaded('openai-responses', [
    { type: 'message', role: 'user', content: 'Go.' },
    { ...REQUEST, id: 'mcpr_1' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true, reason: 'Go ahead.' },
    CALL,
    { ...REQUEST, id: 'mcpr_2' },
    {
      type: 'mcp_approval_response',
      approval_request_id: 'mcpr_2',
      approve: false,
      reason: 'Error: Tool execution was skipped due to previous tool denial.',
    },
  ]);
  const found: Data[] = gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts as Data[])
    .filter(({ toolCallId }) => toolCallId);
  expect(found.map(({ outcome, approval }) => [outcome.kind, approval.approved])).toEqual([
    ['executed', true],
    ['skipped', false],
  ]);
  expect(gate.assemble()[2]).toMatchObject({ approve: true, reason: 'Go ahead.' });
});

test('results of shells and patches have their own format', async () => {
  const shell = {
    type: 'shell_call',
    id: 'sh_1',
    call_id: 's',
    status: 'completed',
    action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
    environment: { type: 'local' },
  };
  const patch = {
    type: 'apply_patch_call',
    id: 'ap_1',
    call_id: 'p',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a' },
  };
  const more = { ...shell, id: 'sh_2', call_id: 't' };
  const output = [{ stdout: 'a', stderr: 'b', outcome: { type: 'exit', exit_code: 0 } }];
  const { gate, server } = await asked([{ output: [shell, patch, more] }, { text: 'Done.' }]);
  gate.respond('s', { approved: false });
  gate.respond('p', { approved: true });
  gate.addToolOutput('p', { output: 'deleted' });
  gate.respond('t', { approved: true });
  gate.addToolOutput('t', { output });
  await server.deliver(gate);
  const { input } = server.requests[1];
  expect(input.slice(4)).toEqual([
    {
      type: 'shell_call_output',
      call_id: 's',
      output: [
        { outcome: { type: 'exit', exit_code: 1 }, stderr: 'Error: Tool execution was denied by user.', stdout: '' },
      ],
    },
    { type: 'apply_patch_call_output', call_id: 'p', status: 'completed', output: 'deleted' },
    { type: 'shell_call_output', call_id: 't', output },
  ]);
  const back = loaded('openai-responses', input);
  const found: Data[] = back
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts as Data[])
    .filter(({ toolCallId }) => toolCallId);
  expect(found.map(({ outcome, output }) => [outcome.kind, output])).toEqual([
    ['denied', undefined],
    ['executed', 'deleted'],
    ['executed', output],
  ]);
  expect(back.assemble()).toEqual(input);
});

test('a call with truncated arguments fails without an approval', () => {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'a',
    name: 'edit',
    arguments: '{"pa',
    status: 'incomplete',
  };
  const gate = gateFor('openai-responses');
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  gate.receive({
    id: 'resp_1',
    object: 'response',
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [item],
  });
  gate.streamEnded({ status: 'finished' });
  expect(gate.pending()).toEqual([]);
  expect(gate.getSnapshot().messages[1]?.parts.at(-1)).toMatchObject({ state: 'output-error' });
});
