/**
 * The English texts of the elements, and how an app replaces them. A word in braces is a placeholder. `{tool}` is the
 * tool's title followed by its name, or the name alone in `chatTool` and `alwaysTool` and for tools without a title.
 */

import type { LOAD_TEXTS } from './load-texts.js';

/** The texts of `<tool-approval>` and `<tool-approvals>`. */
export type ApprovalTexts = { readonly [KEY in keyof typeof ENGLISH | keyof typeof LOAD_TEXTS]: string };

/** The texts that a view shows. */
export type CardTexts = Omit<ApprovalTexts, keyof typeof LOAD_TEXTS>;

/** The default texts of the views. */
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
  changed: 'This request has changed since it was shown. Please review it again.',
  answered: 'Already answered differently.',
  closed: 'This request is closed.',
  refused: 'Your answer was not accepted: {problem}',
  arrived: 'Approval needed: {tool}.',
  arrivedMany: '{count} approvals needed.',
  list: 'Approvals',

  drafting: 'Writing',
  draftingNote: 'The model is still writing this call.',
  running: 'Running',
  runningNote: '',
  waiting: 'Waiting for you',
  waitingNote: '',
  forwarded: 'Forwarded',
  forwardedNote: 'Another tab sends your answer and has not confirmed it yet. It can no longer be changed here.',
  forwardedApproval: 'You approved this.',
  forwardedDenial: 'You denied this.',
  approved: 'Approved',
  approvedNote: 'Your answer will be sent when the other calls are answered.',
  leaving: 'Sending your answer now.',
  sending: 'Approved, sending',
  sendingNote: 'Your answer is being sent.',
  working: 'Approved, running',
  workingNote: 'The server has received your answer.',
  undelivered: 'Not sent',
  undeliveredNote: 'Your answer did not reach the server. You can send it again.',
  unconfirmed: 'Unconfirmed',
  unconfirmedNote: 'We don’t know whether the server received your answer.',
  unknown: 'Outcome unknown',
  unknownNote: 'It may have run: the reply ended before a result arrived.',
  done: 'Done',
  doneNote: '',
  failed: 'Failed',
  failedNote: '',
  denied: 'Denied',
  deniedNote: 'It will not run.',
  skipped: 'Skipped',
  skippedNote: 'It did not run because another call was denied.',
  expired: 'Expired',
  expiredNote: 'No answer in time. It did not run.',
  cancelled: 'Cancelled',
  cancelledNote: 'It was cancelled.',
  interrupted: 'Interrupted',
  interruptedNote: 'Closed before a result arrived.',
  remembered: 'Answered by a decision you saved.',
  reasonGiven: 'Reason: {reason}',
  mayHaveRun: 'It may have run; its outcome is unknown.',
} as const;

/** Returns the default texts, overridden by the app's. Values that are not strings are ignored. */
export function textsWith(given: Partial<ApprovalTexts> | undefined): CardTexts {
  const entries = Object.entries(given ?? {}).filter(
    ([key, text]) => Object.hasOwn(ENGLISH, key) && typeof text === 'string',
  );
  return { ...ENGLISH, ...Object.fromEntries(entries) };
}

/** Replaces the placeholders of a text. Values are inserted unchanged, including braces and dollar signs. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
