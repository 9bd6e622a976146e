/**
 * The texts that stand for results which no tool gave, and their defaults.
 */
import type { GateTexts, Outcome } from './types.js';

const DENIED = 'Error: Tool execution was denied by user.';
const SKIPPED = 'Error: Tool execution was skipped due to previous tool denial.';
const EXPIRED = 'Error: Tool execution was not approved in time. It did not run.';
const CANCELLED = 'Error: Tool execution was cancelled by user. It did not run.';
const INTERRUPTED = 'Error: Tool execution was interrupted. It did not run.';
const MAY_HAVE_RUN = 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.';
const INCOMPLETE = 'Error: Tool call was interrupted before its input was complete. It did not run.';
const MOVED_ON = 'The user sent a new message instead of answering.';
const SUPERSEDED = 'Its approval was superseded by a later message or step.';

/** The texts in the order in which the core takes them: see `Core::new` in Rust. */
export function textList(texts: Partial<GateTexts> = {}): string[] {
  return [
    texts.cancelled ?? CANCELLED,
    texts.interrupted ?? INTERRUPTED,
    texts.mayHaveRun ?? MAY_HAVE_RUN,
    INCOMPLETE,
    texts.denyPending ?? MOVED_ON,
    SUPERSEDED,
    texts.skipped ?? SKIPPED,
    texts.expired ?? EXPIRED,
  ];
}

/** What the model reads about a call that gave no output of its own. */
export function resultText(outcome: Outcome, texts: Partial<GateTexts> = {}): string {
  const { kind, reason, mayHaveRun } = outcome;
  let text = texts.denied ?? DENIED;
  if (kind === 'cancelled') text = texts.cancelled ?? CANCELLED;
  if (kind === 'skipped') text = texts.skipped ?? SKIPPED;
  if (kind === 'expired') text = texts.expired ?? EXPIRED;
  if (kind === 'interrupted') text = texts.interrupted ?? INTERRUPTED;
  if (mayHaveRun) text = texts.mayHaveRun ?? MAY_HAVE_RUN;
  return reason === undefined ? text : `${text} ${reason}`;
}
