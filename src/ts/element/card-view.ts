/**
 * The view of `<tool-approval>`: one tool call with its input, its status, and the form while it waits for a decision.
 * A decision is bound to the input that the card showed. The footer keeps its height when the buttons disappear, so
 * that nothing moves under the pointer.
 */
import { elementView } from './element-view.js';
import type { CardHost, View } from './host.js';
import { decisionForm } from '../approval/approval-form.js';
import { emit, setText } from './card-dom.js';
import type { DecisionDetail, DecisionErrorDetail } from './card-events.js';
import { cardFrame } from './card-frame.js';
import { drawnForm } from './drawn-form.js';
import { layOut } from './layout.js';
import type { CallStatus } from '../describe/call-status.js';
import { wordsOf, type CallWords } from '../describe/call-words.js';
import { CARD_STYLES } from './card-styles.js';
import { fill } from '../describe/call-texts.js';
import { deciderText, sharedOf } from '../approval/shared-state.js';
import { labelOf } from '../approval/tool-names.js';
import type { ToolPart } from '../types/index.js';
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

/** Creates the view of one card. */
export function cardView(host: CardHost, root: ShadowRoot): View {
  const frame = cardFrame();
  const { foot } = frame;
  const openSections = new Map<string, number>();
  let callId: string | undefined;
  let found: FoundCall | undefined;
  /** The input that is laid out. */
  let laidOut: unknown = NOTHING;
  const form = decisionForm();
  const drawn = drawnForm();
  /** Whether the form asks for a decision. */
  let asks: boolean | undefined;
  /** What was announced about the time that is left. */
  let said = '';
  /** What is shown of the call. */
  let inView: readonly unknown[] = [];
  let shown: CallWords | undefined;
  /** The requested animation frame that renders the streamed input. */
  let frameRequest: number | undefined;

  const view = elementView(host, root, CARD_STYLES, {
    update,
    reset() {
      callId = found = undefined;
      laidOut = NOTHING;
      inView = [];
    },
    disconnect() {
      form.attach(null);
      host.removeAttribute('denying');
      drawn.element.remove();
      asks = found = undefined;
      inView = [];
      cancelAnimationFrame(frameRequest!);
      frameRequest = undefined;
    },
    // The card itself, not a button: a key that is held down must not approve a call that the user has not read.
    focus: (options) => frame.card.focus(options),
  });

  function update(): void {
    const { toolCallId, approvalId, messageId, gate } = host;
    // A cancelled or expired call may lose its approval, so the card stores the call id.
    callId = toolCallId ?? (gate && approvalId !== undefined ? callOf(gate, approvalId) : undefined) ?? callId;
    found = gate && callId !== undefined ? findCall(gate, callId, messageId) : undefined;
    const old = shown;
    frame.card.hidden = found === undefined;
    if (!found) {
      form.attach(null);
      shown = undefined;
      inView = [];
      return;
    }
    const now = [found.part, found.approval, found.isOver, found.heldUntil, `${found.acts}`];
    if (!found.isOver && now.every((value, at) => value === inView[at])) return;
    inView = now;
    shown = wordsOf(found.part, found, view.words);
    frame.renderHeader(found.part, shown, host.headingLevel, view.words);
    updateBody(found);
    updateFooter(found, shown);
    if (old?.status !== shown.status) announceStatus(old?.status, found.part, shown);
  }

  /** Renders the input; at most once per frame while it streams. */
  function updateBody({ part, approval: pending }: FoundCall): void {
    const input = pending ? pending.input : (part.input ?? ('rawInput' in part ? part.rawInput : undefined));
    if (input === laidOut) return;
    if (laidOut !== NOTHING && part.state === 'input-streaming') {
      frameRequest ??= requestAnimationFrame(() => {
        frameRequest = undefined;
        laidOut = NOTHING;
        if (found) updateBody(found);
      });
      return;
    }
    const path = (root.activeElement as HTMLElement | null)?.dataset['path'];
    laidOut = input;
    frame.body.replaceChildren(layOut(input, view.words, openSections));
    // The new layout replaced the focused button: focus its successor.
    if (path !== undefined)
      [...frame.body.querySelectorAll<HTMLElement>('[data-path]')]
        .find(({ dataset }) => dataset['path'] === path)
        ?.focus();
  }

  /** Renders the footer: the form while the call waits, otherwise the note. */
  function updateFooter({ part, approval: pending }: FoundCall, { note, status }: CallWords): void {
    const asked = asks;
    asks = status === 'waiting' && pending !== undefined;
    // Measure before the form is removed.
    if (!asks && asked) {
      const height = Math.min(drawn.buttons.offsetHeight + FOOTER_PADDING, MAX_KEPT_HEIGHT);
      foot.style.minHeight = `${height}px`;
    }
    setText(frame.decidedBy, asks ? '' : deciderText(host.gate, part, status, view.words));
    setText(frame.note, asks ? '' : note);
    if (asks !== asked) foot[asks ? 'prepend' : 'append'](drawn.element);
    if (asks) {
      foot.style.minHeight = '';
      if (host.gate) sharedOf(host.gate)[3].add(pending!.approvalId);
    }
    // A card that had a form keeps its footer, so that nothing below it moves.
    foot.hidden = part.approval === undefined && note === '' && !foot.style.minHeight;
    foot.classList.toggle('slim', part.approval === undefined);
    drawForm();
  }

  /** Draws the form: what the user can enter and press. */
  function drawForm(): void {
    const { gate, tools, remember } = host;
    if (!found || !host.isConnected) return;
    const now = form.view({
      gate,
      part: found.part,
      texts: view.words,
      tools,
      remember,
      validateInput: (input) => host.validateInput?.(input),
      // A list may set it after this.
      get hold() {
        return host.hold;
      },
      onDecision: (decision) => emit<DecisionDetail>(host, 'decision', decision),
      onRefusal: (approvalId, error) => emit<DecisionErrorDetail>(host, 'decision-error', { approvalId, error }),
    })!;
    drawn.draw(now, view.words);
    host.toggleAttribute('denying', now.fields[0]?.id === 'reason');
    setText(frame.problem, now.problem);
    frame.card.classList.toggle('dangerous', now.isDangerous);
    setText(frame.danger, now.isDangerous ? view.words.dangerous : '');
    frame.renderSummary(now.summary);
    if (now.announcement && now.announcement !== said) view.announce(now.announcement);
    said = now.announcement;
    form.attach(drawn.element);
    form.rendered();
  }

  function announceStatus(before: CallStatus | undefined, part: ToolPart, { status, label, note }: CallWords): void {
    const tool = labelOf(part);
    const isWithdrawn = before === 'waiting' && status === 'checking';
    if (status === 'waiting') {
      if (host.announce === 'all') view.announce(fill(view.words.arrived, { tool }));
    } else if (
      before !== undefined &&
      // The first change after the list's announcement is not announced; it can be a silent one.
      !(part.approval && sharedOf(host.gate!)[4].delete(part.approval.id)) &&
      (!IS_SILENT.includes(status) || isWithdrawn)
    ) {
      const by = deciderText(host.gate, part, status, view.words);
      view.announce([`${tool}: ${label}.`, note, by].filter(Boolean).join(' '));
    }
  }

  // Draws what has followed from a decision, or the form alone.
  form.subscribe(() => {
    if (!host.isConnected) return;
    const before = found?.part;
    update();
    if (found?.part === before) drawForm();
  });
  root.prepend(frame.card);
  return {
    ...view,
    get status() {
      return shown?.status;
    },
    changed: drawForm,
  };
}
