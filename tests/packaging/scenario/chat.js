/**
 * The chat of every packaging case: the backend requests two approvals, and receives the decisions.
 */
import { init, ToolGate } from 'toolgate';

/** A backend's reply that requests approval of two calls. */
const reply = [
  { type: 'start', messageId: 'reply' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'call-a', toolName: 'deleteFile', input: { path: 'a.txt' } },
  { type: 'tool-approval-request', approvalId: 'approval-a', toolCallId: 'call-a' },
  { type: 'tool-input-available', toolCallId: 'call-b', toolName: 'deleteFile', input: { path: 'b.txt' } },
  { type: 'tool-approval-request', approvalId: 'approval-b', toolCallId: 'call-b' },
  { type: 'finish-step' },
  { type: 'finish' },
];

/** Loads the package (from `source`, or from its default address) and runs the chat up to the two approval requests. */
export async function askedTwice(source) {
  await init(source);
  const gate = new ToolGate({ protocol: 'ai-sdk', chatId: 'chat' });
  gate.sendUserMessage({ text: 'Delete a.txt and b.txt' });
  for (const { id } of gate.outgoing()) gate.markSent(id);
  for (const chunk of reply) gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/**
 * The same for a page: sends ready items to the backend that the page's address names (support/backend.ts), and shows
 * the replies.
 */
export async function openChat(source, backend = new URLSearchParams(location.search).get('backend')) {
  const gate = await askedTwice(source);
  const send = async ({ id, key, body }) => {
    // Without a content type, the request can be sent to another origin without a preflight request.
    const response = await fetch(backend, { method: 'POST', body: JSON.stringify({ key, body }) });
    if (!response.ok) throw new Error(`the backend replied with status ${response.status}`);
    for (const chunk of await response.json()) gate.receive(chunk, { requestId: id });
    gate.streamEnded({ status: 'finished' }, { requestId: id });
  };
  gate.subscribe(() => gate.deliver(send));
  return gate;
}

/** The ready items, each with its approvals and the tool parts in its body. */
export function leaving(gate) {
  return gate.outgoing().map(({ approvalIds, body }) => ({
    approvalIds,
    parts: body.messages.at(-1).parts.filter(({ type }) => type.startsWith('tool-')),
  }));
}
