/**
 * Sessions of the Claude Agent SDK: messages in the form of its types. Whole conversations with its program are in
 * tests/agents.
 */
import { descriptorOf } from 'toolgate/element';
import type { ToolGate } from 'toolgate';
import { expect, test } from 'vitest';
import { type FirstReply, firstReply, partsOf } from './first-reply';
import { loaded, type Data } from './support';

const assistant = (id: string, ...content: Data[]): Data => ({
  type: 'assistant',
  message: { id, role: 'assistant', content },
  parent_tool_use_id: null,
});
const use = (id: string, input: Data = { path: `/${id}` }): Data => ({ type: 'tool_use', id, name: 'remove', input });
const ask = (id: string, more: Data = {}): Data => ({
  type: 'control_request',
  request_id: `req-${id}`,
  request: { subtype: 'can_use_tool', tool_name: 'remove', input: { path: `/${id}` }, tool_use_id: id, ...more },
});
const result = (id: string, content: Data, more: Data = {}): Data => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more.block }] },
  parent_tool_use_id: more.parent ?? null,
  ...(more.decision && { tool_result_meta: [{ id, permission_decision: { decision: more.decision } }] }),
});
const rule = { type: 'addRules', rules: [{ toolName: 'remove' }], behavior: 'allow', destination: 'localSettings' };

const begun = (options = {}): FirstReply => firstReply('claude-agent-sdk', options);

const calls = (gate: ToolGate): Data[] => partsOf(gate).filter(({ toolCallId }) => toolCallId);
const answers = (gate: ToolGate): Data[] => gate.outgoing().map(({ body }) => (body as Data).response.response);

test('an edited input is sent as `updatedInput`, and an approval without one sends the input', () => {
  const { gate, take } = begun();
  take(assistant('m', use('a'), use('b')), ask('a'), ask('b'));
  gate.respond('req-a', { approved: true, input: { path: '/other' } });
  gate.respond('req-b', { approved: true });
  expect(gate.outgoing().map(({ body }) => body)).toEqual([
    {
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'req-a',
        response: { behavior: 'allow', updatedInput: { path: '/other' }, toolUseID: 'a' },
      },
    },
    expect.objectContaining({ response: expect.objectContaining({ request_id: 'req-b' }) }),
  ]);
  expect(answers(gate)[1].updatedInput).toEqual({ path: '/b' });
});

test('a denial has a message for the model, and a cancellation also interrupts the turn', () => {
  const { gate, take } = begun();
  take(assistant('m', use('a'), use('b'), use('c')), ask('a'), ask('b'), ask('c'));
  gate.respond('req-a', { approved: false, reason: 'Keep it.' });
  gate.respond('req-b', { approved: false });
  gate.cancel();
  const messages = answers(gate).map(({ behavior, message, interrupt }) => [behavior, message, interrupt]);
  expect(messages).toEqual([
    ['deny', 'Error: Tool execution was denied by user. Keep it.', undefined],
    ['deny', 'Error: Tool execution was denied by user.', undefined],
    ['deny', expect.stringMatching(/cancelled/), true],
  ]);
});

test('a remembered approval sends the rule that was suggested, for the session or as suggested', () => {
  const { gate, wrong, take } = begun();
  const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  take(assistant('m', use('a'), use('b')));
  take(ask('a', { permission_suggestions: [mode, rule] }), ask('b', { permission_suggestions: [rule] }));
  gate.respond('req-a', { approved: true, remember: 'chat' });
  expect(answers(gate)[0].updatedPermissions).toEqual([{ ...rule, destination: 'session' }]);
  expect(wrong).toEqual([]);
});

test('a decision cannot be remembered without a rule that allows the tool, and none may be sent if it is refused', () => {
  for (const request of [{}, { permission_suggestions: [rule], suppress_always_allow_rule: true }]) {
    const { gate, wrong, take } = begun();
    take(assistant('m', use('a')), ask('a', request));
    gate.respond('req-a', { approved: true, remember: 'chat' });
    expect(answers(gate)[0]).not.toHaveProperty('updatedPermissions');
    expect(wrong).toMatchObject([{ type: 'lossy', loss: 'option' }]);
  }
});

test('the suggested rules are options of the request', () => {
  const { gate, take } = begun();
  const more = { ...rule, rules: [{ toolName: 'Bash', ruleContent: 'git status:*' }, { toolName: 'Read' }] };
  const others = [{ type: 'setMode', mode: 'acceptEdits' }, { ...rule, behavior: 'deny' }, null];
  const suggested = { permission_suggestions: [more, ...others] };
  take(assistant('m', use('a'), use('b'), use('c')), ask('a', suggested), ask('b'));
  take(ask('c', { ...suggested, suppress_always_allow_rule: true }));
  const options = calls(gate).map(({ approval }) => descriptorOf(approval).options.map(({ grants }) => grants));
  expect(options).toEqual([[['Bash(git status:*)', 'Read']], [], []]);
});

test('nothing is granted that the card cannot show: a suggestion with such a rule is neither shown nor sent', () => {
  const hidden = [{ toolName: 7 }, 1, null, { toolName: 'Bash', ruleContent: ['*'] }];
  const wrongRules = hidden.map((one) => ({ ...rule, rules: [{ toolName: 'Read' }, one] }));
  const many = { ...rule, rules: Array.from({ length: 51 }, (_, at) => ({ toolName: `tool-${at}` })) };
  const filler = Array.from({ length: 50 }, () => ({ ...rule, behavior: 'deny' }));
  for (const suggestions of [
    [...wrongRules, many, { ...rule, rules: [] }, rule],
    [rule, ...filler, many],
  ]) {
    const { gate, take } = begun();
    take(assistant('m', use('a')), ask('a', { permission_suggestions: suggestions }));
    expect(descriptorOf(calls(gate)[0].approval).options).toMatchObject([{ grants: ['remove'] }]);
    gate.respond('req-a', { approved: true, remember: 'always' });
    expect(answers(gate)[0].updatedPermissions).toEqual([rule]);
  }
});

test('another client’s decision is read: from its answer, and from the result alone', () => {
  const { gate, wrong, take } = begun();
  take(assistant('m', use('a'), use('b'), use('c'), use('d')), ask('a'), ask('b'), ask('c'), ask('d'));
  const other = (id: string, behavior: string): Data => ({
    type: 'control_response',
    response: { subtype: 'success', request_id: `req-${id}`, response: { behavior, message: 'Keep it.' } },
  });
  take(other('a', 'allow'), other('b', 'deny'));
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['c', 'd']);
  take(result('a', 'removed', { decision: 'accept' }), result('b', 'Keep it.', { block: { is_error: true } }));
  take(result('c', 'Not c.', { decision: 'reject', block: { is_error: true } }));
  take(result('d', [{ type: 'text', text: 'removed' }], { decision: 'accept' }));
  expect(calls(gate).map(({ state, output, approval }) => [state, output ?? approval.reason])).toEqual([
    ['output-available', 'removed'],
    ['output-denied', 'Keep it.'],
    ['output-denied', 'Not c.'],
    ['output-available', 'removed'],
  ]);
  expect([gate.outgoing(), wrong]).toEqual([[], []]);
});

test('a call that Claude Code denies by a rule is denied automatically', () => {
  const { gate, wrong, take } = begun();
  take(assistant('m', use('a')));
  take({ type: 'system', subtype: 'permission_denied', tool_use_id: 'a', tool_name: 'remove', message: 'By a rule.' });
  take(result('a', 'By a rule.', { decision: 'reject', block: { is_error: true } }));
  expect(calls(gate)).toMatchObject([
    { state: 'output-denied', approval: { isAutomatic: true, reason: 'By a rule.' } },
  ]);
  expect([gate.pending(), wrong]).toEqual([[], []]);
});

test('a withdrawn request can no longer be decided, and the result shows what was decided', () => {
  const { gate, wrong, take } = begun();
  take(assistant('m', use('a'), use('b')), ask('a'), ask('b'));
  take(
    { type: 'control_cancel_request', request_id: 'req-a' },
    { type: 'control_cancel_request', request_id: 'req-x' },
  );
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['b']);
  expect(() => gate.respond('req-a', { approved: true })).toThrow(expect.objectContaining({ code: 'already-decided' }));
  take(result('a', 'gone'));
  expect(calls(gate)).toMatchObject([{ state: 'output-available', output: 'gone' }, { state: 'approval-requested' }]);
  expect(wrong).toEqual([]);
});

test('an interrupted turn denies the calls that were not asked about', () => {
  const { gate, wrong, take } = begun();
  const text = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  take(assistant('m', use('a'), use('b')), ask('a'));
  take({ type: 'control_cancel_request', request_id: 'req-a' });
  for (const id of ['a', 'b']) take(result(id, text, { block: { is_error: true } }));
  take({ type: 'result', subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' });
  gate.streamEnded({ status: 'finished' });
  expect(calls(gate).map(({ state }) => state)).toEqual(['output-denied', 'output-denied']);
  expect([gate.pending(), wrong]).toEqual([[], []]);
});

test('a second request, for another input, shows that input', () => {
  const { gate, wrong, take } = begun();
  take(assistant('m', use('a')), ask('a'));
  gate.respond('req-a', { approved: true });
  take({ ...ask('a', { input: { path: '/unsent' } }) });
  expect(gate.pending()).toMatchObject([{ approvalId: 'req-a', input: { path: '/unsent' } }]);
  gate.respond(gate.pending()[0]!, { approved: true });
  gate.markSent(gate.outgoing()[0]!.id);
  take({ ...ask('a', { input: { path: '/sent' } }), request_id: 'req-b' });
  expect(gate.pending()).toMatchObject([{ approvalId: 'req-b', toolCallId: 'a', input: { path: '/sent' } }]);
  expect([calls(gate).length, wrong]).toEqual([1, []]);
});

test('a request shows the input that will run: that of its call, or the one that a hook has changed', () => {
  const { gate, wrong, take } = begun();
  take(assistant('m', use('a')), ask('a', { input: { path: '/changed' } }), ask('b'));
  expect(gate.pending().map(({ input }) => input)).toEqual([{ path: '/changed' }, { path: '/b' }]);
  take(assistant('m', use('b')));
  expect(calls(gate).map(({ toolCallId, state }) => [toolCallId, state])).toEqual([
    ['a', 'approval-requested'],
    ['b', 'approval-requested'],
  ]);
  expect(wrong).toEqual([]);
});

test('a request of a subagent is a call of its own, and names the subagent; its other messages are not shown', () => {
  const { gate, wrong, take } = begun();
  const parent = { parent_tool_use_id: 'task', agent_id: 'agent-1', subagent_type: 'Explore' };
  take(assistant('m', { type: 'tool_use', id: 'task', name: 'Task', input: {} }));
  take(
    { ...assistant('s', { type: 'text', text: 'Looking.' }, use('a')), ...parent },
    ask('a', { agent_id: 'agent-1' }),
  );
  expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(['a']);
  expect(calls(gate)[1].approval.requestedBy).toBe('Explore');
  gate.respond('req-a', { approved: true });
  gate.claim(gate.outgoing()[0]!.id);
  take(result('a', 'removed', { parent: 'task' }), result('x', 'other', { parent: 'task' }), result('task', 'found'));
  expect(calls(gate).map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
    ['task', 'found'],
    ['a', 'removed'],
  ]);
  expect(JSON.stringify(partsOf(gate))).not.toContain('Looking');
  expect(wrong).toEqual([]);
});

test('a loaded session joins the messages of one step, and recognizes denials', () => {
  const gate = loaded('claude-agent-sdk', [
    { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null },
    assistant('m1', use('a')),
    result('a', [{ type: 'text', text: 'removed' }]),
    assistant('m1', use('b')),
    assistant('m1', use('c')),
    { ...assistant('s', { type: 'text', text: 'Of a subagent.' }), parent_tool_use_id: 'a' },
    result('b', 'Error: Tool execution was denied by user. Keep it.', { block: { is_error: true } }),
    result('c', "The user doesn't want to proceed with this tool use. …", { block: { is_error: true } }),
    { type: 'user', message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } },
    assistant('m2', { type: 'text', text: 'Done.' }),
  ]);
  expect(partsOf(gate).map(({ type, text, state, approval }) => [type, text ?? state, approval?.reason])).toEqual([
    ['step-start', undefined, undefined],
    ['tool-remove', 'output-available', undefined],
    ['tool-remove', 'output-denied', 'Keep it.'],
    ['tool-remove', 'output-denied', undefined],
    ['step-start', undefined, undefined],
    ['text', 'Done.', undefined],
  ]);
});
