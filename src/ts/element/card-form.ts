/**
 * The decision form of one card: exists while the call waits for a decision. The user's entries survive when the form
 * is created again for the same request.
 */
import type { PendingApproval } from '../types/index.js';
import type { DecisionForm, DecisionState } from './decision-form.js';

/** Creates a form for a request. `state` has the user's entries in an earlier form. */
type CreateForm = (pending: PendingApproval, state: Partial<DecisionState> | undefined) => DecisionForm;

/** The form of one card. */
export class CardForm {
  /** True if the form was created with other settings of the card. */
  isStale = false;
  readonly #create: CreateForm;
  #form: DecisionForm | undefined;
  #request: PendingApproval | undefined;
  /** The user's entries in the removed form. */
  #savedEntries: { readonly pending: PendingApproval; readonly state: DecisionState } | undefined;

  constructor(create: CreateForm) {
    this.#create = create;
  }

  /** The form, if the call waits for a decision. */
  get current(): DecisionForm | undefined {
    return this.#form;
  }

  /** Shows the form for this request. Returns the form if it was created now, and must be added to the card. */
  show(pending: PendingApproval): DecisionForm | undefined {
    if (this.#form && !this.isStale && isSameRequest(this.#request, pending)) {
      if (this.#request !== pending) this.#form.renew((this.#request = pending));
      return undefined;
    }
    this.remove();
    this.isStale = false;
    this.#request = pending;
    return (this.#form = this.#create(pending, this.#stateFor(pending)));
  }

  /** Removes the form, and saves the user's entries. */
  remove(): void {
    if (this.#form && this.#request) this.#savedEntries = { pending: this.#request, state: this.#form.state };
    this.#form?.remove();
    this.#form = undefined;
    this.#request = undefined;
  }

  /** The user's entries for this request: if it has changed, the reason only. */
  #stateFor(pending: PendingApproval): Partial<DecisionState> | undefined {
    if (this.#savedEntries?.pending.approvalId !== pending.approvalId) return undefined;
    const { state } = this.#savedEntries;
    const { reason, hasReason } = state;
    return isSameRequest(this.#savedEntries.pending, pending) ? state : { reason, hasReason };
  }
}

/** Whether both are the same request: for the same call with the same input, with the same words and options. */
function isSameRequest(before: PendingApproval | undefined, now: PendingApproval): boolean {
  if (before === now) return true;
  if (before?.approvalId !== now.approvalId || before.toolCallId !== now.toolCallId) return false;
  if (before.toolName !== now.toolName || before.shownRevision !== now.shownRevision) return false;
  // An empty digest means that the input cannot be encoded: compare by identity.
  return before.input === now.input || (before.inputDigest !== '' && before.inputDigest === now.inputDigest);
}
