/** The approval card in its states. It is the element of the package, and its buttons work. */
import { useEffect, useState } from 'react';
import { init, ToolGate } from 'toolgate';
import { defineToolApproval } from 'toolgate/element';
import type {} from 'toolgate/react'; // tells TypeScript about the tag

defineToolApproval();

interface CardState {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  /** What happens after the request. */
  readonly then?: (gate: ToolGate) => void;
}

const CAFE = { path: 'menu.md', old_text: 'Flat white, 3.20', new_text: 'Flat white, 3.60' };

const deny = (gate: ToolGate): void => void gate.respond('ask-1', { approved: false, reason: 'Keep the old price.' });

/** Approves the call, and the request is lost. */
const lose = (gate: ToolGate): void => {
  gate.respond('ask-1', { approved: true });
  for (const { id } of gate.outgoing()) gate.markFailed(id, 'The network is down.');
};

const STATES: readonly CardState[] = [
  { name: 'Waiting', tool: 'send_mail', input: { to: 'ana@example.com', subject: 'Opening hours' } },
  { name: 'Dangerous', tool: 'delete_file', input: { path: 'menu.md' } },
  { name: 'A change', tool: 'edit_file', input: CAFE },
  { name: 'Denied', tool: 'edit_file', input: CAFE, then: deny },
  { name: 'Not delivered', tool: 'edit_file', input: CAFE, then: lose },
];

/** What the app knows of its tools. */
const TOOLS = {
  delete_file: { summary: (input: unknown) => `Delete ${(input as { path: string }).path}`, isDangerous: true },
  edit_file: { summary: (input: unknown) => `Edit ${(input as { path: string }).path}` },
  send_mail: { summary: (input: unknown) => `Send a mail to ${(input as { to: string }).to}` },
};

export function CardStates() {
  const [shown, show] = useState<{ state: CardState; gate: ToolGate | null }>({ state: STATES[0]!, gate: null });
  const choose = (state: CardState): void => show({ state, gate: gateIn(state) });
  useEffect(() => void init().then(() => choose(STATES[0]!)), []);
  return (
    <div className="card-states">
      <fieldset className="choices">
        <legend>State</legend>
        {STATES.map((one) => (
          <label key={one.name}>
            <input type="radio" name="state" checked={one === shown.state} onChange={() => choose(one)} />
            {one.name}
          </label>
        ))}
      </fieldset>
      <div className="card-place">
        <tool-approval gate={shown.gate} toolCallId="call-1" tools={TOOLS} />
      </div>
    </div>
  );
}

/** A gate with one call in this state. */
function gateIn({ tool, input, then }: CardState): ToolGate {
  const gate = new ToolGate({ chatId: 'card' });
  gate.sendUserMessage({ text: 'Please do it.' });
  const about = { requestId: gate.outgoing()[0]!.id };
  gate.claim(about.requestId);
  for (const event of [
    { type: 'start', messageId: 'reply-1' },
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'call-1', toolName: tool, input },
    { type: 'tool-approval-request', toolCallId: 'call-1', approvalId: 'ask-1' },
    { type: 'finish-step' },
    { type: 'finish' },
  ])
    gate.receive(event, about);
  gate.streamEnded({ status: 'finished' }, about);
  then?.(gate);
  return gate;
}
