/**
 * The data of the benchmark: a long tool input, a message with many approvals, a long history, and an AI SDK chat.
 */
import { Chat } from '@ai-sdk/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

/** A chat of the AI SDK as in React apps, with the AI SDK's predicate; `reply` answers its requests. */
export const createChat = (messages, reply) =>
  new Chat({
    id: 'chat',
    messages,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    transport: { sendMessages: async () => reply(), reconnectToStream: async () => null },
  });

/** The input of a tool that writes a file: one long string, with line ends and quotes to escape. */
export function fileInput(bytes) {
  const line = 'const greeting = "hello"; // a line of ordinary length\n';
  return { path: 'src/greeting.ts', content: line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes) };
}

/** Many small edits: an array of objects. */
export function editsInput(bytes) {
  const edit = (index) => ({
    path: `src/file-${index}.ts`,
    line: index,
    before: 'let value = 1;',
    after: 'const value = 1;',
  });
  const count = Math.ceil(bytes / JSON.stringify(edit(1000)).length);
  return { edits: Array.from({ length: count }, (_, index) => edit(index)) };
}

/** The chunks of a reply that streams `input` in pieces of `size` characters; the deltas begin at `chunks[2]`. */
export function inputChunks(input, size) {
  const text = JSON.stringify(input);
  const deltas = [];
  for (let at = 0; at < text.length; at += size) {
    deltas.push({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: text.slice(at, at + size) });
  }
  return {
    before: [
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'tool-input-start', toolCallId: 'c1', toolName: 'write' },
    ],
    deltas,
    after: [
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'write', input },
      { type: 'finish-step' },
      { type: 'finish' },
    ],
  };
}

/** One assistant message with `count` calls that need approval. */
export const askingMessages = (count) => [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Do it' }] },
  {
    id: 'm1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      ...Array.from({ length: count }, (_, index) => ({
        type: 'tool-edit',
        toolCallId: `c${index}`,
        state: 'approval-requested',
        input: { path: `src/file-${index}.ts` },
        approval: { id: `ask-${index}` },
      })),
    ],
  },
];

/** A history of `count` messages, every second one with a tool call; the last message requests one approval. */
export function longHistory(count) {
  const messages = [];
  for (let index = 0; messages.length < count - 2; index++) {
    messages.push({ id: `q${index}`, role: 'user', parts: [{ type: 'text', text: `Question ${index}` }] });
    messages.push({
      id: `a${index}`,
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'text', text: `Looking at it, ${index}`, state: 'done' },
        {
          type: 'tool-edit',
          toolCallId: `h${index}`,
          state: 'output-available',
          input: { path: 'a.ts', line: index },
          output: { ok: true, lines: [1, 2, 3] },
        },
        { type: 'step-start' },
        { type: 'text', text: `Answer ${index}`, state: 'done' },
      ],
    });
  }
  return [...messages, ...askingMessages(1)];
}
