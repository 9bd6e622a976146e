/**
 * The elements of a card, and its header: the tool's title and name, the status of the call, and the backend's reason
 * for asking. The card fills the body and the footer.
 */
import type { ToolPart } from '../types/index.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { CallWords } from '../describe/call-words.js';
import { toolNameOf } from '../types/tool-part.js';
import { titleOf } from './tool-names.js';
import { textNodes, truncated } from './escape-invisible.js';

/** Maximum characters of a title or name, and of the backend's reason. */
const TITLE = 200;
const WHY = 2000;

/** The elements of a card. */
export class CardFrame {
  /** The outermost element. */
  readonly card: HTMLElement;
  /** Contains the layout of the input. */
  readonly body = h('div', { class: 'body', part: 'body' });
  /** Describes the status of a call that does not wait for a decision. */
  readonly note = h('p', { class: 'note', part: 'note' });
  /** The reason why the gate rejected a decision. */
  readonly problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  /** Contains the form, the note and the problem. */
  readonly foot = h('footer', { part: 'footer' }, this.note, this.problem);
  readonly #name = h('span', {});
  readonly #titleSlot = slot('title', this.#name);
  /** The tool's name, shown beside a title. */
  readonly #tool = h('code', { class: 'tool', part: 'tool-name', hidden: true });
  readonly #nameStatus = h('span', { class: 'hidden' });
  readonly #pill = h('span', { class: 'status', part: 'status', 'aria-hidden': 'true' });
  readonly #why = h('p', { class: 'request-reason', part: 'request-reason', dir: 'auto', hidden: true });
  readonly #title: HTMLElement;
  #hasTitle = false;
  #toolName = '';

  constructor() {
    const heading = { id: 'title', class: 'title', part: 'title', role: 'heading' };
    this.#title = h('div', heading, this.#titleSlot, this.#tool, this.#nameStatus);
    this.#titleSlot.addEventListener('slotchange', () => this.#showName());
    this.card = h(
      'section',
      { class: 'card', part: 'card', tabindex: '-1', 'aria-labelledby': 'title', hidden: true },
      h('header', { part: 'header' }, this.#title, this.#pill),
      this.#why,
      slot('body', this.body),
      this.foot,
    );
  }

  /** Renders the header. `level`: the level of the heading, 1 to 6. Does not touch unchanged elements. */
  renderHeader(part: ToolPart, { status, tone, label }: CallWords, level: number): void {
    setAttribute(this.card, 'class', `card ${tone}`);
    setAttribute(this.card, 'part', `card card-${status}`);
    setAttribute(this.card, 'data-status', status);
    setAttribute(this.#title, 'aria-level', String(level));
    const [title, name] = [titleOf(part) ?? toolNameOf(part), toolNameOf(part)];
    if (this.#name.dataset['title'] !== title) {
      this.#name.dataset['title'] = title;
      this.#name.replaceChildren(...textNodes(truncated(title, TITLE)));
    }
    this.#toolName = name;
    this.#hasTitle = title !== name;
    this.#showName();
    setText(this.#nameStatus, ` (${label})`);
    setText(this.#pill, label);
    const why = part.approval?.requestReason;
    this.#why.hidden = typeof why !== 'string' || why === '';
    if (typeof why === 'string' && this.#why.dataset['why'] !== why) {
      this.#why.dataset['why'] = why;
      this.#why.replaceChildren(...textNodes(truncated(why, WHY)));
    }
  }

  /** A title is untrusted text, so the name is shown beside it, and beside content of the `title` slot. */
  #showName(): void {
    const name = this.#hasTitle || this.#titleSlot.assignedNodes().length > 0 ? this.#toolName : '';
    if (this.#tool.dataset['name'] === name) return;
    this.#tool.dataset['name'] = name;
    this.#tool.hidden = name === '';
    // The space separates title and name for screen readers.
    this.#tool.replaceChildren(...(name === '' ? [] : [' ', ...textNodes(truncated(name, TITLE))]));
  }
}

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);
