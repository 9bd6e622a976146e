/** Chat Completions as OpenAI streams them, read by OpenAI's own client too. */
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { linesOf, type Encoder, type ReadCall } from '../encoder.js';
import type { Script, ScriptedCall } from '../script.js';

const readCalls = (calls: readonly { function?: { name: string; arguments: string } }[]): ReadCall[] =>
  calls.map(({ function: called }) => ({ name: called!.name, input: JSON.parse(called!.arguments) }));

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
  wire(script: Script) {
    let calls = 0;
    const chunk = (delta: object, reason: string | null = null): object => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const reason = script.steps[0]!.calls.length ? 'tool_calls' : 'stop';
    return {
      open: () => [chunk({ role: 'assistant', content: '' })],
      text: ({ kind, pieces }) =>
        pieces.map((piece) => chunk({ [kind === 'text' ? 'content' : 'reasoning_content']: piece })),
      call({ id, name, how }: ScriptedCall) {
        const index = calls++;
        const header = (text: string): object =>
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }] });
        const piece = (text: string): object => chunk({ tool_calls: [{ index, function: { arguments: text } }] });
        const text = how.pieces.join('');
        return how.isWhole ? [header(text), piece('')] : [header(''), ...how.pieces.map(piece)];
      },
      close: () => [chunk({}, reason), { ...chunk({}), choices: [], usage: { total_tokens: 2 } }],
      early: () => [chunk({}, reason)],
      fail: () => [{ error: { message: 'overloaded' } }],
    };
  },
  async vendor(events) {
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
