/**
 * Replaces model.js of the quick starts: calls the tool for the file that the user names, and repeats its result. All
 * other files of the server are taken from the pages.
 */
import * as test from 'ai/test';

let calls = 0;

/** The mock model of the installed AI SDK: V4 in version 7, V3 in version 6. */
const Model = test.MockLanguageModelV4 ?? test.MockLanguageModelV3;

export const model = new Model({
  doStream: async ({ prompt, tools }) => ({
    stream: streamOf([{ type: 'stream-start', warnings: [] }, ...reply(prompt.at(-1), tools[0].name)]),
  }),
});

/** The parts as a stream. It stays open if the last part is not `finish`. */
function streamOf(parts) {
  if (parts.at(-1).type === 'finish') return test.convertArrayToReadableStream(parts);
  return new ReadableStream({ start: (controller) => parts.forEach((part) => controller.enqueue(part)) });
}

/** The reply to a tool's result is a text that repeats it. The reply to a user message that names a file is a call. */
function reply({ role, content }, toolName) {
  if (role === 'tool') return says(content.map(({ output }) => JSON.stringify(output)).join(' '));
  if (content[0].text === 'Fail') throw new Error('the model has no key');
  if (content[0].text === 'Wait') return says('I am thinking').slice(0, 2);
  const [, path] = /Delete (\S+)/.exec(content[0].text) ?? [];
  if (!path) return says('Nothing to delete.');
  const call = { type: 'tool-call', toolCallId: `call-${++calls}`, toolName, input: JSON.stringify({ path }) };
  return [call, end('tool-calls')];
}

function says(text) {
  return [{ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: text }, { type: 'text-end', id: 't' }, end('stop')];
}

function end(reason) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return { type: 'finish', finishReason: { unified: reason, raw: reason }, usage };
}
