/** The review's own texts: in each language of the cards, with its plural forms and placeholders. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { at } from '../../pkg-scripts/lib/shell.mjs';
import { ownTexts } from '../../src/ts/element/review-texts.js';

const files = readdirSync(at('src/ts/element/texts')).map((file) => file.replace('.ts', ''));

test.each(files)('%s: its language has texts of its own, complete', async (file) => {
  const all = (await import(`../../src/ts/element/texts/${file}.ts`)) as Record<string, { language?: string }>;
  const language = Object.values(all)[0]!.language!;
  const { tag, notSent, unmark, sendMarked, approvals, denials } = ownTexts(language);
  expect(tag).toBe(language);
  if (language !== 'en') expect([notSent, unmark]).not.toEqual([ownTexts('en').notSent, ownTexts('en').unmark]);
  expect(sendMarked.match(/\{\w+\}/g)).toEqual(['{decisions}']);
  const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const text of [approvals, denials]) {
    const forms = typeof text === 'string' ? { other: text } : text;
    expect(forms.other).toContain('{count}');
    // A form for each number below 100, in which a text of several forms differs.
    for (const form of typeof text === 'string' ? [] : plurals.filter((each) => !['zero', 'many'].includes(each)))
      expect(Object.keys(forms), form).toContain(form);
  }
});

test('a variety of a language gets the texts of the language, and an unknown one those in English', () => {
  expect(ownTexts('de-AT').tag).toBe('de');
  expect(ownTexts('pt').tag).toBe('pt-BR');
  for (const language of ['', 'xx', 'not a tag', '__proto__']) expect(ownTexts(language).tag).toBe('en');
});
