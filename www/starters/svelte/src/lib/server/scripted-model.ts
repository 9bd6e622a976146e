// A script in place of a model, so that the chat runs without a key: it deletes the files that the user names.
import { simulateReadableStream, type LanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type Prompt = Parameters<MockLanguageModelV4['doStream']>[0]['prompt'];
type Told = Extract<Prompt[number], { role: 'tool' }>['content'][number];
type Chunk = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer C> ? C : never;

const end = (reason: 'stop' | 'tool-calls'): Chunk => ({
  type: 'finish',
  finishReason: { unified: reason, raw: reason },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
});

const says = (text: string): Chunk[] => [
  { type: 'text-start', id: 't' },
  ...text.split(/(?<= )/).map((delta): Chunk => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
  end('stop'),
];

/** The model's text about a call: it quotes the result that it got. */
function told(part: Told): string {
  if (part.type !== 'tool-result') return '';
  const { output } = part;
  // How the AI SDK writes a denial whose reason is known.
  if (output.type === 'error-text') return `I was told no: “${output.value}”.`;
  return `I was told: “${'value' in output ? String(output.value) : ''}”.`;
}

export const model: LanguageModel = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const last = prompt.at(-1);
    let chunks = says('Ask me to delete a file: “Delete notes.txt”, or “Delete a.txt and b.txt”.');
    if (last?.role === 'tool') chunks = says(last.content.map(told).join(' '));
    else if (last?.role === 'user') {
      const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
      const paths = /delete/i.test(text) ? (text.match(/\S+\.\w+/g) ?? []) : [];
      const calls = paths.map((path): Chunk => ({
        type: 'tool-call',
        toolCallId: crypto.randomUUID(),
        toolName: 'deleteFile',
        input: JSON.stringify({ path }),
      }));
      if (calls.length > 0) chunks = [...says('I will ask you first.').slice(0, -1), ...calls, end('tool-calls')];
    }
    return { stream: simulateReadableStream({ chunks, chunkDelayInMs: 20 }) };
  },
});
