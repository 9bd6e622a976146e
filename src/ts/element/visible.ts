/**
 * Text from a model, as a person can trust it: characters that are invisible, or that make what follows run in the other
 * direction, are written out as `U+202E`. Without that, `rm -rf` can hide in a file name, and a path can end otherwise
 * than it seems to. Letters of any script, and emoji, stay as they are.
 */
import { h } from './card-dom.js';

/**
 * What has no shape of its own: controls, format characters, everything that may be ignored when text is displayed
 * (soft hyphens, zero-width spaces, fillers, variation selectors, tags), line separators, halves of pairs, code points
 * that are no characters, the blank of Braille, and spaces that are as thin as nothing.
 */
const SHAPELESS =
  '[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Noncharacter_Code_Point}' +
  '\\u2800\\u2000-\\u200a\\u205f]';

/** Marks over or under a letter. */
const MARK = '[\\p{Mn}\\p{Me}]';

/** As many as a letter of any living script carries; what is piled higher is written out. */
const MARKS = 5;

/** Letters of scripts that need no joiners: between these, a joiner would hide a difference. */
const PLAIN =
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}' +
  '\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}]';

/** Of what has no shape, what belongs to the text around it. */
const LEGIBLE = [
  '[\\t\\n]',
  // Signs that enclose the digits after them: format characters only by name.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  // Whether an emoji or a sign is meant, right behind it; and keycaps.
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Joiners in emoji, and between letters of scripts that need them.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=(?!${PLAIN})[\\p{L}\\p{M}])[\\u200c\\u200d](?=(?!${PLAIN})\\p{L})`,
];

/**
 * One character that is written out. What it is comes first: most characters are none of these, and nothing else is
 * looked at.
 */
const UNSEEN = new RegExp(
  `(?=${SHAPELESS})(?!${LEGIBLE.join('|')})[^]|(?=${MARK})(?:(?<=${MARK}{${MARKS}})|(?<=^|\\s))[^]`,
  'gu',
);

/** Several of them in a row are one mark. */
const RUNS = new RegExp(`(?:${UNSEEN.source})+`, 'gu');

/** In how many places of a text characters are written out as marks of their own. */
const PLACES = 200;

/** How many more marks may be made for one card. */
export interface MarkBudget {
  left: number;
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();

const named = (character: string): string => `U+${hex(character).padStart(4, '0')}`;

/** The text with its unseen characters written out, for attributes and announcements. */
function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `[${named(character)}]`);
}

/** The text on one line and not longer than `most` characters, for titles and announcements. */
export function brief(text: string, most = 80): string {
  const line = visible(cut(text, most * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${cut(line, most - 1)}…` : line;
}

/** The first `most` characters at most, without half a pair at the end. */
export function cut(text: string, most: number): string {
  const short = text.slice(0, most);
  return short.length < text.length && /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/** The place itself, or the one before it where it would part a pair. */
export function whole(text: string, at: number): number {
  return at > 0 && /^[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

/** As {@link cut}, with a sign that there is more. */
export const ended = (text: string, most: number): string => (text.length > most ? `${cut(text, most)}…` : text);

/**
 * The text as nodes: unseen characters are in marks of their own, so that a text that says `U+202E` looks different.
 * A text that is full of them becomes a single mark, with everything unseen as `\u{202E}` and backslashes doubled.
 */
export function textNodes(text: string, budget: MarkBudget = { left: PLACES }): (string | HTMLElement)[] {
  const nodes: (string | HTMLElement)[] = [];
  let [from, places] = [0, 0];
  for (const found of text.matchAll(RUNS)) {
    if (++places > Math.min(PLACES, budget.left)) return [mark(escaped(text))];
    if (found.index > from) nodes.push(text.slice(from, found.index));
    nodes.push(mark([...found[0]].map(named).join(' ')));
    from = found.index + found[0].length;
  }
  budget.left -= places;
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}

const mark = (text: string): HTMLElement => h('span', { class: 'control', part: 'control' }, text);

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(UNSEEN, (character) => `\\u{${hex(character)}}`);
}
