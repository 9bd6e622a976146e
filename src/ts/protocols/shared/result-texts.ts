/** The texts for the model about calls that have no output of a tool, and their defaults. */
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

/** Returns the app's own text, or the default. */
type TextLookup = (name: keyof GateTexts) => string;

const textLookup =
  (texts: Partial<GateTexts> | undefined): TextLookup =>
  (name) =>
    texts?.[name] ?? DEFAULTS[name];

/** Returns the texts in the order in which the core expects them: see `Core::new` in Rust. */
export function textList(texts?: Partial<GateTexts>): string[] {
  const textFor = textLookup(texts);
  return [
    textFor('cancelled'),
    textFor('interrupted'),
    textFor('mayHaveRun'),
    INCOMPLETE,
    textFor('denyPending'),
    SUPERSEDED,
    textFor('skipped'),
    textFor('expired'),
  ];
}

/**
 * Returns the text for the model about a call without an output: its outcome, followed by the reason if there is one.
 */
export function resultText({ kind, reason, mayHaveRun }: Outcome, texts?: Partial<GateTexts>): string {
  const textFor = textLookup(texts);
  const text = textFor(mayHaveRun ? 'mayHaveRun' : (kind as 'denied')) ?? textFor('denied');
  return reason === undefined ? text : `${text} ${reason}`;
}
