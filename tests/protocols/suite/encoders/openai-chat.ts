/** Chat Completions as OpenAI streams them, read by OpenAI's own client too. */
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import type { ChatCompletionChunk, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { linesOf, type Encoder, type ReadCall, type Wire } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

const readCalls = (calls: readonly { function?: { name: string; arguments: string } }[]): ReadCall[] =>
  calls.map(({ function: called }) => ({ name: called!.name, input: JSON.parse(called!.arguments) }));

/** A completion that does not stream. */
function wholeOf({ steps: [step] }: Script, finish_reason: string): Wire {
  const { texts, calls } = step!;
  const said = (kind: string): string => texts.flatMap((text) => (text.kind === kind ? text.pieces : [])).join('');
  const tool_calls = calls.map(({ id, name, json }) => ({ id, type: 'function', function: { name, arguments: json } }));
  const message = {
    role: 'assistant',
    content: said('text') || null,
    reasoning_content: said('reasoning'),
    ...(calls.length && { tool_calls }),
  };
  return {
    text: () => [],
    call: () => [],
    close: () => [{ id: 'chatcmpl-1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] }],
    fail: () => [{ error: { message: 'overloaded' } }],
  };
}

export const openaiChat: Encoder = {
  protocol: 'openai-chat',
  features: {
    interleaves: true,
    streams: true,
    startsWhole: true,
    repeatedIds: true,
    earlyFinish: true,
    clientAsks: true,
    reasoning: true,
  },
  wire(script: Script, random) {
    let calls = 0;
    const server = random.pick([
      'OpenAI',
      'OpenAI',
      'repeats headers',
      'gives every call the index 0',
      'gives every call the same index and id',
      'gives no ids',
      'does not stream',
    ]);
    const chunk = (delta: object, reason: string | null = null): object => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const reason = script.steps[0]!.calls.length ? 'tool_calls' : 'stop';
    if (server === 'does not stream') return wholeOf(script, reason);
    return {
      open: () => [chunk({ role: 'assistant', content: '' })],
      text: ({ kind, pieces }) =>
        pieces.map((piece) => chunk({ [kind === 'text' ? 'content' : 'reasoning_content']: piece })),
      call({ id: given, name, how }: ScriptedCall) {
        const isUncounted = server.startsWith('gives every call');
        const id = server === 'gives no ids' ? {} : { id: server.endsWith('index and id') ? 'call_0' : given };
        const index = calls++;
        const header = (text: string): object =>
          chunk({ tool_calls: [{ index, ...id, type: 'function', function: { name, arguments: text } }] });
        const piece = (text: string): object => chunk({ tool_calls: [{ index, function: { arguments: text } }] });
        const text = how.pieces.join('');
        if (isUncounted)
          return [chunk({ tool_calls: [{ index: 0, ...id, type: 'function', function: { name, arguments: text } }] })];
        if (server === 'repeats headers' && !how.isWhole) return [header(''), ...how.pieces.map(header)];
        return how.isWhole ? [header(text), piece('')] : [header(''), ...how.pieces.map(piece)];
      },
      close: () => [chunk({}, reason), { ...chunk({}), choices: [], usage: { total_tokens: 2 } }],
      early: () => [chunk({}, reason)],
      fail: () => [{ error: { message: 'overloaded' } }],
    };
  },
  async vendor(events, { steps }) {
    // OpenAI's client refuses the streams of servers that leave out or repeat ids and indexes.
    const heads = (events as readonly ChatCompletionChunk[])
      .flatMap(({ choices = [] }) => choices)
      .flatMap(({ delta }) => delta?.tool_calls ?? [])
      .filter((call) => call.function?.name !== undefined);
    const indexes = new Set(heads.filter(({ id }) => id).map(({ index }) => index));
    if (heads.length !== indexes.size || heads.length !== steps[0]!.calls.length) return undefined;
    if (events.some((event) => (event as { object?: string }).object === 'chat.completion')) return undefined;
    const stream = ChatCompletionStream.fromReadableStream(linesOf(events));
    const { choices } = await stream.finalChatCompletion();
    const { content, tool_calls: calls = [] } = choices[0]!.message;
    return { calls: readCalls(calls as Parameters<typeof readCalls>[0]), text: content ?? '' };
  },
  sentCalls: (body) =>
    (body as { messages: ChatCompletionMessageParam[] }).messages.flatMap((message) =>
      message.role === 'assistant' ? readCalls((message.tool_calls ?? []) as Parameters<typeof readCalls>[0]) : [],
    ),
};
