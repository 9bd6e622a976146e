/**
 * The view of `<tool-approval>`: one tool call with its input, its status, and the form while it waits for a decision.
 * A decision is bound to the input that the card showed. The footer keeps its height when the buttons disappear, so
 * that nothing moves under the pointer.
 */
import { ElementView } from './element-view.js';
import type { CardHost } from './host.js';
import { decisionForm } from '../approval/approval-form.js';
import { emit, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { CardFrame } from './card-frame.js';
import { DrawnForm } from './drawn-form.js';
import { layOut } from './layout.js';
import type { CallStatus } from '../describe/call-status.js';
import { wordsOf, type CallWords } from '../describe/call-words.js';
import { CARD_STYLES } from './card-styles.js';
import { fill } from '../describe/call-texts.js';
import { deciderText, sharedOf, takeAnnounced } from '../approval/shared-state.js';
import { labelOf } from '../approval/tool-names.js';
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

/** In place of an input: none is laid out. */
const NOTHING = {};

/** The view of one card. */
export class CardView extends ElementView<CardHost> {
  readonly #frame = new CardFrame();
  readonly #openSections = new Map<string, number>();
  #callId: string | undefined;
  #found: FoundCall | undefined;
  /** The input that is laid out. */
  #input: unknown = NOTHING;
  readonly #form = decisionForm();
  readonly #drawn = new DrawnForm();
  /** Whether the form asks for a decision. */
  #asks: boolean | undefined;
  /** What was announced about the time that is left. */
  #said = '';
  /** What is shown of the call. */
  #now: readonly unknown[] = [];
  #shown: CallWords | undefined;
  /** The requested animation frame that renders the streamed input. */
  #frameRequest: number | undefined;

  constructor(host: CardHost, root: ShadowRoot) {
    super(host, root, CARD_STYLES);
    this.#form.subscribe(() => this.#formChanged());
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
    this.#form.attach(null);
    this.host.removeAttribute('denying');
    this.#drawn.element.remove();
    this.#asks = undefined;
    this.#found = undefined;
    this.#now = [];
    cancelAnimationFrame(this.#frameRequest!);
    this.#frameRequest = undefined;
  }

  override changed(): void {
    this.#drawForm();
  }

  override reset(): void {
    this.#callId = undefined;
    this.#found = undefined;
    this.#input = NOTHING;
    this.#now = [];
    super.reset();
  }

  protected override update(): void {
    const { toolCallId, approvalId, messageId, gate } = this.host;
    // A cancelled or expired call may lose its approval, so the card stores the call id.
    this.#callId =
      toolCallId ?? (gate && approvalId !== undefined ? callOf(gate, approvalId) : undefined) ?? this.#callId;
    const found = gate && this.#callId !== undefined ? findCall(gate, this.#callId, messageId) : undefined;
    const old = this.#shown;
    this.#found = found;
    this.#frame.card.hidden = found === undefined;
    if (!found) {
      this.#form.attach(null);
      this.#shown = undefined;
      this.#now = [];
      return;
    }
    const now = [found.part, found.approval, found.isOver, found.heldUntil, `${found.acts}`];
    if (!found.isOver && now.every((value, at) => value === this.#now[at])) return;
    this.#now = now;
    this.#shown = wordsOf(found.part, found, this.words);
    this.#frame.renderHeader(found.part, this.#shown, this.host.headingLevel, this.words);
    this.#updateBody(found);
    this.#updateFooter(found);
    if (old?.status !== this.#shown.status) this.#announceStatus(old?.status);
  }

  /** Renders the input; at most once per frame while it streams. */
  #updateBody({ part, approval: pending }: FoundCall): void {
    const input = pending ? pending.input : (part.input ?? ('rawInput' in part ? part.rawInput : undefined));
    if (input === this.#input) return;
    if (this.#input !== NOTHING && part.state === 'input-streaming') {
      this.#frameRequest ??= requestAnimationFrame(() => {
        this.#frameRequest = undefined;
        this.#input = NOTHING;
        if (this.#found) this.#updateBody(this.#found);
      });
      return;
    }
    const path = (this.root.activeElement as HTMLElement | null)?.dataset['path'];
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
    const { foot } = this.#frame;
    // Measure before the form is removed.
    if (!asks && this.#asks) {
      const height = Math.min(this.#drawn.buttons.offsetHeight + FOOTER_PADDING, MAX_KEPT_HEIGHT);
      foot.style.minHeight = `${height}px`;
    }
    const decidedBy = asks ? '' : deciderText(this.host.gate, part, status, this.words);
    setText(this.#frame.decidedBy, decidedBy);
    setText(this.#frame.note, asks ? '' : note);
    if (asks !== this.#asks) foot[asks ? 'prepend' : 'append'](this.#drawn.element);
    if (asks) {
      foot.style.minHeight = '';
      if (this.host.gate) sharedOf(this.host.gate).shown.add(pending.approvalId);
    }
    this.#asks = asks;
    // A card that had a form keeps its footer, so that nothing below it moves.
    foot.hidden = part.approval === undefined && note === '' && !foot.style.minHeight;
    foot.classList.toggle('slim', part.approval === undefined);
    this.#drawForm();
  }

  /** Draws what has followed from a decision, or the form alone. */
  #formChanged(): void {
    if (!this.host.isConnected) return;
    const before = this.#found?.part;
    this.update();
    if (this.#found?.part === before) this.#drawForm();
  }

  /** Draws the form: what the user can enter and press. */
  #drawForm(): void {
    const { gate, tools, remember } = this.host;
    if (!this.#found || !this.host.isConnected) return;
    const view = this.#form.view({
      gate,
      part: this.#found.part,
      texts: this.words,
      tools,
      remember,
      validateInput: (input) => this.host.validateInput?.(input),
      onDecision: (decision) => emit<DecisionDetail>(this.host, 'decision', decision),
      onRefusal: (approvalId, error) => emit<DecisionErrorDetail>(this.host, 'decision-error', { approvalId, error }),
    })!;
    this.#drawn.draw(view, this.words);
    this.host.toggleAttribute('denying', view.fields[0]?.id === 'reason');
    setText(this.#frame.problem, view.problem);
    this.#frame.card.classList.toggle('dangerous', view.isDangerous);
    setText(this.#frame.danger, view.isDangerous ? this.words.dangerous : '');
    this.#frame.renderSummary(view.summary);
    if (view.announcement && view.announcement !== this.#said) this.announceText(view.announcement);
    this.#said = view.announcement;
    this.#form.attach(this.#drawn.element);
    this.#form.rendered();
  }

  #announceStatus(before: CallStatus | undefined): void {
    const { status, label, note } = this.#shown as CallWords;
    const { part } = this.#found!;
    const tool = labelOf(part);
    const isWithdrawn = before === 'waiting' && status === 'checking';
    if (status === 'waiting') {
      if (this.host.announce === 'all') this.announceText(fill(this.words.arrived, { tool }));
    } else if (
      before !== undefined &&
      (!IS_SILENT.includes(status) || isWithdrawn) &&
      !takeAnnounced(this.host.gate, part)
    ) {
      const decider = deciderText(this.host.gate, part, status, this.words);
      // The user knows what they decided themselves.
      const by = decider === this.words.byYou ? '' : decider;
      this.announceText([`${tool}: ${label}.`, note, by].filter(Boolean).join(' '));
    }
  }
}
