/**
 * What every packaging case does with the installed package: a chat in which the backend asks for two approvals.
 */
import { init, ToolGate } from 'toolgate';

/** A backend's reply that asks for two tools and waits for the user. */
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

/** Loads the package (from `source`, or by itself) and plays the chat up to the two questions. */
export async function askedTwice(source) {
  await init(source);
  const gate = new ToolGate({ protocol: 'ai-sdk', chatId: 'chat' });
  gate.sendUserMessage({ text: 'Delete a.txt and b.txt' });
  for (const { id } of gate.outgoing()) gate.markSent(id);
  for (const chunk of reply) gate.receive(chunk);
  gate.streamEnded({ status: 'finished' });
  return gate;
}

/** What would leave now: for each item the approvals it answers and the tool parts in its body. */
export function leaving(gate) {
  return gate.outgoing().map(({ approvalIds, body }) => ({
    approvalIds,
    parts: body.messages.at(-1).parts.filter(({ type }) => type.startsWith('tool-')),
  }));
}
