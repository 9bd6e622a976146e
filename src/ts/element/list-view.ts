/**
 * The view of `<tool-approvals>`: a card for each call of the current step that needed an approval, in call order. A
 * card remains until the next step begins, so that nothing moves while the user decides several calls. After a decision
 * the next waiting card gets the focus.
 */
import type { PendingApproval, ToolPart } from '../types/index.js';
import { ElementView } from './element-view.js';
import type { CardHost, Host } from './host.js';
import { callsOfStep } from '../types/tool-part.js';
import { DECIDED } from '../approval/controls.js';
import { h, setAttribute } from './card-dom.js';
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
    this.root.prepend(this.#list, this.#decideAll.element);
    this.host.addEventListener('decision', () => this.#focusNext());
    // The buttons for what is held disappear.
    this.#decideAll.element.addEventListener(DECIDED, () => this.focus({ preventScroll: true }));
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
    this.#decideAll.update(this.#pendingOf(ids));
    this.#announceNew();
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
