/** What single characters mean in JSON text, for a parser that reads one character at a time. */

/** The character that an escape such as `\n` means, by the character after the backslash. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The literals by their first character. */
export const LITERALS: Readonly<Record<string, readonly [rest: string, value: boolean | null]>> = {
  t: ['rue', true],
  f: ['alse', false],
  n: ['ull', null],
};

/** Whether the character is whitespace between tokens. */
export const isBlank = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** Whether the character is a decimal digit. */
export const isDigit = (char: string): boolean => char >= '0' && char <= '9';
