/**
 * The elements of a card, and its head: the tool's title and its name, how the call stands, and why the backend asks.
 * What goes into the body and the foot is the card's.
 */
import type { ToolPart } from '../types/index.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { StatusView } from './status.js';
import { toolNameOf } from '../types/tool-part.js';
import { titleOf } from './tool-names.js';
import { ended, textNodes } from './visible.js';

/** How much of a title, a name and of a backend's reason is shown, in characters. */
const TITLE = 200;
const WHY = 2000;

/** What a card is made of. */
export class CardFrame {
  /** All of it. */
  readonly card: HTMLElement;
  /** Where the input is laid out. */
  readonly body = h('div', { class: 'body', part: 'body' });
  /** How a call stands that asks nothing. */
  readonly note = h('p', { class: 'note', part: 'note' });
  /** Why an answer was not taken. */
  readonly problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  /** Where the form, the note and the problem are. */
  readonly foot = h('footer', { part: 'footer' }, this.note, this.problem);
  readonly #name = h('span', {});
  readonly #titleSlot = slot('title', this.#name);
  /** The tool's name, where something else is shown for it. */
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

  /** Shows whose card it is and how the call stands. `level`: of the heading, 1 to 6. What did not change is left alone. */
  head(part: ToolPart, { status, tone, label }: StatusView, level: number): void {
    setAttribute(this.card, 'class', `card ${tone}`);
    setAttribute(this.card, 'part', `card card-${status}`);
    setAttribute(this.card, 'data-status', status);
    setAttribute(this.#title, 'aria-level', String(level));
    const [title, name] = [titleOf(part) ?? toolNameOf(part), toolNameOf(part)];
    if (this.#name.dataset['title'] !== title) {
      this.#name.dataset['title'] = title;
      this.#name.replaceChildren(...textNodes(ended(title, TITLE)));
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
      this.#why.replaceChildren(...textNodes(ended(why, WHY)));
    }
  }

  /** A title is anybody's text: the name is shown beside it, and beside what an app puts in its place. */
  #showName(): void {
    const name = this.#hasTitle || this.#titleSlot.assignedNodes().length > 0 ? this.#toolName : '';
    if (this.#tool.dataset['name'] === name) return;
    this.#tool.dataset['name'] = name;
    this.#tool.hidden = name === '';
    // The blank keeps the two apart where they are read out.
    this.#tool.replaceChildren(...(name === '' ? [] : [' ', ...textNodes(ended(name, TITLE))]));
  }
}

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);
