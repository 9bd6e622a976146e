/**
 * The form of a request: approve, deny, reason, scope, and the edited input if the protocol supports it. The form
 * collects a decision and passes it to the card; the gate validates it. While the reason for denying is open, the form
 * offers only to deny and to go back: no key that is pressed after the reason can approve the call.
 */
import type { ApprovalDescriptor } from '../types/approval-descriptor.js';
import type { PendingApproval, Remember } from '../types/index.js';
import { AnswerField, type AnswerState } from './answer-field.js';
import { countdown, type Countdown } from './countdown.js';
import { button, h, setText } from './card-dom.js';
import { Editor, type InputCheck } from './editor.js';
import type { CardTexts } from '../approval/texts.js';
import { RememberField, type RememberChoice } from './remember-field.js';

/** The decision that the user entered. */
export interface FormAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  readonly remember?: Remember;
  readonly input?: unknown;
}

/** The options of a form. */
interface DecisionOptions {
  readonly pending: PendingApproval;
  readonly texts: CardTexts;
  /** The tool's label: its title and its name. */
  readonly tool: string;
  /** The tool's name, for the texts of remembered decisions. */
  readonly toolName: string;
  readonly remember: RememberChoice;
  /** What the backend asks besides, and whether the protocol can send a reason with the answer. */
  readonly descriptor: ApprovalDescriptor;
  readonly canCarryText: boolean;
  readonly isEditable: boolean;
  readonly check: InputCheck;
  /** The gate's clock, in ms since 1970. */
  readonly now: () => number;
  readonly decide: (pending: PendingApproval, answer: FormAnswer) => void;
  /** Called when the reason for denying is opened or closed, and when the form is removed. */
  readonly denying: (isDenying: boolean) => void;
  readonly hurry: (seconds: number) => void;
  /** Gives the user more time. */
  readonly extend: (pending: PendingApproval) => void;
}

/** The user's entries in a form. A new form for the same request restores them. */
export interface DecisionState {
  readonly reason: string;
  readonly hasReason: boolean;
  /** The text of the editor, if it is open. */
  readonly edited: string | undefined;
  readonly remember: string | undefined;
  readonly answer: AnswerState | undefined;
}

/** The form of one request. */
export class DecisionForm {
  readonly element: HTMLElement;
  readonly #options: DecisionOptions;
  readonly #approve = button('approve', '', () => this.#submitApproval());
  readonly #deny = button('deny', '', () => this.#submitDenial());
  readonly #reason: HTMLInputElement;
  readonly #reasonRow: HTMLElement;
  readonly #reasonToggle = button('reason-toggle', '', () => this.#toggleReason());
  readonly #remember: RememberField | undefined;
  readonly #answer: AnswerField | undefined;
  readonly #editToggle: HTMLButtonElement | undefined;
  readonly #buttons: HTMLElement;
  #pending: PendingApproval;
  #countdown: Countdown | undefined;
  #moreTime: HTMLButtonElement | undefined;
  #editor: Editor | undefined;
  /** Whether the reason for denying is open. */
  #isDenying: boolean;

  /** `state`: the entries of an earlier form for the same request. */
  constructor(options: DecisionOptions, state?: Partial<DecisionState>) {
    this.#options = options;
    const { texts } = options;
    this.#pending = options.pending;
    this.#isDenying = state?.hasReason === true;
    this.#reason = h('input', { id: 'reason', part: 'input reason', type: 'text', autocomplete: 'off' });
    this.#reason.value = state?.reason ?? '';
    this.#reasonRow = h(
      'div',
      { class: 'row' },
      h('label', { for: 'reason', part: 'label' }, texts.reasonLabel),
      this.#reason,
    );
    if (options.isEditable) this.#editToggle = button('edit', '', () => this.#toggleEditor());
    const { descriptor, canCarryText, remember, toolName } = options;
    this.#remember = remember === 'none' ? undefined : new RememberField(remember, toolName, descriptor, texts);
    if (this.#remember && state?.remember !== undefined) this.#remember.value = state.remember;
    this.#answer = AnswerField.for(descriptor, canCarryText, texts, state?.answer);
    this.#buttons = h(
      'div',
      { 'class part': 'buttons' },
      this.#approve,
      this.#deny,
      this.#reasonToggle,
      this.#editToggle,
      this.#remember?.element,
    );
    this.element = h('div', { 'class part': 'decision' }, this.#answer?.element, this.#reasonRow, this.#buttons);
    this.#startCountdown();
    this.#addMoreTime();
    if (this.#editToggle && state?.edited !== undefined) this.#openEditor(state.edited);
    this.#show();
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** The user's current entries. */
  get state(): DecisionState {
    return {
      reason: this.#reason.value,
      hasReason: this.#isDenying,
      edited: this.#editor?.text,
      remember: this.#remember?.value,
      answer: this.#answer?.state,
    };
  }

  /** The height of the button row, in pixels. */
  get restingHeight(): number {
    return this.#buttons.offsetHeight;
  }

  /** Replaces the request by a new object for the same request. Keeps the user's entries. */
  renew(pending: PendingApproval): void {
    const { expiresAt } = this.#pending;
    this.#pending = pending;
    if (pending.expiresAt !== expiresAt) this.#startCountdown();
  }

  /** Removes the form from the card. */
  remove(): void {
    this.#stopCountdown();
    this.element.remove();
    this.#options.denying(false);
  }

  #stopCountdown(): void {
    this.#countdown?.stop();
    this.#countdown?.element.remove();
    this.#countdown = undefined;
  }

  #startCountdown(): void {
    this.#stopCountdown();
    const { expiresAt } = this.#pending;
    const { texts, now, hurry } = this.#options;
    if (expiresAt === undefined) return;
    this.#countdown = countdown(expiresAt, now, texts, hurry);
    // The button is not moved: it would lose the focus.
    if (this.#moreTime) this.#moreTime.before(this.#countdown.element);
    else this.#buttons.append(this.#countdown.element);
  }

  /** The button that gives the user more time, if somebody here can. */
  #addMoreTime(): void {
    if (this.#pending.extendable !== true) return;
    const { texts, extend } = this.#options;
    this.#moreTime = button('more-time', '', () => extend(this.#pending));
    this.#label(this.#moreTime, texts.moreTime);
    this.#buttons.append(this.#moreTime);
  }

  #submitApproval(): void {
    if (this.#isDenying) return;
    const edited = this.#editor?.read() ?? { kind: 'same' };
    if (edited.kind === 'invalid') return this.#editor?.focus();
    const scope = this.#remember?.chosen(true) ?? {};
    // A rule of the server is an answer to its question, too.
    const given = scope.reason === undefined ? (this.#answer?.read() ?? {}) : {};
    if (given === 'missing') return;
    const input = edited.kind === 'edited' ? { input: edited.input } : {};
    this.#options.decide(this.#pending, { approved: true, ...given, ...input, ...scope });
  }

  #submitDenial(): void {
    const reason = this.#reason.value.trim();
    // What is hidden does not apply: the reason, or else the scope.
    const more = this.#isDenying ? reason && { reason } : this.#remember?.chosen(false);
    this.#options.decide(this.#pending, { approved: false, ...(more || {}) });
  }

  #toggleReason(): void {
    this.#isDenying = !this.#isDenying;
    this.#show();
    (this.#isDenying ? this.#reason : this.#reasonToggle).focus();
  }

  /**
   * Shows the reason and hides all that could approve, or the reverse, and labels the buttons. Hidden fields keep their
   * entries. An edited decision cannot be remembered, because later calls are compared with the model's input.
   */
  #show(): void {
    const { texts, denying } = this.#options;
    const [isDenying, editor, edit, remember] = [this.#isDenying, this.#editor, this.#editToggle, this.#remember];
    this.#reasonRow.hidden = !isDenying;
    for (const each of [this.#approve, edit, editor?.element, remember?.element, this.#answer?.fields])
      if (each) each.hidden = isDenying;
    this.#label(this.#approve, editor ? texts.approveEdited : texts.approve);
    this.#label(this.#deny, isDenying ? texts.denyWithReason : texts.deny);
    this.#label(this.#reasonToggle, isDenying ? texts.back : texts.reason);
    if (edit) this.#label(edit, editor ? texts.discardEdit : texts.edit);
    if (remember) remember.isDisabled = editor !== undefined;
    denying(isDenying);
  }

  /** Labels a button. Its accessible name begins with the visible label, so that voice control finds the button. */
  #label(button: HTMLButtonElement, label: string): void {
    setText(button, label);
    button.setAttribute('aria-label', `${label}: ${this.#options.tool}`);
  }

  #onKey(event: KeyboardEvent): void {
    // Ignore the Enter that ends an IME composition. Safari reports it by key code 229 only.
    if (event.isComposing || event.keyCode === 229) return;
    const { key, target } = event;
    if (key === 'Escape' && this.#isDenying) {
      this.#toggleReason();
      // Do not close a dialog that contains the card.
      event.stopPropagation();
      event.preventDefault();
    } else if (key === 'Enter') {
      const isInField = target === this.#reason || target === this.#answer?.field;
      // A key that is held down is pressed once, also on a button.
      if (isInField || event.repeat) event.preventDefault();
      if (!isInField || event.repeat) return;
      if (this.#isDenying) this.#submitDenial();
      // The field of the answer does not show the edit that Enter would approve.
      else if (this.#editor) this.#approve.focus();
      else this.#submitApproval();
    }
  }

  #toggleEditor(): void {
    if (this.#editor) {
      this.#editor.element.remove();
      this.#editor = undefined;
      this.#editToggle?.focus();
    } else {
      this.#openEditor().focus();
    }
    this.#show();
  }

  #openEditor(text?: string): Editor {
    const { texts, check } = this.#options;
    this.#editor = new Editor(this.#pending.input, texts, check, text);
    this.element.prepend(this.#editor.element);
    return this.#editor;
  }
}
