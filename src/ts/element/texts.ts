/**
 * Every word that the elements say, in English, and how an app replaces them. A word in braces stands for a value: `{tool}`
 * is the name of the tool, or its title.
 */

/** The words of `<tool-approval>` and `<tool-approvals>`. */
export type ApprovalTexts = { readonly [KEY in keyof typeof ENGLISH]: string };

/** The words as they are unless the app gives others. */
export const ENGLISH = {
  approve: 'Approve',
  approveEdited: 'Approve as edited',
  deny: 'Deny',
  reason: 'Reason…',
  reasonLabel: 'Why not? The model reads this.',
  edit: 'Edit…',
  editLabel: 'Input, as JSON',
  discardEdit: 'Discard the edit',
  badJson: 'This is no JSON: {problem}',
  notAnObject: 'The input has to be an object: { … }',
  remember: 'Applies to',
  once: 'this call only',
  chatInput: 'the same input, in this chat',
  chatTool: 'every {tool}, in this chat',
  alwaysInput: 'the same input, always',
  alwaysTool: 'every {tool}, always',
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
  retry: 'Send again',
  changed: 'The request has changed since it was shown. Look at it again.',
  answered: 'It was answered otherwise already.',
  closed: 'This request is closed.',
  refused: 'The answer was not taken: {problem}',
  arrived: 'Approval needed: {tool}.',
  arrivedMany: '{count} approvals needed.',
  list: 'Approvals',

  drafting: 'Writing',
  draftingNote: 'The model is still writing this call.',
  running: 'Running',
  runningNote: '',
  waiting: 'Waiting for you',
  waitingNote: '',
  forwarded: 'Handed on',
  forwardedNote: 'The tab that sends for this chat has not confirmed it yet. It can no longer be changed here.',
  forwardedApproval: 'You approved this.',
  forwardedDenial: 'You denied this.',
  approved: 'Approved',
  approvedNote: 'Will be sent once the others are answered.',
  leaving: 'Your answer leaves now.',
  sending: 'Approved, sending',
  sendingNote: 'Your answer is on its way.',
  working: 'Approved, running',
  workingNote: 'The server has your answer.',
  undelivered: 'Not sent',
  undeliveredNote: 'Your answer did not reach the server. It is kept.',
  unconfirmed: 'Unconfirmed',
  unconfirmedNote: 'Whether the server has your answer is not known.',
  unknown: 'Outcome not known',
  unknownNote: 'It may have run: the reply ended before its result came.',
  done: 'Done',
  doneNote: '',
  failed: 'Failed',
  failedNote: '',
  denied: 'Denied',
  deniedNote: 'It does not run.',
  skipped: 'Skipped',
  skippedNote: 'It did not run, because another call was denied.',
  expired: 'Expired',
  expiredNote: 'Nobody answered in time. It did not run.',
  cancelled: 'Cancelled',
  cancelledNote: 'It was called off.',
  interrupted: 'Interrupted',
  interruptedNote: 'It was closed before it had a result.',
  remembered: 'Answered by what you asked to remember.',
  reasonGiven: 'Reason: {reason}',
  mayHaveRun: 'It may have run; the outcome is not known.',
} as const;

/** The words that are in force: what the app gave, over the English ones. What is no text counts as not given. */
export function textsWith(given: Partial<ApprovalTexts> | undefined): ApprovalTexts {
  const entries = Object.entries(given ?? {}).filter(([key, text]) => Object.hasOwn(ENGLISH, key) && typeof text === 'string');
  return { ...ENGLISH, ...Object.fromEntries(entries) };
}

/** A text with its values put in. Values are put in as they are, braces and dollars included. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
