/**
 * Text from a model, as a person can trust it: characters that are invisible, or that make what follows run in the other
 * direction, are written out as `U+202E`. Without that, `rm -rf` can hide in a file name, and a path can end otherwise
 * than it seems to. Letters of any script stay as they are.
 */
import { h } from './dom.js';

/**
 * Controls (but tab and line feed), soft hyphens, directional marks and overrides, zero-width spaces, line separators,
 * invisible operators and fillers, tags and variation selectors that carry text, and halves of pairs. Joiners are part of
 * emoji and of several scripts, and are written out between Latin letters and digits only.
 */
const UNSEEN = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e',
    '\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
    '|\\p{Surrogate}|(?<=^|[\\u0000-\\u024f])[\\u200c\\u200d]',
  ].join(''),
  'gu',
);

const named = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The text with its unseen characters written out, for attributes and announcements. */
function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `[${named(character)}]`);
}

/** The text on one line and not longer than `most` characters, for titles and announcements. */
export function brief(text: string, most = 80): string {
  const line = visible(cut(text, most * 4)).replace(/\s+/g, ' ').trim();
  return line.length > most ? `${cut(line, most - 1)}…` : line;
}

/** The first `most` characters at most, without half a pair at the end. */
export function cut(text: string, most: number): string {
  const short = text.slice(0, most);
  return short.length < text.length && /[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short;
}

/** The text as nodes: unseen characters stand in marks of their own, so that a text that says `U+202E` looks different. */
export function textNodes(text: string): (string | HTMLElement)[] {
  const nodes: (string | HTMLElement)[] = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > from) nodes.push(text.slice(from, found.index));
    nodes.push(h('span', { class: 'control', part: 'control' }, named(found[0])));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(text.slice(from));
  return nodes;
}
