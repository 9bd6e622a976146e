/** A guarded chat. Nothing here loads the core. The page imports this file on the server and in the browser. */
import { guard } from 'toolgate/ai-sdk';
import { defineToolApproval } from 'toolgate/element';
import { Chat } from './ai-sdk.js';

/** The requests of the page, which the test reads. */
const sent = (globalThis.sent = []);

const transport = {
  async sendMessages({ messages }) {
    sent.push(messages.at(-1).parts.at(-1).state);
    return new ReadableStream({
      start(controller) {
        const output = { type: 'tool-output-available', toolCallId: 'c2', output: 'deleted' };
        for (const chunk of [{ type: 'start', messageId: 'a1' }, output, { type: 'finish' }]) controller.enqueue(chunk);
        controller.close();
      },
    });
  },
  reconnectToStream: async () => null,
};

const text = (id, words) => ({ id, role: 'user', parts: [{ type: 'text', text: words }] });
const asks = (id, call) => ({
  id,
  role: 'assistant',
  parts: [
    { type: 'tool-delete', toolCallId: call, state: 'approval-requested', input: {}, approval: { id: `ask-${call}` } },
  ],
});

defineToolApproval();

/**
 * The gate closes the first approval, because a message follows it, so its first view differs from the server's HTML.
 */
export const chat = guard(
  new Chat({
    id: 'chat',
    transport,
    messages: [text('u0', 'first'), asks('a0', 'c1'), text('u1', 'second'), asks('a1', 'c2')],
  }),
);

/** A message as one line. */
export const line = ({ parts }) => parts.map(({ text, state }) => text ?? state).join();
