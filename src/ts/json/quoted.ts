/** Quotes names that come from others, for messages that a person reads in a log or a terminal. */

/**
 * Returns at most 80 characters of a value as a JSON string. What would break the line, is invisible or changes the
 * direction of text is escaped, so that a name cannot look like another one or like the rest of the message.
 */
export function quoted(name: unknown): string {
  const text = String(name);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text).replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
