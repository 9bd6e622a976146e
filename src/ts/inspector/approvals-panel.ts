/** “Approvals”: what waits for the user, with its input and its time. To look at: the app is where it is answered. */
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval } from '../types/index.js';
import { disclosure, h, Keyed } from './panel-dom.js';
import { facts } from './outgoing-panel.js';
import type { Panel } from './panel.js';

/** How many are shown. */
const SHOWN = 200;

/** The pending approvals. */
export class ApprovalsPanel implements Panel {
  readonly id = 'approvals';
  readonly label = 'Approvals';
  readonly element: HTMLElement;
  readonly #gate: ToolGate;
  readonly #list: Keyed;
  readonly #blank = h('p', { class: 'note' });

  constructor(gate: ToolGate) {
    this.#gate = gate;
    const list = h('ul', { class: 'cards' });
    this.#list = new Keyed(list);
    this.element = h('div', {}, this.#blank, list);
  }

  count(): number {
    return this.#gate.pending().length;
  }

  update(): void {
    const pending = this.#gate.pending();
    this.#blank.textContent =
      pending.length === 0
        ? 'Nothing waits for an answer.'
        : pending.length > SHOWN
          ? `The first ${SHOWN} of ${pending.length}.`
          : '';
    this.#list.show(
      pending
        .slice(0, SHOWN)
        .map((entry) => ({ key: entry.approvalId, mark: entry.inputDigest, make: () => card(entry) })),
    );
  }
}

function card({
  approvalId,
  toolCallId,
  toolName,
  input,
  inputDigest,
  requestedAt,
  expiresAt,
}: PendingApproval): HTMLElement {
  const time = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at).toLocaleTimeString();
  const rows = {
    Approval: approvalId,
    Call: toolCallId,
    Requested: time(requestedAt),
    Expires: time(expiresAt),
    Digest: inputDigest.slice(0, 16),
  };
  return h(
    'li',
    { class: 'card', 'data-approval': approvalId },
    h('h3', {}, toolName),
    facts(rows),
    disclosure('Input', input),
  );
}
