/** The page of page.js, with the gate in a worker. */
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

worker.onerror = (event) => console.error(`the worker failed: ${event.message}`);
worker.onmessage = ({ data: { pending, sent } }) => {
  const buttons = pending.flatMap(({ approvalId, input }) => [
    button(`Approve ${input.path}`, { approvalId, response: { approved: true } }),
    button(`Deny ${input.path}`, { approvalId, response: { approved: false, reason: 'keep it' } }),
  ]);
  const pre = document.createElement('pre');
  pre.id = 'sent';
  pre.textContent = JSON.stringify(sent);
  document.body.replaceChildren(...buttons, pre);
  document.body.dataset.state = 'ready';
  document.body.dataset.pending = String(pending.length);
};

function button(label, message) {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = () => worker.postMessage(message);
  return element;
}
