/**
 * Repeated tool call ids: in a later turn, in a later step, and within one step, as local model servers send them.
 * Each call keeps its own input and result, in every protocol's histories and streams.
 */
import { init, ToolGate } from 'toolgate';
import { describe, expect, test } from 'vitest';
import type { Call, Codec, Context, Entry, Part } from '../../src/ts/protocols/shared/codec';
import { acp as acpProtocol } from '../../src/ts/protocols/acp';
import { agUi as agUiProtocol } from '../../src/ts/protocols/ag-ui';
import { anthropic as anthropicProtocol } from '../../src/ts/protocols/anthropic';
import { claudeManagedAgents as claudeManagedAgentsProtocol } from '../../src/ts/protocols/claude-managed-agents';
import { cloudflare as cloudflareProtocol } from '../../src/ts/protocols/cloudflare';
import { genkit as genkitProtocol } from '../../src/ts/protocols/genkit';
import { langgraph as langgraphProtocol } from '../../src/ts/protocols/langgraph';
import { openaiAgents as openaiAgentsProtocol } from '../../src/ts/protocols/openai-agents';
import { openaiResponses as openaiResponsesProtocol } from '../../src/ts/protocols/openai-responses';
import { opencode as opencodeProtocol } from '../../src/ts/protocols/opencode';
import { vscode as vscodeProtocol } from '../../src/ts/protocols/vscode';
import { checked, rules } from './pairing';
import { streamOf } from './replies';
import { codecFor, codecOf, contextOf } from './codecs';
import type { Data } from './support';

const acp = codecOf(acpProtocol);
const agUi = codecOf(agUiProtocol);
const anthropic = codecOf(anthropicProtocol);
const claudeManagedAgents = codecOf(claudeManagedAgentsProtocol);
const cloudflare = codecOf(cloudflareProtocol);
const genkit = codecOf(genkitProtocol);
const langgraph = codecOf(langgraphProtocol);
const openaiAgents = codecOf(openaiAgentsProtocol);
const openaiResponses = codecOf(openaiResponsesProtocol);
const opencode = codecOf(opencodeProtocol);
const vscode = codecOf(vscodeProtocol);

await init();

const ID = 'call_0';

/** A call with its result. */
const ran = (path: string, toolCallId = ID): Call => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'edit',
  input: { path },
  result: { type: 'tool-result', toolCallId, toolName: 'edit', output: { type: 'text', value: `${path} is changed` } },
});
const denied = (path: string): Call => ({
  ...ran(path),
  request: { type: 'tool-approval-request', approvalId: ID, toolCallId: ID },
  response: { type: 'tool-approval-response', approvalId: ID, approved: false, reason: `Not ${path}.` },
  result: {
    type: 'tool-result',
    toolCallId: ID,
    toolName: 'edit',
    output: { type: 'execution-denied', reason: `Not ${path}.` },
  },
});
const user = (text: string): Entry => ({ role: 'user', content: [{ type: 'text', text }] });
const step = (...content: Part[]): Entry => ({ role: 'assistant', content });
const text = (words: string): Part => ({ type: 'text', text: words });

/** Two turns. The second has two steps, and the last step has the same id twice. */
const HISTORY: readonly Entry[] = [
  user('One.'),
  step(ran('/a')),
  step(text('Done.')),
  user('Two.'),
  step(ran('/b')),
  step(denied('/c'), ran('/d')),
  step(text('Done.')),
];

function contextFor(lost: unknown[] = [], repaired: unknown[] = []): Context {
  return {
    chatId: 'chat',
    texts: undefined,
    reportLoss: (...loss) => void lost.push(loss),
    reportRepair: (...repair) => void repaired.push(repair),
  };
}

/** Returns the calls of entries in order, without ids: the input, the decision and the result. */
const callsOf = (entries: readonly Entry[]): Data[] =>
  entries
    .flatMap(({ content }) => content.filter(({ type }) => type === 'tool-call'))
    .map(({ input, result, response }) => [
      (input as { path?: string }).path,
      result?.output.value ?? result?.output.reason,
      response?.approved,
    ]);

/** Returns the calls of a gate in the same form. */
const partsOf = (gate: ToolGate): Data[] =>
  gate
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts as Data[])
    .filter(({ toolCallId }) => toolCallId !== undefined)
    .map(({ input, output, approval }) => [input.path, output ?? approval.reason, approval?.approved]);

describe.each(checked)('%s', (protocol) => {
  test('a round trip through the history: each call keeps its own input and result', async () => {
    const codec: Codec = await codecFor(protocol);
    const repaired: unknown[] = [];
    const written = codec.write(HISTORY, contextFor()) as Data[];
    // The core reads the AI SDK's formats.
    if (protocol === 'pydantic-ai')
      return expect(
        written
          .flatMap(({ parts }) => parts)
          .filter((part: Data) => part.toolCallId)
          .map(({ input, output }: Data) => [input.path, output]),
      ).toEqual([
        ['/a', '/a is changed'],
        ['/b', '/b is changed'],
        ['/c', undefined],
        ['/d', '/d is changed'],
      ]);
    if (!codec.read) {
      const gate = new ToolGate();
      expect(gate.load(written).repairs).toEqual([]);
      expect(partsOf(gate)).toEqual(callsOf(HISTORY));
      // Providers refuse a step in which an id comes twice, so the earlier call has a step of its own.
      const apart = HISTORY.flatMap(({ content, ...entry }) =>
        entry.role === 'assistant'
          ? (content as Part[]).map((part) => ({ ...entry, content: [part] }))
          : [{ ...entry, content }],
      ) as Entry[];
      const assembled = gate.assemble('ai-sdk');
      expect(assembled).toEqual(codec.write(apart, contextFor()));
      expect(gate.load(assembled).repairs).toEqual([]);
      expect(partsOf(gate)).toEqual(callsOf(HISTORY));
      return expect(gate.assemble('ai-sdk')).toEqual(assembled);
    }
    const entries = codec.read(written, contextFor([], repaired));
    expect(repaired).toEqual([]);
    const paths = callsOf(entries);
    expect(paths.map(([path]) => path)).toEqual(['/a', '/b', '/c', '/d']);
    for (const [path, value] of paths.filter(([one]) => one !== '/c')) expect(value).toBe(`${path} is changed`);
    expect(JSON.stringify(paths[2])).toContain(codec.capabilities.reason ? 'Not /c.' : '/c');
    // Writing the history that was read gives the same result.
    expect(codec.write(entries, contextFor())).toEqual(written);
  });

  test('within a step the calls get distinct ids, so that an id never refers to two calls', async () => {
    const codec: Codec = await codecFor(protocol);
    if (!codec.read)
      return expect(rules[protocol](codec.write([user('Go.'), step(ran('/a'))], contextFor()))).toEqual([]);
    const written = codec.write(HISTORY, contextFor()) as Data[];
    const last = codec
      .read(written, contextFor())
      .findLast(({ content }) => content.some(({ type }) => type === 'tool-call'));
    const ids = last?.content
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolCallId }) => toolCallId) as string[];
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('anthropic requires unique ids: a call and its result get the same new id, which is reported', () => {
  const lost: Data[] = [];
  const written = anthropic.write(HISTORY, contextFor(lost)) as Data[];
  expect(rules.anthropic(written)).toEqual([]);
  const blocks = written.flatMap(({ content }) => content as Data[]);
  expect(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)).toEqual([
    ID,
    'call_0_2',
    'call_0_3',
    'call_0_4',
  ]);
  expect(blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id)).toEqual([
    ID,
    'call_0_2',
    'call_0_3',
    'call_0_4',
  ]);
  expect(lost.filter(([loss]) => loss === 'id')).toHaveLength(3);
  // Another turn does not change the earlier ones.
  expect(
    (anthropic.write([...HISTORY, user('Three.'), step(ran('/e'))], contextFor()) as Data[]).slice(0, written.length),
  ).toEqual(written);
});

/** Returns the chunks of a reader for these events. */
function chunksOf(codec: Codec, events: readonly unknown[], shown: Data[] = [], messages: Data[] = []): Data[] {
  const chunks: Data[] = [];
  let made = 0;
  let end = (): void => undefined;
  const read = codec.createReader(
    contextOf({
      emit: (chunk) => void chunks.push(chunk),
      onEnd: (given) => void (end = given),
      newId: () => `made-${made++}`,
      calls: () => shown,
      messages: () => messages,
    }),
  );
  for (const event of events) read(event);
  end();
  return chunks;
}

const inputs = (chunks: readonly Data[]): Data[] =>
  chunks
    .filter((chunk) => chunk?.type === 'tool-input-available')
    .map(({ toolCallId, input }) => [toolCallId, input.path]);
const results = (chunks: readonly Data[]): Data[] =>
  chunks
    .filter((chunk) => /^tool-output-(available|error)$/.test(chunk?.type))
    .map(({ toolCallId, output, errorText }) => [toolCallId, output ?? errorText]);

describe('streams', () => {
  test('openai-responses: an item id that is repeated is sent once', () => {
    const response = [{ type: 'function_call', id: 'fc_0', call_id: ID, name: 'edit', arguments: '{"path":"/a"}' }];
    const events = [
      ...streamOf(response as Data),
      ...streamOf([{ ...response[0], arguments: '{"path":"/b"}' }] as Data),
    ];
    expect(inputs(chunksOf(openaiResponses, events))).toEqual([
      [ID, '/a'],
      [ID, '/b'],
    ]);
    const entries: Entry[] = ['/a', '/b'].map((path) =>
      step({ ...ran(path), providerOptions: { openai: { itemId: 'fc_0' } } }),
    );
    const items = (openaiResponses.write(entries, contextFor()) as Data[]).filter(
      ({ type }) => type === 'function_call',
    );
    expect(items.map(({ id }) => id)).toEqual(['fc_0', undefined]);
  });

  test('vscode: an id that is repeated in one reply', () => {
    const part = (path: string): Data => ({ callId: ID, name: 'edit', input: { path } });
    expect(inputs(chunksOf(vscode, [part('/a'), part('/b')]))).toEqual([
      [ID, '/a'],
      ['call_0_2', '/b'],
    ]);
  });

  test('acp: a settled call ignores updates, and a repeated id begins a new call', () => {
    const update = (fields: Data): Data => ({
      method: 'session/update',
      params: { update: { sessionUpdate: 'tool_call', toolCallId: ID, name: 'edit', ...fields } },
    });
    const report = (fields: Data): Data => update({ sessionUpdate: 'tool_call_update', name: undefined, ...fields });
    const chunks = chunksOf(acp, [
      update({ rawInput: { path: '/a' }, status: 'in_progress' }),
      report({ status: 'completed', rawOutput: 'a' }),
      report({ status: 'completed', rawOutput: 'late' }),
      update({ rawInput: { path: '/b' } }),
      report({ status: 'completed', rawOutput: 'b' }),
    ]);
    expect([inputs(chunks), results(chunks)]).toEqual([
      [
        [ID, '/a'],
        [ID, '/b'],
      ],
      [
        [ID, 'a'],
        [ID, 'b'],
      ],
    ]);
  });

  const run = (event: Data): Data => ({ type: 'run_item_stream_event', item: event });
  const made = (path: string): Data =>
    run({
      type: 'tool_call_item',
      rawItem: { type: 'function_call', callId: ID, name: 'edit', arguments: JSON.stringify({ path }) },
    });
  const output = (value: string): Data =>
    run({
      type: 'tool_call_output_item',
      rawItem: { type: 'function_call_result', callId: ID, output: { type: 'text', text: value } },
    });

  test('openai-agents: an id that is repeated in the next response of a run', () => {
    const chunks = chunksOf(openaiAgents, [made('/a'), output('a'), made('/b'), output('b')]);
    expect([inputs(chunks), results(chunks)]).toEqual([
      [
        [ID, '/a'],
        [ID, '/b'],
      ],
      [
        [ID, 'a'],
        [ID, 'b'],
      ],
    ]);
  });

  test('openai-agents: settled calls may be announced again until the model sends content', () => {
    const shown = [
      {
        toolCallId: ID,
        toolName: 'edit',
        input: { path: '/a' },
        outcome: { kind: 'denied' },
        approval: { approved: false },
      },
    ];
    expect(inputs(chunksOf(openaiAgents, [made('/a')], shown))).toEqual([]);
    expect(
      inputs(
        chunksOf(
          openaiAgents,
          [{ type: 'raw_model_stream_event', data: { type: 'response_started' } }, made('/a')],
          shown,
        ),
      ),
    ).toEqual([[ID, '/a']]);
  });

  test('opencode: part ids distinguish calls, and a request belongs to the call of its message', () => {
    const part = (messageID: string, id: string, state: Data): Data => ({
      type: 'message.part.updated',
      properties: { part: { id, messageID, type: 'tool', callID: ID, tool: 'edit', state } },
    });
    const chunks = chunksOf(opencode, [
      part('m1', 'p1', { status: 'running', input: { path: '/a' } }),
      part('m1', 'p1', { status: 'completed', input: { path: '/a' }, output: 'a' }),
      {
        type: 'permission.asked',
        properties: { id: 'per', permission: 'edit', tool: { messageID: 'm2', callID: ID } },
      },
      part('m2', 'p2', { status: 'running', input: { path: '/b' } }),
    ]);
    expect([inputs(chunks), results(chunks)]).toEqual([
      [
        [ID, '/a'],
        [ID, '/b'],
      ],
      [[ID, 'a']],
    ]);
    const order = chunks.map((chunk) => chunk.type).filter((type) => /input-available|request/.test(type));
    expect(order).toEqual(['tool-input-available', 'tool-input-available', 'tool-approval-request']);
  });

  test('genkit: repeated refs in the steps of a model that does not stream', () => {
    const request = (path: string): Data => ({ toolRequest: { name: 'edit', ref: ID, input: { path } } });
    const message = (path: string): Data[] => [
      { role: 'model', content: [request(path)] },
      { role: 'tool', content: [{ toolResponse: { name: 'edit', ref: ID, output: path } }] },
    ];
    const result = {
      message: { role: 'model', content: [{ text: 'Done.' }] },
      request: { messages: [{ role: 'user', content: [] }, ...message('/a'), ...message('/b')] },
    };
    const shown = [{ toolCallId: ID, toolName: 'edit', input: { path: '/a' }, outcome: { kind: 'executed' } }];
    const chunks = chunksOf(genkit, [{ result }], shown);
    // The first call is already known.
    expect([inputs(chunks), results(chunks).at(-1)]).toEqual([[[ID, '/b']], [ID, '/b']]);
  });

  test('claude-managed-agents has unique call ids: repeated ids are not changed', () => {
    const use = (path: string): Data => ({ type: 'agent.tool_use', id: ID, name: 'edit', input: { path } });
    expect(inputs(chunksOf(claudeManagedAgents, [use('/a'), use('/b')]))).toEqual([
      [ID, '/a'],
      [ID, '/b'],
    ]);
  });
});

describe('snapshots of the state', () => {
  const ai = (id: string, ...paths: string[]): Data => ({
    type: 'ai',
    id,
    content: '',
    tool_calls: paths.map((path) => ({ id: ID, name: 'edit', args: { path } })),
  });
  const tool = (id: string, content: string): Data => ({
    type: 'tool',
    id,
    tool_call_id: ID,
    content,
    status: 'success',
  });
  const human = { type: 'human', id: 'h', content: 'Go.' };
  const values = (...messages: Data[]): Data => ({ event: 'values', data: { messages } });

  test('langgraph: the same id in two messages, and twice in one', () => {
    const events = [
      values(human),
      values(human, ai('m1', '/a')),
      values(human, ai('m1', '/a'), tool('t1', 'a')),
      values(human, ai('m1', '/a'), tool('t1', 'a'), ai('m2', '/b', '/c')),
      values(human, ai('m1', '/a'), tool('t1', 'a'), ai('m2', '/b', '/c'), tool('t2', 'b'), tool('t3', 'c')),
    ];
    // The list of shown calls is updated after each event, as the core does.
    const chunks: Data[] = [];
    const shown: Data[] = [];
    const read = langgraph.createReader(
      contextOf({ emit: (chunk) => void chunks.push(chunk), calls: () => shown.map((part) => ({ ...part })) }),
    );
    for (const event of events) {
      const from = chunks.length;
      read(event);
      for (const { type, ...rest } of chunks.slice(from)) {
        if (type === 'tool-input-available') shown.push(rest);
        const call = shown.findLast(({ toolCallId }) => toolCallId === rest.toolCallId);
        if (call && /^tool-output/.test(type)) call.outcome = { kind: 'executed' };
      }
    }
    expect(inputs(chunks)).toEqual([
      [ID, '/a'],
      [ID, '/b'],
      ['call_0_2', '/c'],
    ]);
    expect(results(chunks)).toEqual([
      [ID, 'a'],
      [ID, 'b'],
      ['call_0_2', 'c'],
    ]);
  });

  test('langgraph: a result of an earlier turn does not settle a waiting call', () => {
    const shown = [
      { toolCallId: ID, toolName: 'edit', input: { path: '/b' }, state: 'approval-requested', approval: { id: 'i:0' } },
    ];
    const next = { ...human, id: 'h2' };
    const chunks = chunksOf(langgraph, [values(human, ai('m1', '/a'), tool('t1', 'a'), next, ai('m2', '/b'))], shown);
    expect([inputs(chunks), results(chunks)]).toEqual([[], []]);
  });

  test('langgraph: two actions for calls with the same id and name belong to different calls', () => {
    const actions = ['/b', '/a'].map((path) => ({ name: 'edit', args: { path } }));
    const chunks = chunksOf(
      langgraph,
      [
        values(human),
        values(human, ai('m1', '/a', '/b')),
        { event: 'values', data: { __interrupt__: [{ id: 'i', value: { action_requests: actions } }] } },
      ],
      [
        { toolCallId: ID, toolName: 'edit', input: { path: '/a' } },
        { toolCallId: 'call_0_2', toolName: 'edit', input: { path: '/b' } },
      ],
    );
    const asked = chunks
      .filter(({ type }) => type === 'tool-approval-request')
      .map(({ approvalId, toolCallId }) => [approvalId, toolCallId]);
    expect(asked).toEqual([
      ['i:0', 'call_0_2'],
      ['i:1', ID],
    ]);
  });

  const snapshot = (...messages: Data[]): Data => ({ type: 'MESSAGES_SNAPSHOT', messages });
  const said = (id: string, path: string): Data => ({
    id,
    role: 'assistant',
    toolCalls: [{ id: ID, type: 'function', function: { name: 'edit', arguments: JSON.stringify({ path }) } }],
  });
  const result = (content: string): Data => ({ id: `r-${content}`, role: 'tool', toolCallId: ID, content });
  const asked = { id: 'u', role: 'user', content: 'Go.' };
  const shownUser = { role: 'user', parts: [{ type: 'text', text: 'Go.' }] };
  const part = (path: string, more: Data = {}): Data => ({
    type: 'tool-edit',
    toolCallId: ID,
    input: { path },
    ...more,
  });

  test('ag-ui: a snapshot adds the calls and texts that follow the known ones', () => {
    const shown = [
      shownUser,
      { role: 'assistant', parts: [part('/a', { outcome: { kind: 'executed' }, output: 'a' })] },
    ];
    const event = snapshot(asked, said('m1', '/a'), result('a'), said('m2', '/b'), result('b'), {
      id: 'm3',
      role: 'assistant',
      content: 'Done.',
    });
    const chunks = chunksOf(agUi, [event], [], shown);
    expect([inputs(chunks), results(chunks)]).toEqual([[[ID, '/b']], [[ID, 'b']]]);
    expect(chunks.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta)).toEqual(['Done.']);
    // The app gets the snapshot too.
    expect(chunks.at(-1)).toBe(event);
  });

  test('ag-ui: a snapshot never settles a pending call, and adds no known content and no content of another conversation', () => {
    const waiting = [
      shownUser,
      { role: 'assistant', parts: [{ type: 'text', text: 'I ' }, part('/a', { state: 'approval-requested' })] },
    ];
    const event = snapshot(asked, { ...said('m1', '/a'), content: 'I will.' }, result('placeholder'));
    expect(chunksOf(agUi, [event], [], waiting)).toEqual([event]);
    expect(chunksOf(agUi, [snapshot(asked, said('m1', '/a'), asked, said('m2', '/b'))], [], [shownUser])).toHaveLength(
      1,
    );
    // A snapshot settles an approved call that the run has completed meanwhile.
    const approved = [
      shownUser,
      { role: 'assistant', parts: [part('/a', { state: 'approval-responded', approval: { approved: true } })] },
    ];
    expect(results(chunksOf(agUi, [snapshot(asked, said('m1', '/a'), result('a'))], [], approved))).toEqual([
      [ID, 'a'],
    ]);
  });

  test('cloudflare: another tab’s decision belongs to the newest call with the id', () => {
    const shown = [
      { toolCallId: ID, state: 'output-available', approval: { id: 'p1' } },
      { toolCallId: ID, state: 'approval-requested', approval: { id: 'p2' } },
    ];
    const message = {
      parts: [
        { toolCallId: ID, state: 'output-denied' },
        { toolCallId: ID, state: 'approval-responded', approval: { id: 'p2', approved: true } },
      ],
    };
    expect(chunksOf(cloudflare, [{ type: 'cf_agent_message_updated', message }], shown)).toEqual([
      { type: 'tool-approval-response', approvalId: 'p2', approved: true },
    ]);
  });
});
