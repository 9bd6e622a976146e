/**
 * "Approve all" and "Deny all" below the cards of a list. They decide the approvals that their label counts, with the
 * inputs that the cards show. An approval that arrives joins them only after a pause, so that a click that was already
 * under way does not decide it.
 */
import { respondToShown } from '../gate/respond-shown.js';
import type { PendingApproval } from '../types/index.js';
import { button, emit, h, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { counted, setLanguage, type CardTexts } from '../approval/texts.js';
import { guardPresses } from '../approval/press-guard.js';
import { announceTogether } from '../approval/shared-state.js';
import { describeRefusal } from '../describe/describe-refusal.js';
import type { Host } from './host.js';
import { needsSecondLook } from '../approval/tool-cards.js';
import { briefName } from '../approval/tool-names.js';

/** With fewer approvals, the cards have buttons enough. */
const FEWEST = 2;

/** How long a new approval is shown before the buttons include it, in ms. */
const JOIN_AFTER_MS = 1000;

/** The most tools that are named. */
const NAMES = 6;

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
  readonly #what = h('p', { class: 'what', part: 'all-tools' });
  readonly #question = h('p', { class: 'question', part: 'all-question', tabindex: '-1', hidden: true });
  readonly #result = h('p', { class: 'result', part: 'all-result', tabindex: '-1', hidden: true });
  readonly #problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  readonly #approve = button('approve-all', '', () => this.#approveOrAsk());
  readonly #deny = button('deny-all', '', () => this.#decide(false));
  readonly #confirm = button('confirm-all', '', () => this.#decide(true));
  readonly #back = button('back', '', () => this.#ask(false));
  readonly #buttons = h('div', { 'class part': 'buttons' }, this.#approve, this.#deny, this.#confirm, this.#back);
  /** The approvals that the labels count. */
  #offered: readonly PendingApproval[] = [];
  /** All that can be decided now. */
  #pending: readonly PendingApproval[] = [];
  #joining: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  /** The calls that the question names. */
  #dangerous: readonly PendingApproval[] = [];

  constructor(options: DecideAllOptions) {
    this.#options = options;
    this.element = h(
      'div',
      { 'class part': 'all', role: 'group', hidden: true },
      this.#what,
      this.#question,
      this.#buttons,
      this.#result,
      this.#problem,
    );
    guardPresses(this.#buttons, () => setText(this.#problem, options.texts().tooSoon));
    // A card has this attribute while the reason for denying is open.
    new MutationObserver(() => this.#render()).observe(options.host, { subtree: true, attributeFilter: ['denying'] });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.#isAsking) return;
      event.preventDefault();
      event.stopPropagation();
      this.#ask(false);
    });
  }

  /** Shows the buttons for these approvals, in the order of their cards. `hasCards`: the list shows cards. */
  update(pending: readonly PendingApproval[], hasCards: boolean): void {
    this.#pending = pending;
    if (!hasCards) this.#result.hidden = true;
    const now = new Map(pending.map((approval) => [approval.approvalId, approval]));
    const remaining = this.#offered.map(({ approvalId }) => now.get(approvalId)).filter((one) => one !== undefined);
    const isNew = remaining.length === 0;
    if (isNew && pending.length > 0) this.#result.hidden = true;
    if (isNew) this.#offer(pending);
    else {
      this.#offer(remaining);
      if (remaining.length < pending.length) this.#joining ??= setTimeout(() => this.#join(), JOIN_AFTER_MS);
    }
  }

  /** Drops what was offered, for example because the gate is another one. */
  forget(): void {
    this.stop();
    this.#offered = [];
    this.#isAsking = false;
    this.#result.hidden = true;
  }

  /** Ends the wait for approvals that have just arrived. */
  stop(): void {
    clearTimeout(this.#joining);
    this.#joining = undefined;
  }

  #join(): void {
    this.stop();
    this.#offer(this.#pending);
  }

  #offer(approvals: readonly PendingApproval[]): void {
    // The question is about certain calls: others need another one.
    if (approvals.length !== this.#offered.length) this.#isAsking = false;
    this.#offered = approvals;
    this.#render();
  }

  #render(): void {
    const { texts } = this.#options;
    const words = texts();
    const approvals = this.#offered;
    const count = approvals.length;
    const isOffered = count >= FEWEST;
    // A call that is being denied must not be approved together with the others.
    const isDenying = this.#options.host.querySelector('[denying]') !== null;
    this.#isAsking &&= !isDenying;
    this.#approve.disabled = isDenying;
    setLanguage(this.element, words);
    this.element.setAttribute('aria-label', words.all);
    this.element.hidden = !isOffered && this.#result.hidden;
    this.#buttons.hidden = !isOffered;
    this.#what.hidden = !isOffered || this.#isAsking;
    this.#question.hidden = !isOffered || !this.#isAsking;
    for (const each of [this.#approve, this.#deny]) each.hidden = this.#isAsking;
    for (const each of [this.#confirm, this.#back]) each.hidden = !this.#isAsking;
    if (!isOffered) return;
    setText(this.#what, toolsOf(approvals));
    setText(this.#approve, counted(words, 'approveAll', count));
    setText(this.#deny, counted(words, 'denyAll', count));
    setText(this.#confirm, counted(words, 'confirmAllNow', count));
    setText(this.#back, words.back);
    if (this.#isAsking)
      setText(this.#question, counted(words, 'confirmAll', count, { tools: toolsOf(this.#dangerous) }));
  }

  #risky(): PendingApproval[] {
    const { tools } = this.#options.host;
    return this.#offered.filter(({ toolName, input }) => needsSecondLook(tools, toolName, input));
  }

  #approveOrAsk(): void {
    this.#dangerous = this.#risky();
    if (this.#dangerous.length > 0) this.#ask(true);
    else this.#decide(true);
  }

  /**
   * Asks a second time, or stops asking. The focus moves to the question, not to a button: a key that is held down must
   * not answer it.
   */
  #ask(isAsking: boolean): void {
    this.#isAsking = isAsking;
    this.#render();
    (isAsking ? this.#question : this.#approve).focus({ preventScroll: true });
  }

  #decide(approved: boolean): void {
    const { host, texts, announce } = this.#options;
    const { gate } = host;
    const offered = this.#offered;
    if (!gate || offered.length === 0) return;
    this.#isAsking = false;
    setText(this.#problem, '');
    const ids = offered.map(({ approvalId }) => approvalId);
    const before = new Set(gate.pending().map(({ approvalId }) => approvalId));
    let count: number;
    try {
      count = respondToShown(gate, offered, { approved });
    } catch (error) {
      setText(this.#problem, describeRefusal(error, texts()));
      emit<DecisionErrorDetail>(host, 'decision-error', { approvalId: ids[0] as string, error });
      return;
    }
    const after = new Set(gate.pending().map(({ approvalId }) => approvalId));
    const decided = offered.filter(({ approvalId }) => before.has(approvalId) && !after.has(approvalId));
    announceTogether(
      gate,
      decided.map(({ approvalId }) => approvalId),
    );
    const words = texts();
    const sentences = [counted(words, approved ? 'approvedAll' : 'deniedAll', count)];
    if (count < offered.length) sentences.push(counted(words, 'notAll', offered.length - count));
    setText(this.#result, sentences.join(' '));
    announce(sentences.join(' '));
    this.update(
      this.#pending.filter(({ approvalId }) => after.has(approvalId)),
      true,
    );
    this.#result.hidden = false;
    this.element.hidden = false;
    this.#result.focus({ preventScroll: true });
    for (const { approvalId, toolCallId, toolName } of decided)
      emit<DecisionDetail>(host, 'decision', { approvalId, toolCallId, toolName, approved, result: 'accepted' });
  }
}

/** The tools of some approvals, each with the number of its calls. */
function toolsOf(approvals: readonly PendingApproval[]): string {
  const counts = new Map<string, number>();
  for (const { toolName } of approvals) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  const named = [...counts]
    .slice(0, NAMES)
    .map(([name, count]) => (count > 1 ? `${briefName(name)} ×${count}` : briefName(name)));
  return [...named, ...(counts.size > NAMES ? ['…'] : [])].join(', ');
}
