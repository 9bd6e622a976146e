/**
 * `<tool-approvals>`: a card for each call of the present step that asked the user, in call order. A card stays until the chat
 * has gone on, so that nothing moves while several are answered. After an answer the focus goes to the next card that waits.
 */
import { GateElement } from './base.js';
import { ToolApprovalElement } from './card.js';
import { h, setAttribute } from './dom.js';
import { LIST_STYLES } from './styles.js';
import { fill } from './texts.js';
import { brief } from './visible.js';
import { nameOf, toolParts } from './watcher.js';

/** The cards of all approvals of a gate. */
export class ToolApprovalsElement extends GateElement {
  static override readonly observedAttributes: readonly string[] = ['remember', 'heading-level', 'theme'];

  readonly #list: HTMLElement;
  readonly #cards = new Map<string, ToolApprovalElement>();
  /** The approvals that were told. */
  #told = new Set<string>();
  /** The cards have other settings. */
  #isStale = false;

  constructor() {
    super(LIST_STYLES);
    this.#list = h('div', { class: 'list', part: 'list', role: 'group', tabindex: '-1' }, h('slot', {}));
    this.root.prepend(this.#list);
    this.addEventListener('decision', () => this.#moveOn());
  }

  /** Focuses the first card that waits, or else the list. */
  override focus(options?: FocusOptions): void {
    const next = [...this.#cards.values()].find(({ status }) => status === 'waiting');
    if (next) next.focus(options);
    else this.#list.focus(options);
  }

  protected override reset(): void {
    this.#isStale = true;
    super.reset();
  }

  /** What has the focus, in the tree that the list is in. */
  get #active(): Element | null {
    return (this.getRootNode() as Document | ShadowRoot).activeElement;
  }

  protected override update(): void {
    setAttribute(this.#list, 'aria-label', this.words.list);
    const ids = new Set(this.#calls());
    const hadFocus = this.#active !== this && this.contains(this.#active);
    for (const [id, card] of this.#cards) {
      if (ids.has(id)) continue;
      card.remove();
      this.#cards.delete(id);
    }
    let last: Element | undefined;
    for (const id of ids) {
      const card = this.#card(id);
      const place = last ? last.nextElementSibling : this.firstElementChild;
      if (place !== card) this.insertBefore(card, place);
      last = card;
    }
    this.#isStale = false;
    if (hadFocus && !this.contains(this.#active)) this.focus({ preventScroll: true });
    this.#tell();
  }

  #card(id: string): ToolApprovalElement {
    let card = this.#cards.get(id);
    if (!card) {
      card = document.createElement('tool-approval') as ToolApprovalElement;
      card.announce = 'none';
      card.toolCallId = id;
      this.#cards.set(id, card);
    } else if (!this.#isStale) {
      return card;
    }
    card.remember = this.remember;
    card.headingLevel = this.headingLevel;
    card.texts = this.texts;
    card.validateInput = (input) => this.validateInput?.(input);
    setAttribute(card, 'theme', this.getAttribute('theme') ?? undefined);
    card.gate = this.gate;
    return card;
  }

  /** The calls of the last step that asked, or asked once and are here already. */
  #calls(): string[] {
    const last = this.gate?.getSnapshot().messages.at(-1);
    if (last?.role !== 'assistant') return [];
    const step = last.parts.findLastIndex(({ type }) => type === 'step-start');
    return toolParts({ ...last, parts: last.parts.slice(step + 1) })
      .filter(({ approval, toolCallId }) => (approval ? approval.isAutomatic !== true : this.#cards.has(toolCallId)))
      .map(({ toolCallId }) => toolCallId);
  }

  #tell(): void {
    const pending = this.gate?.getSnapshot().pending ?? [];
    const news = pending.filter(({ approvalId }) => !this.#told.has(approvalId));
    this.#told = new Set(pending.map(({ approvalId }) => approvalId));
    const [first] = news;
    if (!first) return;
    const part = this.watcher?.find(first.toolCallId)?.part;
    const tool = brief(part?.title || (part ? nameOf(part) : first.toolName), 60);
    this.say(news.length === 1 ? fill(this.words.arrived, { tool }) : fill(this.words.arrivedMany, { count: news.length }));
  }

  /**
   * To the next card that waits; where none does, the focus stays. Only where the user is: a decision by another way must not
   * take the focus.
   */
  #moveOn(): void {
    const cards = [...this.querySelectorAll<ToolApprovalElement>(':scope > tool-approval')];
    const at = cards.findIndex((card) => card === this.#active);
    if (at >= 0) [...cards.slice(at + 1), ...cards.slice(0, at)].find(({ status }) => status === 'waiting')?.focus();
  }
}
