/** The page without a framework: the approvals as `<tool-approvals>`, and the states of the calls. */
import { defineToolApproval } from 'toolgate/element';
import { openChat } from './chat.js';
import { showCalls } from './show-calls.js';

/** Fills the page; `source` is for `init`. */
export async function showCards(source) {
  defineToolApproval();
  const gate = await openChat(source);
  const cards = document.createElement('tool-approvals');
  cards.gate = gate;
  document.body.append(cards);
  showCalls(
    () => gate.getSnapshot().messages,
    (listener) => gate.subscribe(listener),
  );
  document.body.dataset.state = 'ready';
}
