/**
 * A worker with the chat in it: the backend's address and decisions come in; what is asked, and how the calls stand,
 * goes out.
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
