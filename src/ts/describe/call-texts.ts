/**
 * The English words for the state of a call: a label for each status, and a sentence whose key ends with `Note`. A word
 * in braces is a placeholder. The model reads other texts (`protocols/shared/result-texts.ts`).
 */

/** The texts of {@link describeCall}, by key. */
export type CallTexts = { readonly [KEY in keyof typeof CALL_TEXTS]: string };

/** The default texts. */
export const CALL_TEXTS = {
  drafting: 'Writing',
  draftingNote: 'The model is still writing this call.',
  running: 'Running',
  runningNote: '',
  checking: 'Checking',
  checkingNote: 'The server decides about this call.',
  waiting: 'Waiting for you',
  waitingNote: '',
  forwarded: 'Forwarded',
  forwardedNote: 'Another tab has not confirmed your answer. It can no longer be changed here.',
  approved: 'Approved',
  approvedNote: 'Your answer will be sent when the other calls are answered.',
  heldForReply: 'Your answer will be sent when this reply ends.',
  heldUntilResume: 'Your answer was not sent: the reply was stopped, or broke off.',
  leaving: 'Sending your answer now.',
  sending: 'Approved, sending',
  sendingNote: 'Your answer is being sent.',
  working: 'Approved, running',
  workingNote: 'The server has received your answer.',
  undelivered: 'No reply',
  undeliveredNote: 'No usable reply came. Your answer may have arrived. You can send it again.',
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
  deniedByMessage: 'You sent a message instead of answering. It will not run.',
  deniedByServer: 'The server denied this call without asking.',
  skipped: 'Skipped',
  skippedNote: 'It did not run because another call was denied.',
  expired: 'Expired',
  expiredNote: 'No answer in time. It did not run.',
  cancelled: 'Cancelled',
  cancelledNote: 'It was cancelled.',
  interrupted: 'Interrupted',
  interruptedNote: 'Closed before a result arrived.',
  superseded: 'The chat continued before this was answered. It did not run.',
  unsent: 'You approved it, but your message was sent first. It did not run.',
  closed: 'This request is closed.',
  remembered: 'Answered by a decision you saved.',
  reasonGiven: 'Reason: {reason}',
  mayHaveRun: 'It may have run; its outcome is unknown.',
  changed: 'This request has changed. Please review it again.',
  answered: 'Already answered differently.',
  refused: 'Your answer was not accepted: {problem}',
} as const;

/** Returns the default texts, overridden by the app's. */
export function callTexts(given: Partial<CallTexts> | undefined): CallTexts {
  return given ? { ...CALL_TEXTS, ...given } : CALL_TEXTS;
}

/** Replaces the placeholders of a text. Values are inserted unchanged, including braces and dollar signs. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}
