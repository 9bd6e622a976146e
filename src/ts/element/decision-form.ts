/**
 * The form of a request: approve, deny, reason, scope, and the edited input if the protocol supports it. The form
 * collects a decision and passes it to the card; the gate validates it.
 */
import type { ApprovalDescriptor } from '../types/approval-descriptor.js';
import type { PendingApproval, Remember } from '../types/index.js';
import { AnswerField, type AnswerState } from './answer-field.js';
import { countdown, type Countdown } from './countdown.js';
import { button, h, setText } from './card-dom.js';
import { Editor, type InputCheck } from './editor.js';
import type { CardTexts } from './card-texts.js';
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
  /** `clicks`: the click count (`MouseEvent.detail`); 0 for the keyboard. */
  readonly decide: (pending: PendingApproval, answer: FormAnswer, clicks: number) => void;
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
  readonly #approve: HTMLButtonElement;
  readonly #reason: HTMLInputElement;
  readonly #reasonRow: HTMLElement;
  readonly #reasonToggle: HTMLButtonElement;
  readonly #remember: RememberField | undefined;
  readonly #answer: AnswerField | undefined;
  readonly #editToggle: HTMLButtonElement | undefined;
  readonly #buttons: HTMLElement;
  #pending: PendingApproval;
  #countdown: Countdown | undefined;
  #moreTime: HTMLButtonElement | undefined;
  #editor: Editor | undefined;

  /** `state`: the entries of an earlier form for the same request. */
  constructor(options: DecisionOptions, state?: Partial<DecisionState>) {
    this.#options = options;
    const { texts, tool } = options;
    this.#pending = options.pending;
    const labelledButton = (label: string, part: string, press: (event: MouseEvent) => void): HTMLButtonElement => {
      // The accessible name begins with the visible label, so that voice control finds the button.
      return button(part, label, press, { 'aria-label': `${label}: ${tool}` });
    };
    this.#approve = labelledButton(texts.approve, 'approve', ({ detail }) => this.#submitApproval(detail));
    const deny = labelledButton(texts.deny, 'deny', ({ detail }) => this.#submitDenial(detail));
    this.#reasonToggle = labelledButton(texts.reason, 'reason-toggle', () =>
      this.#showReason(this.#reasonRow.hidden !== false),
    );
    this.#reason = h('input', { id: 'reason', part: 'input reason', type: 'text', autocomplete: 'off' });
    this.#reason.value = state?.reason ?? '';
    this.#reason.addEventListener('keydown', (event) => this.#onReasonKey(event));
    this.#reasonRow = h(
      'div',
      { class: 'row' },
      h('label', { for: 'reason', part: 'label' }, texts.reasonLabel),
      this.#reason,
    );
    this.#reasonRow.hidden = state?.hasReason !== true;
    this.#reasonToggle.setAttribute('aria-expanded', String(!this.#reasonRow.hidden));
    if (options.isEditable) {
      this.#editToggle = labelledButton(texts.edit, 'edit', () => this.#toggleEditor());
      this.#editToggle.setAttribute('aria-expanded', 'false');
    }
    const { descriptor, canCarryText, remember, toolName } = options;
    this.#remember = remember === 'none' ? undefined : new RememberField(remember, toolName, descriptor, texts);
    if (this.#remember && state?.remember !== undefined) this.#remember.value = state.remember;
    this.#answer = AnswerField.for(descriptor, canCarryText, texts, state?.answer);
    this.#answer?.onEnter(() => this.#submitApproval(0));
    this.#buttons = h(
      'div',
      { class: 'buttons', part: 'buttons' },
      this.#approve,
      deny,
      this.#reasonToggle,
      this.#editToggle,
      this.#remember?.element,
    );
    this.element = h(
      'div',
      { class: 'decision', part: 'decision' },
      this.#answer?.element,
      this.#reasonRow,
      this.#buttons,
    );
    this.#startCountdown();
    this.#addMoreTime();
    if (this.#editToggle && state?.edited !== undefined) this.#openEditor(state.edited);
  }

  /** The user's current entries. */
  get state(): DecisionState {
    return {
      reason: this.#reason.value,
      hasReason: !this.#reasonRow.hidden,
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

  /** Stops the countdown and removes it. */
  stop(): void {
    this.#countdown?.stop();
    this.#countdown?.element.remove();
    this.#countdown = undefined;
  }

  #startCountdown(): void {
    this.stop();
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
    const { texts, tool, extend } = this.#options;
    const label = { 'aria-label': `${texts.moreTime}: ${tool}` };
    this.#moreTime = button('more-time', texts.moreTime, () => extend(this.#pending), label);
    this.#buttons.append(this.#moreTime);
  }

  #submitApproval(clicks: number): void {
    const edited = this.#editor?.read() ?? { kind: 'same' };
    if (edited.kind === 'invalid') return this.#editor?.focus();
    const scope = this.#remember?.chosen(true) ?? {};
    // A rule of the server is an answer to its question, too.
    const given = scope.reason === undefined ? (this.#answer?.read() ?? {}) : {};
    if (given === 'missing') return;
    const input = edited.kind === 'edited' ? { input: edited.input } : {};
    this.#options.decide(this.#pending, { approved: true, ...given, ...input, ...scope }, clicks);
  }

  #submitDenial(clicks: number): void {
    const reason = this.#reasonRow.hidden ? '' : this.#reason.value.trim();
    this.#options.decide(
      this.#pending,
      { approved: false, ...(reason ? { reason } : {}), ...this.#remember?.chosen(false) },
      clicks,
    );
  }

  #showReason(isShown: boolean): void {
    this.#reasonRow.hidden = !isShown; // the field keeps its text
    this.#reasonToggle.setAttribute('aria-expanded', String(isShown));
    (isShown ? this.#reason : this.#reasonToggle).focus();
  }

  #onReasonKey(event: KeyboardEvent): void {
    // Ignore the Enter that ends an IME composition. Safari reports it by key code 229 only.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) this.#submitDenial(0);
    } else if (event.key === 'Escape') {
      // Do not close a dialog that contains the card.
      event.preventDefault();
      event.stopPropagation();
      this.#showReason(false);
    }
  }

  #toggleEditor(): void {
    if (this.#editor) {
      this.#editor.element.remove();
      this.#editor = undefined;
      this.#editToggle?.focus();
      this.#labelEdit();
    } else {
      this.#openEditor();
      this.#editor!.focus();
    }
  }

  #openEditor(text?: string): void {
    const { texts, check } = this.#options;
    this.#editor = new Editor(this.#pending.input, texts, check, () => this.#labelApprove(), text);
    this.element.prepend(this.#editor.element);
    this.#labelEdit();
  }

  #labelEdit(): void {
    const { texts, tool } = this.#options;
    this.#editToggle?.setAttribute('aria-expanded', String(this.#editor !== undefined));
    if (this.#editToggle) setLabel(this.#editToggle, this.#editor ? texts.discardEdit : texts.edit, tool);
    this.#labelApprove();
  }

  /**
   * Labels the approve button. An edited decision cannot be remembered, because later calls are compared with the
   * model's input.
   */
  #labelApprove(): void {
    const { texts, tool } = this.#options;
    setLabel(this.#approve, this.#editor ? texts.approveEdited : texts.approve, tool);
    if (this.#remember) this.#remember.isDisabled = this.#editor !== undefined;
  }
}

function setLabel(button: HTMLButtonElement, label: string, tool: string): void {
  setText(button, label);
  button.setAttribute('aria-label', `${label}: ${tool}`);
}
