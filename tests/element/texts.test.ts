// @vitest-environment happy-dom
/** The ready texts in other languages: complete, with the right placeholders, plural forms and direction. */
import { describe, expect, test, vi } from 'vitest';
import type { ApprovalTexts, CountedText } from 'toolgate/element';
import { ar } from 'toolgate/element/texts/ar';
import { de } from 'toolgate/element/texts/de';
import { en } from 'toolgate/element/texts/en';
import { es } from 'toolgate/element/texts/es';
import { fr } from 'toolgate/element/texts/fr';
import { he } from 'toolgate/element/texts/he';
import { ja } from 'toolgate/element/texts/ja';
import { ko } from 'toolgate/element/texts/ko';
import { pt } from 'toolgate/element/texts/pt';
import { ptBR } from 'toolgate/element/texts/pt-br';
import { zh } from 'toolgate/element/texts/zh';
import { ENGLISH } from '../../src/ts/approval/texts.js';
import { CALL_TEXTS } from '../../src/ts/describe/call-texts.js';
import { LOAD_TEXTS } from '../../src/ts/approval/load-texts.js';
import { asking, card, list, part, settle } from './support';

const LANGUAGES: Readonly<Record<string, ApprovalTexts>> = { ar, de, es, fr, he, ja, ko, pt, 'pt-BR': ptBR, zh };
const ALL: Readonly<Record<string, CountedText>> = { ...ENGLISH, ...CALL_TEXTS, ...LOAD_TEXTS };

/** A text's forms, by name. */
const formsOf = (text: CountedText): [form: string, text: string][] =>
  typeof text === 'string' ? [['other', text]] : (Object.entries(text) as [string, string][]);
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();

describe.each(Object.entries(LANGUAGES))('%s', (name, texts) => {
  test('has each text, and no other', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(ALL).toSorted());
    for (const [key, text] of Object.entries(texts))
      for (const [form, words] of formsOf(text as CountedText))
        expect(words === '', `${key} ${form}`).toBe(
          key !== 'language' && formsOf(ALL[key]!).every(([, is]) => is === ''),
        );
    expect(Intl.getCanonicalLocales(texts.language)[0]?.startsWith(name)).toBe(true);
  });

  test('the placeholders are those of the English text; a form for one number may say it in words', () => {
    const numbers = /^(count|seconds)$/;
    for (const [key, text] of Object.entries(texts)) {
      const english = placeholders(formsOf(ALL[key]!).find(([form]) => form === 'other')![1]);
      for (const [form, words] of formsOf(text as CountedText)) {
        const needed = /^(zero|one|two)$/.test(form) ? english.filter((each) => !numbers.test(each)) : english;
        const found = placeholders(words);
        expect(
          found.filter((each) => !numbers.test(each) || needed.includes(each)),
          `${key} ${form}`,
        ).toEqual(needed);
        expect(
          found.filter((each) => !english.includes(each)),
          `${key} ${form}`,
        ).toEqual([]);
      }
    }
  });

  test('the plural forms are those of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(texts.language).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      const forms = formsOf(text as CountedText).map(([form]) => form);
      expect(
        forms.filter((form) => !(pluralCategories as string[]).includes(form)),
        key,
      ).toEqual([]);
    }
  });
});

/** Whether a text is a sentence, a beginning or a label: languages have their own signs. */
const endOf = (text: string): string =>
  /[.!?。؟]$/.test(text) ? 'sentence' : text.endsWith('…') ? 'more' : /[:：]$/.test(text) ? 'list' : 'label';

test('no sentence is that of another language, and each text ends as the English one does', () => {
  const all = Object.entries({ en: ALL, ...LANGUAGES });
  const wrong: string[] = [];
  for (const [name, texts] of all)
    for (const [key, text] of Object.entries(texts))
      for (const [form, words] of formsOf(text as CountedText)) {
        const where = `${name} ${key} ${form}: ${words}`;
        const english = formsOf(ALL[key]!).at(-1)![1];
        if (key !== 'language' && !/[）)]$/.test(words) && endOf(words) !== endOf(english))
          wrong.push(`ends otherwise: ${where}`);
        if (endOf(words) !== 'sentence') continue;
        for (const [other, others] of all)
          if (other !== name && !(other.startsWith('pt') && name.startsWith('pt')))
            for (const [, same] of formsOf((others as typeof ALL)[key]!))
              if (same === words) wrong.push(`also in ${other}: ${where}`);
      }
  expect(wrong).toEqual([]);
});

/** What the list says when this many calls were approved. */
async function approved(count: number, texts: Partial<ApprovalTexts>): Promise<string> {
  const element = list(asking(Array.from({ length: count }, (_, index) => ({ id: `c${index}` }))));
  element.texts = texts;
  await settle();
  part(element, 'approve-all').click();
  const said = part(element, 'all-result').textContent ?? '';
  (element.shadowRoot?.activeElement as HTMLElement | null)?.blur();
  element.remove();
  return said;
}

test('a number selects its plural form', async () => {
  expect(await approved(2, he)).toBe('שתי קריאות אושרו.');
  expect(await approved(2, ar)).toBe('سُمح باستدعاءين.');
  expect(await approved(3, ar)).toBe('سُمح بـ 3 استدعاءات.');
  expect(await approved(11, ar)).toBe('سُمح بـ 11 استدعاءً.');
  expect(await approved(3, ja)).toBe('3 件の呼び出しを許可しました。');
  expect(await approved(2, fr)).toBe('2 appels autorisés.');
  // A form that the text omits, and a language that does not exist.
  expect(await approved(2, { language: 'ar', approvedAll: { other: 'all {count}' } })).toBe('all 2');
  expect(await approved(2, { language: 'no such language' })).toBe('2 calls approved.');
});

test('the card has the language and direction of its texts, and without a language those of the page', async () => {
  const element = card(asking([{ id: 'c1' }]));
  const frame = part(element, 'card');
  expect([frame.getAttribute('lang'), frame.getAttribute('dir')]).toEqual([null, null]);
  for (const [texts, dir] of [
    [ar, 'rtl'],
    [he, 'rtl'],
    [ja, 'ltr'],
    [en, 'ltr'],
  ] as const) {
    element.texts = texts;
    await settle();
    expect([frame.getAttribute('lang'), frame.getAttribute('dir')]).toEqual([texts.language, dir]);
  }
  expect(part(element, 'approve').textContent).toBe('Approve');
  element.texts = undefined;
  await settle();
  expect(frame.hasAttribute('dir')).toBe(false);
});

test('texts of the wrong type are ignored, and equal texts in a new object render nothing', async () => {
  const element = card(asking([{ id: 'c1' }]));
  element.texts = { approve: 7, arrivedMany: { one: 'x' } } as never;
  await settle();
  expect(part(element, 'approve').textContent).toBe('Approve');
  element.texts = { arrivedMany: { one: 'a', other: 'b' } };
  await settle();
  const button = part(element, 'approve');
  element.texts = { arrivedMany: { one: 'a', other: 'b' } };
  await settle();
  await vi.waitFor(() => expect(part(element, 'approve')).toBe(button));
});
