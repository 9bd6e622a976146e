/** A page whose cards are of `toolgate/element`, and whose bar is its own, with `approveAll` of `toolgate/approval`. */
import { init, ToolGate } from 'toolgate';
import { approveAll } from 'toolgate/approval';
import { defineToolApproval, loadToolApproval } from 'toolgate/element';

await init('/toolgate.wasm');
defineToolApproval();
await loadToolApproval();
const gate = new ToolGate({ chatId: 'chat' });
gate.sendUserMessage({ text: 'tidy up' });
gate.claim(gate.outgoing()[0]!.id);
gate.receive({ type: 'start', messageId: 'a1' });
gate.receive({ type: 'start-step' });
const main = document.querySelector('main')!;
for (const toolCallId of ['c1', 'c2', 'c3']) {
  gate.receive({ type: 'tool-input-available', toolCallId, toolName: 'delete_file', input: { path: toolCallId } });
  gate.receive({ type: 'tool-approval-request', toolCallId, approvalId: `ask-${toolCallId}` });
  main.append(Object.assign(document.createElement('tool-approval'), { toolCallId, gate }));
}
gate.receive({ type: 'finish', finishReason: 'tool-calls' });
gate.streamEnded({ status: 'finished' });

const all = approveAll();
const bar = main.appendChild(document.createElement('div'));
bar.id = 'bar';
function draw(): void {
  const { buttons } = all.view({ gate, approvals: gate.pending() });
  const made = buttons.map(({ act, label, isDisabled: disabled }) => {
    const button = Object.assign(document.createElement('button'), { textContent: label, disabled });
    button.dataset['act'] = act;
    return button;
  });
  bar.replaceChildren(...made);
  all.rendered();
}
all.subscribe(draw);
gate.subscribe(draw);
all.attach(bar);
draw();

declare global {
  interface Window {
    own: { readonly gate: ToolGate };
  }
}
window.own = { gate };
document.title = 'ready';
