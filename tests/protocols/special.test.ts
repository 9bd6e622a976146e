/** Special features of the protocols, and undocumented behaviour of servers. */
import { ToolGateError } from 'toolgate';
import { describe, expect, test } from 'vitest';
import { checked, rules } from './pairing';
import { gateFor, loaded, losses, type Data } from './support';
import { anthropic } from 'toolgate/protocols/anthropic';
import { gemini } from 'toolgate/protocols/gemini';
import { openaiChat } from 'toolgate/protocols/openai-chat';
import { type ProtocolName, capabilitiesOf, named } from './all.js';

const DENIED = 'Error: Tool execution was denied by user.';

/** A gate that received these events as the reply to its first message. */
function replied(protocol: ProtocolName, events: readonly unknown[], options = {}) {
  const gate = gateFor(protocol, options);
  gate.sendUserMessage({ text: 'Go.' });
  gate.claim(gate.outgoing()[0]!.id);
  for (const event of events) gate.receive(event);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

const parts = (gate: { getSnapshot(): Data }, place = 1): Data[] => gate.getSnapshot().messages[place].parts;

describe('anthropic', () => {
  const search = { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'x' } };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srv1',
    content: [
      { type: 'web_search_result', title: 'T', url: 'https://example.com', encrypted_content: 'e', page_age: null },
    ],
  };
  const whole = (content: object[]): Data => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {},
  });

  test('tools that run at Anthropic need no approval, and their blocks survive a round trip', () => {
    const blocks = [
      { type: 'text', text: 'I look.' },
      search,
      found,
      { type: 'container_upload', file_id: 'f' },
      { type: 'text', text: 'There.' },
    ];
    const gate = replied('anthropic', [whole(blocks)]);
    expect(gate.pending()).toEqual([]);
    expect(parts(gate).find((part) => part.toolCallId)).toMatchObject({
      toolName: 'web_search',
      state: 'output-available',
      providerExecuted: true,
    });
    expect((gate.assemble()[1] as Data).content).toEqual(blocks);
    expect((loaded('anthropic', gate.assemble()).assemble()[1] as Data).content).toEqual(blocks);
    // Other providers cannot accept these blocks: they get ordinary calls with results.
    for (const protocol of checked) expect(rules[protocol](gate.assemble(named(protocol)))).toEqual([]);
  });

  test('an input that is not valid JSON fails only its call', () => {
    const gate = replied('anthropic', [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'edit', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"pa' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'ping' },
      { type: 'message_stop' },
    ]);
    expect(parts(gate).find((part) => part.toolCallId)).toMatchObject({ state: 'output-error' });
    gate.sendUserMessage({ text: 'Again.' });
    expect(rules.anthropic(gate.assemble())).toEqual([]);
  });

  test('leading system messages are in the request’s system field', () => {
    const gate = loaded('anthropic', [{ id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }]);
    gate.sendUserMessage({ text: 'Go.' });
    expect(gate.outgoing()[0]?.body).toEqual({
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
    });
    expect(losses(gate, () => gate.assemble(gemini))).toEqual([{ loss: 'system' }]);
  });

  test('unsupported ids are replaced, always by the same id', () => {
    const gate = loaded('ai-sdk', [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      {
        id: 'a',
        role: 'assistant',
        parts: ['a.b', 'a:b'].map((toolCallId) => ({
          type: 'tool-edit',
          toolCallId,
          state: 'output-available',
          input: {},
          output: '1',
        })),
      },
    ]);
    const written = gate.assemble(anthropic);
    expect(rules.anthropic(written)).toEqual([]);
    expect(losses(gate, () => gate.assemble(openaiChat))).toEqual([
      { loss: 'id', toolCallId: 'a.b' },
      { loss: 'id', toolCallId: 'a:b' },
    ]);
    expect(loaded('anthropic', written).assemble()).toEqual(written);
  });
});

test.each([
  () => undefined,
  () => Promise.resolve(false),
  () => {
    throw new Error('no idea');
  },
])('a needsApproval function that throws or does not return a boolean requires the approval', (needsApproval) => {
  const call = { type: 'tool_use', id: 'a', name: 'edit', input: {} };
  const gate = replied('anthropic', [{ type: 'message', role: 'assistant', content: [call] }], { needsApproval });
  expect(gate.pending()).toHaveLength(1);
});

describe('openai-chat', () => {
  const chunk = (delta: object, finish_reason: string | null = null): Data => ({
    choices: [{ index: 0, delta, finish_reason }],
  });

  test('a whole completion is read like its stream', () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'edit', arguments: '{"path":"a"}' } }],
    };
    const gate = replied('openai-chat', [
      { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] },
    ]);
    expect(gate.pending().map(({ toolCallId, input }) => [toolCallId, input])).toEqual([['a', { path: 'a' }]]);
    gate.respondAll({ approved: false });
    expect((gate.outgoing()[0]?.body as Data).messages.slice(1)).toEqual([
      message,
      { role: 'tool', tool_call_id: 'a', content: DENIED },
    ]);
  });

  test('streamed reasoning is shown, and is sent back in its field', () => {
    const gate = replied('openai-chat', [chunk({ reasoning_content: 'Hm.' }), chunk({ content: 'Yes.' }, 'stop')]);
    expect(parts(gate).map(({ type }) => type)).toEqual(['step-start', 'reasoning', 'text']);
    expect(losses(gate, () => gate.assemble())).toEqual([]);
    expect(gate.assemble()[1]).toEqual({ role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' });
  });
});

describe('gemini', () => {
  test('calls without ids get ids, which are not written back', () => {
    const calls = ['a', 'b'].map((path) => ({ functionCall: { name: 'edit', args: { path } } }));
    const gate = replied('gemini', [
      { candidates: [{ content: { role: 'model', parts: calls }, finishReason: 'STOP' }] },
    ]);
    expect(gate.pending()).toHaveLength(2);
    gate.respondAll({ approved: false, reason: 'No.' });
    const { contents } = gate.outgoing()[0]?.body as Data;
    expect(contents.slice(1)).toEqual([
      { role: 'model', parts: calls },
      {
        role: 'user',
        parts: [1, 2].map(() => ({ functionResponse: { name: 'edit', response: { error: `${DENIED} No.` } } })),
      },
    ]);
    expect(loaded('gemini', contents).assemble()).toEqual(contents);
  });

  test('parts with a signature stay separate, and unknown parts unchanged', () => {
    const said = [
      { text: 'One', thoughtSignature: 's1' },
      { text: ' two.' },
      { executableCode: { language: 'PYTHON', code: '1' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      { inlineData: { mimeType: 'image/png', data: 'AA==' } },
    ];
    const gate = replied('gemini', [
      { candidates: [{ content: { role: 'model', parts: said }, finishReason: 'STOP' }] },
    ]);
    expect((gate.assemble()[1] as Data).parts).toEqual(said);
    expect(loaded('gemini', gate.assemble()).assemble()).toEqual(gate.assemble());
  });

  test('a rejected prompt is an error', () => {
    const gate = replied('gemini', [{ candidates: undefined, promptFeedback: { blockReason: 'SAFETY' } }]);
    expect(gate.getSnapshot().turn).toMatchObject({ status: 'error', ending: 'failed' });
  });
});

describe('vscode', () => {
  const call = { callId: 'a', name: 'edit', input: { path: 'a' } };

  test('VS Code requests approvals itself: a call waits for its output, and the result is the next message', () => {
    const gate = replied('vscode', [{ value: 'I will.' }, call]);
    expect(gate.pending()).toEqual([]);
    expect(gate.outgoing()).toEqual([]);
    gate.addToolOutput('a', { output: 'changed' });
    const { messages } = gate.outgoing()[0]?.body as Data;
    expect(messages.slice(1)).toEqual([
      { role: 2, content: [{ value: 'I will.' }, call], name: undefined },
      { role: 1, content: [{ callId: 'a', content: [{ value: 'changed' }] }], name: undefined },
    ]);
  });

  test('a result in a later history means that the call was approved; a missing call does not mean a denial', () => {
    const history = [
      { role: 1, content: [{ value: 'Go.' }] },
      { role: 2, content: [{ value: 'I will.' }, call] },
    ];
    const gate = loaded('vscode', history);
    expect(parts(gate).at(-1)).toMatchObject({ state: 'input-available' });
    gate.load([...history, { role: 1, content: [{ callId: 'a', content: [{ value: 'changed' }] }] }]);
    expect(parts(gate).at(-1)).toMatchObject({ state: 'output-available', outcome: { kind: 'executed' } });
    gate.load([...history.slice(0, 1), { role: 1, content: [{ value: 'Something else.' }] }]);
    expect(JSON.stringify(gate.assemble('ai-sdk'))).not.toContain('denied');
    expect(capabilitiesOf('vscode').denialVisible).toBe(false);
  });

  test('a denial in this client is written as a text, which is recognized when the history is loaded', () => {
    const gate = replied('vscode', [call], { needsApproval: () => true });
    gate.respond('a', { approved: false, reason: 'No.' });
    const { messages } = gate.outgoing()[0]?.body as Data;
    expect(messages.at(-1).content).toEqual([{ callId: 'a', content: [{ value: `${DENIED} No.` }] }]);
    expect(parts(loaded('vscode', messages)).at(-1)).toMatchObject({
      state: 'output-denied',
      outcome: { kind: 'denied', reason: 'No.' },
    });
  });
});

test.each(checked)('%s: losses are reported once per call; unsupported operations throw', (protocol) => {
  const history = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    {
      id: 'a',
      role: 'assistant',
      parts: [
        {
          type: 'tool-edit',
          toolCallId: 'ran',
          state: 'output-available',
          input: {},
          output: { n: 1 },
          approval: { id: 'p1', approved: true },
        },
        { type: 'tool-edit', toolCallId: 'broke', state: 'output-error', input: {}, errorText: 'boom' },
        {
          type: 'tool-edit',
          toolCallId: 'waits',
          state: 'approval-responded',
          input: {},
          approval: { id: 'p2', approved: true },
        },
      ],
    },
  ];
  const gate = loaded('ai-sdk', history);
  const { lost } = capabilitiesOf(protocol);
  // Genkit declares the loss `pending` for calls that the model's provider runs. It can express this call.
  const isLeftOut = !JSON.stringify(loaded('ai-sdk', history).assemble(named(protocol))).includes('"waits"');
  const expected = [
    { loss: 'approval', toolCallId: 'ran' },
    { loss: 'json', toolCallId: 'ran' },
    { loss: 'failed', toolCallId: 'broke' },
    ...(isLeftOut ? [{ loss: 'pending', toolCallId: 'waits' }] : []),
  ].filter(({ loss }) => (lost as readonly string[]).includes(loss));
  expect(losses(gate, () => gate.assemble(named(protocol)))).toEqual(expected);
  expect(losses(gate, () => gate.assemble(named(protocol)))).toEqual([]);
  expect(() => gate.assemble('nonsense' as 'ai-sdk')).toThrow(TypeError);
  expect(
    gateFor(protocol)
      .load([{ role: 'user', content: 5, parts: 5 }, null])
      .repairs.map(({ code }) => code),
  ).toContain('malformed');
  expect(() => replied(protocol, []).respond('unknown', { approved: true, input: {} })).toThrow(ToolGateError);
});

test.each(checked)('%s: a damaged event is an anomaly, an unknown one is passed through', (protocol) => {
  const gate = gateFor(protocol);
  const types: string[] = [];
  gate.onEvent((event) => types.push(event.type === 'anomaly' ? event.error.code : event.type));
  gate.receive(null);
  gate.receive({ type: 'from-the-future' });
  expect(types).toEqual(['malformed-event', 'passthrough']);
});
