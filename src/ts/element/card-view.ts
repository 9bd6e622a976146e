/**
 * The view of `<tool-approval>`: one tool call with its input, its status, and the form while it waits for a decision.
 * A decision is bound to the input that the card showed. The footer keeps its height when the buttons disappear, so
 * that nothing moves under the pointer.
 */
import { descriptorOf } from '../types/approval-descriptor.js';
import type { PendingApproval } from '../types/index.js';
import { toolNameOf } from '../types/tool-part.js';
import { ElementView } from './element-view.js';
import type { CardHost } from './host.js';
import { CardForm } from './card-form.js';
import { DecisionForm, type DecisionState, type FormAnswer } from './decision-form.js';
import { button, emit, h, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { CardFrame } from './card-frame.js';
import { layOut } from './layout.js';
import type { CallStatus } from '../describe/call-status.js';
import type { CallAct } from '../describe/call-facts.js';
import { wordsOf, type CallWords } from '../describe/call-words.js';
import { CARD_STYLES } from './card-styles.js';
import { fill } from '../describe/call-texts.js';
import { brief } from '../describe/brief.js';
import { describeRefusal } from '../describe/describe-refusal.js';
import { counted } from '../approval/texts.js';
import { guardPresses } from '../approval/press-guard.js';
import { deciderText, sharedOf, takeAnnounced } from '../approval/shared-state.js';
import { summaryOf } from '../approval/tool-cards.js';
import { briefName, labelOf } from '../approval/tool-names.js';
import { callOf, findCall, type FoundCall } from './found-call.js';

/** The statuses that are not announced when a call reaches them. `waiting` has its own announcement. */
const IS_SILENT: readonly CallStatus[] = ['drafting', 'running', 'checking', 'waiting', 'sending', 'working'];

/**
 * Maximum height in pixels that the footer keeps after the form is removed, so that a tall form does not create an
 * empty area.
 */
const MAX_KEPT_HEIGHT = 112;

/** Height of the footer's padding and border, in pixels. */
const FOOTER_PADDING = 21;

/** The view of one card. */
export class CardView extends ElementView<CardHost> {
  readonly #frame = new CardFrame();
  readonly #openSections = new Map<string, number>();
  #callId: string | undefined;
  #found: FoundCall | undefined;
  #input: unknown;
  #isLaidOut = false;
  readonly #form = new CardForm((pending, state) => this.#createForm(pending, state));
  /** The request of the form, and its words beside the input: the title, the prompt and the options. */
  #asked: readonly [approvalId?: string, words?: readonly string[]] = [];
  /** The acts on a decision that is not with the backend, and their buttons. */
  #acts = '';
  readonly #buttons = h('div', { class: 'buttons' });
  #shown: CallWords | undefined;
  /** The requested animation frame that renders the streamed input. */
  #frameRequest: number | undefined;

  constructor(host: CardHost, root: ShadowRoot) {
    super(host, root, CARD_STYLES);
    this.#frame.foot.append(this.#buttons);
    guardPresses(this.#frame.foot, () => setText(this.#frame.problem, this.words.tooSoon));
    this.root.prepend(this.#frame.card);
  }

  /** The status of the call; undefined while there is none. */
  override get status(): CallStatus | undefined {
    return this.#shown?.status;
  }

  /**
   * Focuses the card itself, not a button: a key that is held down must not approve a call that the user has not read.
   */
  override focus(options?: FocusOptions): void {
    this.#frame.card.focus(options);
  }

  override disconnect(): void {
    super.disconnect();
    this.#form.remove();
    this.#found = undefined;
    if (this.#frameRequest !== undefined) cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = undefined;
  }

  override changed(): void {
    if (this.#found) this.#updateSummary(this.#found);
  }

  override reset(): void {
    this.#callId = undefined;
    this.#found = undefined;
    this.#isLaidOut = false;
    this.#form.isStale = true;
    this.#acts = '-';
    super.reset();
  }

  protected override update(): void {
    const { toolCallId, approvalId, messageId, gate } = this.host;
    // A cancelled or expired call may lose its approval, so the card stores the call id.
    this.#callId =
      toolCallId ?? (gate && approvalId !== undefined ? callOf(gate, approvalId) : undefined) ?? this.#callId;
    const found = gate && this.#callId !== undefined ? findCall(gate, this.#callId, messageId) : undefined;
    const [before, old] = [this.#found, this.#shown];
    this.#found = found;
    this.#frame.card.hidden = found === undefined;
    if (!found) {
      this.#form.remove();
      this.#shown = undefined;
      return;
    }
    if (
      before &&
      found.part === before.part &&
      found.approval === before.approval &&
      found.isOver === before.isOver &&
      found.heldUntil === before.heldUntil &&
      `${found.acts}` === this.#acts &&
      !found.isOver
    )
      return;
    this.#shown = wordsOf(found.part, found, this.words);
    this.#frame.renderHeader(found.part, this.#shown, this.host.headingLevel, this.words);
    this.#updateSummary(found);
    this.#updateBody(found);
    this.#updateFooter(found);
    if (old?.status !== this.#shown.status) this.#announceStatus(old?.status);
  }

  /** Renders the app's summary of the call, when its input is complete. */
  #updateSummary({ part, approval: pending }: FoundCall): void {
    const input = pending ? pending.input : part.input;
    this.#frame.renderSummary(
      part.state === 'input-streaming' ? '' : summaryOf(this.host.tools, toolNameOf(part), input),
    );
  }

  /** Renders the input; at most once per frame while it streams. */
  #updateBody({ part, approval: pending }: FoundCall): void {
    const input = pending ? pending.input : (part.input ?? ('rawInput' in part ? part.rawInput : undefined));
    if (this.#isLaidOut && input === this.#input) return;
    if (this.#isLaidOut && part.state === 'input-streaming') {
      this.#frameRequest ??= requestAnimationFrame(() => {
        this.#frameRequest = undefined;
        if (this.#found?.part.state === 'input-streaming')
          this.#renderBody(this.#found.part.input ?? this.#found.part.rawInput);
      });
      return;
    }
    this.#renderBody(input);
  }

  #renderBody(input: unknown): void {
    const path = (this.root.activeElement as HTMLElement | null)?.dataset['path'];
    this.#isLaidOut = true;
    this.#input = input;
    this.#frame.body.replaceChildren(layOut(input, this.words, this.#openSections));
    // The new layout replaced the focused button: focus its successor.
    if (path !== undefined)
      [...this.#frame.body.querySelectorAll<HTMLElement>('[data-path]')]
        .find(({ dataset }) => dataset['path'] === path)
        ?.focus();
  }

  /** Renders the footer: the form while the call waits, otherwise the note. */
  #updateFooter(found: FoundCall): void {
    const { part, approval: pending } = found;
    const { note, status } = this.#shown as CallWords;
    const asks = status === 'waiting' && pending !== undefined;
    // Measure before the form is removed.
    if (!asks && this.#form.current) {
      const height = Math.min(this.#form.current.restingHeight + FOOTER_PADDING, MAX_KEPT_HEIGHT);
      this.#frame.foot.style.minHeight = `${height}px`;
    }
    const decidedBy = asks ? '' : deciderText(this.host.gate, part, status, this.words);
    setText(this.#frame.decidedBy, decidedBy);
    this.#frame.decidedBy.hidden = decidedBy === '';
    setText(this.#frame.note, note);
    this.#frame.note.hidden = asks || note === '';
    const hadFocus = !asks && this.#form.current?.element.matches(':focus-within');
    if (asks) this.#showForm(pending);
    else this.#form.remove();
    // The decision can come from another tab, or the time is over, while the user writes a reason.
    if (hadFocus) this.focus({ preventScroll: true });
    this.#updateActs(found.acts);
    // A card that had a form keeps its footer, so that nothing below it moves.
    this.#frame.foot.hidden = part.approval === undefined && note === '' && !this.#frame.foot.style.minHeight;
    this.#frame.foot.classList.toggle('slim', part.approval === undefined);
  }

  /** Shows the form for this request, with the focus if an earlier form had it. */
  #showForm(pending: PendingApproval): void {
    const hadFocus = this.#form.current?.element.contains(this.root.activeElement) ?? false;
    if (this.host.gate) sharedOf(this.host.gate).shown.add(pending.approvalId);
    const created = this.#form.show(pending);
    if (!created) return;
    this.#showChange(pending);
    this.#frame.foot.style.minHeight = '';
    this.#frame.foot.prepend(created.element);
    if (hadFocus) this.focus({ preventScroll: true });
  }

  /** Says what the backend has changed about the request that was shown. */
  #showChange({ approvalId }: PendingApproval): void {
    const part = this.#found?.part;
    const { prompt, options } = descriptorOf(part?.approval);
    const now = [part?.title, prompt, ...options.map(({ label }) => label)].map((word) => brief(word ?? '', 80));
    const [id, before = now] = this.#asked;
    this.#asked = [approvalId, now];
    const [old, added] = [before.filter((word) => !now.includes(word)), now.filter((word) => !before.includes(word))];
    if (id !== approvalId || !(old.length + added.length)) return;
    setText(this.#frame.problem, `${this.words.changed} ${old.join(', ')} → ${added.join(', ')}`);
  }

  #createForm(pending: PendingApproval, state: Partial<DecisionState> | undefined): DecisionForm {
    return new DecisionForm(
      {
        pending,
        texts: this.words,
        tool: this.#toolLabel(),
        toolName: briefName(pending.toolName),
        remember: pending.rememberable === false ? 'none' : this.host.remember,
        descriptor: descriptorOf(this.#found?.part.approval),
        canCarryText: this.host.gate?.protocol.capabilities.reason !== false,
        isEditable: pending.editable,
        check: (input) => this.host.validateInput?.(input),
        now: this.now,
        decide: (asked, answer) => this.#decide(asked, answer),
        denying: (isDenying) => this.host.toggleAttribute('denying', isDenying),
        extend: (asked) => this.#extend(asked),
        hurry: (seconds) =>
          this.announceText(counted(this.words, 'secondsLeft', seconds, { tool: this.#toolLabel(), seconds })),
      },
      state,
    );
  }

  /** Gives the user as much time again as the request has had in all. */
  #extend(pending: PendingApproval): void {
    const { approvalId, requestedAt, expiresAt = requestedAt } = pending;
    this.#try(approvalId, () => this.host.gate?.extend(pending, this.now() + expiresAt - requestedAt));
  }

  /** Shows a button for each act. */
  #updateActs(acts: readonly CallAct[]): void {
    if (`${acts}` === this.#acts) return;
    this.#acts = `${acts}`;
    const hadFocus = this.#buttons.contains(this.root.activeElement);
    this.#buttons.hidden = acts.length === 0;
    const made = acts.map((act) => {
      const [part, label] = [act.replace(/[A-Z]/g, '-$&').toLowerCase(), this.words[act]];
      return button(part, label, () => this.#act(act), { 'aria-label': `${label}: ${this.#toolLabel()}` });
    });
    this.#buttons.replaceChildren(...made);
    if (hadFocus) this.focus({ preventScroll: true });
  }

  #act(act: CallAct): void {
    const { gate } = this.host;
    const { part, undelivered } = this.#found as FoundCall;
    const approvalId = part.approval?.id as string;
    const id = undelivered?.id as string;
    this.#try(approvalId, () => {
      if (act === 'sendNow') gate?.resume();
      else if (act === 'retry') gate?.retry(id);
      else gate?.cancel(undefined, act === 'giveUp' ? { id } : { approvalId });
    });
    this.focus({ preventScroll: true });
  }

  #decide(pending: PendingApproval, answer: FormAnswer): void {
    const { approvalId, toolCallId, toolName } = pending;
    const { gate } = this.host;
    if (!gate) return;
    const hadFocus = this.root.activeElement !== null;
    const result = this.#try(approvalId, () => gate.respond(pending, answer));
    if (this.host.isConnected) this.update();
    if (result === undefined) return;
    // The focused button was removed with the form.
    if (hadFocus && this.host.isConnected && !this.#form.current) this.focus({ preventScroll: true });
    emit<DecisionDetail>(this.host, 'decision', { approvalId, toolCallId, toolName, ...answer, result });
  }

  /** Calls the gate and shows the error that it throws. */
  #try<T>(approvalId: string, act: () => T): T | undefined {
    setText(this.#frame.problem, '');
    try {
      return act();
    } catch (error) {
      setText(this.#frame.problem, describeRefusal(error, this.words));
      emit<DecisionErrorDetail>(this.host, 'decision-error', { approvalId, error });
      return undefined;
    }
  }

  #announceStatus(before: CallStatus | undefined): void {
    const { status, label, note } = this.#shown as CallWords;
    const isWithdrawn = before === 'waiting' && status === 'checking';
    if (status === 'waiting') {
      if (this.host.announce === 'all') this.announceText(fill(this.words.arrived, { tool: this.#toolLabel() }));
    } else if (
      before !== undefined &&
      (!IS_SILENT.includes(status) || isWithdrawn) &&
      !takeAnnounced(this.host.gate, this.#found?.part)
    ) {
      const decider = deciderText(this.host.gate, this.#found!.part, status, this.words);
      // The user knows what they decided themselves.
      const by = decider === this.words.byYou ? '' : decider;
      this.announceText([`${this.#toolLabel()}: ${label}.`, note, by].filter(Boolean).join(' '));
    }
  }

  #toolLabel(): string {
    const part = this.#found?.part;
    return part ? labelOf(part) : '';
  }
}
