/** Draws the buttons below the cards of a list: "Approve all" and the others of `approveAll`. */
import { listButtons } from '../approval/approve-all.js';
import { setLanguage } from '../approval/texts.js';
import type { PendingApproval } from '../types/index.js';
import { emit, h, setAttribute, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { drawButton, place } from './drawn-form.js';
import type { ElementView } from './element-view.js';
import type { CardHost, Host } from './host.js';

/** The buttons of a list in the page. */
export interface DrawnButtons {
  readonly element: HTMLElement;
  /** Shows the buttons for these approvals, in the order of their cards. `cards`: those of all calls. */
  update(approvals: readonly PendingApproval[], cards?: readonly CardHost[]): void;
  /** Ends the wait for approvals that have just arrived. */
  stop(): void;
}

/** Draws the buttons, the question before a dangerous approval, and what became of the calls. */
export function decideAll(host: Host, list: ElementView): DrawnButtons {
  const all = listButtons();
  const tools = h('p', { class: 'tools', part: 'all-tools' });
  const question = h('p', { class: 'question', part: 'all-question', tabindex: '-1', 'data-question': true });
  const result = h('p', { class: 'result', part: 'all-result', tabindex: '-1', 'data-result': true });
  const problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  const buttons = h('div', { 'class part': 'buttons' });
  const rows = [tools, question, buttons, result, problem];
  const element = h('div', { 'class part': 'all', role: 'group', hidden: true }, ...rows);
  const made = new Map<string, HTMLElement>();
  let offered: readonly PendingApproval[] = [];
  let said = '';

  const show = (act: string, create: () => HTMLElement): HTMLElement => {
    const button = made.get(act) ?? create();
    made.set(act, button);
    return button;
  };

  function draw(): void {
    const { words } = list;
    const view = all.view({
      gate: host.gate,
      approvals: offered,
      texts: words,
      // An app may set them without a new drawing.
      get tools() {
        return host.tools;
      },
      onDecision: (decided, approved) => {
        for (const { approvalId, toolCallId, toolName } of decided)
          emit<DecisionDetail>(host, 'decision', { approvalId, toolCallId, toolName, approved, result: 'accepted' });
      },
      onRefusal: (approvalId, error) => emit<DecisionErrorDetail>(host, 'decision-error', { approvalId, error }),
    });
    setLanguage(element, words);
    setAttribute(element, 'aria-label', words.all);
    element.hidden = !view.isShown;
    setText(tools, [view.what, view.needed].filter(Boolean).join(' · '));
    setText(question, view.question);
    setText(result, view.result);
    setText(problem, view.problem);
    place(
      buttons,
      view.buttons.map((each) => drawButton(each, show)),
    );
    if (view.result !== said && view.result) list.announce(view.result);
    said = view.result;
    all.rendered();
  }

  all.subscribe(draw);
  return {
    element,
    update(approvals) {
      all.attach(element);
      offered = approvals;
      draw();
    },
    stop: () => all.attach(null),
  };
}
