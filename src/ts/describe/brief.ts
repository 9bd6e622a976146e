/**
 * Replaces characters that are invisible or change the direction of text by their code points, such as `U+202E`.
 * Otherwise `rm -rf` can hide in a file name, and the visible end of a path can differ from its real end. Letters of
 * all scripts and emoji are not escaped.
 */

/** The most marks that a letter of any living script has. Further marks are escaped. */
const MAX_COMBINING = 5;

let known: RegExp | undefined;

/** One character to escape. Made when it is first needed: code at the top of a module is not tree-shaken. */
export function escapedCharacter(): RegExp {
  return (known ??= createPattern());
}

function createPattern(): RegExp {
  // Characters without a visible glyph: controls, format characters, default ignorable code points (soft hyphens,
  // zero-width spaces, fillers, variation selectors, tags), line separators, lone surrogates, noncharacters, the
  // Braille blank, and very thin spaces.
  const noGlyph =
    '[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Noncharacter_Code_Point}' +
    '\\u2800\\u2000-\\u200a\\u205f]';
  // Marks above or below a letter.
  const mark = '[\\p{Mn}\\p{Me}]';
  // Letters of scripts that need no joiners. A joiner between them would make two different texts look equal.
  const noJoinerScripts =
    '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}' +
    '\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}]';
  // Characters without a glyph that are legitimate in their context.
  const legitimate = [
    '[\\t\\n]',
    // Signs that enclose the digits after them: visible, though Unicode calls them format characters.
    '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
    // Variation selectors directly after an emoji, and in keycaps.
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // Joiners in emoji, and between letters of scripts that need them.
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    `(?<=(?!${noJoinerScripts})[\\p{L}\\p{M}])[\\u200c\\u200d](?=(?!${noJoinerScripts})\\p{L})`,
  ];
  // The cheap test comes first, because most characters fail it.
  return new RegExp(
    `(?=${noGlyph})(?!${legitimate.join('|')})[^]|(?=${mark})(?:(?<=${mark}{${MAX_COMBINING}})|(?<=^|\\s))[^]`,
    'gu',
  );
}

/** The code point of a character, in hex. */
export const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();

/** The name of a character's code point, such as `U+202E`. */
export const codePointName = (character: string): string => `U+${hex(character).padStart(4, '0')}`;

/** Escapes a text for attributes and announcements. */
export function escapeAll(text: string): string {
  return text.replace(escapedCharacter(), (character) => `[${codePointName(character)}]`);
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

/** Like {@link cut}, with an ellipsis if the text is shortened. */
export const truncated = (text: string, most: number): string => (text.length > most ? `${cut(text, most)}…` : text);
