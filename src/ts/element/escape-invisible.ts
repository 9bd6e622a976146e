/**
 * Shows texts with characters that are invisible or change the direction of text: each is written out in a styled mark.
 * `describe/brief.ts` says which characters these are.
 */
import { codePointName, escapedCharacter, hex } from '../describe/brief.js';
import { h } from './card-dom.js';

/** Consecutive escaped characters are shown in one styled mark. */
const RUNS = new RegExp(`(?:${escapedCharacter().source})+`, 'gu');

/** Maximum number of styled marks in one text. */
const MAX_MARKS = 200;

/** How many more styled marks one card may contain. */
export interface MarkBudget {
  left: number;
}

/** Returns `at`, or the position before it if `at` would split a surrogate pair. */
export function pairStart(text: string, at: number): number {
  return at > 0 && /^[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/**
 * Converts a text to nodes. Escaped characters are in styled marks, so that a literal `U+202E` in the text looks
 * different. A text with too many of them becomes a single mark, with escapes as `\u{202E}` and doubled backslashes.
 */
export function textNodes(text: string, budget: MarkBudget = { left: MAX_MARKS }): (string | HTMLElement)[] {
  const nodes: (string | HTMLElement)[] = [];
  let [from, places] = [0, 0];
  for (const found of text.matchAll(RUNS)) {
    if (++places > Math.min(MAX_MARKS, budget.left)) return [mark(escapeUnambiguously(text))];
    if (found.index > from) nodes.push(text.slice(from, found.index));
    nodes.push(mark([...found[0]].map(codePointName).join(' ')));
    from = found.index + found[0].length;
  }
  budget.left -= places;
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

const mark = (text: string): HTMLElement => h('span', { 'class part': 'control' }, text);

function escapeUnambiguously(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(escapedCharacter(), (character) => `\\u{${hex(character)}}`);
}
