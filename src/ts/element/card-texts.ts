/**
 * The English texts of the elements, and how an app replaces them. A word in braces is a placeholder. `{tool}` is the
 * tool's title followed by its name, or the name alone in `chatTool` and `alwaysTool` and for tools without a title.
 */
import { CALL_TEXTS, type CallTexts } from '../describe/call-texts.js';
import type { LOAD_TEXTS } from './load-texts.js';

/** The texts of `<tool-approval>` and `<tool-approvals>`. */
export type ApprovalTexts = {
  readonly [KEY in keyof typeof ENGLISH | keyof CallTexts | keyof typeof LOAD_TEXTS]: string;
};

/** The texts that a view shows. */
export type CardTexts = Omit<ApprovalTexts, keyof typeof LOAD_TEXTS>;

/** The default texts of the views, without those about the state of a call. */
export const ENGLISH = {
  approve: 'Approve',
  approveEdited: 'Approve as edited',
  deny: 'Deny',
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
  expiresIn: 'Expires in {time}',
  secondsLeft: '{tool}: {seconds} seconds left to answer.',
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
  arrived: 'Approval needed: {tool}.',
  arrivedMany: '{count} approvals needed.',
  list: 'Approvals',
} as const;

/** Returns the default texts, overridden by the app's. Values that are not strings are ignored. */
export function textsWith(given: Partial<ApprovalTexts> | undefined): CardTexts {
  const english = { ...ENGLISH, ...CALL_TEXTS };
  const entries = Object.entries(given ?? {}).filter(
    ([key, text]) => Object.hasOwn(english, key) && typeof text === 'string',
  );
  return { ...english, ...Object.fromEntries(entries) };
}
