/**
 * The words of the components, which you may change here. For another language, pass `texts`: `de` of
 * `toolgate/element/texts/de`, for example.
 */
import type { ApprovalTexts } from 'toolgate/element';

const ENGLISH = {
  language: '',
  approve: 'Approve',
  approveEdited: 'Approve as edited',
  deny: 'Deny',
  denyWithReason: 'Deny with this reason',
  reason: 'Reason…',
  reasonLabel: 'Why not? The model reads this.',
  edit: 'Edit…',
  editLabel: 'Input, as JSON',
  discardEdit: 'Discard changes',
  badJson: 'Not valid JSON: {problem}',
  expiresIn: 'Expires in {time}',
  moreTime: 'More time',
  secondsLeft: '{tool}: {seconds} seconds left to answer.',
  retry: 'Send again',
  giveUp: 'Give up',
  sendNow: 'Send',
  doNotRun: 'Do not run',
  list: 'Approvals',
  arrivedMany: '{count} approvals needed.',
  approveAll: 'Approve all {count}',
  denyAll: 'Deny all {count}',
  confirmAll: 'Approve all {count}? Check these first: {tools}',
  confirmAllNow: 'Yes, approve all {count}',
  back: 'Back',
} as const satisfies Partial<ApprovalTexts>;

/** Words that replace the English ones. */
export type ApprovalWords = Partial<ApprovalTexts>;

/** A text, or one for each plural form of the language. */
type Text = string | { readonly [FORM in Intl.LDMLPluralRule]?: string };

/** All words of the components. */
export function wordsOf(texts?: ApprovalWords): { readonly [KEY in keyof typeof ENGLISH]: Text } & {
  readonly language: string;
} {
  return { ...ENGLISH, ...texts };
}

/** A text with its placeholders in braces replaced: in the plural form for `count` or `seconds`, if it has one. */
export function filled(
  text: Text,
  values: Readonly<Record<string, string | number>> = {},
  language: string = '',
): string {
  const number = Number(values['count'] ?? values['seconds'] ?? 1);
  const form = typeof text === 'string' ? text : (text[pluralOf(language, number)] ?? text.other ?? '');
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function pluralOf(language: string, number: number): Intl.LDMLPluralRule {
  return new Intl.PluralRules(language || 'en').select(number);
}

/** The `lang` and `dir` of an element with these words; nothing if they have no language. */
export function languageOf({ language = '' }: { readonly language?: string } = {}): {
  lang?: string;
  dir?: 'rtl' | 'ltr';
} {
  if (language === '') return {};
  return { lang: language, dir: /^(ar|dv|fa|he|ps|ur|yi)(-|$)/.test(language) ? 'rtl' : 'ltr' };
}
