/** A worker with the chat in it: decisions come in; what is asked, and what would leave, goes out. */
import { askedTwice } from './chat.js';

const gate = await askedTwice();
const tell = () => postMessage({ pending: gate.pending(), outgoing: gate.outgoing() });
onmessage = ({ data: { approvalId, response } }) => gate.respond(approvalId, response);
gate.subscribe(tell);
tell();
