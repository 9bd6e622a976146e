/** One of three calls is denied: a policy decides about the others. */
import { CAFE_FILES } from './cafe-files';
import { SUMMER_EDITS } from './three-edits';
import type { Scenario } from './types';

export const oneDenied: Scenario = {
  id: 'one-denied',
  name: 'One of three denied',
  summary: 'You deny one call of three. A policy decides what happens to the others, and you choose it.',
  steps: [
    'Choose the policy above the chat.',
    'Approve the first edit, then deny the second. Watch what happens to the first and the third.',
  ],
  recordStep:
    'Look at “What the model saw”: each call has exactly one result. Denied and skipped calls have different texts.',
  opening:
    'Summer is coming: stay open until 22:00 on weekdays, put iced coffee on the menu, and make the flat white 3.60.',
  next: ['Show me hours.md'],
  files: CAFE_FILES,
  choosesPolicy: true,
  reply: ({ continues, userCount }) => (continues || userCount > 1 ? undefined : SUMMER_EDITS),
};
