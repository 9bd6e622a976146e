/** The English texts of `<tool-question>`, and how an app replaces them. A word in braces is a placeholder. */
import type { ApprovalTexts } from '../approval/texts.js';

/** The texts of `<tool-question>`: those of `<tool-approval>` for the states of a call, and its own. */
export type QuestionTexts = ApprovalTexts & FormTexts;

/** The texts of the form. */
export type FormTexts = { readonly [KEY in keyof typeof FORM_ENGLISH]: string };

/** The default texts of the form. */
export const FORM_ENGLISH = {
  send: 'Send answer',
  decline: 'Decline',
  dismiss: 'Dismiss',
  optional: '(optional)',
  choose: 'Choose…',
  unset: 'No answer',
  otherAnswer: 'Another answer',
  asks: '{tool} asks: {message}',
  omitted: 'Optional fields that cannot be shown: {count}.',
  // Followed by the description of the field.
  secret: 'Enter no passwords: the answer is stored. ',
  noForm: 'This question cannot be shown as a form. You can decline it.',
  checkFields: 'Fields to check: {count}.',
  missing: 'Fill in this field.',
  notChosen: 'Choose one.',
  badEmail: 'Enter an e-mail address, such as name@example.org.',
  badUri: 'Enter a complete address, such as https://example.org.',
  badDate: 'Enter a complete date.',
  badNumber: 'Enter a number.',
  badInteger: 'Enter a whole number.',
  tooShort: 'Enter at least {count} characters.',
  tooLong: 'Enter at most {count} characters.',
  tooSmall: 'Enter {count} or more.',
  tooLarge: 'Enter {count} or less.',
  tooFew: 'Choose at least {count}.',
  tooMany: 'Choose at most {count}.',
  answeredLabel: 'Answered',
  declinedLabel: 'Declined',
  declinedLabelNote: 'You declined to answer.',
  dismissedLabel: 'Dismissed',
  dismissedLabelNote: 'You closed this without an answer.',
} as const;
