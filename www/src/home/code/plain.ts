import { init, ToolGate } from 'toolgate';
import { defineToolApproval } from 'toolgate/element';
import { send } from './send'; // posts a request, and passes each event of the reply to gate.receive

await init();
export const gate = new ToolGate({ chatId: 'chat-1' });
gate.subscribe(() => void gate.deliver(send));

defineToolApproval();
document.querySelector('tool-approvals')!.gate = gate;
