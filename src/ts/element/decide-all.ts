/** Draws the buttons below the cards of a list: "Approve all" and the others of `approveAll`. */
import { listButtons } from '../approval/approve-all.js';
import { setLanguage, type CardTexts } from '../approval/texts.js';
import type { PendingApproval } from '../types/index.js';
import { emit, h, setAttribute, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { drawButton, place } from './drawn-form.js';
import type { Host } from './host.js';

/** What the buttons need of their list. */
interface DecideAllOptions {
  readonly host: Host;
  readonly texts: () => CardTexts;
  readonly announce: (text: string) => void;
}

/** The buttons, the question before a dangerous approval, and what became of the calls. */
export class DecideAll {
  readonly element: HTMLElement;
  readonly #options: DecideAllOptions;
  readonly #all = listButtons();
  readonly #what = h('p', { class: 'what', part: 'all-tools' });
  readonly #question = h('p', { class: 'question', part: 'all-question', tabindex: '-1', 'data-question': true });
  readonly #result = h('p', { class: 'result', part: 'all-result', tabindex: '-1', 'data-result': true });
  readonly #problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  readonly #buttons = h('div', { 'class part': 'buttons' });
  readonly #made = new Map<string, HTMLElement>();
  #approvals: readonly PendingApproval[] = [];
  #said = '';

  constructor(options: DecideAllOptions) {
    this.#options = options;
    const rows = [this.#what, this.#question, this.#buttons, this.#result, this.#problem];
    this.element = h('div', { 'class part': 'all', role: 'group', hidden: true }, ...rows);
    this.#all.subscribe(() => this.#draw());
  }

  /** Shows the buttons for these approvals, in the order of their cards. */
  update(approvals: readonly PendingApproval[]): void {
    this.#all.attach(this.element);
    this.#approvals = approvals;
    this.#draw();
  }

  /** Ends the wait for approvals that have just arrived. */
  stop(): void {
    this.#all.attach(null);
  }

  #draw(): void {
    const { host, texts } = this.#options;
    const words = texts();
    const view = this.#all.view({
      gate: host.gate,
      approvals: this.#approvals,
      texts: words,
      get tools() {
        return host.tools;
      },
      onDecision: (decided, approved) => {
        for (const { approvalId, toolCallId, toolName } of decided)
          emit<DecisionDetail>(host, 'decision', { approvalId, toolCallId, toolName, approved, result: 'accepted' });
      },
      onRefusal: (approvalId, error) => emit<DecisionErrorDetail>(host, 'decision-error', { approvalId, error }),
    });
    setLanguage(this.element, words);
    setAttribute(this.element, 'aria-label', words.all);
    this.element.hidden = !view.isShown;
    for (const [element, text] of [
      [this.#what, [view.what, view.needed].filter(Boolean).join(' · ')],
      [this.#question, view.question],
      [this.#result, view.result],
      [this.#problem, view.problem],
    ] as const)
      setText(element, text);
    const show = (act: string, create: () => HTMLElement): HTMLElement => {
      const button = this.#made.get(act) ?? create();
      this.#made.set(act, button);
      return button;
    };
    place(
      this.#buttons,
      view.buttons.map((each) => drawButton(each, show)),
    );
    if (view.result !== this.#said && view.result) this.#options.announce(view.result);
    this.#said = view.result;
    this.#all.rendered();
  }
}
