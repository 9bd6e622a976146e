/** The chat of a page whose gate lives in a worker: decisions come in, what is asked and what would leave goes out. */
import { askedTwice, leaving } from './chat.js';

const gate = await askedTwice();
const tell = () => postMessage({ pending: gate.pending(), sent: leaving(gate) });
onmessage = ({ data: { approvalId, response } }) => gate.respond(approvalId, response);
gate.subscribe(tell);
tell();
