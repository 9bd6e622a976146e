/**
 * The view of `<tool-approvals>`: a card for each call of the current step that needed an approval, in call order. A
 * card remains until the next step begins, so that nothing moves while the user decides several calls. After a decision
 * the next waiting card gets the focus.
 */
import type { PendingApproval, ToolPart } from '../types/index.js';
import { ElementView } from './element-view.js';
import type { CardHost, Host } from './host.js';
import { callsOfStep } from '../types/tool-part.js';
import { guardPresses } from '../approval/press-guard.js';
import { button, h, setAttribute, setText } from './card-dom.js';
import { LIST_STYLES } from './card-styles.js';
import { fill } from '../describe/call-texts.js';
import { counted, setLanguage } from '../approval/texts.js';
import { DecideAll } from './decide-all.js';
import { briefName, labelOf } from '../approval/tool-names.js';

/** Maximum number of cards at a time. */
const CARDS = 1000;

/** The view of a list. */
export class ListView extends ElementView {
  readonly #list: HTMLElement;
  readonly #decideAll: DecideAll;
  readonly #send = button('send-now', '', () => this.#act(() => this.host.gate?.resume()));
  readonly #doNotRun = button('do-not-run', '', () =>
    this.#act(() =>
      this.#held.forEach(({ approval }) => this.host.gate?.cancel(undefined, { approvalId: approval!.id })),
    ),
  );
  readonly #acts = h(
    'div',
    { class: 'all', part: 'held', hidden: true },
    h('div', { class: 'buttons' }, this.#send, this.#doNotRun),
  );
  /** The calls whose approvals are held. */
  #held: readonly ToolPart[] = [];
  readonly #cards = new Map<string, CardHost>();
  /** The approvals that were announced. */
  #announced = new Set<string>();
  /** True if the cards have outdated settings. */
  #areCardsStale = false;

  constructor(host: Host, root: ShadowRoot) {
    super(host, root, LIST_STYLES);
    this.#list = h('div', { 'class part': 'list', role: 'group', tabindex: '-1' }, h('slot', {}));
    this.#decideAll = new DecideAll({
      host,
      texts: () => this.words,
      announce: (text) => this.announceText(text),
    });
    guardPresses(this.#acts, () => this.announceText(this.words.tooSoon));
    this.root.prepend(this.#list, this.#decideAll.element, this.#acts);
    this.host.addEventListener('decision', () => this.#focusNext());
  }

  /** Focuses the first waiting card, or the list if no card waits. */
  override focus(options?: FocusOptions): void {
    const next = [...this.#cards.values()].find(({ status }) => status === 'waiting');
    if (next) next.focus(options);
    else this.#list.focus(options);
  }

  override disconnect(): void {
    super.disconnect();
    this.#decideAll.stop();
  }

  override changed(): void {
    for (const card of this.#cards.values()) card.tools = this.host.tools;
    super.changed();
  }

  override reset(): void {
    this.#areCardsStale = true;
    super.reset();
  }

  /** The focused element of the tree that contains the list. */
  get #active(): Element | null {
    return (this.host.getRootNode() as Document | ShadowRoot).activeElement;
  }

  protected override update(): void {
    setAttribute(this.#list, 'aria-label', this.words.list);
    setLanguage(this.#list, this.words);
    const ids = new Set(this.#shownOf(this.#calls()));
    const hadFocus = this.#active !== this.host && this.host.contains(this.#active);
    for (const [id, card] of this.#cards) {
      if (ids.has(id)) continue;
      card.remove();
      this.#cards.delete(id);
    }
    let last: Element | undefined;
    for (const id of ids) {
      const card = this.#card(id);
      const place = last ? last.nextElementSibling : this.host.firstElementChild;
      if (place !== card) this.host.insertBefore(card, place);
      last = card;
    }
    this.#areCardsStale = false;
    if (hadFocus && !this.host.contains(this.#active)) this.focus({ preventScroll: true });
    this.#decideAll.update(this.#pendingOf(ids), ids.size > 0);
    this.#updateActs();
    this.#announceNew();
  }

  /** Offers to send what is held, or not to run it, if no single card can. */
  #updateActs(): void {
    const { turn, queued } = this.host.gate?.getSnapshot() ?? {};
    const held = this.#calls().filter(({ delivery }) => delivery === 'held');
    this.#held = held.filter(({ state }) => state === 'approval-responded');
    this.#acts.hidden = held.length === 1 || !turn?.waitingFor.some(({ kind }) => kind === 'resume');
    this.#doNotRun.hidden = this.#held.length === 0;
    setText(this.#send, held.length + (queued?.length ?? 0) > 0 ? this.words.sendNow : this.words.goOn);
    setText(this.#doNotRun, this.words.doNotRun);
    setLanguage(this.#acts, this.words);
  }

  #act(act: () => void): void {
    act();
    this.focus({ preventScroll: true });
  }

  /** The approvals of these calls that can be decided. */
  #pendingOf(ids: ReadonlySet<string>): PendingApproval[] {
    const { gate } = this.host;
    return [...ids].map((id) => gate?.approval(id)).filter((pending) => pending !== undefined);
  }

  /** The calls to show: of very many, those around the first one that waits. */
  #shownOf(calls: readonly ToolPart[]): string[] {
    const first = calls.findIndex(({ toolCallId }) => this.host.gate?.approval(toolCallId) !== undefined);
    const from = Math.max(0, first - (first % CARDS));
    return calls.slice(from, from + CARDS).map(({ toolCallId }) => toolCallId);
  }

  #card(id: string): CardHost {
    let card = this.#cards.get(id);
    if (!card) {
      card = document.createElement('tool-approval') as CardHost;
      card.announce = 'none';
      card.toolCallId = id;
      this.#cards.set(id, card);
    } else if (!this.#areCardsStale) {
      return card;
    }
    card.remember = this.host.remember;
    card.headingLevel = this.host.headingLevel;
    card.texts = this.host.texts;
    card.validateInput = (input) => this.host.validateInput?.(input);
    setAttribute(card, 'theme', this.host.getAttribute('theme') ?? undefined);
    card.tools = this.host.tools;
    card.gate = this.host.gate;
    return card;
  }

  /** The calls of the last step that have an approval (not an automatic one), or already have a card. */
  #calls(): ToolPart[] {
    const calls = this.host.gate ? callsOfStep(this.host.gate.getSnapshot()) : [];
    return calls.filter(
      ({ approval, toolCallId }) => (approval && approval.isAutomatic !== true) || this.#cards.has(toolCallId),
    );
  }

  #announceNew(): void {
    const pending = this.host.gate?.getSnapshot().pending ?? [];
    const unannounced = pending.filter(({ approvalId }) => !this.#announced.has(approvalId));
    this.#announced = new Set(pending.map(({ approvalId }) => approvalId));
    const [first] = unannounced;
    if (!first) return;
    const part = this.host.gate?.part(first.toolCallId);
    const tool = part ? labelOf(part) : briefName(first.toolName);
    this.announceText(
      unannounced.length === 1
        ? fill(this.words.arrived, { tool })
        : counted(this.words, 'arrivedMany', unannounced.length),
    );
  }

  /**
   * Focuses the next waiting card if a card of this list has the focus. A decision made elsewhere must not move the
   * focus.
   */
  #focusNext(): void {
    const cards = [...this.host.querySelectorAll<CardHost>(':scope > tool-approval')];
    const at = cards.findIndex((card) => card === this.#active);
    if (at >= 0) [...cards.slice(at + 1), ...cards.slice(0, at)].find(({ status }) => status === 'waiting')?.focus();
  }
}
