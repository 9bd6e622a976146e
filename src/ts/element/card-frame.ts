/**
 * The elements of a card, and its header: the tool's title and name, the status of the call, and the backend's reason
 * for asking. The card fills the body and the footer.
 */
import type { ToolPart } from '../types/index.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { CallWords } from '../describe/call-words.js';
import { toolNameOf } from '../types/tool-part.js';
import { titleOf } from '../approval/tool-names.js';
import { cut, truncated } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import { textNodes } from './escape-invisible.js';
import { setLanguage, type CardTexts } from '../approval/texts.js';

/** Maximum characters of a title or name, and of the backend's reason. */
const TITLE = 200;
const WHY = 2000;

/** Maximum characters of the app's summary, and of the name of a sub-agent. */
const SUMMARY = 500;
const AGENT = 100;

/** The elements of a card. */
export class CardFrame {
  /** The outermost element. */
  readonly card: HTMLElement;
  /** Contains the layout of the input. */
  readonly body = h('div', { 'class part': 'body' });
  /** Describes the status of a call that does not wait for a decision. */
  readonly note = h('p', { 'class part': 'note' });
  /** The reason why the gate rejected a decision. */
  readonly problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  /** Says who decided the call. */
  readonly decidedBy = h('p', { 'class part': 'decided-by' });
  /** Contains the form, the note and the problem. */
  readonly foot = h('footer', { part: 'footer' }, this.note, this.decidedBy, this.problem);
  /** What the tool calls itself: untrusted text, so it is quoted, after the name. */
  readonly #quoted = h('div', { class: 'quoted', part: 'tool-title', dir: 'auto' });
  readonly #tool = h('code', { class: 'tool', part: 'tool-name', dir: 'ltr' });
  readonly #nameStatus = h('span', { class: 'hidden' });
  readonly #pill = h('span', { 'class part': 'status', 'aria-hidden': 'true' });
  /** Says that the call is dangerous. */
  readonly danger = h('span', { class: 'danger-mark', part: 'danger' });
  readonly #why = h('p', { 'class part': 'request-reason', dir: 'auto', hidden: true });
  readonly #askedBy = h('p', { 'class part': 'requested-by', dir: 'auto', hidden: true });
  readonly #summary = h('div', { 'class part': 'summary', dir: 'auto', hidden: true });
  readonly #title: HTMLElement;

  constructor() {
    const heading = { id: 'title', 'class part': 'title', role: 'heading' };
    this.#title = h('div', heading, this.#summary, ' ', this.#tool, ' ', slot('title', this.#quoted), this.#nameStatus);
    // Not a landmark: a chat has many cards, also of the same tool.
    const card = { 'class part': 'card', role: 'group', tabindex: '-1', 'aria-labelledby': 'title' };
    this.card = h(
      'section',
      { ...card, hidden: true },
      h('header', { part: 'header' }, this.#title, this.danger, this.#pill),
      this.#askedBy,
      this.#why,
      slot('body', this.body),
      this.foot,
    );
  }

  /** Renders the header. `level`: the level of the heading, 1 to 6. Does not touch unchanged elements. */
  renderHeader(part: ToolPart, { status, tone, label }: CallWords, level: number, texts: CardTexts): void {
    setLanguage(this.card, texts);
    setAttribute(this.card, 'class', `card ${tone}`);
    setAttribute(this.card, 'part', `card card-${status}`);
    setAttribute(this.card, 'data-status', status);
    setAttribute(this.#title, 'aria-level', String(level));
    const title = titleOf(part);
    showText(this.#tool, toolNameOf(part), TITLE);
    showText(this.#quoted, title && `“${truncated(title, TITLE)}”`, TITLE + 3);
    setText(this.#nameStatus, ` (${label})`);
    setText(this.#pill, label);
    showText(this.#why, part.approval?.requestReason, WHY);
    const agent: unknown = part.approval?.requestedBy;
    showText(
      this.#askedBy,
      typeof agent === 'string' && agent ? fill(texts.askedBy, { agent: cut(agent, AGENT) }) : '',
      WHY,
    );
  }

  /** Renders the app's summary of the call; none if it is empty. */
  renderSummary(summary: string): void {
    showText(this.#summary, summary, SUMMARY);
  }
}

/** Shows a text from outside with its hidden characters, or hides the element for an empty one. */
function showText(element: HTMLElement, text: unknown, most: number): void {
  element.hidden = typeof text !== 'string' || text === '';
  if (typeof text !== 'string' || element.dataset['text'] === text) return;
  element.dataset['text'] = text;
  element.replaceChildren(...textNodes(truncated(text, most)));
}

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);
