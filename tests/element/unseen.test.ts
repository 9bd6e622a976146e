// @vitest-environment happy-dom
/** Invisible characters are escaped. The tests compare with Unicode's properties for every code point. */
import { describe, expect, test } from 'vitest';
import { brief } from '../../src/ts/describe/brief';
import { textNodes } from '../../src/ts/element/escape-invisible';

/** The visible text, with escapes in ⟨⟩. */
const seen = (text: string): string =>
  textNodes(text)
    .map((node) => (typeof node === 'string' ? node : `⟨${node.textContent}⟩`))
    .join('');
const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
const named = (character: string): string => `U+${hex(character).padStart(4, '0')}`;

/** Every code point, as a string. */
function* codePoints(): Generator<string> {
  for (let point = 0; point <= 0x10ffff; point++) yield String.fromCodePoint(point);
}

/** Letters, marks and signs of every script, which are not escaped. */
const LEGIBLE = /^[\p{L}\p{N}\p{P}\p{Sm}\p{Sc}\p{Sk}\p{So}\p{Mc}\p{Co}]$/u;
const UNSEEN = /^[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Variation_Selector}\p{Noncharacter_Code_Point}]$/u;
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;

describe('every code point', () => {
  test('that is ignorable, bidirectional, a control, a separator or a noncharacter is escaped between letters', () => {
    const hidden: string[] = [];
    for (const point of codePoints()) {
      if (!(IGNORABLE.test(point) || UNSEEN.test(point)) || /[\t\n]/.test(point)) continue;
      if (seen(`a${point}b`) !== `a⟨${named(point)}⟩b`) hidden.push(named(point));
    }
    expect(hidden).toEqual([]);
  });

  test('that has a glyph is not escaped', () => {
    const changed: string[] = [];
    for (const point of codePoints()) {
      // Without a glyph: Hangul fillers (letters that are ignorable), and the Braille blank (a symbol like a space).
      if (!LEGIBLE.test(point) || IGNORABLE.test(point) || point === '\u2800') continue;
      if (seen(`a${point}b`) !== `a${point}b`) changed.push(named(point));
    }
    expect(changed).toEqual([]);
  });
});

test.each([
  ['a\ufe00b', 'a⟨U+FE00⟩b'],
  ['a\ufe0fb', 'a⟨U+FE0F⟩b'],
  ['/x/a\u{e0100}\u{e01ef}b', '/x/a⟨U+E0100 U+E01EF⟩b'],
  ['\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', '\u{1f3f4}⟨U+E0067 U+E0062 U+E007F⟩'],
  ['exa\u200ample', 'exa⟨U+200A⟩mple'],
  ['a\u2062b', 'a⟨U+2062⟩b'],
  ['pay\u202egpj.exe', 'pay⟨U+202E⟩gpj.exe'],
  ['❤\ufe0f\ufe0f', '❤\ufe0f⟨U+FE0F⟩'],
  ['a\u200d\u200cb', 'a⟨U+200D U+200C⟩b'],
  ['م\u200c\u200cم', 'م⟨U+200C U+200C⟩م'],
  ['👩\u200da', '👩⟨U+200D⟩a'],
  ['\u0301start', '⟨U+0301⟩start'],
  ['a \u0338b', 'a ⟨U+0338⟩b'],
])('%j is shown as %s', (text, expected) => {
  expect(seen(text)).toBe(expected);
});

test.each([
  'שלום مرحبا نमस्ते क्‍ष می‌خواهم 日本語 ไทย',
  '👩‍👩‍👧 👍🏽 ❤️ ☎︎ 1️⃣ 🏳️‍🌈 🧑🏽‍💻 ©️',
  'e\u0301 ệ o\u0302\u0323\u0301 Ç\u0327',
  'བྷྲཱུྃ बच्चे ﷽ ۝١',
  'tab\tand\nline',
  'no\u00a0break, 「全角\u3000空白」',
])('%s is not escaped', (text) => {
  expect(seen(text)).toBe(text);
});

test('the marks of a letter are escaped from the sixth on', () => {
  const pile = '\u0301'.repeat(40);
  expect(seen(`a${pile}b`)).toBe(`a${'\u0301'.repeat(5)}⟨${Array(35).fill('U+0301').join(' ')}⟩b`);
});

test('a text with many invisible characters becomes one element, which also escapes backslashes', () => {
  const nodes = textNodes(`C:\\u{200B}${'a\u200b'.repeat(1_000)}`);
  expect(nodes).toHaveLength(1);
  expect((nodes[0] as HTMLElement).textContent).toBe(`C:\\\\u{200B}${'a\\u{200B}'.repeat(1_000)}`);
});

test('many invisible characters are processed fast, and announcements name each of them', () => {
  expect(seen('\u{e0041}'.repeat(100_000))).toHaveLength('U+E0041 '.length * 100_000 + 1);
  expect(brief('a\ufe00b\u202ec')).toBe('a[U+FE00]b[U+202E]c');
});
