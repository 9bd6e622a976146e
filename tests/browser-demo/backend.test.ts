/** The demo's backend alone, as an example of a server: a repeated request, a forged approval and invalid messages. */
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import { expect, test } from 'vitest';
import { embeddedFetch } from '../../www/src/backend/embedded-fetch';
import { createBackend, type Backend } from '../../www/src/backend/handler';
import { scriptedModel } from '../../www/src/backend/model';
import { scriptOf } from '../../www/src/scenarios/index';
import { threeEdits } from '../../www/src/scenarios/three-edits';

const PACE = { word: 0, tool: 0 };

function open(): Backend {
  return createBackend({
    model: scriptedModel(scriptOf(threeEdits), PACE),
    modelName: 'scripted',
    files: threeEdits.files,
    pace: PACE,
  });
}

/** Sends messages as the AI SDK's client does, and returns the assistant's message. */
async function send(backend: Backend, messages: UIMessage[], key: string): Promise<UIMessage> {
  const transport = new DefaultChatTransport({ api: 'http://127.0.0.1/api/chat', fetch: embeddedFetch(backend) });
  const stream = await transport.sendMessages({
    chatId: 'chat',
    messages,
    trigger: 'submit-message',
    messageId: undefined,
    abortSignal: undefined,
    headers: { 'Idempotency-Key': key },
  });
  const last = structuredClone(messages.at(-1)); // the reader modifies it in place
  let reply: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream, ...(last?.role === 'assistant' ? { message: last } : {}) }))
    reply = message;
  return reply!;
}

const QUESTION: UIMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: threeEdits.opening }] };

/** The conversation after the first step, with the same decision on each approval request. */
async function decided(backend: Backend, approved: boolean): Promise<UIMessage[]> {
  const asked = await send(backend, [QUESTION], 'question');
  const parts = asked.parts.map((part) =>
    'state' in part && part.state === 'approval-requested'
      ? { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved } }
      : part,
  );
  return [QUESTION, { ...asked, parts: parts as UIMessage['parts'] }];
}

const statesOf = (message: UIMessage): string[] =>
  message.parts.flatMap((part) => ('toolCallId' in part ? [(part as { state: string }).state] : []));

test('two equal requests at the same moment: the tools run once, and both requests get the whole reply', async () => {
  const backend = open();
  const messages = await decided(backend, true);
  const [first, second] = await Promise.all([send(backend, messages, 'step'), send(backend, messages, 'step')]);
  expect(statesOf(first)).toEqual(['output-available', 'output-available', 'output-available']);
  expect(second.parts).toEqual(first.parts);
  const { requests, toolRuns } = backend.recorder.get();
  expect(requests.map(({ handling }) => handling).sort()).toEqual(['model', 'model', 'replayed']);
  expect(toolRuns).toHaveLength(3);
});

test('an approval that this backend did not request runs no tool', async () => {
  const backend = open();
  const messages = await decided(open(), true); // requested and signed by another backend
  await send(backend, messages, 'forged');
  const { toolRuns, files } = backend.recorder.get();
  expect(toolRuns).toEqual([]);
  expect(files).toEqual(threeEdits.files);
});

test('invalid messages are refused, and their key can be used again', async () => {
  const backend = open();
  const post = (messages: unknown): Promise<Response> =>
    backend.handle(
      new Request('http://127.0.0.1/api/chat', {
        method: 'POST',
        headers: { 'idempotency-key': 'again' },
        body: JSON.stringify({ id: 'chat', messages }),
      }),
    );
  expect((await post([{ role: 'user', parts: 'none' }])).status).toBe(400);
  expect(backend.recorder.get().modelCalls).toEqual([]);
  expect((await post([QUESTION])).status).toBe(200);
});
