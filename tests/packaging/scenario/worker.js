/**
 * A worker that contains the chat. It receives the backend's address and decisions, and posts the pending approvals and
 * the states of the calls.
 */
import { openChat } from './chat.js';

let gate;

onmessage = async ({ data: { backend, approvalId, response } }) => {
  if (approvalId) return gate.respond(approvalId, response);
  gate = await openChat(undefined, backend);
  const tell = () => postMessage(gate.getSnapshot());
  gate.subscribe(tell);
  tell();
};
