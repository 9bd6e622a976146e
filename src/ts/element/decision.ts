/**
 * What is asked of the user: Approve, Deny, why, for how long, and another input where the backend takes one. It collects an
 * answer and hands it on; whether it counts is the gate's business.
 */
import type { PendingApproval, Remember } from '../types/index.js';
import { countdown, type Countdown } from './countdown.js';
import { button, h, setText } from './card-dom.js';
import { Editor, type InputCheck } from './editor.js';
import { fill, type ApprovalTexts } from './card-texts.js';

/** How far a decision may reach: offered as choices. `'always'` needs an app that carries decisions to other chats. */
export type RememberChoice = 'none' | 'chat' | 'always';

/** An answer as the user gave it. */
export interface FormAnswer {
  readonly approved: boolean;
  readonly reason?: string;
  readonly remember?: Remember;
  readonly input?: unknown;
}

/** What a form is made with. */
interface DecisionOptions {
  readonly pending: PendingApproval;
  readonly texts: ApprovalTexts;
  /** The tool, for the user: its title and its name. */
  readonly tool: string;
  /** Its name alone: what a remembered decision is about. */
  readonly toolName: string;
  readonly remember: RememberChoice;
  readonly isEditable: boolean;
  readonly check: InputCheck;
  /** The gate's clock, in ms since 1970. */
  readonly now: () => number;
  /** `clicks`: the click count (`MouseEvent.detail`); 0 for the keyboard. */
  readonly decide: (pending: PendingApproval, answer: FormAnswer, clicks: number) => void;
  readonly hurry: (seconds: number) => void;
}

/** What the user has put into a form so far: a new form goes on with it. */
export interface DecisionState {
  readonly reason: string;
  readonly hasReason: boolean;
  /** The text of the editor, if it is open. */
  readonly edited: string | undefined;
  readonly remember: string | undefined;
}

const CHOICES: Readonly<Record<string, Remember>> = {
  chatInput: { for: 'chat', scope: 'input' },
  chatTool: { for: 'chat', scope: 'tool' },
  alwaysInput: { for: 'always', scope: 'input' },
  alwaysTool: { for: 'always', scope: 'tool' },
};

/** The form of one request. */
export class DecisionForm {
  readonly element: HTMLElement;
  readonly #options: DecisionOptions;
  readonly #approve: HTMLButtonElement;
  readonly #reason: HTMLInputElement;
  readonly #reasonRow: HTMLElement;
  readonly #why: HTMLButtonElement;
  readonly #choice: HTMLSelectElement | undefined;
  readonly #edit: HTMLButtonElement | undefined;
  readonly #buttons: HTMLElement;
  #pending: PendingApproval;
  #clock: Countdown | undefined;
  #editor: Editor | undefined;

  /** `state`: of an earlier form of the same request. */
  constructor(options: DecisionOptions, state?: Partial<DecisionState>) {
    this.#options = options;
    const { texts, tool } = options;
    this.#pending = options.pending;
    const about = (label: string, part: string, press: (event: MouseEvent) => void): HTMLButtonElement => {
      // What is seen comes first in the name, so that speech control finds it.
      return button(part, label, press, { 'aria-label': `${label}: ${tool}` });
    };
    this.#approve = about(texts.approve, 'approve', ({ detail }) => this.#yes(detail));
    const deny = about(texts.deny, 'deny', ({ detail }) => this.#no(detail));
    this.#why = about(texts.reason, 'reason-toggle', () => this.#showReason(this.#reasonRow.hidden !== false));
    this.#reason = h('input', { id: 'reason', part: 'input reason', type: 'text', autocomplete: 'off' });
    this.#reason.value = state?.reason ?? '';
    this.#reason.addEventListener('keydown', (event) => this.#keys(event));
    this.#reasonRow = h(
      'div',
      { class: 'row' },
      h('label', { for: 'reason', part: 'label' }, texts.reasonLabel),
      this.#reason,
    );
    this.#reasonRow.hidden = state?.hasReason !== true;
    this.#why.setAttribute('aria-expanded', String(!this.#reasonRow.hidden));
    if (options.isEditable) {
      this.#edit = about(texts.edit, 'edit', () => this.#toggleEditor());
      this.#edit.setAttribute('aria-expanded', 'false');
    }
    this.#choice = options.remember === 'none' ? undefined : this.#choices();
    if (this.#choice && state?.remember !== undefined) this.#choice.value = state.remember;
    const remember =
      this.#choice &&
      h('div', { class: 'choice' }, h('label', { for: 'remember', part: 'label' }, texts.remember), this.#choice);
    this.#buttons = h(
      'div',
      { class: 'buttons', part: 'buttons' },
      this.#approve,
      deny,
      this.#why,
      this.#edit,
      remember,
    );
    this.element = h('div', { class: 'decision', part: 'decision' }, this.#reasonRow, this.#buttons);
    this.#count();
    if (this.#edit && state?.edited !== undefined) this.#openEditor(state.edited);
  }

  /** What the user has put in so far. */
  get state(): DecisionState {
    return {
      reason: this.#reason.value,
      hasReason: !this.#reasonRow.hidden,
      edited: this.#editor?.text,
      remember: this.#choice?.value,
    };
  }

  /** How high the form is without its fields, in pixels. */
  get restingHeight(): number {
    return this.#buttons.offsetHeight;
  }

  /** The same request as another object: what the user has put in stays. */
  renew(pending: PendingApproval): void {
    const { expiresAt } = this.#pending;
    this.#pending = pending;
    if (pending.expiresAt !== expiresAt) this.#count();
  }

  /** Ends the countdown. */
  stop(): void {
    this.#clock?.stop();
    this.#clock?.element.remove();
    this.#clock = undefined;
  }

  #count(): void {
    this.stop();
    const { expiresAt } = this.#pending;
    const { texts, now, hurry } = this.#options;
    if (expiresAt === undefined) return;
    this.#clock = countdown(expiresAt, now, texts, hurry);
    this.#buttons.append(this.#clock.element);
  }

  #choices(): HTMLSelectElement {
    const { texts, remember, toolName } = this.#options;
    const keys = [
      'once',
      'chatInput',
      'chatTool',
      ...(remember === 'always' ? ['alwaysInput', 'alwaysTool'] : []),
    ] as const;
    return h(
      'select',
      { id: 'remember', part: 'input remember' },
      ...keys.map((key) => h('option', { value: key }, fill(texts[key as 'once' | 'chatTool'], { tool: toolName }))),
    );
  }

  #remember(): { remember?: Remember } {
    const remember = this.#choice && !this.#choice.disabled ? CHOICES[this.#choice.value] : undefined;
    return remember ? { remember } : {};
  }

  #yes(clicks: number): void {
    const edited = this.#editor?.read() ?? { kind: 'same' };
    if (edited.kind === 'wrong') return this.#editor?.focus();
    const answer = { approved: true, ...(edited.kind === 'edited' ? { input: edited.input } : this.#remember()) };
    this.#options.decide(this.#pending, answer, clicks);
  }

  #no(clicks: number): void {
    const reason = this.#reasonRow.hidden ? '' : this.#reason.value.trim();
    this.#options.decide(
      this.#pending,
      { approved: false, ...(reason ? { reason } : {}), ...this.#remember() },
      clicks,
    );
  }

  #showReason(isShown: boolean): void {
    this.#reasonRow.hidden = !isShown; // what was typed stays in the field
    this.#why.setAttribute('aria-expanded', String(isShown));
    (isShown ? this.#reason : this.#why).focus();
  }

  #keys(event: KeyboardEvent): void {
    // The Enter that ends a composition is not meant for the form; Safari tells by the code only.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) this.#no(0);
    } else if (event.key === 'Escape') {
      // A dialog around the card stays open.
      event.preventDefault();
      event.stopPropagation();
      this.#showReason(false);
    }
  }

  #toggleEditor(): void {
    if (this.#editor) {
      this.#editor.element.remove();
      this.#editor = undefined;
      this.#edit?.focus();
      this.#nameEdit();
    } else {
      this.#openEditor();
      this.#editor!.focus();
    }
  }

  #openEditor(text?: string): void {
    const { texts, check } = this.#options;
    this.#editor = new Editor(this.#pending.input, texts, check, () => this.#name(), text);
    this.element.prepend(this.#editor.element);
    this.#nameEdit();
  }

  #nameEdit(): void {
    const { texts, tool } = this.#options;
    this.#edit?.setAttribute('aria-expanded', String(this.#editor !== undefined));
    if (this.#edit) rename(this.#edit, this.#editor ? texts.discardEdit : texts.edit, tool);
    this.#name();
  }

  /** What was changed by hand once is not remembered for later: the input that would be remembered is the model's. */
  #name(): void {
    const { texts, tool } = this.#options;
    rename(this.#approve, this.#editor ? texts.approveEdited : texts.approve, tool);
    if (this.#choice) this.#choice.disabled = this.#editor !== undefined;
  }
}

function rename(made: HTMLButtonElement, label: string, tool: string): void {
  setText(made, label);
  made.setAttribute('aria-label', `${label}: ${tool}`);
}
