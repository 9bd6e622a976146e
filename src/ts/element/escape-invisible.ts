/**
 * Replaces characters that are invisible or change the direction of text by their code points, such as `U+202E`.
 * Otherwise `rm -rf` can hide in a file name, and the visible end of a path can differ from its real end. Letters of
 * all scripts and emoji are not escaped.
 */
import { h } from './card-dom.js';

/**
 * Characters without a visible glyph: controls, format characters, default ignorable code points (soft hyphens,
 * zero-width spaces, fillers, variation selectors, tags), line separators, lone surrogates, noncharacters, the Braille
 * blank, and very thin spaces.
 */
const NO_GLYPH =
  '[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Noncharacter_Code_Point}' +
  '\\u2800\\u2000-\\u200a\\u205f]';

/** Marks above or below a letter. */
const MARK = '[\\p{Mn}\\p{Me}]';

/** The most marks that a letter of any living script has. Further marks are escaped. */
const MAX_COMBINING = 5;

/** Letters of scripts that need no joiners. A joiner between them would make two different texts look equal. */
const NO_JOINER_SCRIPTS =
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}' +
  '\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}]';

/** Characters without a glyph that are legitimate in their context. */
const LEGITIMATE = [
  '[\\t\\n]',
  // Signs that enclose the digits after them: visible, though Unicode calls them format characters.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  // Variation selectors directly after an emoji, and in keycaps.
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Joiners in emoji, and between letters of scripts that need them.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=(?!${NO_JOINER_SCRIPTS})[\\p{L}\\p{M}])[\\u200c\\u200d](?=(?!${NO_JOINER_SCRIPTS})\\p{L})`,
];

/** One character to escape. The cheap test comes first, because most characters fail it. */
const ESCAPED = new RegExp(
  `(?=${NO_GLYPH})(?!${LEGITIMATE.join('|')})[^]|(?=${MARK})(?:(?<=${MARK}{${MAX_COMBINING}})|(?<=^|\\s))[^]`,
  'gu',
);

/** Consecutive escaped characters are shown in one styled mark. */
const RUNS = new RegExp(`(?:${ESCAPED.source})+`, 'gu');

/** Maximum number of styled marks in one text. */
const MAX_MARKS = 200;

/** How many more styled marks one card may contain. */
export interface MarkBudget {
  left: number;
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();

const codePointName = (character: string): string => `U+${hex(character).padStart(4, '0')}`;

/** Escapes a text for attributes and announcements. */
function escapeAll(text: string): string {
  return text.replace(ESCAPED, (character) => `[${codePointName(character)}]`);
}

/** Escapes a text and shortens it to one line of at most `most` characters, for titles and announcements. */
export function brief(text: string, most = 80): string {
  const line = escapeAll(cut(text, most * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${cut(line, most - 1)}…` : line;
}

/** Returns at most the first `most` characters, without a lone surrogate at the end. */
export function cut(text: string, most: number): string {
  const short = text.slice(0, most);
  return short.length < text.length && /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/** Returns `at`, or the position before it if `at` would split a surrogate pair. */
export function pairStart(text: string, at: number): number {
  return at > 0 && /^[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/** Like {@link cut}, with an ellipsis if the text is shortened. */
export const truncated = (text: string, most: number): string => (text.length > most ? `${cut(text, most)}…` : text);

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

const mark = (text: string): HTMLElement => h('span', { class: 'control', part: 'control' }, text);

function escapeUnambiguously(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(ESCAPED, (character) => `\\u{${hex(character)}}`);
}
