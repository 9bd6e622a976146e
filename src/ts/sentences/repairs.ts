/** What was wrong with a history, and how it was repaired. */
import type { RepairCode } from '../types/index.js';

/** The description of each repair. In the sentence it follows the name of the call. */
export const repairs: Readonly<Record<RepairCode, string>> = {
  'duplicate-call': 'occurred more than once: the copies were merged',
  'missing-state': 'had no valid state: the state was inferred',
  'missing-approval': 'was denied without an approval: one was added',
  'stale-approval': 'had a pending approval before later content: closed without running',
  'unanswered-call': 'had no result before later content: closed, and its outcome says if it may have run',
  'incomplete-input': 'had an incomplete input: it did not run',
  malformed: 'could not be read: omitted',
  'duplicate-message': 'occurred more than once: copies were omitted, and the rest got a new id',
  'duplicate-approval': 'had the approval of another call, or one twice: the first one counts',
  orphaned: 'had a request, response or result in another place: moved to its call, or omitted',
  'denied-output': 'was denied, but had an output: the denial counts',
  'invalid-value': 'had a value that its state does not allow: omitted or replaced',
};
