/**
 * `<tool-approval>`: one tool call, what it would do, how it stands, and what is asked of the user while it waits. The answer
 * is bound to the input that was shown. The foot keeps its height when the buttons go, so that nothing moves under the pointer.
 */
import type { PendingApproval } from '../types/index.js';
import { GateElement } from './base.js';
import { DecisionForm, type FormAnswer, type DecisionState } from './decision.js';
import { button, setAttribute, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { CardFrame } from './frame.js';
import { layOut } from './layout.js';
import { describe, type ApprovalStatus, type StatusView } from './status.js';
import { CARD_STYLES } from './card-styles.js';
import { fill } from './card-texts.js';
import { briefName, labelOf } from './tool-names.js';
import { brief } from './visible.js';
import type { FoundCall } from './watcher.js';

/** Statuses that are worth a word; the others lie between these. */
const SPOKEN: ReadonlySet<ApprovalStatus> = new Set<ApprovalStatus>([
  'forwarded',
  'approved',
  'denied',
  'done',
  'failed',
  'skipped',
  'expired',
  'cancelled',
  'interrupted',
  'unknown',
  'undelivered',
  'unconfirmed',
]);

/** The foot keeps the height that the buttons had, up to this, in pixels: an open editor or reason leaves no hole. */
const KEPT_HEIGHT = 112;

/** The room around the buttons in the foot, and its border. */
const AROUND_BUTTONS = 21;

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
  readonly #opened = new Map<string, number>();
  #callId: string | undefined;
  #found: FoundCall | undefined;
  #input: unknown;
  #isLaidOut = false;
  /** The form was made with other settings. */
  #isStale = false;
  /** What the user had put in, for a new form: with other words, or when the card is put elsewhere. */
  #left: { pending: PendingApproval; state: DecisionState } | undefined;
  #form: DecisionForm | undefined;
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

  /**
   * The message that the call is in: attribute `message-id`. Needed only where call ids come again; default: the newest
   * call.
   */
  get messageId(): string | undefined {
    return this.getAttribute('message-id') ?? undefined;
  }

  set messageId(id: string | undefined | null) {
    setAttribute(this, 'message-id', id ?? undefined);
  }

  /** The status of the call; undefined while there is none. */
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
    const { toolCallId, approvalId, messageId, watcher } = this;
    // A call that is cancelled or expires may lose its approval: whose it was is remembered.
    this.#callId = toolCallId ?? (approvalId === undefined ? undefined : watcher?.callOf(approvalId)) ?? this.#callId;
    const found = this.#callId === undefined ? undefined : watcher?.find(this.#callId, messageId);
    const [before, old] = [this.#found, this.#shown];
    this.#found = found;
    this.#frame.card.hidden = found === undefined;
    if (!found) {
      this.#unask();
      this.#shown = undefined;
      return;
    }
    if (
      before &&
      found.part === before.part &&
      found.pending === before.pending &&
      found.isOver === before.isOver &&
      !found.isOver
    )
      return;
    const shown = describe(found.part, found.isOver, this.words);
    // A request that was closed, or belongs to another approval by now, is not asked.
    this.#shown =
      shown.status === 'waiting' && !found.pending ? { ...shown, status: 'interrupted', ...closed(this.words) } : shown;
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
        if (this.#found?.part.state === 'input-streaming')
          this.#layNow(this.#found.part.input ?? this.#found.part.rawInput);
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
    if (path !== undefined)
      [...this.#frame.body.querySelectorAll<HTMLElement>('[data-path]')]
        .find(({ dataset }) => dataset['path'] === path)
        ?.focus();
  }

  /** The foot: the form while the call waits, else how it stands. */
  #ask({ part, pending, isOver }: FoundCall): void {
    const { note, status } = this.#shown as StatusView;
    const asks = status === 'waiting' && pending !== undefined;
    // Measured while the form is still there.
    if (!asks && this.#form) {
      const height = Math.min(this.#form.restingHeight + AROUND_BUTTONS, KEPT_HEIGHT);
      this.#frame.foot.style.minHeight = `${height}px`;
    }
    setText(this.#frame.note, note);
    this.#frame.note.hidden = asks || note === '';
    if (!asks) this.#unask();
    else if (!this.#form || this.#isStale || !isSame(this.#asked, pending)) this.#askAnew(pending);
    else if (this.#asked !== pending) this.#form.renew((this.#asked = pending));
    this.#isStale = false;
    this.#mayRetry(
      part.delivery === 'failed' || part.delivery === 'unconfirmed' || isOver ? part.approval?.id : undefined,
    );
    // What asked once keeps its foot, so that nothing below it moves.
    this.#frame.foot.hidden = part.approval === undefined && note === '' && !this.#frame.foot.style.minHeight;
    this.#frame.foot.classList.toggle('slim', part.approval === undefined);
  }

  #askAnew(pending: PendingApproval): void {
    const hadFocus = this.#form !== undefined && this.#form.element.contains(this.root.activeElement);
    this.#unask();
    this.#asked = pending;
    this.#frame.foot.style.minHeight = '';
    this.#form = new DecisionForm(
      {
        pending,
        texts: this.words,
        tool: this.#tool(),
        toolName: briefName(pending.toolName),
        remember: this.remember,
        isEditable: pending.editable,
        check: (input) => this.validateInput?.(input),
        now: this.now,
        decide: (asked, answer, clicks) => this.#decide(asked, answer, clicks),
        hurry: (seconds) => this.say(fill(this.words.secondsLeft, { tool: this.#tool(), seconds })),
      },
      this.#stateFor(pending),
    );
    this.#frame.foot.prepend(this.#form.element);
    if (hadFocus) this.focus({ preventScroll: true });
  }

  /** What the user had put in for this request; of the same request with another input, why it is denied. */
  #stateFor(pending: PendingApproval): Partial<DecisionState> | undefined {
    if (this.#left?.pending.approvalId !== pending.approvalId) return undefined;
    const { state } = this.#left;
    return isSame(this.#left.pending, pending) ? state : { reason: state.reason, hasReason: state.hasReason };
  }

  #unask(): void {
    if (this.#form && this.#asked) this.#left = { pending: this.#asked, state: this.#form.state };
    this.#form?.stop();
    this.#form?.element.remove();
    this.#form = undefined;
    this.#asked = undefined;
  }

  /** A decision that did not get there, or got no result, can be sent again. */
  #mayRetry(approvalId: string | undefined): void {
    const item =
      approvalId === undefined
        ? undefined
        : this.gate?.undelivered().find(({ approvalIds }) => approvalIds.includes(approvalId));
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

  #decide(pending: PendingApproval, answer: FormAnswer, clicks: number): void {
    const { approvalId, toolCallId, toolName } = pending;
    if (clicks > 1 && pressed !== approvalId) return;
    pressed = approvalId;
    const { gate } = this;
    if (!gate) return;
    const hadFocus = this.root.activeElement !== null;
    const result = this.#try(approvalId, () => gate.respond(pending, answer));
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
    return part ? labelOf(part) : '';
  }

  #emit<DETAIL>(type: string, detail: DETAIL): void {
    this.dispatchEvent(new CustomEvent<DETAIL>(type, { detail, bubbles: true, composed: true }));
  }
}

/** Whether two are one request: for the same call, with the input that was shown. */
function isSame(before: PendingApproval | undefined, now: PendingApproval): boolean {
  if (before === now) return true;
  if (before?.approvalId !== now.approvalId || before.toolCallId !== now.toolCallId) return false;
  if (before.toolName !== now.toolName) return false;
  // What cannot be digested is compared as it is.
  return before.input === now.input || (before.inputDigest !== '' && before.inputDigest === now.inputDigest);
}

const closed = (words: { interrupted: string; closed: string }) =>
  ({ tone: 'quiet', label: words.interrupted, note: words.closed }) as const;
