/** A page whose chat is in a worker: the page receives plain objects and does not import the package. */
import { showCalls } from './show-calls.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const buttons = document.createElement('div');
let latest;
let redraw;

worker.onerror = (event) => console.error(`the worker failed: ${event.message}`);
worker.onmessage = ({ data }) => {
  latest = data;
  buttons.replaceChildren(
    ...latest.pending.flatMap(({ approvalId, input }) => [
      button(`Approve ${input.path}`, approvalId, { approved: true }),
      button(`Deny ${input.path}`, approvalId, { approved: false, reason: 'keep it' }),
    ]),
  );
  if (redraw) return redraw();
  document.body.append(buttons);
  showCalls(
    () => latest.messages,
    (listener) => (redraw = listener),
  );
  document.body.dataset.state = 'ready';
};
worker.postMessage({ backend: new URLSearchParams(location.search).get('backend') });

function button(label, approvalId, response) {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = () => worker.postMessage({ approvalId, response });
  return element;
}
