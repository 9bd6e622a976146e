/** Shows an Approve and a Deny button for each question, and what would leave the browser as JSON. */
import { leaving } from './chat.js';

/** Fills the page from a gate, and again whenever the gate changes. */
export function show(gate) {
  gate.subscribe(() => draw(gate));
  draw(gate);
  document.body.dataset.state = 'ready';
}

function draw(gate) {
  const buttons = gate.pending().flatMap(({ approvalId, input }) => [
    button(`Approve ${input.path}`, () => gate.respond(approvalId, { approved: true })),
    button(`Deny ${input.path}`, () => gate.respond(approvalId, { approved: false, reason: 'keep it' })),
  ]);
  const sent = document.createElement('pre');
  sent.id = 'sent';
  sent.textContent = JSON.stringify(leaving(gate));
  document.body.replaceChildren(...buttons, sent);
}

function button(label, act) {
  const element = document.createElement('button');
  element.textContent = label;
  element.onclick = act;
  return element;
}
