/** The tab “Approvals”: pending approvals with their inputs and times. Read-only: the user decides in the app. */
import type { ToolGate } from '../gate/tool-gate.js';
import type { PendingApproval } from '../types/index.js';
import { disclosure, h, Keyed } from './panel-dom.js';
import { facts } from './outgoing-panel.js';
import type { Panel } from './panel.js';

/** Maximum number of approvals to show. */
const MAX_SHOWN = 200;

/** The panel of pending approvals. */
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
        ? 'No pending approvals.'
        : pending.length > MAX_SHOWN
          ? `Showing the first ${MAX_SHOWN} of ${pending.length}.`
          : '';
    this.#list.show(
      pending
        .slice(0, MAX_SHOWN)
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
