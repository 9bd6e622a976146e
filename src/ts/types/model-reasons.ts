/**
 * The reasons that Toolgate gives to the model for calls that the user did not decide. `describeCall` recognizes them,
 * and shows the user other words. They are here because a page must not load the core to recognize them.
 */

/** The reason of a call that was denied because the user sent a message instead of a decision. */
export const DENY_PENDING = 'The user sent a new message instead of answering.';

/** The reason of a call whose approval was superseded. */
export const SUPERSEDED = 'Its approval was superseded by a later message or step.';

/** The reason of an approved call that was held, because its reply was stopped or broke off, when the user wrote. */
export const UNSENT =
  'The user had approved it, but the reply was stopped or broke off, and the user wrote a message instead. Call it again if it is still wanted.';
