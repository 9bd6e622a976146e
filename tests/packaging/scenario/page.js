/** A page with an Approve and a Deny button for each question, and what would leave the browser as JSON. */
import { askedTwice, leaving } from './chat.js';

const gate = await askedTwice();

function draw() {
  const buttons = gate.pending().flatMap((question) => [
    button(`Approve ${question.input.path}`, () => gate.respond(question.approvalId, { approved: true })),
    button(`Deny ${question.input.path}`, () =>
      gate.respond(question.approvalId, { approved: false, reason: 'keep it' }),
    ),
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

gate.subscribe(draw);
draw();
document.body.dataset.state = 'ready';
