/**
 * The texts that stand for results which no tool gave, and their defaults.
 */
import type { GateTexts, Outcome } from '../../types/index.js';

const DEFAULTS: GateTexts = {
  denied: 'Error: Tool execution was denied by user.',
  skipped: 'Error: Tool execution was skipped due to previous tool denial.',
  expired: 'Error: Tool execution was not approved in time. It did not run.',
  cancelled: 'Error: Tool execution was cancelled by user. It did not run.',
  interrupted: 'Error: Tool execution was interrupted. It did not run.',
  mayHaveRun: 'Error: Tool execution was interrupted. It may have run; its outcome is unknown.',
  denyPending: 'The user sent a new message instead of answering.',
};
const INCOMPLETE = 'Error: Tool call was interrupted before its input was complete. It did not run.';
const SUPERSEDED = 'Its approval was superseded by a later message or step.';

/** The app's own text, or the default. */
type Word = (name: keyof GateTexts) => string;

const words =
  (texts: Partial<GateTexts> | undefined): Word =>
  (name) =>
    texts?.[name] ?? DEFAULTS[name];

/** The texts in the order in which the core takes them: see `Core::new` in Rust. */
export function textList(texts?: Partial<GateTexts>): string[] {
  const word = words(texts);
  return [
    word('cancelled'),
    word('interrupted'),
    word('mayHaveRun'),
    INCOMPLETE,
    word('denyPending'),
    SUPERSEDED,
    word('skipped'),
    word('expired'),
  ];
}

/** What the model reads about a call that gave no output of its own: its outcome, and the reason if there is one. */
export function resultText({ kind, reason, mayHaveRun }: Outcome, texts?: Partial<GateTexts>): string {
  const word = words(texts);
  const text = word(mayHaveRun ? 'mayHaveRun' : (kind as 'denied')) ?? word('denied');
  return reason === undefined ? text : `${text} ${reason}`;
}
