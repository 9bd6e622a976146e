/**
 * The elements of a card, and its header: the tool's title and name, the status of the call, and the backend's reason
 * for asking. The card fills the body and the footer.
 */
import type { ToolPart } from '../types/index.js';
import { h, setAttribute, setText } from './card-dom.js';
import type { CallWords } from '../describe/call-words.js';
import { toolNameOf } from '../types/tool-part.js';
import { titleOf } from './tool-names.js';
import { cut } from '../describe/brief.js';
import { fill } from '../describe/call-texts.js';
import { textNodes, truncated } from './escape-invisible.js';
import { setLanguage, type CardTexts } from './card-texts.js';

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
  readonly decidedBy = h('p', { 'class part': 'decided-by', hidden: true });
  /** Contains the form, the note and the problem. */
  readonly foot = h('footer', { part: 'footer' }, this.note, this.decidedBy, this.problem);
  readonly #name = h('bdi', {});
  readonly #titleSlot = slot('title', this.#name);
  /** The tool's name, shown beside a title. */
  readonly #tool = h('code', { class: 'tool', part: 'tool-name', dir: 'ltr', hidden: true });
  readonly #nameStatus = h('span', { class: 'hidden' });
  readonly #pill = h('span', { 'class part': 'status', 'aria-hidden': 'true' });
  readonly #why = h('p', { 'class part': 'request-reason', dir: 'auto', hidden: true });
  readonly #askedBy = h('p', { 'class part': 'requested-by', dir: 'auto', hidden: true });
  readonly #summary = h('p', { 'class part': 'summary', dir: 'auto', hidden: true });
  readonly #title: HTMLElement;
  #hasTitle = false;
  #toolName = '';

  constructor() {
    const heading = { id: 'title', 'class part': 'title', role: 'heading' };
    this.#title = h('div', heading, this.#titleSlot, this.#tool, this.#nameStatus);
    this.#titleSlot.addEventListener('slotchange', () => this.#showName());
    // Not a landmark: a chat has many cards, also of the same tool.
    const card = { 'class part': 'card', role: 'group', tabindex: '-1', 'aria-labelledby': 'title' };
    this.card = h(
      'section',
      { ...card, hidden: true },
      h('header', { part: 'header' }, this.#title, this.#pill),
      this.#askedBy,
      this.#summary,
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

/** Shows a text from outside with its hidden characters, or hides the element for an empty one. */
function showText(element: HTMLElement, text: unknown, most: number): void {
  element.hidden = typeof text !== 'string' || text === '';
  if (typeof text !== 'string' || element.dataset['text'] === text) return;
  element.dataset['text'] = text;
  element.replaceChildren(...textNodes(truncated(text, most)));
}

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);
