/**
 * Backends that store the session: events of opencode and of Claude's Managed Agents as their servers send them,
 * Cloudflare's frames and Mastra's chunks. Their servers and clients are in tests/interop.
 */
import { type GateEvent, type ToolGate } from 'toolgate';
import { describe, expect, test } from 'vitest';
import type { RequestContext } from '../../src/ts/protocols/shared/codec';
import { opencode as opencodeProtocol } from '../../src/ts/protocols/opencode';
import { bodiesOf, firstReply, partsOf } from './first-reply';
import { loaded, losses, type Data } from './support';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const opencode = codecOf(opencodeProtocol);

const calls = (gate: ToolGate): Data[] => partsOf(gate).filter(({ toolCallId }) => toolCallId);

describe('opencode', () => {
  const sessionID = 'chat';
  const event = (type: string, properties: Data): Data => ({
    id: `evt_${type}`,
    type,
    properties: { sessionID, ...properties },
  });
  const part = (more: Data): Data =>
    event('message.part.updated', {
      part: { id: `prt_${more.callID ?? more.type}`, sessionID, messageID: 'msg_2', ...more },
      time: 1,
    });
  const tool = (callID: string, state: Data): Data => part({ type: 'tool', tool: 'remove', callID, state });
  const asked = (id: string, callID: string): Data =>
    event('permission.asked', {
      id,
      permission: 'remove',
      patterns: [`/${callID}`],
      metadata: { diff: '-a' },
      always: ['*'],
      tool: { messageID: 'msg_2', callID },
    });
  const replied = (requestID: string, reply: string): Data => event('permission.replied', { requestID, reply });
  /** The server's order of events: the approval request precedes the input. */
  const asks = (callID: string): Data[] => [
    tool(callID, { status: 'pending', input: {}, raw: '' }),
    asked(`per_${callID}`, callID),
    tool(callID, { status: 'running', input: { path: `/${callID}` }, time: { start: 1 } }),
  ];
  const step = [
    event('message.updated', { info: { id: 'msg_1', role: 'user' } }),
    event('message.part.updated', {
      part: { id: 'prt_u', sessionID, messageID: 'msg_1', type: 'text', text: 'Go.' },
      time: 1,
    }),
    event('session.status', { status: { type: 'busy' } }),
    event('message.updated', { info: { id: 'msg_2', role: 'assistant' } }),
    part({ type: 'step-start' }),
  ];

  test('a request waits for its call’s input, and has the server’s metadata', () => {
    const { gate, wrong, take } = firstReply('opencode');
    take(...step, ...asks('a').slice(0, 2));
    expect(gate.pending()).toEqual([]);
    take(...asks('a').slice(2));
    expect(gate.pending()[0]).toMatchObject({
      approvalId: 'per_a',
      toolCallId: 'a',
      toolName: 'remove',
      input: { path: '/a' },
    });
    expect(calls(gate)[0].approval.opencode).toMatchObject({
      permission: 'remove',
      patterns: ['/a'],
      metadata: { diff: '-a' },
    });
    expect(wrong).toEqual([]);
  });

  test('a page that opens a waiting session shows its requests, and their calls continue', () => {
    const running = { status: 'running', input: { path: '/a' }, time: { start: 1 } };
    const gate = loaded('opencode', [
      { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'Go.' }] },
      {
        info: { id: 'msg_2', role: 'assistant' },
        parts: [{ id: 'prt_a', type: 'tool', tool: 'remove', callID: 'a', state: running }],
      },
    ]);
    const wrong: GateEvent[] = [];
    gate.onEvent((event) => void (event.type === 'anomaly' && wrong.push(event)));
    gate.receive(asked('per_a', 'a'));
    expect(gate.pending()).toMatchObject([{ approvalId: 'per_a', toolCallId: 'a', input: { path: '/a' } }]);
    gate.respond('per_a', { approved: true });
    expect(bodiesOf(gate)).toEqual([{ requestID: 'per_a', reply: 'once' }]);
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive(replied('per_a', 'once'));
    gate.receive(tool('a', { ...running, status: 'completed', output: 'removed' }));
    gate.receive(event('session.idle', {}));
    gate.streamEnded({ status: 'finished' });
    expect(calls(gate).map(({ toolCallId, state, output }) => [toolCallId, state, output])).toEqual([
      ['a', 'output-available', 'removed'],
    ]);
    expect([wrong, gate.undelivered(), gate.getSnapshot().status]).toEqual([[], [], 'idle']);
  });

  test('an approval is sent as `once`, a remembered one as `always`, a denial as `reject` with the reason', () => {
    const { gate, take } = firstReply('opencode');
    take(...step, ...asks('a'), ...asks('b'));
    gate.respond('per_a', { approved: true });
    gate.respond('per_b', { approved: false, reason: 'Not that one.' });
    expect(bodiesOf(gate)).toEqual([
      { requestID: 'per_a', reply: 'once' },
      { requestID: 'per_b', reply: 'reject', message: 'Not that one.' },
    ]);
    const remembered = {
      approvalId: 'per_c',
      toolCallId: 'c',
      toolName: 'remove',
      input: {},
      outcome: 'approved',
      remember: 'chat',
      approval: {},
      metadata: undefined,
    } as const;
    expect(opencode.answer?.(remembered, {} as RequestContext)).toEqual({ requestID: 'per_c', reply: 'always' });
  });

  test('one rejection rejects all calls: the server closes the other requests, and unsent decisions are withdrawn', () => {
    const { gate, take } = firstReply('opencode');
    take(...step, ...asks('a'), ...asks('b'), ...asks('c'));
    gate.respond('per_a', { approved: false });
    gate.respond('per_b', { approved: true });
    gate.claim(gate.outgoing()[0]!.id);
    gate.markSent('out-2');
    take(replied('per_a', 'reject'), replied('per_b', 'reject'), replied('per_c', 'reject'));
    for (const id of ['a', 'b', 'c'])
      take(
        tool(id, {
          status: 'error',
          input: { path: `/${id}` },
          error: 'The user rejected permission to use this specific tool call.',
          time: { start: 1, end: 2 },
        }),
      );
    take(part({ type: 'step-finish', reason: 'tool-calls' }), event('session.idle', {}));
    gate.streamEnded({ status: 'finished' });
    expect(calls(gate).map(({ state, outcome }) => [state, outcome?.kind])).toEqual(
      Array(3).fill(['output-denied', 'denied']),
    );
    expect([gate.pending(), gate.outgoing(), gate.undelivered()]).toEqual([[], [], []]);
  });

  test('decisions of another client, and those covered by `always`, close the approvals', () => {
    const { gate, wrong, take } = firstReply('opencode');
    take(...step, ...asks('a'), ...asks('b'), replied('per_a', 'always'), replied('per_b', 'always'));
    expect(gate.pending()).toEqual([]);
    take(
      ...['a', 'b'].map((id) =>
        tool(id, {
          status: 'completed',
          input: { path: `/${id}` },
          output: 'gone',
          title: '',
          metadata: {},
          time: { start: 1, end: 2 },
        }),
      ),
    );
    expect(calls(gate).map(({ state, output, approval }) => [state, output, approval.approved])).toEqual(
      Array(2).fill(['output-available', 'gone', true]),
    );
    expect(gate.outgoing()).toEqual([]);
    expect(wrong).toEqual([]);
  });

  test('an abort does not fail the turn', () => {
    const aborted = firstReply('opencode');
    aborted.take(
      ...step,
      part({ type: 'text', text: 'Well.' }),
      event('session.error', { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } }),
      event('session.idle', {}),
    );
    aborted.gate.streamEnded({ status: 'finished' });
    expect(aborted.gate.getSnapshot().turn).toMatchObject({ ending: 'finished' });
  });

  test('the server’s messages of a session are its history', () => {
    const refused = 'The user rejected permission to use this specific tool call with the following feedback: Keep it.';
    const gate = loaded('opencode', [
      { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'Go.' }] },
      {
        info: { id: 'msg_2', role: 'assistant' },
        parts: [
          { type: 'step-start' },
          { type: 'tool', tool: 'remove', callID: 'a', state: { status: 'completed', input: {}, output: 'gone' } },
          { type: 'tool', tool: 'remove', callID: 'b', state: { status: 'error', input: {}, error: refused } },
          {
            type: 'tool',
            tool: 'remove',
            callID: 'c',
            state: { status: 'error', input: {}, error: 'Tool execution aborted', metadata: { interrupted: true } },
          },
          { type: 'step-finish', reason: 'tool-calls' },
        ],
      },
    ]);
    expect(calls(gate).map(({ outcome }) => outcome)).toEqual([
      { kind: 'executed' },
      { kind: 'denied', reason: 'Keep it.' },
      { kind: 'failed' },
    ]);
    expect((gate.assemble()[1] as Data).parts[1].state.error).toBe(refused);
  });
});

describe('claude-managed-agents', () => {
  const use = (id: string, more: Data = {}): Data => ({
    type: 'agent.tool_use',
    id,
    name: 'remove',
    input: { path: id },
    processed_at: '',
    evaluated_permission: 'ask',
    ...more,
  });
  const stops = (...event_ids: string[]): Data => ({
    type: 'session.status_idle',
    id: `idle_${event_ids}`,
    stop_reason: { type: 'requires_action', event_ids },
  });
  const result = (id: string, text: string, more: Data = {}): Data => ({
    type: 'agent.tool_result',
    id: `res_${id}`,
    tool_use_id: id,
    content: [{ type: 'text', text }],
    ...more,
  });

  test('approvals are requested once, when the session stops for confirmations', () => {
    const { gate, wrong, take } = firstReply('claude-managed-agents', { browserTools: ['locate'] });
    take(
      use('a'),
      use('b', { evaluated_permission: 'allow' }),
      use('c', { type: 'agent.mcp_tool_use', mcp_server_name: 'files' }),
      { type: 'agent.custom_tool_use', id: 'd', name: 'locate', input: {} },
    );
    expect(gate.pending()).toEqual([]);
    take(stops('a', 'c', 'd'));
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['a', 'c']);
    gate.respond('a', { approved: true });
    expect(bodiesOf(gate)).toEqual([
      { events: [{ type: 'user.tool_confirmation', tool_use_id: 'a', result: 'allow' }] },
    ]);
    gate.claim(gate.outgoing()[0]!.id);
    gate.markSent('out-2');
    // The session lists the remaining calls again.
    take(
      { type: 'user.tool_confirmation', id: 'evt', tool_use_id: 'a', result: 'allow' },
      result('a', 'gone'),
      stops('c', 'd'),
    );
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['c']);
    gate.respond('c', { approved: false, reason: 'No.' });
    gate.addToolOutput('d', { output: { at: 'home' } });
    expect(bodiesOf(gate)).toEqual([
      { events: [{ type: 'user.tool_confirmation', tool_use_id: 'c', result: 'deny', deny_message: 'No.' }] },
      {
        events: [
          {
            type: 'user.custom_tool_result',
            custom_tool_use_id: 'd',
            content: [{ type: 'text', text: '{"at":"home"}' }],
          },
        ],
      },
    ]);
    expect(wrong).toEqual([]);
  });

  test('another client’s confirmation closes the approval, with its reason', () => {
    const { gate, take } = firstReply('claude-managed-agents');
    take(use('a'), use('b'), stops('a', 'b'));
    take(
      { type: 'user.tool_confirmation', id: 'e1', tool_use_id: 'a', result: 'deny', deny_message: 'Not today.' },
      { type: 'user.tool_confirmation', id: 'e2', tool_use_id: 'b', result: 'allow' },
    );
    take(result('a', 'Denied: Not today.', { is_error: true }), result('b', 'gone'));
    expect(gate.pending()).toEqual([]);
    expect(gate.outgoing()).toEqual([]);
    expect(calls(gate).map(({ state, outcome, output }) => [state, outcome, output])).toEqual([
      ['output-denied', { kind: 'denied', reason: 'Not today.' }, undefined],
      ['output-available', { kind: 'executed' }, 'gone'],
    ]);
  });

  test('a cancel sends an interrupt; a failed browser tool is sent as an error', () => {
    const { gate, take } = firstReply('claude-managed-agents', { browserTools: ['locate'] });
    expect(capabilitiesOf('claude-managed-agents').cancel).toBe(true);
    take({ type: 'agent.custom_tool_use', id: 'd', name: 'locate', input: {} }, use('a'), stops('a', 'd'));
    gate.addToolOutput('d', { errorText: 'No permission.' });
    expect(bodiesOf(gate)).toEqual([
      {
        events: [
          {
            type: 'user.custom_tool_result',
            custom_tool_use_id: 'd',
            content: [{ type: 'text', text: 'No permission.' }],
            is_error: true,
          },
        ],
      },
    ]);
    gate.claim(gate.outgoing()[0]!.id);
    gate.cancel();
    expect(bodiesOf(gate)).toEqual([{ events: [{ type: 'user.interrupt' }] }]);
  });

  test('the list of a session’s events is its history: its open approvals can be decided', () => {
    const log = [
      { type: 'user.message', id: 'u', content: [{ type: 'text', text: 'Go.' }] },
      { type: 'agent.message', id: 'm', content: [{ type: 'text', text: 'Well.' }] },
      use('a'),
      use('b', { type: 'agent.mcp_tool_use', mcp_server_name: 'files' }),
      { type: 'session.status_idle', stop_reason: { type: 'requires_action', event_ids: ['a', 'b'] } },
      { type: 'user.tool_confirmation', tool_use_id: 'b', result: 'deny', deny_message: 'No.' },
    ];
    const gate = loaded('claude-managed-agents', log);
    expect(gate.pending().map(({ approvalId }) => approvalId)).toEqual(['a']);
    expect(calls(gate)[1].outcome).toEqual({ kind: 'denied', reason: 'No.' });
    gate.respond('a', { approved: true });
    expect(bodiesOf(gate)[0]).toEqual({
      events: [{ type: 'user.tool_confirmation', tool_use_id: 'a', result: 'allow' }],
    });
    expect(gate.assemble().find(({ type }: Data) => type === 'agent.mcp_tool_use')).toMatchObject({
      mcp_server_name: 'files',
    });
    expect(gate.assemble(openaiChat)).not.toEqual([]);
  });
});

describe('cloudflare', () => {
  const frame = (chunk: Data, seq: number, more: Data = {}): Data => ({
    type: 'cf_agent_use_chat_response',
    id: 'r',
    body: JSON.stringify(chunk),
    done: false,
    seq,
    ...more,
  });
  const reply = [
    { type: 'start', messageId: 'm' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'a', toolName: 'remove', input: {} },
    { type: 'tool-approval-request', approvalId: 'approval-a', toolCallId: 'a' },
  ].map((chunk, seq) => frame(chunk, seq));

  test('a loss is reported for the reason of a denial, which a frame cannot contain', () => {
    const { gate, take } = firstReply('cloudflare');
    take(...reply, frame({ type: 'finish-step' }, 4), frame({ type: 'finish' }, 5));
    gate.streamEnded({ status: 'finished' });
    const decide = (): unknown => [
      gate.respond('approval-a', { approved: false, reason: 'Keep it.' }),
      gate.outgoing(),
    ];
    expect(losses(gate, decide)).toEqual([{ loss: 'reason', toolCallId: 'a' }]);
    expect(bodiesOf(gate)).toEqual([
      { type: 'cf_agent_tool_approval', toolCallId: 'a', approved: false, autoContinue: true },
    ]);
  });

  test('transcripts are passed through, for the app to load', () => {
    const { wrong, take } = firstReply('cloudflare');
    take({ type: 'cf_agent_chat_messages', messages: [] }, { type: 'cf_agent_stream_pending' });
    expect(wrong.map(({ type }) => type)).toEqual(['passthrough']);
  });
});

describe('mastra', () => {
  const chunk = (type: string, payload: Data = {}): Data => ({ type, runId: 'run-1', from: 'AGENT', payload });
  const call = { toolCallId: 'a', toolName: 'remove', args: { path: '/a' } };

  test('streamed inputs, reasoning with a signature, files and the error of a tool are read', () => {
    const { gate, wrong, take } = firstReply('mastra');
    take(
      chunk('start', { id: 'agent' }),
      chunk('step-start'),
      chunk('reasoning-start', { id: 'r' }),
      chunk('reasoning-delta', { id: 'r', text: 'Hm.' }),
      chunk('reasoning-end', { id: 'r', providerMetadata: { anthropic: { signature: 's' } } }),
    );
    take(
      chunk('file', { base64: 'QQ==', data: 'QQ==', mimeType: 'text/plain' }),
      chunk('tool-call-input-streaming-start', call),
      chunk('tool-call-delta', { toolCallId: 'a', argsTextDelta: '{"path":' }),
    );
    expect(calls(gate)[0]).toMatchObject({ state: 'input-streaming' });
    take(
      chunk('tool-call-delta', { toolCallId: 'a', argsTextDelta: '"/a"}' }),
      chunk('tool-call-input-streaming-end', { toolCallId: 'a' }),
      chunk('tool-call', call),
      chunk('tool-error', { ...call, error: { message: 'No such file.' } }),
    );
    expect(calls(gate)[0]).toMatchObject({ state: 'output-error', input: { path: '/a' }, errorText: 'No such file.' });
    expect(partsOf(gate).map(({ type }) => type)).toEqual(['step-start', 'reasoning', 'file', 'tool-remove']);
    expect(wrong).toEqual([]);
  });

  test('decisions name the run; a browser tool’s result has the format of Mastra’s client', () => {
    const { gate, take } = firstReply('mastra', { browserTools: ['locate'] });
    take(
      chunk('start'),
      chunk('tool-call', call),
      chunk('tool-call', { toolCallId: 'b', toolName: 'locate', args: {} }),
      chunk('tool-call-approval', { ...call, resumeSchema: '{}' }),
    );
    gate.streamEnded({ status: 'finished' });
    gate.respond('a', { approved: false, reason: 'Keep it.' });
    gate.addToolOutput('b', { output: { at: 'home' } });
    expect(bodiesOf(gate)).toEqual([
      { action: 'decline-tool-call', body: { runId: 'run-1', toolCallId: 'a', reason: 'Keep it.' } },
      {
        action: 'stream',
        body: {
          messages: [
            { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'b', toolName: 'locate', input: {} }] },
            {
              role: 'tool',
              content: [
                {
                  type: 'tool-result',
                  toolCallId: 'b',
                  toolName: 'locate',
                  output: { type: 'json', value: { at: 'home' } },
                },
              ],
            },
          ],
        },
      },
    ]);
  });
});
