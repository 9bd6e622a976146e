/**
 * A page with a guarded chat and its cards, without code for loading. `loading.test.ts` controls how the core loads.
 */
import { Chat } from '@ai-sdk/react';
import { guard, whenReady } from 'toolgate/ai-sdk';
import { defineToolApproval } from 'toolgate/element';

const requests: string[][] = [];
const transport = {
  sendMessages: async ({ messages }: { messages: { id: string }[] }) => {
    requests.push(messages.map(({ id }) => id));
    const chunks = [
      { type: 'start', messageId: `a${requests.length}` },
      { type: 'finish', finishReason: 'stop' },
    ];
    return new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  },
  reconnectToStream: async () => null,
};

let ids = 0;
const chat = guard(
  new Chat({
    transport: transport as never,
    generateId: () => `m${ids++}`,
    messages: (location.search === '?empty'
      ? []
      : [
          { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'delete it' }] },
          {
            id: 'a0',
            role: 'assistant',
            parts: [
              {
                type: 'tool-delete',
                toolCallId: 'c1',
                state: 'approval-requested',
                input: { file: 'a.txt' },
                approval: { id: 'ask-c1' },
              },
            ],
          },
        ]) as never,
  }),
);
defineToolApproval();
const list = document.createElement('tool-approvals');
list.gate = chat;
document.querySelector('main')!.append(list);

const page = { chat, requests, whenReady: () => whenReady(chat).then(() => 'ready') };
declare global {
  interface Window {
    loading: typeof page;
  }
}
window.loading = page;
document.title = 'ready';
