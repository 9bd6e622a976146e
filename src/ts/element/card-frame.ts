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
export interface CardFrame {
  /** The outermost element. */
  readonly card: HTMLElement;
  /** Contains the layout of the input. */
  readonly body: HTMLElement;
  /** Describes the status of a call that does not wait for a decision. */
  readonly note: HTMLElement;
  /** The reason why the gate rejected a decision. */
  readonly problem: HTMLElement;
  /** Says who decided the call. */
  readonly decidedBy: HTMLElement;
  /** Contains the form, the note and the problem. */
  readonly foot: HTMLElement;
  /** Says that the call is dangerous. */
  readonly danger: HTMLElement;
  /** Renders the header. `level`: the level of the heading, 1 to 6. Does not touch unchanged elements. */
  readonly renderHeader: (part: ToolPart, words: CallWords, level: number, texts: CardTexts) => void;
  /** Renders the app's summary of the call; none if it is empty. */
  readonly renderSummary: (summary: string) => void;
}

/** Creates the elements of a card. */
export function cardFrame(): CardFrame {
  const body = h('div', { 'class part': 'body' });
  const note = h('p', { 'class part': 'note' });
  const problem = h('p', { class: 'problem', part: 'error', role: 'alert' });
  const decidedBy = h('p', { 'class part': 'decided-by' });
  const foot = h('footer', { part: 'footer' }, note, decidedBy, problem);
  // What the tool calls itself: untrusted text, so it is quoted, after the name.
  const quoted = h('div', { class: 'quoted', part: 'tool-title', dir: 'auto' });
  const tool = h('code', { class: 'tool', part: 'tool-name', dir: 'ltr' });
  const nameStatus = h('span', { class: 'hidden' });
  const pill = h('span', { 'class part': 'status', 'aria-hidden': 'true' });
  const danger = h('span', { class: 'danger-mark', part: 'danger' });
  const why = h('p', { 'class part': 'request-reason', dir: 'auto', hidden: true });
  const askedBy = h('p', { 'class part': 'requested-by', dir: 'auto', hidden: true });
  const summary = h('div', { 'class part': 'summary', dir: 'auto', hidden: true });
  const heading = { id: 'title', 'class part': 'title', role: 'heading' };
  const title = h('div', heading, summary, ' ', tool, ' ', slot('title', quoted), nameStatus);
  const card = h(
    'section',
    // Not a landmark: a chat has many cards, also of the same tool.
    { 'class part': 'card', role: 'group', tabindex: '-1', 'aria-labelledby': 'title', hidden: true },
    h('header', { part: 'header' }, title, danger, pill),
    askedBy,
    why,
    slot('body', body),
    foot,
  );
  return {
    card,
    body,
    note,
    problem,
    decidedBy,
    foot,
    danger,
    renderHeader(part, { status, tone, label }, level, texts) {
      setLanguage(card, texts);
      setAttribute(card, 'class', `card ${tone}`);
      setAttribute(card, 'part', `card card-${status}`);
      setAttribute(card, 'data-status', status);
      setAttribute(title, 'aria-level', String(level));
      const ownTitle = titleOf(part);
      showText(tool, toolNameOf(part), TITLE);
      showText(quoted, ownTitle && `“${truncated(ownTitle, TITLE)}”`, TITLE + 3);
      setText(nameStatus, ` (${label})`);
      setText(pill, label);
      showText(why, part.approval?.requestReason, WHY);
      const agent: unknown = part.approval?.requestedBy;
      showText(
        askedBy,
        typeof agent === 'string' && agent ? fill(texts.askedBy, { agent: cut(agent, AGENT) }) : '',
        WHY,
      );
    },
    renderSummary: (text) => showText(summary, text, SUMMARY),
  };
}

/** Shows a text from outside with its hidden characters, or hides the element for an empty one. */
function showText(element: HTMLElement, text: unknown, most: number): void {
  element.hidden = typeof text !== 'string' || text === '';
  if (typeof text !== 'string' || element.dataset['text'] === text) return;
  element.dataset['text'] = text;
  element.replaceChildren(...textNodes(truncated(text, most)));
}

const slot = (name: string, fallback: HTMLElement): HTMLSlotElement => h('slot', { name }, fallback);
