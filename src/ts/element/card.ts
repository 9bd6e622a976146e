/**
 * `<tool-approval>`: one tool call, what it would do, how it stands, and what is asked of the user while it waits. The answer
 * is bound to the input that was shown. The foot keeps its height when the buttons go, so that nothing moves under the pointer.
 */
import type { PendingApproval, Remember } from '../types.js';
import { GateElement } from './base.js';
import { Decision, type Answer } from './decision.js';
import { button, h, setAttribute, setText } from './dom.js';
import { layOut } from './layout.js';
import { describe, type ApprovalStatus, type StatusView } from './status.js';
import { CARD_STYLES } from './styles.js';
import { fill } from './texts.js';
import { brief, cut, textNodes } from './visible.js';
import { nameOf, type FoundCall } from './watcher.js';

/** What a `decision` event says: the gate has taken this answer. */
export interface DecisionDetail {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly remember?: Remember;
  /** The input as the user edited it. */
  readonly input?: unknown;
  /** `duplicate`: the same answer had been given already. */
  readonly result: 'accepted' | 'duplicate';
}

/** What a `decision-error` event says: the gate refused the answer, with a `ToolGateError` as a rule. */
export interface DecisionErrorDetail {
  readonly approvalId: string;
  readonly error: unknown;
}

/** Statuses that are worth a word; the others lie between these. */
const SPOKEN: ReadonlySet<ApprovalStatus> = new Set<ApprovalStatus>([
  'approved', 'denied', 'done', 'failed', 'skipped', 'expired', 'cancelled', 'interrupted', 'unknown', 'undelivered', 'unconfirmed',
]);

/** How much of a title and of a backend's reason is shown, in characters. */
const TITLE = 200;
const WHY = 2000;

/** The foot keeps the height that the form had, up to this, in pixels: an open editor or reason leaves no hole. */
const KEPT_HEIGHT = 112;

/** The request that the last click was for: the second half of a double click is not meant for the next card. */
let pressed: string | undefined;

/** A card for one tool call. */
export class ToolApprovalElement extends GateElement {
  /** Who says it when the call begins to wait: the card (default), or nobody, because the app does. Attribute `announce="none"`. */
  get announce(): 'all' | 'none' {
    return this.getAttribute('announce') === 'none' ? 'none' : 'all';
  }

  set announce(value: 'all' | 'none' | undefined | null) {
    setAttribute(this, 'announce', value ?? undefined);
  }

  readonly #card: HTMLElement;
  readonly #name: HTMLElement;
  readonly #nameStatus: HTMLElement;
  readonly #pill: HTMLElement;
  readonly #why: HTMLElement;
  readonly #body: HTMLElement;
  readonly #foot: HTMLElement;
  readonly #note: HTMLElement;
  readonly #problem: HTMLElement;
  readonly #opened = new Set<string>();
  #callId: string | undefined;
  #found: FoundCall | undefined;
  #input: unknown;
  #isLaidOut = false;
  /** The form was made with other settings. */
  #isStale = false;
  /** A reason that was typed, for a form that is made anew: of the same request, or when the card is put elsewhere. */
  #typed: { approvalId: string; reason: string } | undefined;
  #form: Decision | undefined;
  #asked: PendingApproval | undefined;
  #retry: HTMLButtonElement | undefined;
  #shown: StatusView | undefined;
  #frame: number | undefined;

  constructor() {
    super(CARD_STYLES);
    this.#name = h('span', {});
    this.#nameStatus = h('span', { class: 'hidden' });
    this.#pill = h('span', { class: 'status', part: 'status', 'aria-hidden': 'true' });
    const title = h('div', { id: 'title', class: 'title', part: 'title', role: 'heading' }, slot('title', this.#name), this.#nameStatus);
    this.#why = h('p', { class: 'request-reason', part: 'request-reason', dir: 'auto', hidden: true });
    this.#body = h('div', { class: 'body', part: 'body' });
    this.#note = h('p', { class: 'note', part: 'note' });
    this.#problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
    this.#foot = h('footer', { part: 'footer' }, this.#note, this.#problem);
    this.#card = h(
      'section',
      { class: 'card', part: 'card', tabindex: '-1', 'aria-labelledby': 'title', hidden: true },
      h('header', { part: 'header' }, title, this.#pill),
      this.#why,
      slot('body', this.#body),
      this.#foot,
    );
    this.root.prepend(this.#card);
  }

  /** Which approval to show: attribute `approval-id`. */
  get approvalId(): string | undefined {
    return this.getAttribute('approval-id') ?? undefined;
  }

  set approvalId(id: string | undefined | null) {
    setAttribute(this, 'approval-id', id ?? undefined);
  }

  /** Which tool call to show: attribute `tool-call-id`. Needed only without an approval id; shows calls that ask nothing too. */
  get toolCallId(): string | undefined {
    return this.getAttribute('tool-call-id') ?? undefined;
  }

  set toolCallId(id: string | undefined | null) {
    setAttribute(this, 'tool-call-id', id ?? undefined);
  }

  /** How the call stands; undefined while there is none. */
  get status(): ApprovalStatus | undefined {
    return this.#shown?.status;
  }

  /** Focuses the card as a whole, not a button: a key that is held down must not approve unseen. */
  override focus(options?: FocusOptions): void {
    this.#card.focus(options);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unask();
    this.#found = undefined;
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  protected override reset(): void {
    this.#callId = undefined;
    this.#found = undefined;
    this.#isLaidOut = false;
    this.#isStale = true;
    super.reset();
  }

  protected override update(): void {
    const { toolCallId, approvalId, watcher } = this;
    // A call that is called off or expires may lose its approval: whose it was is remembered.
    this.#callId = toolCallId ?? (approvalId === undefined ? undefined : watcher?.callOf(approvalId)) ?? this.#callId;
    const found = this.#callId === undefined ? undefined : watcher?.find(this.#callId);
    const [before, old] = [this.#found, this.#shown];
    this.#found = found;
    this.#card.hidden = found === undefined;
    if (!found) {
      this.#unask();
      this.#shown = undefined;
      return;
    }
    if (before && found.part === before.part && found.pending === before.pending && found.isOver === before.isOver && !found.isOver) return;
    const shown = describe(found.part, found.isOver, this.words);
    // A request that was closed, or belongs to another approval by now, is not asked.
    this.#shown = shown.status === 'waiting' && !found.pending ? { ...shown, status: 'interrupted', ...closed(this.words) } : shown;
    this.#head(found);
    this.#lay(found);
    this.#ask(found);
    if (old?.status !== this.#shown.status) this.#tell(old?.status);
  }

  #head({ part }: FoundCall): void {
    const { status, tone, label } = this.#shown as StatusView;
    setAttribute(this.#card, 'class', `card ${tone}`);
    setAttribute(this.#card, 'part', `card card-${status}`);
    setAttribute(this.#card, 'data-status', status);
    setAttribute(this.#card.querySelector('#title') as Element, 'aria-level', String(this.headingLevel));
    const title = part.title || nameOf(part);
    if (this.#name.dataset['title'] !== title) {
      this.#name.dataset['title'] = title;
      this.#name.replaceChildren(...textNodes(ended(title, TITLE)));
    }
    setText(this.#nameStatus, ` (${label})`);
    setText(this.#pill, label);
    const why = part.approval?.requestReason;
    this.#why.hidden = typeof why !== 'string' || why === '';
    if (typeof why === 'string' && this.#why.dataset['why'] !== why) {
      this.#why.dataset['why'] = why;
      this.#why.replaceChildren(...textNodes(ended(why, WHY)));
    }
  }

  /** Lays the input out; while it streams, once a frame. */
  #lay({ part, pending }: FoundCall): void {
    const input = pending ? pending.input : (part.input ?? ('rawInput' in part ? part.rawInput : undefined));
    if (this.#isLaidOut && input === this.#input) return;
    if (this.#isLaidOut && part.state === 'input-streaming') {
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = undefined;
        if (this.#found?.part.state === 'input-streaming') this.#layNow(this.#found.part.input ?? this.#found.part.rawInput);
      });
      return;
    }
    this.#layNow(input);
  }

  #layNow(input: unknown): void {
    const path = (this.root.activeElement as HTMLElement | null)?.dataset['path'];
    this.#isLaidOut = true;
    this.#input = input;
    this.#body.replaceChildren(layOut(input, this.words, this.#opened));
    // The button that was pressed to see all of a text is a new one now.
    if (path !== undefined) [...this.#body.querySelectorAll<HTMLElement>('[data-path]')].find(({ dataset }) => dataset['path'] === path)?.focus();
  }

  /** The foot: the form while the call waits, else how it stands. */
  #ask({ part, pending, isOver }: FoundCall): void {
    const { note, status } = this.#shown as StatusView;
    const asks = status === 'waiting' && pending !== undefined;
    // Measured while the form is still there.
    if (!asks && this.#form) this.#foot.style.minHeight = `${Math.min(this.#foot.offsetHeight, KEPT_HEIGHT)}px`;
    setText(this.#note, note);
    this.#note.hidden = asks || note === '';
    if (!asks) this.#unask();
    else if (!this.#form || this.#isStale || this.#asked !== pending) this.#askAnew(pending);
    this.#isStale = false;
    this.#mayRetry(part.delivery === 'failed' || part.delivery === 'unconfirmed' || isOver ? part.approval?.id : undefined);
    // What asked once keeps its foot, so that nothing below it moves.
    this.#foot.hidden = part.approval === undefined && note === '' && !this.#foot.style.minHeight;
    this.#foot.classList.toggle('slim', part.approval === undefined);
  }

  #askAnew(pending: PendingApproval): void {
    const hadFocus = this.#form !== undefined && this.#form.element.contains(this.root.activeElement);
    this.#unask();
    this.#asked = pending;
    this.#foot.style.minHeight = '';
    this.#form = new Decision(
      {
        pending,
        texts: this.words,
        tool: this.#tool(),
        remember: this.remember,
        takesEdit: this.gate?.takesEdit(pending.approvalId) ?? false,
        check: (input) => this.validateInput?.(input),
        decide: (answer, clicks) => this.#decide(pending, answer, clicks),
        hurry: (seconds) => this.say(fill(this.words.secondsLeft, { tool: this.#tool(), seconds })),
      },
      this.#typed?.approvalId === pending.approvalId ? this.#typed.reason : '',
    );
    this.#foot.prepend(this.#form.element);
    if (hadFocus) this.focus({ preventScroll: true });
  }

  #unask(): void {
    if (this.#form && this.#asked) this.#typed = { approvalId: this.#asked.approvalId, reason: this.#form.typed };
    this.#form?.stop();
    this.#form?.element.remove();
    this.#form = undefined;
    this.#asked = undefined;
  }

  /** A decision that did not get there, or got no result, can be sent again. */
  #mayRetry(approvalId: string | undefined): void {
    const item = approvalId === undefined ? undefined : this.gate?.undelivered().find(({ approvalIds }) => approvalIds.includes(approvalId));
    if (!item) {
      this.#retry?.remove();
      this.#retry = undefined;
    } else if (!this.#retry) {
      this.#retry = button('retry', this.words.retry, () => {
        const again = this.gate?.undelivered().find(({ approvalIds }) => approvalIds.includes(approvalId as string));
        if (again) this.#try(approvalId as string, () => this.gate?.retry(again.id));
        this.focus({ preventScroll: true });
      });
      this.#foot.append(this.#retry);
    }
  }

  #decide(pending: PendingApproval, answer: Answer, clicks: number): void {
    const { approvalId, toolCallId, toolName } = pending;
    if (clicks > 1 && pressed !== approvalId) return;
    pressed = approvalId;
    const { gate } = this;
    if (!gate) return;
    const hadFocus = this.root.activeElement !== null;
    const result = this.#try(approvalId, () => gate.respond(approvalId, { ...answer, inputDigest: pending.inputDigest }));
    if (this.isConnected) this.update();
    if (result === undefined) return;
    // The button that had the focus is gone.
    if (hadFocus && this.isConnected && !this.#form) this.focus({ preventScroll: true });
    this.#emit<DecisionDetail>('decision', { approvalId, toolCallId, toolName, ...answer, result });
  }

  /** Does something with the gate; what it refuses is shown. */
  #try<T>(approvalId: string, act: () => T): T | undefined {
    setText(this.#problem, '');
    try {
      return act();
    } catch (error) {
      const { words } = this;
      const code = (error as { code?: unknown } | null)?.code;
      const problem = brief(error instanceof Error ? error.message : String(error), 200);
      if (code === 'stale-input') setText(this.#problem, words.changed);
      else if (code === 'already-decided') setText(this.#problem, words.answered);
      else if (code === 'superseded' || code === 'already-settled') setText(this.#problem, words.closed);
      else setText(this.#problem, fill(words.refused, { problem }));
      this.#emit<DecisionErrorDetail>('decision-error', { approvalId, error });
      return undefined;
    }
  }

  #tell(before: ApprovalStatus | undefined): void {
    const { status, label, note } = this.#shown as StatusView;
    if (status === 'waiting') {
      if (this.announce === 'all') this.say(fill(this.words.arrived, { tool: this.#tool() }));
    } else if (before !== undefined && SPOKEN.has(status)) {
      this.say(`${this.#tool()}: ${label}. ${note}`.trim());
    }
  }

  #tool(): string {
    const part = this.#found?.part;
    return part ? brief(part.title || nameOf(part), 60) : '';
  }

  #emit<DETAIL>(type: string, detail: DETAIL): void {
    this.dispatchEvent(new CustomEvent<DETAIL>(type, { detail, bubbles: true, composed: true }));
  }
}

const ended = (text: string, most: number): string => (text.length > most ? `${cut(text, most)}…` : text);

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);

const closed = (words: { interrupted: string; closed: string }) => ({ tone: 'quiet', label: words.interrupted, note: words.closed }) as const;
