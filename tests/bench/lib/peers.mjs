/**
 * The AI SDK's side of each row of docs/benchmarks.md: `ai` 7 does the same work with its own client.
 */
import { convertToModelMessages, validateUIMessages } from 'ai';

import { askingMessages, createChat, longHistory } from './data.mjs';

/** Streams a tool input through a chat and reads the partial input after each delta. */
export async function streamInput({ before, deltas, after }) {
  let start = 0;
  let ms = 0;
  const chunks = [...before, ...deltas, ...after];
  let next = 0;
  let read = 0;
  const chat = createChat(
    [],
    () =>
      new ReadableStream(
        {
          pull(controller) {
            // Called for the next chunk, when the previous one has been processed: read the messages now.
            const done = next - before.length;
            if (done > 0 && done <= deltas.length && chat.lastMessage.parts.at(-1).input !== undefined) read++;
            if (done === 0) start = performance.now();
            if (done === deltas.length) ms = performance.now() - start;
            if (next === chunks.length) controller.close();
            else controller.enqueue(chunks[next++]);
          },
        },
        { highWaterMark: 0 },
      ),
  );
  await chat.sendMessage({ text: 'Write it' });
  if (read < deltas.length - 1) throw new Error(`peer: only ${read} of ${deltas.length} partial inputs were read`);
  return { each: (ms / deltas.length) * 1000 };
}

/** Answers approvals one by one, and reads the messages after each. The last one stays pending, so nothing is sent. */
export async function answerAll(count) {
  const chat = createChat(askingMessages(count + 1), () => new ReadableStream());
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    await chat.addToolApprovalResponse({ id: `ask-${index}`, approved: true });
    if (chat.lastMessage.parts[index + 1].state !== 'approval-responded') throw new Error('not answered');
  }
  return { each: ((performance.now() - start) / count) * 1000 };
}

/** The work for the next request after one decision: the answer, and the history as model messages. */
export async function nextRequest(count) {
  const chat = createChat(longHistory(count), () => new ReadableStream());
  chat.sendAutomaticallyWhen = undefined;
  const start = performance.now();
  await chat.addToolApprovalResponse({ id: 'ask-0', approved: true });
  const messages = await convertToModelMessages(chat.messages);
  const ms = performance.now() - start;
  if (messages.at(-1).role !== 'tool') throw new Error('the answer is missing');
  return { ms };
}

/**
 * Opens a chat with a long history: checks the history, answers its approval, and converts the history to model
 * messages, as the AI SDK's docs do on the server.
 */
export async function openChat(count) {
  const history = longHistory(count);
  const start = performance.now();
  const chat = createChat(await validateUIMessages({ messages: history }), () => new ReadableStream());
  chat.sendAutomaticallyWhen = undefined;
  await chat.addToolApprovalResponse({ id: 'ask-0', approved: true });
  const messages = await convertToModelMessages(chat.messages);
  const ms = performance.now() - start;
  if (chat.messages.length !== count || messages.at(-1).role !== 'tool') throw new Error('messages are missing');
  return { ms };
}
