/**
 * `<tool-approval>`: one tool call, what it would do, how it stands, and what is asked of the user while it waits. The answer
 * is bound to the input that was shown. The foot keeps its height when the buttons go, so that nothing moves under the pointer.
 */
import type { PendingApproval, Remember } from '../types.js';
import { GateElement } from './base.js';
import { Decision, type Answer } from './decision.js';
import { button, setAttribute, setText } from './dom.js';
import { CardFrame } from './frame.js';
import { layOut } from './layout.js';
import { describe, type ApprovalStatus, type StatusView } from './status.js';
import { CARD_STYLES } from './styles.js';
import { fill } from './texts.js';
import { brief } from './visible.js';
import { nameOf, type FoundCall } from './watcher.js';

/** What a `decision` event says: the gate has taken this answer. */
export interface DecisionDetail {
  /** The approval that was answered. */
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whether the call may run. */
  readonly approved: boolean;
  /** The reason of a denial, as the user typed it. */
  readonly reason?: string;
  /** What the user asked to remember. */
  readonly remember?: Remember;
  /** The input as the user edited it. */
  readonly input?: unknown;
  /** `duplicate`: the same answer had been given already. */
  readonly result: 'accepted' | 'duplicate';
}

/** What a `decision-error` event says: the gate refused the answer, with a `ToolGateError` as a rule. */
export interface DecisionErrorDetail {
  /** The approval that was to be answered, or sent again. */
  readonly approvalId: string;
  /** What the gate threw. The card shows what it means in its own words. */
  readonly error: unknown;
}

/** Statuses that are worth a word; the others lie between these. */
const SPOKEN: ReadonlySet<ApprovalStatus> = new Set<ApprovalStatus>([
  'forwarded', 'approved', 'denied', 'done', 'failed', 'skipped', 'expired', 'cancelled', 'interrupted', 'unknown', 'undelivered', 'unconfirmed',
]);

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

  readonly #frame = new CardFrame();
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
  /** The animation frame that will show more of a streaming input. */
  #due: number | undefined;

  constructor() {
    super(CARD_STYLES);
    this.root.prepend(this.#frame.card);
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
    this.#frame.card.focus(options);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unask();
    this.#found = undefined;
    if (this.#due !== undefined) cancelAnimationFrame(this.#due);
    this.#due = undefined;
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
    this.#frame.card.hidden = found === undefined;
    if (!found) {
      this.#unask();
      this.#shown = undefined;
      return;
    }
    if (before && found.part === before.part && found.pending === before.pending && found.isOver === before.isOver && !found.isOver) return;
    const shown = describe(found.part, found.isOver, this.words);
    // A request that was closed, or belongs to another approval by now, is not asked.
    this.#shown = shown.status === 'waiting' && !found.pending ? { ...shown, status: 'interrupted', ...closed(this.words) } : shown;
    this.#frame.head(found.part, this.#shown, this.headingLevel);
    this.#lay(found);
    this.#ask(found);
    if (old?.status !== this.#shown.status) this.#tell(old?.status);
  }

  /** Lays the input out; while it streams, once a frame. */
  #lay({ part, pending }: FoundCall): void {
    const input = pending ? pending.input : (part.input ?? ('rawInput' in part ? part.rawInput : undefined));
    if (this.#isLaidOut && input === this.#input) return;
    if (this.#isLaidOut && part.state === 'input-streaming') {
      this.#due ??= requestAnimationFrame(() => {
        this.#due = undefined;
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
    this.#frame.body.replaceChildren(layOut(input, this.words, this.#opened));
    // The button that was pressed to see all of a text is a new one now.
    if (path !== undefined) [...this.#frame.body.querySelectorAll<HTMLElement>('[data-path]')].find(({ dataset }) => dataset['path'] === path)?.focus();
  }

  /** The foot: the form while the call waits, else how it stands. */
  #ask({ part, pending, isOver }: FoundCall): void {
    const { note, status } = this.#shown as StatusView;
    const asks = status === 'waiting' && pending !== undefined;
    // Measured while the form is still there.
    if (!asks && this.#form) this.#frame.foot.style.minHeight = `${Math.min(this.#frame.foot.offsetHeight, KEPT_HEIGHT)}px`;
    setText(this.#frame.note, note);
    this.#frame.note.hidden = asks || note === '';
    if (!asks) this.#unask();
    else if (!this.#form || this.#isStale || this.#asked !== pending) this.#askAnew(pending);
    this.#isStale = false;
    this.#mayRetry(part.delivery === 'failed' || part.delivery === 'unconfirmed' || isOver ? part.approval?.id : undefined);
    // What asked once keeps its foot, so that nothing below it moves.
    this.#frame.foot.hidden = part.approval === undefined && note === '' && !this.#frame.foot.style.minHeight;
    this.#frame.foot.classList.toggle('slim', part.approval === undefined);
  }

  #askAnew(pending: PendingApproval): void {
    const hadFocus = this.#form !== undefined && this.#form.element.contains(this.root.activeElement);
    this.#unask();
    this.#asked = pending;
    this.#frame.foot.style.minHeight = '';
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
    this.#frame.foot.prepend(this.#form.element);
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
      this.#frame.foot.append(this.#retry);
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
    setText(this.#frame.problem, '');
    try {
      return act();
    } catch (error) {
      const { words } = this;
      const code = (error as { code?: unknown } | null)?.code;
      const problem = brief(error instanceof Error ? error.message : String(error), 200);
      if (code === 'stale-input') setText(this.#frame.problem, words.changed);
      else if (code === 'already-decided') setText(this.#frame.problem, words.answered);
      else if (code === 'superseded' || code === 'already-settled') setText(this.#frame.problem, words.closed);
      else setText(this.#frame.problem, fill(words.refused, { problem }));
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

const closed = (words: { interrupted: string; closed: string }) => ({ tone: 'quiet', label: words.interrupted, note: words.closed }) as const;
