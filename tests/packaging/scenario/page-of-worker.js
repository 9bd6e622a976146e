/** The page of page.js, with the gate in a worker: here is no more of it than `show` asks for. */
import { show } from './show.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
let latest;
let listener;

worker.onerror = (event) => console.error(`the worker failed: ${event.message}`);
worker.onmessage = ({ data }) => {
  latest = data;
  if (listener) listener();
  else show(gate);
};

const gate = {
  pending: () => latest.pending,
  outgoing: () => latest.outgoing,
  respond: (approvalId, response) => worker.postMessage({ approvalId, response }),
  subscribe: (onChange) => (listener = onChange),
};
