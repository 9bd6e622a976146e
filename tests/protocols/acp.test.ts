/**
 * ACP: reading an agent's updates, the option that each decision selects, and replayed histories.
 * tests/interop/acp.rig.ts runs an agent of the SDK.
 */
import { type ToolPart } from 'toolgate';
import { describe, expect, test } from 'vitest';
import { acp as acpProtocol } from '../../src/ts/protocols/acp';
import type { ItemDecision, RequestContext } from '../../src/ts/protocols/shared/codec';
import { rules } from './pairing';
import { gateFor, loaded, type Data } from './support';
import { capabilitiesOf } from './all.js';
import { codecOf } from './codecs.js';

const acp = codecOf(acpProtocol);

const update = (fields: Data): Data => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 'chat', update: fields },
});
const ask = (id: unknown, params: Data): Data => ({
  jsonrpc: '2.0',
  id,
  method: 'session/request_permission',
  params: { sessionId: 'chat', options: ALL, ...params },
});
const stop = (stopReason: string): Data => ({ jsonrpc: '2.0', id: 'out-1', result: { stopReason } });
const say = (text: string, more: Data = {}): Data =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
const call = (toolCallId: string, fields: Data = {}): Data =>
  update({ sessionUpdate: 'tool_call', toolCallId, title: `Edit ${toolCallId}`, ...fields });
const more = (toolCallId: string, fields: Data): Data =>
  update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });

const KINDS = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;
const options = (...kinds: readonly string[]): Data[] =>
  kinds.map((kind) => ({ optionId: `option ${kind}`, name: kind, kind }));
const ALL = options(...KINDS);

/** A gate during the reply to its first message. */
function during(...events: readonly Data[]) {
  const gate = gateFor('acp');
  const anomalies: unknown[] = [];
  gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event)));
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of events) gate.receive(event);
  return { gate, anomalies };
}

const parts = (gate: { getSnapshot(): Data }): Data[] => gate.getSnapshot().messages[1]?.parts ?? [];
const tool = (gate: { getSnapshot(): Data }, id: string): ToolPart & Data =>
  parts(gate).find(({ toolCallId }) => toolCallId === id);

describe('a user message', () => {
  test('is a prompt of the chat’s session; each file is a block of its kind', () => {
    const gate = gateFor('acp');
    gate.sendUserMessage({
      parts: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
        { type: 'file', mediaType: 'audio/wav', url: 'data:audio/wav;base64,AA==' },
        { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf', filename: 'a.pdf' },
        { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,AA==', filename: 'b.pdf' },
      ],
    });
    const [item] = gate.outgoing();
    expect(item).toMatchObject({
      kind: 'submission',
      body: {
        jsonrpc: '2.0',
        id: item?.id,
        method: 'session/prompt',
        params: {
          sessionId: 'chat',
          prompt: [
            { type: 'text', text: 'Look.' },
            { type: 'image', data: 'AA==', mimeType: 'image/png' },
            { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
            { type: 'resource_link', uri: 'https://example.com/a.pdf', name: 'a.pdf', mimeType: 'application/pdf' },
            { type: 'resource', resource: { uri: 'file:///b.pdf', blob: 'AA==', mimeType: 'application/pdf' } },
          ],
        },
      },
    });
  });

  test('contains only new content, because the agent stores the rest', () => {
    const { gate } = during(say('Hello.'), stop('end_turn'));
    gate.streamEnded({ status: 'finished' });
    gate.sendUserMessage({ text: 'And now?' });
    expect((gate.outgoing()[0]?.body as Data).params.prompt).toEqual([{ type: 'text', text: 'And now?' }]);
  });
});

describe('an agent’s content', () => {
  test('texts and thoughts stream; a new message id begins a new text', () => {
    const thought = update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
    const { gate } = during(
      thought,
      say('He', { messageId: 'a' }),
      say('llo.', { messageId: 'a' }),
      say('Bye.', { messageId: 'b' }),
      stop('end_turn'),
    );
    expect(parts(gate)).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello.', state: 'done' },
      { type: 'text', text: 'Bye.', state: 'done' },
    ]);
  });

  test('a plan is one part, which updates replace; user messages are ignored; unknown updates are passed through', () => {
    const plan = (status: string): Data =>
      update({ sessionUpdate: 'plan', entries: [{ content: 'Tidy', priority: 'high', status }] });
    const gate = gateFor('acp');
    const passed: Data[] = [];
    gate.onEvent((event) => void (event.type === 'passthrough' && passed.push(event.event)));
    gate.sendUserMessage({ text: 'Go.' });
    gate.claim(gate.outgoing()[0]!.id);
    const commands = update({ sessionUpdate: 'available_commands_update', availableCommands: [] });
    const read = { jsonrpc: '2.0', id: 3, method: 'fs/read_text_file', params: { sessionId: 'chat', path: '/a' } };
    const echo = update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Go.' } });
    for (const event of [plan('pending'), echo, commands, read, plan('completed')]) gate.receive(event);
    expect(parts(gate).filter(({ type }) => type === 'data-plan')).toMatchObject([
      { data: { entries: [{ status: 'completed' }] } },
    ]);
    expect(passed).toEqual([commands, read]);
  });

  test('an image, a resource, a link and an unknown block become parts', () => {
    const blocks = [
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///n.txt', text: 'é', mimeType: 'text/plain' } },
      { type: 'resource_link', uri: 'file:///l', name: 'l' },
      { type: '_other', x: 1 },
    ];
    const { gate, anomalies } = during(
      ...blocks.map((content) => update({ sessionUpdate: 'agent_message_chunk', content })),
      stop('end_turn'),
    );
    expect(parts(gate).slice(1)).toMatchObject([
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
      { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,%C3%A9' },
      { type: 'file', mediaType: 'application/octet-stream', url: 'file:///l' },
      { type: 'custom', kind: 'acp._other' },
    ]);
    expect(anomalies).toEqual([]);
  });

  test.each([
    ['end_turn', 'finished'],
    ['max_tokens', 'finished'],
    ['refusal', 'finished'],
    ['cancelled', 'interrupted'],
    ['max_turn_requests', 'step-limit'],
  ] as const)('the turn ends: %s', (reason, ending) => {
    const { gate } = during(say('Well'), stop(reason));
    gate.streamEnded({ status: reason === 'max_turn_requests' ? 'step-limit' : 'finished' });
    expect(gate.getSnapshot().turn.ending).toBe(ending);
  });
});

describe('calls', () => {
  test('have the tool’s name if the agent sends it, otherwise their kind; other fields are metadata', () => {
    const { gate } = during(
      call('a', { name: 'edit_file', kind: 'edit', rawInput: {} }),
      call('b', { kind: 'edit', rawInput: {}, locations: [{ path: '/b' }] }),
      call('c', { rawInput: {} }),
    );
    expect(
      parts(gate)
        .slice(1)
        .map(({ type }) => type),
    ).toEqual(['tool-edit_file', 'tool-edit', 'tool-other']);
    expect(tool(gate, 'b')).toMatchObject({
      title: 'Edit b',
      callProviderMetadata: { acp: { title: 'Edit b', kind: 'edit', locations: [{ path: '/b' }] } },
    });
  });

  test('a pending call without an input is still streaming; the last input before the request is shown', () => {
    const { gate, anomalies } = during(call('a', { name: 'edit' }));
    expect(tool(gate, 'a').state).toBe('input-streaming');
    gate.receive(more('a', { rawInput: { path: '/' } }));
    gate.receive(more('a', { rawInput: { path: '/a' } }));
    expect(tool(gate, 'a')).toMatchObject({ state: 'input-available', input: { path: '/a' } });
    gate.receive(ask(0, { toolCall: { toolCallId: 'a', rawInput: { path: '/a', text: 'x' } } }));
    expect(gate.pending()).toMatchObject([{ toolCallId: 'a', input: { path: '/a', text: 'x' } }]);
    expect(anomalies).toEqual([]);
  });

  test('without an input, the user decides about the content that the agent shows', () => {
    const content = [{ type: 'diff', path: '/a', oldText: null, newText: 'x' }];
    const { gate } = during(
      call('a', { kind: 'edit' }),
      ask(0, { toolCall: { toolCallId: 'a', title: 'Write /a', content, locations: [{ path: '/a' }] } }),
    );
    expect(gate.pending()[0]?.input).toEqual({ title: 'Write /a', content, locations: [{ path: '/a' }] });
  });

  test('what the agent shows may change while the user decides; a decision that was not sent is void', () => {
    const diff = (path: string): Data => [{ type: 'diff', path, oldText: null, newText: 'x' }];
    const { gate, anomalies } = during(
      call('a', { kind: 'edit' }),
      ask(0, { toolCall: { toolCallId: 'a', title: 'Write /a', content: diff('/a') } }),
    );
    const [old] = gate.pending();
    gate.receive(more('a', { title: 'Write /b', content: diff('/b') }));
    expect(gate.pending()[0]?.input).toEqual({ title: 'Write /b', content: diff('/b') });
    expect(() => gate.respond(old!, { approved: true })).toThrow(expect.objectContaining({ code: 'stale-input' }));
    gate.respond(gate.pending()[0]!, { approved: true });
    gate.receive(more('a', { content: diff('/c') }));
    expect([gate.outgoing(), gate.pending()[0]?.input]).toEqual([[], { title: 'Write /b', content: diff('/c') }]);
    gate.respond(gate.pending()[0]!, { approved: true });
    gate.markSent(gate.outgoing()[0]!.id);
    // What a running call shows is its result.
    gate.receive(more('a', { status: 'in_progress', content: diff('/d') }));
    gate.receive(more('a', { status: 'completed' }));
    expect(tool(gate, 'a')).toMatchObject({ input: { content: diff('/c') }, output: diff('/d') });
    expect(parts(gate).filter(({ toolCallId }) => toolCallId)).toHaveLength(1);
    expect(anomalies).toEqual([]);
  });

  test('a second request, for another input, shows that input', () => {
    const { gate } = during(call('a', { rawInput: { path: '/a' } }), ask(0, { toolCall: { toolCallId: 'a' } }));
    gate.respond(gate.pending()[0]!, { approved: true });
    gate.markSent(gate.outgoing()[0]!.id);
    gate.receive(ask(1, { toolCall: { toolCallId: 'a', rawInput: { path: '/b' } } }));
    expect(gate.pending()).toMatchObject([{ approvalId: '1:a', toolCallId: 'a', input: { path: '/b' } }]);
  });

  // As opencode sends it: its requests repeat a call as it was first announced.
  test('a request with an empty input does not replace the input that the call already has', () => {
    const began = { rawInput: {}, status: 'pending' };
    const { gate } = during(
      call('a', began),
      more('a', { rawInput: { path: '/a' }, status: 'in_progress' }),
      ask(0, { toolCall: { toolCallId: 'a', title: 'remove', ...began } }),
      call('b', began),
      ask(1, { toolCall: { toolCallId: 'b', title: 'remove', ...began } }),
    );
    expect(gate.pending().map(({ input }) => input)).toEqual([{ path: '/a' }, {}]);
    gate.receive(more('b', { rawInput: { path: '/b' }, status: 'in_progress' }));
    expect(gate.pending().map(({ input }) => input)).toEqual([{ path: '/a' }, { path: '/b' }]);
  });

  test('a request with an empty input is about a call without arguments, if no input is known', () => {
    const { gate, anomalies } = during(
      call('a', { title: 'Sync', status: 'pending' }),
      ask(0, { toolCall: { toolCallId: 'a', rawInput: {} } }),
    );
    expect(gate.pending()).toMatchObject([{ toolCallId: 'a', input: {} }]);
    expect(anomalies).toEqual([]);
  });

  test('a request about a call that a message has closed is refused, and nobody is asked', () => {
    const rawInput = { path: '/a' };
    const { gate } = during(call('c1', { rawInput: {} }), more('c1', { status: 'in_progress', rawInput }));
    gate.stop();
    gate.streamEnded({ status: 'aborted' });
    gate.sendUserMessage({ text: 'No.' });
    gate.claim(gate.outgoing()[0]!.id);
    gate.receive(ask(1, { toolCall: { toolCallId: 'c1', title: 'Edit c1', rawInput: {} } }));
    expect(gate.pending()).toEqual([]);
    expect(gate.outgoing().map(({ body }) => body)).toMatchObject([
      { id: 1, result: { outcome: { optionId: 'option reject_once' } } },
    ]);
    expect(parts(gate).filter(({ toolCallId }) => toolCallId)).toMatchObject([{ input: rawInput }]);
  });

  test('a permission request creates an unknown call', () => {
    const { gate, anomalies } = during(
      ask(7, { toolCall: { toolCallId: 'a', name: 'edit', title: 'Edit', rawInput: { path: '/a' } } }),
    );
    expect(gate.pending()).toMatchObject([
      { approvalId: '7:a', toolCallId: 'a', toolName: 'edit', input: { path: '/a' } },
    ]);
    expect(tool(gate, 'a').approval).toMatchObject({ acp: { id: 7, options: ALL, sessionId: 'chat' } });
    expect(anomalies).toEqual([]);
  });

  test('a result is the raw output, otherwise the shown content; settled calls ignore updates', () => {
    const text = (value: string): Data => ({ type: 'content', content: { type: 'text', text: value } });
    const diff = { type: 'diff', path: '/a', newText: 'x' };
    const { gate, anomalies } = during(
      ...['a', 'b', 'c', 'd', 'e'].map((id) => call(id, { name: 'edit', rawInput: {}, status: 'in_progress' })),
      more('a', { status: 'completed', rawOutput: { ok: true }, content: [text('fine')] }),
      more('b', { status: 'completed', content: [text('two '), text('texts')] }),
      more('c', { status: 'completed', content: [diff] }),
      more('d', { status: 'failed', rawOutput: { code: 1 } }),
      more('e', { status: 'completed' }),
      more('a', { status: 'failed', rawOutput: 'late' }),
      stop('end_turn'),
    );
    expect(tool(gate, 'a')).toMatchObject({
      output: { ok: true },
      resultProviderMetadata: { acp: { content: [text('fine')] } },
    });
    expect(tool(gate, 'b').output).toBe('two texts');
    expect(tool(gate, 'c').output).toEqual([diff]);
    expect(tool(gate, 'd')).toMatchObject({ state: 'output-error', errorText: '{"code":1}' });
    expect(tool(gate, 'e').output).toBe('');
    expect(anomalies).toEqual([]);
  });

  test('content after all calls are settled begins the next step', () => {
    const { gate } = during(
      say('I look.'),
      call('a', { name: 'read', rawInput: {}, status: 'in_progress' }),
      call('b', { name: 'read', rawInput: {}, status: 'in_progress' }),
      more('a', { status: 'completed', rawOutput: '1' }),
      say('One is there.'),
      more('b', { status: 'completed', rawOutput: '2' }),
      say(' And two.'),
      call('c', { name: 'edit', rawInput: {}, status: 'completed' }),
      call('d', { name: 'edit', rawInput: {}, status: 'completed' }),
      stop('end_turn'),
    );
    const kinds = parts(gate).map(({ type, toolCallId, text }) => toolCallId ?? text ?? type);
    expect(kinds).toEqual([
      'step-start',
      'I look.',
      'a',
      'b',
      'One is there.',
      'step-start',
      ' And two.',
      'c',
      'step-start',
      'd',
    ]);
  });
});

describe('after a reconnect', () => {
  test('late updates of a settled call are ignored', () => {
    const { gate, anomalies } = during(
      call('a', { name: 'edit', rawInput: {}, status: 'completed', rawOutput: 'x' }),
      stop('end_turn'),
    );
    gate.streamEnded({ status: 'finished' });
    gate.receive(more('a', { status: 'completed', content: [] }));
    expect([gate.getSnapshot().status, tool(gate, 'a').output, anomalies]).toEqual(['idle', 'x', []]);
  });

  test('a call of an interrupted stream keeps its name', () => {
    const { gate, anomalies } = during(call('a', { name: 'edit', rawInput: { path: '/a' }, status: 'in_progress' }));
    gate.streamEnded({ status: 'disconnected' });
    gate.receive(more('a', { status: 'completed', rawOutput: 'x' }));
    expect(tool(gate, 'a')).toMatchObject({
      type: 'tool-edit',
      state: 'output-available',
      input: { path: '/a' },
      output: 'x',
    });
    expect(anomalies).toEqual([]);
  });
});

describe('a request of another connection, which counts its ids from 0 again', () => {
  const first = [call('a', { rawInput: { path: '/a' } }), ask(0, { toolCall: { toolCallId: 'a' } })];
  const second = [call('b', { rawInput: { path: '/b' } }), ask(0, { toolCall: { toolCallId: 'b' } })];

  test('withdraws the open request with its id, so no answer to that one decides the new one', () => {
    const { gate, anomalies } = during(...first, ...second);
    expect(gate.pending()).toMatchObject([{ toolCallId: 'b' }]);
    gate.respond(gate.pending()[0]!, { approved: false });
    expect(gate.outgoing().map(({ approvalIds }) => approvalIds)).toEqual([['0:b']]);
    expect(anomalies).toEqual([]);
  });

  test.each(['ready', 'failed'])('takes back an answer that is %s', (state) => {
    const { gate } = during(...first);
    gate.respond(gate.pending()[0]!, { approved: true });
    if (state === 'failed') gate.markFailed(gate.outgoing()[0]!.id, 'The connection is closed.');
    for (const event of second) gate.receive(event);
    expect([gate.outgoing(), gate.undelivered(), gate.pending().length]).toEqual([[], [], 1]);
  });
});

describe('the second version', () => {
  const toolUpdate = (toolCallId: string, fields: Data): Data =>
    update({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });

  test('a request names its call in `subject`; an idle session ends the turn', () => {
    const { gate, anomalies } = during(
      { jsonrpc: '2.0', id: 'out-1', result: { messageId: 'user-1' } },
      update({ sessionUpdate: 'state_update', state: 'running' }),
      toolUpdate('a', { name: 'edit', title: 'Edit', rawInput: { path: '/a' } }),
      ask('x', {
        title: 'May I?',
        description: 'It is only one.',
        subject: { type: 'tool_call', toolCall: { toolCallId: 'a' } },
      }),
    );
    expect(gate.pending()).toMatchObject([{ approvalId: 'x:a', input: { path: '/a' } }]);
    expect(tool(gate, 'a').approval).toMatchObject({
      acp: { id: 'x', title: 'May I?', description: 'It is only one.' },
    });
    gate.receive(toolUpdate('a', { status: 'cancelled' }));
    expect(tool(gate, 'a').errorText).toBe('Error: Tool execution was cancelled by user. It did not run.');
    gate.receive(update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }));
    gate.streamEnded({ status: 'finished' });
    expect(gate.getSnapshot().turn.ending).toBe('finished');
    expect(anomalies.length).toBe(1);
  });

  test('a command, and a request without a call, become calls without results', () => {
    const { gate, anomalies } = during(
      ask(1, { title: 'Run it?', subject: { type: 'command', command: 'rm -r /a', cwd: '/' } }),
      ask(2, { title: 'Go on?', description: 'It costs.' }),
      ask(3, { title: 'Run it?', subject: { type: 'command', command: 'ls', cwd: '/', toolCallId: 'a' } }),
      ask(4, { title: 'Run it?', subject: { type: 'command', command: 'id', cwd: '/', toolCallId: null } }),
    );
    expect(gate.pending()).toMatchObject([
      { toolCallId: 'permission-1', toolName: 'command', input: { command: 'rm -r /a', cwd: '/' } },
      { toolCallId: 'permission-2', toolName: 'permission', input: { title: 'Go on?', description: 'It costs.' } },
      { toolCallId: 'a', toolName: 'command', input: { command: 'ls', cwd: '/' } },
      { toolCallId: 'permission-4', toolName: 'command', input: { command: 'id', cwd: '/' } },
    ]);
    expect(anomalies).toEqual([]);
  });

  test('messages and contents are read whole or in chunks; a message that arrives in both forms appears once', () => {
    const whole = (messageId: string, text: string): Data =>
      update({ sessionUpdate: 'agent_message', messageId, content: [{ type: 'text', text }] });
    const piece = (text: string): Data =>
      update({
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: 'a',
        content: { type: 'content', content: { type: 'text', text } },
      });
    const { gate } = during(
      say('One.', { messageId: 'm1' }),
      whole('m1', 'One.'),
      whole('m2', 'Two.'),
      toolUpdate('a', { name: 'run', rawInput: {}, status: 'in_progress' }),
      piece('x'),
      piece('y'),
      toolUpdate('a', { status: 'completed' }),
    );
    expect(
      parts(gate)
        .slice(1)
        .map(({ text, output }) => text ?? output),
    ).toEqual(['One.', 'Two.', 'xy']);
  });
});

describe('decisions', () => {
  function answered(decision: Partial<ItemDecision>, offered: readonly Data[]): [chosen: unknown, lost: string[]] {
    const lost: string[] = [];
    const context = { reportLoss: (loss: string) => void lost.push(loss) } as unknown as RequestContext;
    const { jsonrpc, id, result }: Data = acp.answer?.(
      { toolCallId: 'a', approval: { acp: { id: 5, options: offered } }, ...decision } as ItemDecision,
      context,
    );
    expect([jsonrpc, id]).toEqual(['2.0', 5]);
    return [
      result.outcome.outcome === 'selected' ? result.outcome.optionId.replace('option ', '') : result.outcome.outcome,
      lost,
    ];
  }

  test.each([
    // The decision, the offered options, the selected option.
    [{ outcome: 'approved' }, KINDS, 'allow_once', []],
    [{ outcome: 'approved', remember: 'always' }, KINDS, 'allow_always', []],
    [{ outcome: 'approved', remember: 'chat' }, KINDS, 'allow_always', []],
    [{ outcome: 'approved', remember: 'always' }, ['allow_once', 'reject_once'], 'allow_once', ['option']],
    // An approval for one call never selects a permanent option.
    [{ outcome: 'approved' }, ['allow_always', 'reject_once'], 'cancelled', ['option']],
    [{ outcome: 'approved' }, [], 'cancelled', ['option']],
    [{ outcome: 'denied' }, KINDS, 'reject_once', []],
    [{ outcome: 'denied', remember: 'always' }, KINDS, 'reject_always', []],
    [{ outcome: 'denied', remember: 'always' }, ['allow_once', 'reject_once'], 'reject_once', ['option']],
    [{ outcome: 'denied' }, ['allow_once', 'reject_always'], 'reject_always', ['option']],
    [{ outcome: 'denied' }, ['allow_once', 'allow_always'], 'cancelled', ['option']],
    [{ outcome: 'denied', reason: 'No.' }, KINDS, 'reject_once', ['reason']],
    [{ outcome: 'skipped', reason: 'Skipped.' }, KINDS, 'reject_once', ['reason']],
    [{ outcome: 'expired', reason: 'Late.' }, KINDS, 'reject_once', ['reason']],
    [{ outcome: 'cancelled' }, KINDS, 'cancelled', []],
    // Option kinds of a later version are not used.
    [{ outcome: 'approved' }, ['_allow', 'allow_once_more'], 'cancelled', ['option']],
  ] as const)('%j of %j: %s', (decision, offered, chosen, lost) => {
    expect(answered(decision as Partial<ItemDecision>, options(...offered))).toEqual([chosen, lost]);
  });

  test('a remembered approval of a kind of tools is for the same input only; of a named tool, for every call', () => {
    for (const [fields, left] of [
      [{ kind: 'other' }, ['b']],
      [{ kind: 'other', name: 'remove' }, []],
    ] as const) {
      const toolCall = (toolCallId: string): Data => ({
        toolCall: { toolCallId, ...fields, rawInput: { path: toolCallId } },
      });
      const { gate } = during(ask(0, toolCall('a')));
      gate.respond(gate.pending()[0]!, { approved: true, remember: { for: 'chat', scope: 'tool' } });
      gate.receive(ask(1, toolCall('b')));
      expect(gate.pending().map(({ toolCallId }) => toolCallId)).toEqual(left);
    }
  });

  test.each([
    // The decision, the selected option, what is lost.
    [{ outcome: 'approved', reason: 'two' }, 'two', []],
    [{ outcome: 'approved', reason: 'other' }, 'one', ['reason']],
    [{ outcome: 'approved', reason: 'for-ever', remember: 'chat' }, 'for-ever', []],
    // Of several permanent options, none is selected unless it is named: the first may grant the most.
    [{ outcome: 'approved', remember: 'chat' }, 'one', ['option']],
    // An option that grants more, or decides otherwise, is not selected by its name.
    [{ outcome: 'approved', reason: 'for-ever' }, 'one', ['reason']],
    [{ outcome: 'approved', reason: 'never' }, 'one', ['reason']],
    [{ outcome: 'denied', reason: 'for-ever', remember: 'chat' }, 'never', ['option', 'reason']],
  ] as const)('several options of one kind: %j selects %s', (decision, chosen, lost) => {
    const offered = [
      { optionId: 'one', kind: 'allow_once', name: 'One' },
      { optionId: 'two', kind: 'allow_once', name: 'Two' },
      { optionId: 'session', kind: 'allow_always', name: 'Session' },
      { optionId: 'for-ever', kind: 'allow_always', name: 'Always' },
      { optionId: 'never', kind: 'reject_once', name: 'No' },
    ];
    expect(answered(decision as Partial<ItemDecision>, offered)).toEqual([chosen, lost]);
  });

  test('a call without a request, and a browser tool’s result, are never sent as an approval', () => {
    const context = { chatId: 'chat', queueEvent() {} } as unknown as RequestContext;
    // There is no request to respond to: a response without an id would not be valid JSON-RPC.
    for (const decision of [
      { outcome: 'approved', approval: { id: 'x' } },
      { outcome: 'executed', output: 1 },
      { outcome: 'cancelled' },
    ]) {
      const sent = acp.answer?.({ toolCallId: 'a', ...decision } as ItemDecision, context) as Data;
      expect(sent).toEqual({
        jsonrpc: '2.0',
        method: '_toolgate/tool_result',
        params: {
          sessionId: 'chat',
          toolCallId: 'a',
          outcome: decision.outcome,
          ...('output' in decision && { output: 1 }),
        },
      });
    }
  });
});

describe('histories', () => {
  test('a replay joins chunks and updates of a call, and reads notifications too', () => {
    const replay = [
      update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Tidy ' } }),
      { sessionId: 'chat', update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'up.' } } },
      { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I ' } },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'look.' } },
      { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read', name: 'read', status: 'pending' },
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'b',
        title: 'Edit',
        kind: 'edit',
        status: 'pending',
        rawInput: { path: '/b' },
      },
      { sessionUpdate: 'tool_call_update', toolCallId: 'a', rawInput: { path: '/a' } },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'b',
        status: 'failed',
        rawOutput: 'Error: Tool execution was denied by user. Not that.',
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'a',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'x' } }],
      },
      { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
    ];
    const gate = loaded('acp', replay);
    const [user, agent] = gate.getSnapshot().messages as Data[];
    expect(user.parts).toMatchObject([{ type: 'text', text: 'Tidy up.' }]);
    expect(agent.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-read', state: 'output-available', input: { path: '/a' }, output: 'x' },
      { type: 'tool-edit', state: 'output-denied', approval: { approved: false, reason: 'Not that.' } },
      { type: 'step-start' },
      { type: 'text', text: 'Done.' },
    ]);
    const written = gate.assemble();
    expect(rules.acp(written)).toEqual([]);
    expect(loaded('acp', written).assemble()).toEqual(written);
    expect(
      written.filter((one: Data) => one.toolCallId).map((one: Data) => [one.toolCallId, one.status, one.rawOutput]),
    ).toEqual([
      ['a', 'completed', 'x'],
      ['b', 'failed', 'Error: Tool execution was denied by user. Not that.'],
    ]);
  });

  test('the status `cancelled` of version 2 is read', () => {
    const gate = loaded('acp', [
      { sessionUpdate: 'user_message', messageId: 'u', content: [{ type: 'text', text: 'Go.' }] },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'a',
        title: 'Edit',
        name: 'edit',
        rawInput: {},
        status: 'cancelled',
      },
    ]);
    expect((gate.getSnapshot().messages[1]!.parts as Data[]).find(({ toolCallId }) => toolCallId)?.outcome).toEqual({
      kind: 'cancelled',
    });
  });

  test('capabilities', () => {
    expect(capabilitiesOf('acp')).toMatchObject({
      kind: 'answering',
      reason: false,
      editedInput: false,
      cancel: true,
      remember: true,
      history: 'server',
      denialVisible: false,
    });
  });
});
