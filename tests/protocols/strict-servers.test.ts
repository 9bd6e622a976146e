/**
 * Servers that refuse a request for what it lacks or contains, with the rules that they document or are known for: a
 * turn with an approval and a denial, a page load, and a third request. Each rule is a 400 for ever in clients that
 * break it.
 */
import { ToolGate, type Protocol } from 'toolgate';
import { expect, test } from 'vitest';
import { named, type ProtocolName } from './all.js';
import { gateFor, type Data } from './support.js';

/** A server: the events of its replies, and what it refuses in a request body. */
interface Server {
  readonly protocol: ProtocolName;
  readonly replies: readonly (readonly object[])[];
  refuses(body: Data): string | undefined;
}

const CALLS = [
  { name: 'read', json: '{"path":"/a"}' },
  { name: 'remove', json: '{"path":"/b"}' },
] as const;

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: 'chat-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'model',
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (index: number, id: string | undefined, name: string | undefined, json: string): object => ({
  tool_calls: [{ index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: json } }],
});

/**
 * What every server of Chat Completions refuses: results that do not follow their calls, and inputs that are no JSON.
 */
function refusedByAll({ messages }: Data): string | undefined {
  let waiting: string[] = [];
  for (const message of messages as Data[]) {
    if (message.role === 'tool') {
      if (!waiting.includes(message.tool_call_id)) return `a result without its call: ${message.tool_call_id}`;
      waiting = waiting.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (waiting.length) return `calls without results: ${waiting.join()}`;
    if (message.role === 'assistant' && message.content == null && !message.tool_calls) return 'an empty message';
    waiting = (message.tool_calls ?? []).map((call: Data) => {
      JSON.parse(call.function.arguments);
      return call.id as string;
    });
  }
  return waiting.length ? `calls without results: ${waiting.join()}` : undefined;
}

const calling = ({ messages }: Data): Data[] => messages.filter(({ tool_calls: calls }: Data) => calls);

/** Thinks before it calls tools: the reasoning of a message with calls is part of the next request. */
const deepseek: Server = {
  protocol: 'openai-chat',
  replies: [
    [
      chunk({ role: 'assistant', content: null, reasoning_content: 'I ' }),
      chunk({ reasoning_content: 'think.' }),
      chunk(piece(0, 'call_00_a', 'read', '{"path"')),
      chunk(piece(1, 'call_01_b', 'remove', CALLS[1].json)),
      chunk(piece(0, undefined, undefined, ':"/a"}')),
      chunk({}, 'tool_calls'),
    ],
    [chunk({ role: 'assistant', reasoning_content: 'So.' }), chunk({ content: 'Done.' }), chunk({}, 'stop')],
  ],
  refuses: (body) =>
    calling(body).every(({ reasoning_content: text }) => text === 'I think.')
      ? undefined
      : 'The `reasoning_content` in the thinking mode must be passed back to the API.',
};

/** Its ids have nine letters and digits. Reasoning is a block of the content. No user follows a result. */
const mistral: Server = {
  protocol: 'openai-chat',
  replies: [
    [
      chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'I think.' }] }] }),
      chunk(
        {
          content: '',
          tool_calls: CALLS.map(({ name, json }, index) => ({
            index,
            id: `D681Pev${index}s`,
            function: { name, arguments: json },
          })),
        },
        'tool_calls',
      ),
    ],
    [chunk({ role: 'assistant', content: 'Done.' }), chunk({ content: '' }, 'stop')],
  ],
  refuses(body) {
    const { messages } = body as { messages: Data[] };
    const ids = calling(body).flatMap(({ tool_calls: calls }) => calls.map(({ id }: Data) => id as string));
    if (!ids.every((id) => /^[a-zA-Z0-9]{9}$/.test(id)))
      return 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.';
    const roles = messages.map(({ role }) => role as string).join(' ');
    return /tool user/.test(roles) ? "Unexpected role 'user' after role 'tool'" : undefined;
  },
};

/** Sends empty texts and pieces, and its reasoning in a field of its own. Its template reads inputs as objects. */
const vllm: Server = {
  protocol: 'openai-chat',
  replies: [
    [
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: 'I think.' }),
      chunk(piece(0, 'chatcmpl-tool-1', 'read', '')),
      chunk(piece(0, undefined, undefined, CALLS[0].json)),
      chunk(piece(1, 'chatcmpl-tool-2', 'remove', CALLS[1].json)),
      chunk({ content: '' }, 'tool_calls'),
    ],
    [chunk({ role: 'assistant', content: '' }), chunk({ content: 'Done.' }), chunk({ content: '' }, 'stop')],
  ],
  refuses(body) {
    const inputs = calling(body).flatMap(({ tool_calls: calls }) =>
      calls.map((call: Data) => JSON.parse(call.function.arguments) as unknown),
    );
    return inputs.every((input) => typeof input === 'object' && input !== null) ? undefined : 'Can only get item pairs';
  },
};

let rotations = 0;
/** An id that belongs to one event of one connection. */
const rotated = (): string => `connection-bound-${rotations++}`;
const callItem = ({ name, json }: (typeof CALLS)[number], index: number, whole: boolean): object => ({
  type: 'function_call',
  id: rotated(),
  call_id: `call_${index}`,
  name,
  arguments: whole ? json : '',
});
const output = (item: object, output_index: number): object[] => [
  { type: 'response.output_item.added', output_index, item: { ...item, id: rotated() } },
  { type: 'response.output_item.done', output_index, item: { ...item, id: rotated() } },
];

/** Gives an item another id in each event, and refuses all of them later. */
const copilot: Server = {
  protocol: 'openai-responses',
  replies: [
    [
      { type: 'response.created', response: { id: 'resp_1', output: [] } },
      ...output({ type: 'reasoning', summary: [], encrypted_content: 'sealed' }, 0),
      ...CALLS.map((call, index) => ({
        type: 'response.output_item.added',
        output_index: index + 1,
        item: callItem(call, index, false),
      })),
      ...CALLS.toReversed().flatMap((call, at) => {
        const about = { output_index: 2 - at, item_id: rotated() };
        return [
          { type: 'response.function_call_arguments.delta', ...about, delta: call.json },
          { type: 'response.output_item.done', ...about, item: callItem(call, 1 - at, true) },
        ];
      }),
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } },
    ],
    [
      { type: 'response.created', response: { id: 'resp_2', output: [] } },
      ...output({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] }, 0),
      { type: 'response.completed', response: { id: 'resp_2', status: 'completed', output: [] } },
    ],
  ],
  refuses({ input }) {
    if (/connection-bound/.test(JSON.stringify(input))) return 'input item ID does not belong to this connection';
    const items = input as Data[];
    const idsOf = (type: string): string[] => items.filter((item) => item.type === type).map((item) => item.call_id);
    const [calls, results] = [idsOf('function_call'), idsOf('function_call_output')];
    if (!items.some((item) => item.encrypted_content === 'sealed')) return 'a call without its reasoning';
    return calls.every((id) => results.includes(id)) ? undefined : 'No tool output found for function call';
  },
};

/** Sends the listed request to the server, which replies, unless `n` is undefined. */
function exchange(gate: ToolGate, { protocol, replies, refuses }: Server, n?: number): Data {
  const [item] = gate.outgoing();
  const { id: requestId, body } = item as { id: string; body: Data };
  expect((protocol === 'openai-chat' ? refusedByAll(body) : undefined) ?? refuses(body)).toBeUndefined();
  gate.claim(requestId);
  gate.markSent(requestId);
  for (const event of n === undefined ? [] : replies[n]!) gate.receive(event, { requestId });
  if (n !== undefined) gate.streamEnded({ status: 'finished' }, { requestId });
  return body;
}

test.each(Object.entries({ deepseek, mistral, vllm, copilot }))(
  '%s: an approval, a denial, a page load, a third request',
  (_, server) => {
    let gate = gateFor(server.protocol);
    const anomalies: unknown[] = [];
    gate.sendUserMessage({ text: 'Go.' });
    exchange(gate, { ...server, refuses: () => undefined }, 0);
    expect(gate.pending().map(({ toolName, input }) => [toolName, input])).toEqual(
      CALLS.map(({ name, json }) => [name, JSON.parse(json)]),
    );
    const [read, remove] = gate.pending();
    gate.respond(read!, { approved: true });
    gate.respond(remove!, { approved: false, reason: 'Keep it.' });

    const protocol = named(server.protocol) as Protocol;
    gate = ToolGate.restore(JSON.parse(JSON.stringify(gate)), { protocol, chatId: 'chat' });
    gate.onEvent((event) => void (event.type === 'anomaly' && anomalies.push(event.error)));
    gate.addToolOutput(read!.toolCallId, { output: 'The file.' });
    const answers = JSON.stringify(exchange(gate, server, 1));
    expect(answers).toContain('The file.');
    expect(answers).toContain('denied by user. Keep it.');

    gate.sendUserMessage({ text: 'And now?' });
    expect(JSON.stringify(exchange(gate, server))).toContain('Done.');
    // A chat that another page loads from what this one would store.
    const later = gateFor(server.protocol);
    later.load(gate.assemble());
    later.sendUserMessage({ text: 'Still there?' });
    exchange(later, server);
    expect(anomalies).toEqual([]);
  },
);
