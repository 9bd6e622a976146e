/**
 * The English texts of the elements, and how an app replaces them. A word in braces is a placeholder. `{tool}` is the
 * tool's name followed by its title in quotes, or the name alone in `chatTool` and `alwaysTool` and without a title.
 */
import { CALL_TEXTS, fill, type CallTexts } from '../describe/call-texts.js';
import type { LOAD_TEXTS } from './load-texts.js';

/**
 * The keys of texts that contain a number. They may have plural forms: one text for each form of the language, as
 * `Intl.PluralRules` names them.
 */
export type CountedKey =
  | 'secondsLeft'
  | 'showAll'
  | 'showAllLines'
  | 'showAllEntries'
  | 'arrivedMany'
  | 'approveAll'
  | 'denyAll'
  | 'confirmAll'
  | 'confirmAllNow'
  | 'approvedAll'
  | 'deniedAll'
  | 'notAll';

/** A text with plural forms, or one text for every number. */
export type CountedText = string | ({ readonly [FORM in Intl.LDMLPluralRule]?: string } & { readonly other: string });

/**
 * The texts of `<tool-approval>` and `<tool-approvals>`. `language` is the BCP 47 tag of their language, such as
 * `'de'`: it selects plural forms and the direction of the card. Without it, the card has the direction of the page.
 */
export type ApprovalTexts = {
  readonly [KEY in keyof typeof ENGLISH | keyof CallTexts | keyof typeof LOAD_TEXTS]: KEY extends CountedKey
    ? CountedText
    : string;
};

/** The texts that a view shows. */
export type CardTexts = Omit<ApprovalTexts, keyof typeof LOAD_TEXTS>;

/** The default texts of the views, without those about the state of a call. */
export const ENGLISH = {
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
  notAnObject: 'The input must be an object: { … }',
  remember: 'Applies to',
  once: 'this call only',
  chatInput: 'the same input, in this chat',
  chatTool: 'every {tool} call in this chat',
  alwaysInput: 'the same input, always',
  alwaysTool: 'every {tool} call, always',
  notAskedAgain: 'You will not be asked again about: {scope}',
  dangerous: 'Dangerous',
  expiresIn: 'Expires in {time}',
  moreTime: 'More time',
  secondsLeft: '{tool}: {seconds} seconds left.',
  noInput: 'No input.',
  emptyText: 'empty text',
  removed: 'Removed:',
  added: 'Added:',
  showAll: 'Show all ({count} characters)',
  showAllLines: 'Show all ({count} lines)',
  showAllEntries: 'Show all ({count} entries)',
  showLess: 'Show less',
  previous: 'Previous',
  next: 'Next',
  range: '{from}–{to} of {count}',
  retry: 'Send again',
  giveUp: 'Give up',
  sendNow: 'Send',
  doNotRun: 'Do not run',
  goOn: 'Continue',
  arrived: 'Approval needed: {tool}.',
  arrivedMany: '{count} approvals needed.',
  list: 'Approvals',

  all: 'All open calls',
  approveAll: 'Approve all {count}',
  showUnseen: 'Look at all of them first',
  needAnswer: 'To be answered one by one: {tools}',
  denyAll: 'Deny all {count}',
  confirmAll: 'Approve all {count}? Check these first: {tools}',
  confirmAllNow: 'Yes, approve all {count}',
  back: 'Back',
  approvedAll: { one: '{count} call approved.', other: '{count} calls approved.' },
  deniedAll: { one: '{count} call denied.', other: '{count} calls denied.' },
  notAll: {
    one: '{count} call was changed or answered in the meantime.',
    other: '{count} calls were changed or answered in the meantime.',
  },
  choice: 'Your choice',
  choiceMissing: 'Choose an option first.',
  answer: 'Your answer',
  answerMissing: 'Write an answer first.',
  rule: 'the server’s rule: {rule}',
  tooSoon: 'Too soon. Press again.',
  askedBy: 'Asked by: {agent}',
  byPolicy: 'Decided by a rule of this app.',
  byServer: 'Decided on the server.',
  byOtherTab: 'Answered in another tab.',
  elsewhere: 'Answered elsewhere.',
} as const;

/** The texts of each object that an app has passed. */
const known = new WeakMap<object, CardTexts>();
const NONE = {};

/** Returns the default texts, overridden by the app's. Values of the wrong type are ignored. */
export function textsWith(given: Partial<ApprovalTexts> = NONE): CardTexts {
  let texts = known.get(given);
  if (!texts) {
    texts = replaced<CardTexts>({ ...ENGLISH, ...CALL_TEXTS }, given, (text) => typeof text?.other === 'string');
    known.set(given, texts);
  }
  return texts;
}

/** Returns `english` with the strings of `given`, and with its other values that `isText` accepts. */
export function replaced<TEXTS extends object>(
  english: TEXTS,
  given: Partial<ApprovalTexts> | undefined,
  isText: (value: Partial<Exclude<CountedText, string>> | undefined) => boolean = () => false,
): TEXTS {
  const entries = Object.entries(given ?? {}).filter(
    ([key, text]) => Object.hasOwn(english, key) && (typeof text === 'string' || isText(text)),
  );
  return { ...english, ...Object.fromEntries(entries) };
}

/** A text with the plural form for `count`, and its placeholders replaced: `{count}` by the number. */
export function counted(
  texts: CardTexts,
  key: CountedKey,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text: CountedText = texts[key];
  const form = typeof text === 'string' ? text : (text[formOf(texts.language, count)] ?? text.other);
  return fill(form, { count, ...values });
}

/** The plural form of a number; that of English for an unknown language. */
function formOf(language: string, count: number): Intl.LDMLPluralRule {
  try {
    return new Intl.PluralRules(language || 'en').select(count);
  } catch {
    return new Intl.PluralRules('en').select(count);
  }
}

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|iw|nqo|ps|sd|syr|ug|ur|yi)(-|$)/i;

/** The language and direction of the texts; empty if they have none. */
export const languageOf = ({ language }: CardTexts): { readonly lang?: string; readonly dir?: 'ltr' | 'rtl' } =>
  language ? { lang: language, dir: RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr' } : {};

/** Sets the language and direction of the texts. An element of texts without a language inherits those of the page. */
export function setLanguage(element: HTMLElement, texts: CardTexts): void {
  if (element.lang === texts.language) return;
  element.removeAttribute('lang');
  element.removeAttribute('dir');
  Object.assign(element, languageOf(texts));
}
